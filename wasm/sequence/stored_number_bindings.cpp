#include "core/stored_number.h"
#include "wasm/function.h"

EMSCRIPTEN_BINDINGS(stored_number) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  value_object<FormatLimits>("FormatLimits")
      .field("exponentBits", &FormatLimits::exponent_bits)
      .field("fractionBits", &FormatLimits::fraction_bits)
      .field("bias", &FormatLimits::bias)
      .field("max", &FormatLimits::max)
      .field("minNormal", &FormatLimits::min_normal)
      .field("minSubnormal", &FormatLimits::min_subnormal)
      .field("epsilon", &FormatLimits::epsilon)
      .field("expLimit", &FormatLimits::exp_limit);
  value_object<StoredNumber>("StoredNumber")
      .field("bits", &StoredNumber::bits)
      .field("kind", &StoredNumber::kind)
      .field("negative", &StoredNumber::negative)
      .field("value", &StoredNumber::value)
      .field("exponent", &StoredNumber::exponent)
      .field("significand", &StoredNumber::significand)
      .field("below", &StoredNumber::below)
      .field("above", &StoredNumber::above);
  value_object<RoundedSum>("RoundedSum")
      .field("partial", &RoundedSum::partial)
      .field("total", &RoundedSum::total)
      .field("added", &RoundedSum::added);
  bind<&limits_of>("formatLimits");
  bind<&stored>("storedNumber");
  bind<&number_of_bits>("numberOfBits");
  bind<&rounded_sum>("roundedSum");
  bind<&exp_overflows>("expOverflows");
}
