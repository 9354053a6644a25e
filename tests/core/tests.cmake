# Native tests.
enable_testing()

add_library(attn_core STATIC ${CORE_SOURCES})
target_link_libraries(attn_core PUBLIC attn_flags)

file(GLOB TEST_SOURCES CONFIGURE_DEPENDS tests/core/*_test.cpp)
add_executable(attn_tests ${TEST_SOURCES} tests/core/doctest_main.cpp)
target_link_libraries(attn_tests PRIVATE attn_core)
add_test(NAME core COMMAND attn_tests)
