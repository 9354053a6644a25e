# Native command-line programs and what they share.
add_library(attn_json STATIC web/tools/json_config.cpp)
target_link_libraries(attn_json PUBLIC attn_core)

add_executable(attn_cache web/tools/cache_main.cpp)
target_link_libraries(attn_cache PRIVATE attn_json)
target_compile_definitions(attn_cache PRIVATE ATTN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
