# Native tests, and the programs whose output the tests of the module compare with its own.
enable_testing()

add_library(attn_core STATIC ${CORE_SOURCES})
target_link_libraries(attn_core PUBLIC attn_flags)

file(GLOB TEST_SOURCES CONFIGURE_DEPENDS tests/core/*_test.cpp)
add_executable(attn_tests ${TEST_SOURCES} tests/core/doctest_main.cpp)
target_link_libraries(attn_tests PRIVATE attn_core)
add_test(NAME core COMMAND attn_tests)

add_executable(attn_cases tests/core/cases_main.cpp)
target_link_libraries(attn_cases PRIVATE attn_core)

# The digest of the plainest instruction set, and of one with wider vectors and fused operations that
# the compiler must leave alone.
set(DIGEST_SOURCES tests/core/digest.cpp tests/core/digest_main.cpp)
add_executable(attn_digest ${DIGEST_SOURCES})
target_link_libraries(attn_digest PRIVATE attn_core)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_executable(attn_digest_avx2 ${DIGEST_SOURCES} ${CORE_SOURCES})
  target_link_libraries(attn_digest_avx2 PRIVATE attn_flags)
  target_compile_options(attn_digest_avx2 PRIVATE -mavx2 -mfma)
  target_compile_definitions(attn_digest_avx2 PRIVATE ATTN_NEEDS_AVX2)
endif()
