# The modules that pages, workers and Node load, in build/wasm. Node gives them the bytes of the
# .wasm, so no Node build is needed.

# The bindings catch what the core throws. WebAssembly's own exceptions (Chrome 95, Firefox 100,
# Safari 15.2) cost neither the time nor the size of Emscripten's emulation. Browsers that have them
# have the instructions for copying memory and for converting numbers too.
set(WASM_FEATURES -fwasm-exceptions -mbulk-memory -mnontrapping-fptoint)
target_compile_options(attn_flags INTERFACE ${WASM_FEATURES} -flto -fno-threadsafe-statics
  -fno-rtti)
target_compile_definitions(attn_flags INTERFACE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
# Smaller at -Oz by 3 %, but calls take twice the time.
target_link_options(attn_flags INTERFACE ${WASM_FEATURES} -flto -O3 -fno-rtti
  -sMALLOC=emmalloc -sFILESYSTEM=0)

# Small, but for the three files in which the time is spent. The flags are set file by file because
# emcc mixes up two levels on one command line.
set(CMAKE_CXX_FLAGS_RELEASE -DNDEBUG)
file(GLOB SEAM_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/*.cpp)
foreach(module core scaling sequence cache train)
  file(GLOB ${module}_BINDINGS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/${module}/*.cpp)
endforeach()
set_source_files_properties(${CORE_SOURCES} PROPERTIES COMPILE_OPTIONS -Os)
set_source_files_properties(${SEAM_SOURCES} ${core_BINDINGS} ${scaling_BINDINGS}
  ${sequence_BINDINGS} ${cache_BINDINGS} ${train_BINDINGS} PROPERTIES COMPILE_OPTIONS -Oz)
foreach(hot math product rng)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/core/${hot}.cpp PROPERTIES COMPILE_OPTIONS -O3)
endforeach()

add_library(attn_core_objects OBJECT ${CORE_SOURCES})
target_link_libraries(attn_core_objects PUBLIC attn_flags)

# TypeScript finds the declaration beside the file that it imports.
function(attn_declared name)
  foreach(declaration ${name} raw)
    if(EXISTS ${CMAKE_SOURCE_DIR}/wasm/${declaration}.d.mts)
      add_custom_command(TARGET ${name} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -E copy_if_different
          ${CMAKE_SOURCE_DIR}/wasm/${declaration}.d.mts ${CMAKE_BINARY_DIR})
    endif()
  endforeach()
endfunction()

# The linker takes this library for Emscripten's of the same name, which registers twenty types
# more. Other versions start theirs in another way, so they keep it.
if(EMSCRIPTEN_VERSION VERSION_EQUAL 3.1.6)
  add_library(embind STATIC wasm/embind/types.cpp)
  target_link_libraries(embind PRIVATE attn_flags)
  target_compile_options(embind PRIVATE -Os)
  set_target_properties(embind PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/embind)
endif()

# Embind's script stands beside a module. It uses no eval, so that a page needs only
# 'wasm-unsafe-eval' in its content-security policy.
function(attn_embind_module name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE attn_core_objects)
  if(TARGET embind)
    add_dependencies(${name} embind)
    target_link_options(${name} PRIVATE -L${CMAKE_BINARY_DIR}/embind)
    set_property(TARGET ${name} APPEND PROPERTY
      LINK_DEPENDS ${CMAKE_BINARY_DIR}/embind/libembind.a)
  endif()
  target_link_options(${name} PRIVATE -lembind -sDYNAMIC_EXECUTION=0 -sWASM_BIGINT
    -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker)
endfunction()

function(attn_module name)
  attn_embind_module(${name} ${ARGN})
  target_link_options(${name} PRIVATE -sALLOW_MEMORY_GROWTH -sTEXTDECODER=2
    "-sINCOMING_MODULE_JS_API=[wasmBinary]")
  set_target_properties(${name} PROPERTIES SUFFIX .mjs)
  attn_declared(${name})
endfunction()

# A module with `helpers` threads besides the caller's, for workers of isolated pages. They start
# before the module does, since a worker that computes can't start any; more are refused. Shared
# memory has its size from the start: 160 MiB, the large model needs 148. Its files are taken as
# they are, not bundled, and hosts know .js better than .mjs.
function(attn_threads_module name helpers)
  attn_embind_module(${name} ${ARGN})
  target_compile_options(${name} PRIVATE -pthread)
  target_link_options(${name} PRIVATE -pthread -sPTHREAD_POOL_SIZE=${helpers}
    -sPTHREAD_POOL_SIZE_STRICT=2 -sINITIAL_MEMORY=160MB)
  set_target_properties(${name} PROPERTIES SUFFIX .js)
endfunction()

attn_module(attn_core ${SEAM_SOURCES} ${core_BINDINGS})
# Only some widgets need these: a module each, so that the core that every page loads stays small.
attn_module(attn_scaling ${SEAM_SOURCES} ${scaling_BINDINGS})
attn_module(attn_sequence ${SEAM_SOURCES} ${sequence_BINDINGS})
attn_module(attn_cache ${SEAM_SOURCES} ${cache_BINDINGS})
# For the tests alone: the digest of this build, compiled as the module is.
attn_module(attn_digest tests/core/digest.cpp tests/core/digest_bindings.cpp)

# The module that trains, for a worker. Only the engine itself uses vector instructions.
set_source_files_properties(${GPT_SOURCES} PROPERTIES COMPILE_OPTIONS "-O3;-msimd128")
add_library(attn_gpt_objects OBJECT ${GPT_SOURCES})
target_link_libraries(attn_gpt_objects PUBLIC attn_gpt_flags attn_flags)

add_library(attn_gpt_threads_objects OBJECT ${GPT_SOURCES})
target_link_libraries(attn_gpt_threads_objects PUBLIC attn_gpt_flags attn_flags)
target_compile_options(attn_gpt_threads_objects PRIVATE -pthread)

attn_module(attn_train ${SEAM_SOURCES} ${train_BINDINGS})
target_link_libraries(attn_train PRIVATE attn_gpt_objects)
attn_threads_module(attn_train_threads 1 ${SEAM_SOURCES} ${train_BINDINGS})
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
