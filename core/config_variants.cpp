#include "core/config_variants.h"

#include <utility>

namespace attn {
namespace {

class VariantList {
 public:
  VariantList(const CacheLayout& layout, int bits_per_value)
      : layout_(layout), bits_per_value_(bits_per_value) {}

  /// Adds the layout after `change`, unless `change` leaves it as it is.
  template <typename Change>
  void add(std::string_view code, std::string_view what, Change change) {
    CacheVariant variant{code, what, layout_, bits_per_value_};
    for (LayerKind& kind : variant.layout) change(kind);
    if (variant.layout != layout_) variants_.push_back(std::move(variant));
  }

  void add_format(std::string_view code, std::string_view what, int bits_per_value) {
    variants_.push_back({code, what, layout_, bits_per_value});
  }

  std::vector<CacheVariant> take() { return std::move(variants_); }

 private:
  const CacheLayout& layout_;
  int bits_per_value_;
  std::vector<CacheVariant> variants_;
};

}  // namespace

std::vector<CacheVariant> cache_variants(const CacheLayout& layout, const VariantFacts& facts,
                                         const CacheFormat& format) {
  VariantList variants(layout, format.bits_of_cache());
  variants.add("index_in_bytes", "index keys kept in one byte a value (scales not counted)",
               [](LayerKind& kind) {
                 if (kind.kind == CacheKind::index) kind.own_bits = 8;
               });
  variants.add("keys_serve_as_values", "keys and values of the full layers stored once",
               [&](LayerKind& kind) {
                 if (facts.keys_are_values && kind.kind == CacheKind::full) kind.v_width = 0;
               });
  variants.add("latent_expanded",
               "keys and values of every head kept, expanded from the latent vector",
               [&](LayerKind& kind) {
                 if (!facts.expanded || kind.kind != CacheKind::latent) return;
                 const std::int64_t layers = kind.layers;
                 kind = facts.expanded->kind;
                 kind.layers = layers;
               });
  variants.add("windows_kept_whole", "an engine that keeps every token of windowed layers too",
               [](LayerKind& kind) {
                 if (kind.window == 0) return;
                 kind.kind = CacheKind::full;
                 kind.window = 0;
               });
  variants.add(facts.other_state_is_float32 ? "state_in_float32" : "state_in_model_dtype",
               facts.other_state_is_float32 ? "recurrent state kept in FP32"
                                            : "recurrent state kept in the model's format",
               [&](LayerKind& kind) {
                 if (facts.other_state_bytes > 0 && kind.kind == CacheKind::state) {
                   kind.state_bytes = facts.other_state_bytes;
                 }
               });
  variants.add("convolution_whole_kernel",
               "convolution tail kept as long as the kernel, the newest input included",
               [&](LayerKind& kind) {
                 if (kind.kind == CacheKind::convolution) {
                   kind.state_bytes = facts.whole_kernel_bytes;
                 }
               });
  if (format.cache_bits != 0) {
    variants.add_format("cache_in_model_dtype", "keys and values kept in the model's own format",
                        format.model_bits);
  }
  return variants.take();
}

}  // namespace attn
