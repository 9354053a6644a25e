# Native command-line programs, twice where it pays: for any processor, and for those with AVX2. Both
# print the same bits.
add_executable(attn_case web/tools/case_main.cpp)
target_link_libraries(attn_case PRIVATE attn_gpt)
if(TARGET attn_gpt_avx2)
  add_executable(attn_case_avx2 web/tools/case_main.cpp)
  target_link_libraries(attn_case_avx2 PRIVATE attn_gpt_avx2)
endif()
