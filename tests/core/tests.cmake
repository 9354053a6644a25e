# Native tests, and the programs whose output the tests of the module compare with its own.
enable_testing()

file(GLOB TEST_SOURCES CONFIGURE_DEPENDS tests/core/*_test.cpp tests/core/gpt/*_test.cpp)
add_executable(attn_tests ${TEST_SOURCES} core/programs/case_changes.cpp
  tests/core/doctest_main.cpp tests/core/model_files.cpp
  tests/fuzz/config_claims.cpp)
target_link_libraries(attn_tests PRIVATE attn_gpt attn_json)
target_precompile_headers(attn_tests PRIVATE ${COMMON_HEADERS})
# The compiler takes longer over the checks than they run, so it optimises them little.
target_compile_options(attn_tests PRIVATE -O1)
target_compile_definitions(attn_tests PRIVATE DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
# Some tests read the project's own model files.
target_compile_definitions(attn_tests PRIVATE ATTN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
add_test(NAME core COMMAND attn_tests)

add_executable(attn_cases tests/core/cases_main.cpp)
target_compile_options(attn_cases PRIVATE -O1)
target_link_libraries(attn_cases PRIVATE attn_core)

# The digest of the plainest instruction set, and of one with wider vectors and fused operations
# the compiler must not use.
set(DIGEST_SOURCES tests/core/digest.cpp tests/core/digest_main.cpp)
add_executable(attn_digest ${DIGEST_SOURCES})
target_link_libraries(attn_digest PRIVATE attn_core)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # The digest has no results of the files that read and plan caches.
  set(DIGESTED_SOURCES ${CORE_SOURCES})
  list(FILTER DIGESTED_SOURCES EXCLUDE REGEX
    "core/(config_|cache_|kv_cache|gguf|parameters|reserv|serving|engine_log|vllm)")
  add_executable(attn_digest_avx2 ${DIGEST_SOURCES} ${DIGESTED_SOURCES})
  # The linker takes functions of those files from the library, and all others from these.
  target_link_libraries(attn_digest_avx2 PRIVATE attn_core)
  target_compile_options(attn_digest_avx2 PRIVATE -mavx2 -mfma)
  target_precompile_headers(attn_digest_avx2 PRIVATE ${COMMON_HEADERS})
  target_compile_definitions(attn_digest_avx2 PRIVATE ATTN_NEEDS_AVX2)
endif()

# The same for whole training runs: the digest must not depend on instruction set or threads.
set(TRAINING_DIGEST_SOURCES tests/core/gpt/training_digest.cpp
  tests/core/gpt/training_digest_main.cpp)
add_executable(attn_training_digest ${TRAINING_DIGEST_SOURCES})
target_link_libraries(attn_training_digest PRIVATE attn_gpt)
if(TARGET attn_gpt_avx2)
  add_executable(attn_training_digest_avx2 ${TRAINING_DIGEST_SOURCES})
  target_link_libraries(attn_training_digest_avx2 PRIVATE attn_gpt_avx2)
  target_compile_definitions(attn_training_digest_avx2 PRIVATE ATTN_NEEDS_AVX2)
endif()

# The plainest digest, once for all the tests that compare with it: it takes 13 s.
add_custom_command(OUTPUT training_digest.txt
  COMMAND attn_training_digest 1 > training_digest.txt
  DEPENDS attn_training_digest VERBATIM)
add_custom_target(attn_training_digest_text ALL DEPENDS training_digest.txt)
