# Native tests.
enable_testing()

file(GLOB TEST_SOURCES CONFIGURE_DEPENDS tests/core/*_test.cpp)
add_executable(attn_tests ${TEST_SOURCES} tests/core/doctest_main.cpp tests/core/model_files.cpp
  tests/fuzz/config_claims.cpp)
target_link_libraries(attn_tests PRIVATE attn_core attn_json)
# Some tests read the project's own model files.
target_compile_definitions(attn_tests PRIVATE ATTN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
add_test(NAME core COMMAND attn_tests)
