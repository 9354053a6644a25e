#include "core/config_variants.h"

#include <utility>

namespace attn {
namespace {

class VariantList {
 public:
  VariantList(const CacheLayout& layout, const ValueFormat& format)
      : layout_(layout), format_(format) {}

  /// Adds the layout after `change`, unless `change` leaves it as it is.
  template <typename Change>
  void add(std::string_view code, std::string_view what, Change change) {
    CacheVariant variant{code, what, layout_, format_};
    for (LayerKind& kind : variant.layout) change(kind);
    if (variant.layout != layout_) variants_.push_back(std::move(variant));
  }

  void add_layers(std::string_view code, std::string_view what, const CacheLayout& more) {
    if (more.empty()) return;
    CacheVariant variant{code, what, layout_, format_};
    variant.layout.insert(variant.layout.end(), more.begin(), more.end());
    variants_.push_back(std::move(variant));
  }

  void add_format(std::string_view code, std::string_view what, const ValueFormat& format) {
    variants_.push_back({code, what, layout_, format});
  }

  std::vector<CacheVariant> take() { return std::move(variants_); }

 private:
  const CacheLayout& layout_;
  ValueFormat format_;
  std::vector<CacheVariant> variants_;
};

/// Layers that predict further tokens attend as the full layers do.
CacheLayout prediction_layers(const CacheLayout& layout, std::int64_t count) {
  CacheLayout more;
  for (const LayerKind& kind : layout) {
    const bool full = kind.kind == CacheKind::full || kind.kind == CacheKind::latent;
    if ((full && more.empty()) || (kind.kind == CacheKind::index && !more.empty())) {
      more.push_back(kind);
      more.back().layers = count;
    }
  }
  return more;
}

}  // namespace

std::vector<CacheVariant> cache_variants(const CacheLayout& layout, const VariantFacts& facts,
                                         const CacheFormat& format) {
  VariantList variants(layout, format.of_cache());
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
                 if (kind.window == 0 || kind.kind == CacheKind::cross) return;
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
  if (facts.prediction_layers > 0) {
    variants.add_layers("prediction_layers", "prediction layers used for drafting, in addition",
                        prediction_layers(layout, facts.prediction_layers));
  }
  if (format.stored) {
    variants.add_format("cache_in_model_dtype", "keys and values kept in the model's own format",
                        ValueFormat{.bits = format.model_bits});
  }
  return variants.take();
}

}  // namespace attn
