# Native command-line programs and what they share.
add_library(attn_json STATIC ${CMAKE_SOURCE_DIR}/web/tools/json_config.cpp)
target_link_libraries(attn_json PUBLIC attn_core)
