#include "core/softmax.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

WeighOptions options_from(const val& value) {
  const Fields fields(value);
  WeighOptions options;
  options.method = static_cast<Method>(fields.choice("method", {"share", "shift", "softmax"}));
  options.temperature = fields.number("temperature");
  options.offset = fields.number("offset");
  options.precision = static_cast<Precision>(fields.choice("precision", {"float64", "float32"}));
  options.stable = fields.flag("stable");
  return options;
}

/// The same three strings for every call: making one costs more than the arithmetic of a score.
const val& name_of(Status status) noexcept {
  static const val names[] = {val("ok"), val("overflow"), val("undefined")};
  return names[static_cast<int>(status)];
}

void set_entry(Object& object, const char* value, const char* status, const Entry& entry) noexcept {
  object.number(value, entry.value).value(status, name_of(entry.status));
}

void set_entries(Object& object, const char* values, const char* statuses,
                 const std::vector<Entry>& entries) noexcept {
  std::vector<double> numbers;
  Array names;
  for (const Entry& entry : entries) {
    numbers.push_back(entry.value);
    names.push(name_of(entry.status));
  }
  object.numbers(values, numbers).value(statuses, names);
}

val weigh_in_js(const val& scores, const val& options) {
  return guarded([&]() -> val {
    const WeighTrace trace = weigh(numbers_from(scores, "scores"), options_from(options));
    Object result;
    set_entries(result, "scores", "scoreStatus", trace.scores);
    set_entry(result, "shift", "shiftStatus", trace.shift);
    set_entries(result, "shifted", "shiftedStatus", trace.shifted);
    set_entries(result, "parts", "partStatus", trace.parts);
    set_entry(result, "sum", "sumStatus", trace.sum);
    set_entries(result, "weights", "weightStatus", trace.weights);
    return result.flag("defined", trace.defined)
        .flag("valid", trace.valid)
        .number("entropy", trace.entropy)
        .number("maxWeight", trace.max_weight)
        .number("jacobianNorm", trace.jacobian_norm);
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(softmax) { emscripten::function("weigh", &attn::wasm::weigh_in_js); }
