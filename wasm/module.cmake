# The module that pages, workers and Node load: build/wasm/attn_core.mjs and attn_core.wasm.
# Node gives it the bytes of the .wasm; so no Node build is needed.

# The bindings catch what the core throws, so catch has to work.
set(ATTN_EXCEPTIONS -fexceptions)

target_compile_options(attn_flags INTERFACE ${ATTN_EXCEPTIONS} -flto -fno-threadsafe-statics)
target_link_options(attn_flags INTERFACE ${ATTN_EXCEPTIONS} -flto
  -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker
  -sALLOW_MEMORY_GROWTH -sMALLOC=emmalloc -sFILESYSTEM=0)

add_library(attn_core_objects OBJECT ${CORE_SOURCES})
target_link_libraries(attn_core_objects PUBLIC attn_flags)

file(GLOB BINDING_SOURCES CONFIGURE_DEPENDS wasm/*.cpp)
add_executable(attn_core ${BINDING_SOURCES})
target_link_libraries(attn_core PRIVATE attn_core_objects)
# No eval, so that a page needs only 'wasm-unsafe-eval' in its content-security policy.
target_link_options(attn_core PRIVATE -lembind -sDYNAMIC_EXECUTION=0)
set_target_properties(attn_core PROPERTIES SUFFIX .mjs)

# TypeScript finds the declaration beside the file that it imports.
add_custom_command(TARGET attn_core POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E copy_if_different
    ${CMAKE_SOURCE_DIR}/wasm/attn_core.d.mts ${CMAKE_BINARY_DIR}/attn_core.d.mts)
