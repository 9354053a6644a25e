# Native command-line programs and what they share. The compiler takes longer over the headers for
# options and JSON than these files run, so it optimises them little; the library computes.
set_source_files_properties(core/programs/cache_main.cpp core/programs/cache_answer.cpp
  core/programs/cache_text.cpp core/programs/cache_words.cpp core/programs/case_main.cpp
  core/programs/case_changes.cpp core/programs/case_measures.cpp PROPERTIES COMPILE_OPTIONS -O1)
add_library(attn_json STATIC core/programs/json_config.cpp core/programs/text_file.cpp)
target_link_libraries(attn_json PUBLIC attn_core)

add_executable(attn_cache core/programs/cache_main.cpp core/programs/cache_answer.cpp
  core/programs/cache_text.cpp core/programs/cache_words.cpp)
target_link_libraries(attn_cache PRIVATE attn_json)
target_compile_definitions(attn_cache PRIVATE ATTN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")

# The experiments of the case study, twice: for any processor, and for those with AVX2. Both print
# the same bits.
add_library(attn_case_main OBJECT core/programs/case_main.cpp
  core/programs/case_changes.cpp core/programs/case_measures.cpp)
target_link_libraries(attn_case_main PRIVATE attn_gpt_flags attn_flags)
add_executable(attn_case)
target_link_libraries(attn_case PRIVATE attn_case_main attn_gpt)
if(TARGET attn_gpt_avx2)
  add_executable(attn_case_avx2)
  target_link_libraries(attn_case_avx2 PRIVATE attn_case_main attn_gpt_avx2)

  # Eigen's product for comparison, with all instructions and none of the project's own flags.
  add_library(eigen_product OBJECT core/programs/eigen_product.cpp)
  target_include_directories(eigen_product PRIVATE ${CMAKE_SOURCE_DIR})
  target_include_directories(eigen_product SYSTEM PRIVATE ${EIGEN3_INCLUDE_DIR})
  target_compile_options(eigen_product PRIVATE -mavx2 -mfma)
  add_executable(attn_train_bench core/programs/train_bench.cpp core/programs/train_bench_main.cpp)
  target_link_libraries(attn_train_bench PRIVATE attn_gpt_avx2 eigen_product)
endif()
