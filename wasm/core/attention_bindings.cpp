#include "core/attention.h"
#include "core/mask.h"
#include "core/multi_head.h"
#include "wasm/attention_trace.h"
#include "wasm/function.h"

namespace attn {

/// The masks that need no numbers.
enum class MaskKind { kNone, kCausal, kSelf };

template <>
inline constexpr std::array<std::string_view, 3> names<MaskKind> = {"none", "causal", "self"};

}  // namespace attn

namespace attn::wasm {
namespace {

/// A mask by its name, or the matrix itself.
struct Mask {
  std::optional<Matrix> matrix;
  MaskKind kind = MaskKind::kNone;
};

struct AttentionOptions {
  bool scaled = true;
  Mask mask;
};

struct MultiHeadOptions {
  int heads = 1;
  bool scaled = true;
  Mask mask;
};

Matrix matrix_of(const Mask& mask, const Matrix& q, const Matrix& k) {
  if (mask.matrix) return *mask.matrix;
  switch (mask.kind) {
    case MaskKind::kCausal:
      return causal_mask(q.rows());
    case MaskKind::kSelf:
      return self_mask(q.rows());
    case MaskKind::kNone:
      break;
  }
  return no_mask(q.rows(), k.rows());
}

AttentionTrace one_head(const Matrix& q, const Matrix& k, const Matrix& v,
                        const AttentionOptions& options) {
  return attention(q, k, v, matrix_of(options.mask, q, k), options.scaled);
}

MultiHeadTrace several_heads(const Matrix& q, const Matrix& k, const Matrix& v,
                             const MultiHeadOptions& options) {
  return multi_head_attention(q, k, v, matrix_of(options.mask, q, k), options.heads,
                              options.scaled);
}

}  // namespace

template <>
struct Js<Mask> {
  static Mask from(const val& value) {
    if (value.isString()) return {std::nullopt, from_js<MaskKind>(value)};
    return {from_js<Matrix>(value), MaskKind::kNone};
  }
  static val to(const Mask& mask) { return mask.matrix ? to_js(*mask.matrix) : to_js(mask.kind); }
};

}  // namespace attn::wasm

EMSCRIPTEN_BINDINGS(attention) {
  using namespace attn;
  using namespace attn::wasm;
  using emscripten::value_object;
  describe_attention_trace();
  value_object<MultiHeadTrace>("MultiHeadTrace")
      .field("heads", &MultiHeadTrace::heads)
      .field("output", &MultiHeadTrace::output);
  value_object<AttentionOptions>("AttentionOptions")
      .field("scaled", &AttentionOptions::scaled)
      .field("mask", &AttentionOptions::mask);
  value_object<MultiHeadOptions>("MultiHeadOptions")
      .field("heads", &MultiHeadOptions::heads)
      .field("scaled", &MultiHeadOptions::scaled)
      .field("mask", &MultiHeadOptions::mask);
  bind<&one_head>("attention");
  bind<&several_heads>("multiHead");
}
