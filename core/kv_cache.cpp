#include "core/kv_cache.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/check.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 9> kNames = {
    "full", "window", "chunk", "latent", "index", "state", "convolution", "shared", "none"};

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
  if (bits != 4 && bits != 8 && bits != 16 && bits != 32)
    refuse(what, "4, 8, 16 or 32", std::to_string(bits));
}

bool is_windowed(CacheKind kind) { return kind == CacheKind::window || kind == CacheKind::chunk; }

bool keeps_tokens(CacheKind kind) { return kind <= CacheKind::index; }

bool keeps_state(CacheKind kind) {
  return kind == CacheKind::state || kind == CacheKind::convolution;
}

void check(const CacheLayout& layout, const CacheQuery& query) {
  require_at_least(0, query.context, "context");
  require_at_least(1, query.batch, "batch");
  require_width(query.bits_per_value, "bits_per_value");
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

/// The bytes that a token takes in all layers of the kind together.
Exact bytes_per_token(const LayerKind& entry, int bits_per_value) {
  if (!keeps_tokens(entry.kind)) return 0;
  const std::int64_t bits = entry.own_bits != 0 ? entry.own_bits : bits_per_value;
  const Exact values = Exact(entry.heads) * (Exact(entry.k_width) + entry.v_width);
  return (values * bits).bits_to_bytes() * entry.layers;
}

Exact constant_bytes(const LayerKind& entry) {
  return keeps_state(entry.kind) ? Exact(entry.state_bytes) * entry.layers : Exact(0);
}

Exact total_bytes(const LayerKind& entry, const CacheQuery& query) {
  const std::int64_t tokens =
      is_windowed(entry.kind) ? std::min(query.context, entry.window) : query.context;
  return (bytes_per_token(entry, query.bits_per_value) * tokens + constant_bytes(entry)) *
         query.batch;
}

Exact total_bytes(const CacheLayout& layout, const CacheQuery& query) {
  Exact total = 0;
  for (const LayerKind& entry : layout) total += total_bytes(entry, query);
  return total;
}

}  // namespace

std::string_view name(CacheKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<CacheKind> cache_kind(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<CacheKind>(found - kNames.begin());
}

int format_bits(double bytes_per_value) {
  for (const int bits : {4, 8, 16, 32}) {
    if (bytes_per_value * 8 == bits) return bits;
  }
  refuse("bytes_per_value", "0.5, 1, 2 or 4", text_of(bytes_per_value));
}

CacheBytes cache_bytes(const CacheLayout& layout, const CacheQuery& query) {
  check(layout, query);
  Exact total = total_bytes(layout, query);
  Exact growing = 0;
  Exact within_window = 0;
  Exact constant = 0;
  CacheBytes result;
  for (const LayerKind& entry : layout) {
    const Exact per_token = bytes_per_token(entry, query.bits_per_value);
    within_window += per_token;
    if (!is_windowed(entry.kind) || query.context < entry.window) growing += per_token;
    constant += constant_bytes(entry);
    result.kinds.push_back({per_token.value("bytes_per_token"),
                            constant_bytes(entry).value("constant"),
                            total_bytes(entry, query).value("total")});
  }
  result.total = total.value("total");
  result.growing_per_token = growing.value("growing_per_token");
  result.within_window_per_token = within_window.value("within_window_per_token");
  result.constant = constant.value("constant");
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
