#include "core/softmax.h"
#include "wasm/convert.h"

namespace attn::wasm {
namespace {

WeighOptions options_from(const val& value) {
  WeighOptions options;
  options.method =
      static_cast<Method>(choice_from(value["method"], "method", {"share", "shift", "softmax"}));
  options.temperature = number_from(value["temperature"], "temperature");
  options.offset = number_from(value["offset"], "offset");
  options.precision =
      static_cast<Precision>(choice_from(value["precision"], "precision", {"float64", "float32"}));
  options.stable = flag_from(value["stable"], "stable");
  return options;
}

val status_to_js(Status status) {
  constexpr const char* kNames[] = {"ok", "overflow", "undefined"};
  return val(kNames[static_cast<int>(status)]);
}

/// Sets `values` to the numbers and `statuses` to what each is.
void set_entries(val& object, const char* values, const char* statuses,
                 const std::vector<Entry>& entries) {
  std::vector<double> numbers;
  for (const Entry& entry : entries) numbers.push_back(entry.value);
  object.set(values, to_js(numbers));
  object.set(statuses, array_of(entries, [](const Entry& e) { return status_to_js(e.status); }));
}

val weigh_in_js(const val& scores, const val& options) {
  return guarded([&] {
    const WeighTrace trace = weigh(numbers_from(scores, "scores"), options_from(options));
    val result = val::object();
    set_entries(result, "scores", "scoreStatus", trace.scores);
    result.set("shift", trace.shift.value);
    result.set("shiftStatus", status_to_js(trace.shift.status));
    set_entries(result, "shifted", "shiftedStatus", trace.shifted);
    set_entries(result, "parts", "partStatus", trace.parts);
    result.set("sum", trace.sum.value);
    result.set("sumStatus", status_to_js(trace.sum.status));
    set_entries(result, "weights", "weightStatus", trace.weights);
    result.set("defined", trace.defined);
    result.set("valid", trace.valid);
    result.set("entropy", to_js(trace.entropy));
    result.set("maxWeight", to_js(trace.max_weight));
    result.set("jacobianNorm", to_js(trace.jacobian_norm));
    return result;
  });
}

}  // namespace
}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(softmax) { emscripten::function("weigh", &attn::wasm::weigh_in_js); }
