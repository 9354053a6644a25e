#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/cache_plan.h"
#include "core/config_reader.h"
#include "core/parameters.h"
#include "wasm/function.h"

namespace attn::wasm {

/// The result of reading a config, or {refused}.
template <class Read>
struct Js<std::variant<Read, Refusal>> {
  static val to(const std::variant<Read, Refusal>& result) {
    if (const auto* read = std::get_if<Read>(&result)) return to_js(*read);
    val object = val::object();
    object.set("refused", to_js(std::get<Refusal>(result)));
    return object;
  }
};

namespace {

/// Reads the tree that `flattened` in web/cache.ts wrote: a text of tokens, each a letter and the
/// token's own text with U+0000 behind it, and the numbers apart. One call for each value of a
/// large file would be slow.
class FlatTree {
 public:
  FlatTree(const std::string& tokens, const std::vector<double>& numbers)
      : rest_(tokens), numbers_(numbers) {}

  ConfigValue read() {
    const std::string_view token = take();
    switch (token[0]) {
      case 't':
        return ConfigValue(true);
      case 'f':
        return ConfigValue(false);
      case 'd':
        return ConfigValue(numbers_[next_++]);
      case 's':
        return ConfigValue(std::string(token.substr(1)));
      case '[': {
        ConfigValue list = ConfigValue::list();
        while (rest_[0] != ']') list.add(read());
        take();
        return list;
      }
      case '{': {
        ConfigValue object = ConfigValue::object();
        while (rest_[0] != '}') {
          std::string key(take().substr(1));
          object.add(std::move(key), read());
        }
        take();
        return object;
      }
      default:
        return ConfigValue();
    }
  }

 private:
  std::string_view take() {
    const std::size_t length = rest_.find('\0');
    const std::string_view token = rest_.substr(0, length);
    rest_.remove_prefix(length + 1);
    return token;
  }

  std::string_view rest_;
  const std::vector<double>& numbers_;
  std::size_t next_ = 0;
};

/// A member's name in JavaScript: "k_width" is "kWidth".
std::string camel_case(std::string_view member) {
  std::string name;
  bool upper = false;
  for (const char letter : member) {
    if (letter != '_') name += upper ? static_cast<char>(letter - 'a' + 'A') : letter;
    upper = letter == '_';
  }
  return name;
}

std::string field_of(const FieldSource& source) { return camel_case(source.field); }
std::string_view code_in(const Refusal& refusal) { return name(code_of(refusal.reason)); }
std::string_view reason_in(const Refusal& refusal) { return name(refusal.reason); }

std::variant<ModelCache, Refusal> read(const std::string& tokens,
                                       const std::vector<double>& numbers,
                                       const std::vector<std::string>& ignored) {
  return read_config(FlatTree(tokens, numbers).read(), ignored);
}

/// The parameters of a model whose config is read; null where they are not counted.
std::optional<std::int64_t> parameters(const std::string& tokens,
                                       const std::vector<double>& numbers,
                                       const CacheLayout& layout) {
  return count_parameters(FlatTree(tokens, numbers).read(), layout);
}

std::variant<ParameterAccount, Refusal> account(const std::string& tokens,
                                                const std::vector<double>& numbers) {
  return read_parameters(FlatTree(tokens, numbers).read());
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(config) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;

  value_object<FieldSource> source("FieldSource");
  source.field("kind", &FieldSource::kind).field("path", &FieldSource::path);
  derived_field(source, "field", &field_of);
  value_object<Assumption>("Assumption")
      .field("code", &Assumption::code)
      .field("field", &Assumption::field)
      .field("value", &Assumption::value)
      .field("why", &Assumption::why)
      .field("detail", &Assumption::detail);
  value_object<CacheVariant>("CacheVariant")
      .field("code", &CacheVariant::code)
      .field("what", &CacheVariant::what)
      .field("layout", &CacheVariant::layout)
      .field("format", &CacheVariant::format);
  value_object<Doubt>("Doubt")
      .field("code", &Doubt::code)
      .field("field", &Doubt::field)
      .field("value", &Doubt::value);

  value_object<ModelCache> cache("ModelCache");
  cache.field("layout", &ModelCache::layout)
      .field("layerKinds", &ModelCache::layer_kinds)
      .field("dtype", &ModelCache::dtype)
      .field("dtypePath", &ModelCache::dtype_path)
      .field("format", &ModelCache::format)
      .field("sources", &ModelCache::sources)
      .field("assumed", &ModelCache::assumed)
      .field("variants", &ModelCache::variants)
      .field("doubts", &ModelCache::doubts)
      .field("ignored", &ModelCache::ignored);
  number_field<&ModelCache::n_layers>(cache, "layers");
  number_field<&ModelCache::passes>(cache, "passes");
  number_field<&ModelCache::n_heads>(cache, "heads");
  number_field<&ModelCache::max_context>(cache, "maxContext");

  value_object<Refusal> refusal("Refusal");
  derived_field(refusal, "code", &code_in);
  derived_field(refusal, "reason", &reason_in);
  refusal.field("field", &Refusal::field)
      .field("value", &Refusal::value)
      .field("other", &Refusal::other)
      .field("detail", &Refusal::detail);

  value_object<ParameterTensor> tensor("ParameterTensor");
  tensor.field("name", &ParameterTensor::name).field("group", &ParameterTensor::group);
  number_field<&ParameterTensor::layers>(tensor, "layers");
  number_field<&ParameterTensor::each>(tensor, "each");
  number_field<&ParameterTensor::rows>(tensor, "rows");
  number_field<&ParameterTensor::columns>(tensor, "columns");
  number_field<&ParameterTensor::count>(tensor, "count");
  value_object<ParameterAccount> parameters_of("ParameterAccount");
  parameters_of.field("tensors", &ParameterAccount::tensors)
      .field("tied", &ParameterAccount::tied)
      .field("known", &ParameterAccount::known);
  number_field<&ParameterAccount::total>(parameters_of, "total");
  number_field<&ParameterAccount::layers>(parameters_of, "layers");

  bind<&read>("readConfig");
  bind<&account>("readParameters");
  bind<&parameters>("countParameters");
}
