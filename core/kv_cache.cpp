#include "core/kv_cache.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/check.h"

namespace attn {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// A count of bytes that records an overflow instead of wrapping round.
class Exact {
 public:
  Exact(std::int64_t value) : value_(value) {}

  Exact operator*(Exact other) const {
    Exact result(0);
    result.overflow_ = __builtin_mul_overflow(value_, other.value_, &result.value_) || overflow_ ||
                       other.overflow_;
    return result;
  }
  Exact operator+(Exact other) const {
    Exact result(0);
    result.overflow_ = __builtin_add_overflow(value_, other.value_, &result.value_) || overflow_ ||
                       other.overflow_;
    return result;
  }
  Exact& operator+=(Exact other) { return *this = *this + other; }

  /// Whole bytes that hold this many bits.
  Exact bits_to_bytes() const {
    Exact result = *this;
    result.value_ = value_ / 8 + (value_ % 8 != 0);
    return result;
  }

  bool at_most(std::int64_t limit) const { return !overflow_ && value_ <= limit; }

  std::int64_t value(const char* what) const {
    if (overflow_) refuse(what, "at most " + std::to_string(kMost) + " bytes", "more");
    return value_;
  }

 private:
  std::int64_t value_;
  bool overflow_ = false;
};

void require_at_least(std::int64_t least, std::int64_t value, const std::string& what) {
  if (value < least) refuse(what, std::to_string(least) + " or more", std::to_string(value));
}

void require_width(std::int64_t bits, const std::string& what) {
  if (bits != 4 && bits != 5 && bits != 8 && bits != 16 && bits != 32)
    refuse(what, "4, 5, 8, 16 or 32", std::to_string(bits));
}

bool is_windowed(CacheKind kind) { return kind == CacheKind::window || kind == CacheKind::chunk; }

bool keeps_tokens(CacheKind kind) { return kind <= CacheKind::cross; }

bool keeps_state(CacheKind kind) {
  return kind == CacheKind::state || kind == CacheKind::convolution;
}

void check(const CacheLayout& layout, const CacheQuery& query) {
  require_at_least(0, query.context, "context");
  require_at_least(1, query.batch, "batch");
  require_width(query.format.bits, "bits_per_value");
  require_at_least(0, query.format.scale_bits, "scale_bits");
  require_at_least(0, query.format.scale_block, "scale_block");
  require_at_least(0, query.source, "source");
  for (std::size_t i = 0; i < layout.size(); i++) {
    const LayerKind& entry = layout[i];
    const std::string at = "layout[" + std::to_string(i) + "].";
    require_at_least(0, entry.layers, at + "layers");
    if (keeps_tokens(entry.kind)) {
      require_at_least(1, entry.heads, at + "heads");
      require_at_least(1, entry.k_width, at + "k_width");
      require_at_least(0, entry.v_width, at + "v_width");
      if (entry.own_bits != 0) require_width(entry.own_bits, at + "own_bits");
    }
    if (is_windowed(entry.kind)) require_at_least(1, entry.window, at + "window");
    if (keeps_state(entry.kind)) require_at_least(1, entry.state_bytes, at + "state_bytes");
  }
}

/// Bits of `width` consecutive values of a head.
Exact row_bits(std::int64_t width, const ValueFormat& format) {
  if (width == 0 || format.scale_bits == 0) return Exact(width) * format.bits;
  if (format.scale_block == 0) return Exact(width) * format.bits + format.scale_bits;
  // A block that is not full takes the room of a full one.
  const std::int64_t blocks = width / format.scale_block + (width % format.scale_block != 0);
  const std::int64_t block_bits =
      std::int64_t{format.scale_block} * format.bits + format.scale_bits;
  return Exact(blocks) * block_bits;
}

/// The bytes that a token takes in all layers of the kind together.
Exact token_bytes(const LayerKind& entry, const ValueFormat& format) {
  if (!keeps_tokens(entry.kind)) return 0;
  ValueFormat own = format;
  if (entry.own_bits != 0) own = {.bits = static_cast<int>(entry.own_bits)};
  const Exact bits =
      Exact(entry.heads) * (row_bits(entry.k_width, own) + row_bits(entry.v_width, own));
  return bits.bits_to_bytes() * entry.layers;
}

/// The same of the tokens that the model reads one by one.
Exact bytes_per_token(const LayerKind& entry, const ValueFormat& format) {
  return entry.kind == CacheKind::cross ? Exact(0) : token_bytes(entry, format);
}

Exact constant_bytes(const LayerKind& entry, const CacheQuery& query) {
  if (entry.kind == CacheKind::cross) {
    return token_bytes(entry, query.format) * (entry.window > 0 ? entry.window : query.source);
  }
  return keeps_state(entry.kind) ? Exact(entry.state_bytes) * entry.layers : Exact(0);
}

Exact total_bytes(const LayerKind& entry, const CacheQuery& query) {
  const std::int64_t tokens =
      is_windowed(entry.kind) ? std::min(query.context, entry.window) : query.context;
  return (bytes_per_token(entry, query.format) * tokens + constant_bytes(entry, query)) *
         query.batch;
}

Exact total_bytes(const CacheLayout& layout, const CacheQuery& query) {
  Exact total = 0;
  for (const LayerKind& entry : layout) total += total_bytes(entry, query);
  return total;
}

}  // namespace

CacheBytes cache_bytes(const CacheLayout& layout, const CacheQuery& query) {
  check(layout, query);
  Exact total = total_bytes(layout, query);
  Exact growing = 0;
  Exact within_window = 0;
  Exact constant = 0;
  Exact per_source_token = 0;
  CacheBytes result;
  for (const LayerKind& entry : layout) {
    const Exact per_token = bytes_per_token(entry, query.format);
    const bool cross = entry.kind == CacheKind::cross;
    const Exact of_source = cross ? token_bytes(entry, query.format) : Exact(0);
    if (cross && entry.window == 0) per_source_token += of_source;
    within_window += per_token;
    if (!is_windowed(entry.kind) || query.context < entry.window) growing += per_token;
    constant += constant_bytes(entry, query);
    result.kinds.push_back(
        {per_token.value("bytes_per_token"), constant_bytes(entry, query).value("constant"),
         total_bytes(entry, query).value("total"), of_source.value("per_source_token")});
  }
  result.total = total.value("total");
  result.growing_per_token = growing.value("growing_per_token");
  result.within_window_per_token = within_window.value("within_window_per_token");
  result.constant = constant.value("constant");
  result.per_source_token = per_source_token.value("per_source_token");
  return result;
}

std::optional<std::int64_t> longest_context(const CacheLayout& layout, const CacheQuery& query,
                                            std::int64_t budget_bytes) {
  CacheQuery at = query;
  at.context = 0;
  check(layout, at);
  require_at_least(0, budget_bytes, "budget_bytes");
  const auto fits = [&](std::int64_t context) {
    at.context = context;
    return total_bytes(layout, at).at_most(budget_bytes);
  };
  if (!fits(0)) return -1;
  if (fits(kMost)) return std::nullopt;
  std::int64_t longest = 0;
  std::int64_t too_long = kMost;
  while (too_long - longest > 1) {
    const std::int64_t middle = longest + (too_long - longest) / 2;
    (fits(middle) ? longest : too_long) = middle;
  }
  return longest;
}

}  // namespace attn
