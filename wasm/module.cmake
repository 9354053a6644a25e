# The module that pages, workers and Node load: build/wasm/attn_core.mjs and attn_core.wasm.
# Node gives it the bytes of the .wasm; so no Node build is needed.

# The bindings catch what the core throws. WebAssembly's own exceptions (Chrome 95, Firefox 100,
# Safari 15.2) cost neither the time nor the size of Emscripten's emulation.
target_compile_options(attn_flags INTERFACE -fwasm-exceptions -flto -fno-threadsafe-statics)
target_link_options(attn_flags INTERFACE -fwasm-exceptions -flto -O3
  -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker
  -sALLOW_MEMORY_GROWTH -sMALLOC=emmalloc -sFILESYSTEM=0)

# Small, but for the three files in which the time is spent. The flags are set file by file because
# emcc mixes up two levels on one command line.
set(CMAKE_CXX_FLAGS_RELEASE -DNDEBUG)
file(GLOB BINDING_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/*.cpp)
set_source_files_properties(${CORE_SOURCES} ${BINDING_SOURCES} PROPERTIES COMPILE_OPTIONS -Os)
foreach(hot math product rng)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/core/${hot}.cpp PROPERTIES COMPILE_OPTIONS -O3)
endforeach()

add_library(attn_core_objects OBJECT ${CORE_SOURCES})
target_link_libraries(attn_core_objects PUBLIC attn_flags)

add_executable(attn_core ${BINDING_SOURCES})
target_link_libraries(attn_core PRIVATE attn_core_objects)
# No eval, so that a page needs only 'wasm-unsafe-eval' in its content-security policy.
target_link_options(attn_core PRIVATE -lembind -sDYNAMIC_EXECUTION=0)
set_target_properties(attn_core PROPERTIES SUFFIX .mjs)

# TypeScript finds the declaration beside the file that it imports.
add_custom_command(TARGET attn_core POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E copy_if_different
    ${CMAKE_SOURCE_DIR}/wasm/attn_core.d.mts ${CMAKE_BINARY_DIR}/attn_core.d.mts)

# For the tests alone: the digest of this build, compiled as the module is.
add_executable(attn_digest tests/core/digest.cpp tests/core/digest_bindings.cpp)
target_link_libraries(attn_digest PRIVATE attn_core_objects)
target_link_options(attn_digest PRIVATE -lembind -sDYNAMIC_EXECUTION=0)
set_target_properties(attn_digest PROPERTIES SUFFIX .mjs)

# The module that trains, for a worker: build/wasm/attn_train.mjs and attn_train.wasm. Only the
# engine itself uses vector instructions.
file(GLOB TRAIN_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/train/*.cpp)
set_source_files_properties(${TRAIN_SOURCES} PROPERTIES COMPILE_OPTIONS -Os)
set_source_files_properties(${GPT_SOURCES} PROPERTIES COMPILE_OPTIONS "-O3;-msimd128")
add_library(attn_gpt_objects OBJECT ${GPT_SOURCES})
target_link_libraries(attn_gpt_objects PUBLIC attn_gpt_flags attn_flags)

add_executable(attn_train ${TRAIN_SOURCES} wasm/convert.cpp)
target_link_libraries(attn_train PRIVATE attn_gpt_objects attn_core_objects)
target_link_options(attn_train PRIVATE -lembind -sDYNAMIC_EXECUTION=0)
set_target_properties(attn_train PROPERTIES SUFFIX .mjs)
add_custom_command(TARGET attn_train POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E copy_if_different
    ${CMAKE_SOURCE_DIR}/wasm/attn_train.d.mts ${CMAKE_BINARY_DIR}/attn_train.d.mts)

add_executable(attn_training_digest tests/core/gpt/training_digest.cpp
  tests/core/gpt/training_digest_bindings.cpp)
target_link_libraries(attn_training_digest PRIVATE attn_gpt_objects attn_core_objects)
target_link_options(attn_training_digest PRIVATE -lembind -sDYNAMIC_EXECUTION=0)
set_target_properties(attn_training_digest PROPERTIES SUFFIX .mjs)

# For the benchmark alone: the engine beside Eigen's product, which is optimised the same way but keeps
# what the project's own flags would take from it.
add_library(eigen_product OBJECT web/tools/eigen_product.cpp)
target_include_directories(eigen_product PRIVATE ${CMAKE_SOURCE_DIR})
target_include_directories(eigen_product SYSTEM PRIVATE ${EIGEN3_INCLUDE_DIR})
target_compile_options(eigen_product PRIVATE -O3 -msimd128)
add_executable(attn_train_bench web/tools/train_bench.cpp wasm/bench/train_bench_bindings.cpp)
set_source_files_properties(web/tools/train_bench.cpp PROPERTIES COMPILE_OPTIONS -O3)
target_link_libraries(attn_train_bench PRIVATE attn_gpt_objects attn_core_objects eigen_product)
target_link_options(attn_train_bench PRIVATE -lembind -sDYNAMIC_EXECUTION=0)
set_target_properties(attn_train_bench PROPERTIES SUFFIX .mjs)
