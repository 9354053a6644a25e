// Registers the types that cross to JavaScript, in place of Emscripten's own list. That list has
// twenty types more; their text encodings and type names add 4 KB (gzip) to every module.
#include <emscripten/bind.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace {

using namespace emscripten::internal;
using emscripten::memory_view;

// Positions in the list of typed arrays of Emscripten's embind.js.
constexpr unsigned kUint8Array = 1, kInt32Array = 4, kUint32Array = 5, kFloat32Array = 6,
                   kFloat64Array = 7;

template <class T>
void register_integer(const char* name) {
  _embind_register_integer(TypeID<T>::get(), name, sizeof(T), std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::max());
}

template <class T>
void register_view(unsigned kind) {
  _embind_register_memory_view(TypeID<memory_view<T>>::get(), kind, "view");
}

}  // namespace

extern "C" {

[[gnu::used]] const char* __getTypeName(const std::type_info*) {
  // The caller frees the string.
  return static_cast<const char*>(std::calloc(1, 1));
}

[[gnu::used, gnu::constructor]] void __embind_register_native_and_builtin_types() {
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", sizeof(bool), true, false);
  register_integer<int>("int");
  register_integer<unsigned>("unsigned");
  register_integer<long>("long");
  register_integer<unsigned long>("unsigned long");
  _embind_register_bigint(TypeID<std::int64_t>::get(), "int64_t", sizeof(std::int64_t), INT64_MIN,
                          INT64_MAX);
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
  // Embind encodes std::string as UTF-8 for the type of this name.
  _embind_register_std_string(TypeID<std::string>::get(), "std::string");
  _embind_register_emval(TypeID<emscripten::val>::get(), "val");
  register_view<unsigned char>(kUint8Array);
  register_view<int>(kInt32Array);
  register_view<unsigned long>(kUint32Array);
  register_view<float>(kFloat32Array);
  register_view<double>(kFloat64Array);
}

}  // extern "C"
