# The training engine natively: for any processor, and once more for those with AVX2.
find_package(Threads REQUIRED)
add_library(attn_gpt STATIC ${GPT_SOURCES})
target_link_libraries(attn_gpt PUBLIC attn_gpt_flags attn_core Threads::Threads)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_library(attn_gpt_avx2 STATIC ${GPT_SOURCES})
  target_link_libraries(attn_gpt_avx2 PUBLIC attn_gpt_flags attn_core Threads::Threads)
  target_compile_options(attn_gpt_avx2 PRIVATE -mavx2 -mfma)
endif()
