# Fuzzing the config reader with libFuzzer; needs Clang. Configure with -DATTN_FUZZ=ON.
add_library(attn_core STATIC ${CORE_SOURCES})
target_link_libraries(attn_core PUBLIC attn_flags)
target_compile_options(attn_flags INTERFACE -g -fsanitize=fuzzer-no-link,address,undefined
  -fno-sanitize-recover=all)
target_link_options(attn_flags INTERFACE -fsanitize=address,undefined)

add_executable(config_fuzz tests/fuzz/config_fuzz.cpp tests/fuzz/config_claims.cpp
  core/programs/json_config.cpp)
target_link_libraries(config_fuzz PRIVATE attn_core)
target_link_options(config_fuzz PRIVATE -fsanitize=fuzzer)
