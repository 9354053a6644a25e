# The modules that pages, workers and Node load, in build/wasm. Node gives them the bytes of the .wasm; so no
# Node build is needed.

# The bindings catch what the core throws. WebAssembly's own exceptions (Chrome 95, Firefox 100,
# Safari 15.2) cost neither the time nor the size of Emscripten's emulation. Browsers that have them
# have the instructions for copying memory and for converting numbers too.
set(WASM_FEATURES -fwasm-exceptions -mbulk-memory -mnontrapping-fptoint)
target_compile_options(attn_flags INTERFACE ${WASM_FEATURES} -flto -fno-threadsafe-statics)
# Smaller at -Oz by 3 %, but calls take twice the time.
target_link_options(attn_flags INTERFACE ${WASM_FEATURES} -flto -O3
  -sMALLOC=emmalloc -sFILESYSTEM=0)

# Small, but for the three files in which the time is spent. The flags are set file by file because
# emcc mixes up two levels on one command line.
set(CMAKE_CXX_FLAGS_RELEASE -DNDEBUG)
file(GLOB BINDING_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/*.cpp)
# Reading configs weighs as much as all the rest and few pages need it: a module of its own.
set(CACHE_BINDINGS ${BINDING_SOURCES})
list(FILTER CACHE_BINDINGS INCLUDE REGEX "/(config_bindings|kv_cache_bindings|layout_convert|convert)\\.cpp$")
set(CORE_BINDINGS ${BINDING_SOURCES})
list(FILTER CORE_BINDINGS EXCLUDE REGEX "/(config_bindings|kv_cache_bindings|layout_convert|convert|buffer)\\.cpp$")
set_source_files_properties(${CORE_SOURCES} ${BINDING_SOURCES} PROPERTIES COMPILE_OPTIONS -Os)
foreach(hot math product rng)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/core/${hot}.cpp PROPERTIES COMPILE_OPTIONS -O3)
endforeach()

add_library(attn_core_objects OBJECT ${CORE_SOURCES})
target_link_libraries(attn_core_objects PUBLIC attn_flags)

# TypeScript finds the declaration beside the file that it imports.
function(attn_declared name)
  if(EXISTS ${CMAKE_SOURCE_DIR}/wasm/${name}.d.mts)
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E copy_if_different
        ${CMAKE_SOURCE_DIR}/wasm/${name}.d.mts ${CMAKE_BINARY_DIR})
  endif()
endfunction()

# A module that talks through the buffers of buffer.h needs no script of Emscripten's: web/buffer.ts
# starts it.
function(attn_buffer_module name)
  add_executable(${name} ${ARGN} wasm/buffer.cpp)
  target_link_libraries(${name} PRIVATE attn_core_objects)
  target_link_options(${name} PRIVATE -sSTANDALONE_WASM --no-entry -sALLOW_MEMORY_GROWTH)
  set_target_properties(${name} PROPERTIES SUFFIX .wasm)
endfunction()

# One whose results are objects has Embind's script beside it. No eval, so that a page needs only
# 'wasm-unsafe-eval' in its content-security policy.
function(attn_embind_module name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE attn_core_objects)
  target_link_options(${name} PRIVATE -lembind -sDYNAMIC_EXECUTION=0
    -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker)
endfunction()

function(attn_module name)
  attn_embind_module(${name} ${ARGN})
  target_link_options(${name} PRIVATE -sALLOW_MEMORY_GROWTH "-sINCOMING_MODULE_JS_API=[wasmBinary]")
  set_target_properties(${name} PROPERTIES SUFFIX .mjs)
  attn_declared(${name})
endfunction()

# One with `helpers` threads besides the caller's, for workers of isolated pages. They are there before
# the module is, since a worker that computes can't start any; more are refused. Shared memory has its
# size from the start: 160 MiB, the large model needs 148. Its files are taken as they are, not bundled,
# and hosts know .js better than .mjs.
function(attn_threads_module name helpers)
  attn_embind_module(${name} ${ARGN})
  target_compile_options(${name} PRIVATE -pthread)
  target_link_options(${name} PRIVATE -pthread -sPTHREAD_POOL_SIZE=${helpers}
    -sPTHREAD_POOL_SIZE_STRICT=2 -sINITIAL_MEMORY=160MB)
  set_target_properties(${name} PROPERTIES SUFFIX .js)
endfunction()

attn_buffer_module(attn_core ${CORE_BINDINGS})
attn_module(attn_cache ${CACHE_BINDINGS})
# What only some lessons need stays out of the core that every page loads.
file(GLOB SEQUENCE_BINDINGS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/sequence/*.cpp)
set_source_files_properties(${SEQUENCE_BINDINGS} PROPERTIES COMPILE_OPTIONS -Os)
attn_buffer_module(attn_sequence ${SEQUENCE_BINDINGS})
# For the tests alone: the digest of this build, compiled as the module is.
attn_module(attn_digest tests/core/digest.cpp tests/core/digest_bindings.cpp)

# The module that trains, for a worker. Only the engine itself uses vector instructions.
file(GLOB TRAIN_BINDINGS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/train/*.cpp)
set_source_files_properties(${TRAIN_BINDINGS} PROPERTIES COMPILE_OPTIONS -Os)
set_source_files_properties(${GPT_SOURCES} PROPERTIES COMPILE_OPTIONS "-O3;-msimd128")
add_library(attn_gpt_objects OBJECT ${GPT_SOURCES})
target_link_libraries(attn_gpt_objects PUBLIC attn_gpt_flags attn_flags)

add_library(attn_gpt_threads_objects OBJECT ${GPT_SOURCES})
target_link_libraries(attn_gpt_threads_objects PUBLIC attn_gpt_flags attn_flags)
target_compile_options(attn_gpt_threads_objects PRIVATE -pthread)

attn_module(attn_train ${TRAIN_BINDINGS} wasm/convert.cpp)
target_link_libraries(attn_train PRIVATE attn_gpt_objects)
attn_threads_module(attn_train_threads 1 ${TRAIN_BINDINGS} wasm/convert.cpp)
target_link_libraries(attn_train_threads PRIVATE attn_gpt_threads_objects)

set(TRAINING_DIGEST tests/core/gpt/training_digest.cpp
  tests/core/gpt/training_digest_bindings.cpp)
attn_module(attn_training_digest ${TRAINING_DIGEST})
target_link_libraries(attn_training_digest PRIVATE attn_gpt_objects)
# Four runs, one after the other: a helper is given back only between two calls.
attn_threads_module(attn_training_digest_threads 4 ${TRAINING_DIGEST})
target_link_libraries(attn_training_digest_threads PRIVATE attn_gpt_threads_objects)

# For the benchmark alone: the engine beside Eigen's product, which is optimised the same way but
# keeps what the project's own flags would take from it.
add_library(eigen_product OBJECT core/programs/eigen_product.cpp)
target_include_directories(eigen_product PRIVATE ${CMAKE_SOURCE_DIR})
target_include_directories(eigen_product SYSTEM PRIVATE ${EIGEN3_INCLUDE_DIR})
target_compile_options(eigen_product PRIVATE -O3 -msimd128)
set_source_files_properties(core/programs/train_bench.cpp PROPERTIES COMPILE_OPTIONS -O3)
attn_module(attn_train_bench core/programs/train_bench.cpp wasm/bench/train_bench_bindings.cpp)
target_link_libraries(attn_train_bench PRIVATE attn_gpt_objects eigen_product)
