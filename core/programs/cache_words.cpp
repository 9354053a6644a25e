#include "core/programs/cache_words.h"

#include "core/programs/text_file.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestWords = std::size_t{1} << 20;

/// A number as far as every JSON reader counts exactly, a decimal string from 2⁵³ on.
Json exact(std::int64_t value) {
  constexpr std::int64_t kFirstInexact = std::int64_t{1} << 53;
  return value < kFirstInexact ? Json(value) : Json(std::to_string(value));
}

/// Assumed values are texts; those of counts are numbers.
Json value_of(const std::string& text) {
  constexpr std::size_t kLongestCount = 18;
  const bool count = !text.empty() && text.size() <= kLongestCount &&
                     text.find_first_not_of("0123456789") == std::string::npos;
  return count ? exact(std::stoll(text)) : Json(text);
}

Json sizes(const CacheBytes& bytes) {
  return {{"total", exact(bytes.total)},
          {"growing_per_token", exact(bytes.growing_per_token)},
          {"within_window_per_token", exact(bytes.within_window_per_token)},
          {"constant", exact(bytes.constant)}};
}

Json kinds_of(const CacheAnswer& answer) {
  Json kinds = Json::array();
  for (std::size_t i = 0; i < answer.model.layout.size(); i++) {
    const LayerKind& kind = answer.model.layout[i];
    kinds.push_back({{"kind", name(kind.kind)},
                     {"layers", kind.layers},
                     {"heads", exact(kind.heads)},
                     {"k_width", exact(kind.k_width)},
                     {"v_width", exact(kind.v_width)},
                     {"window", kind.window > 0 ? exact(kind.window) : Json()},
                     {"bytes_per_token", exact(answer.bytes.kinds[i].bytes_per_token)},
                     {"constant", exact(answer.bytes.kinds[i].constant)}});
  }
  return kinds;
}

Json budget_of(const Budget& budget) {
  return {{"memory", exact(budget.memory)},
          {"weights", exact(budget.weights)},
          {"reserve", exact(budget.reserve)},
          {"available", exact(budget.available)},
          {"sequences", budget.sequences < 0 ? Json() : exact(budget.sequences)},
          {"longest_context", budget.longest ? exact(*budget.longest) : Json()}};
}

}  // namespace

CacheWords::CacheWords(bool english)
    : english_(english),
      words_(Json::parse(
          read_text_file(ATTN_SOURCE_DIR "/lessons/data/cache-words.json", kLongestWords))) {}

std::string CacheWords::translated(const char* group, std::string_view code) const {
  return words_.at(group).at(std::string(code)).get<std::string>();
}

std::string CacheWords::kind(CacheKind kind) const {
  return english_ ? std::string(name(kind)) : translated("kinds", name(kind));
}

std::string CacheWords::why(const Assumption& assumption) const {
  std::string text =
      english_ ? std::string(assumption.why) : translated("assumed", assumption.code);
  if (assumption.detail.empty()) return text;
  return text + (english_ ? " (" : "（") + assumption.detail + (english_ ? ")" : "）");
}

std::string CacheWords::why(const Doubt& doubt) const {
  return english_ ? std::string(doubt.why) : translated("doubts", doubt.code);
}

std::string CacheWords::what(const CacheVariant& variant) const {
  return english_ ? std::string(variant.what) : translated("variants", variant.code);
}

std::string CacheWords::reason(const Refusal& refusal) const {
  if (english_) return reason_text(refusal);
  const Json& row = words_.at("refused").at(std::string(name(refusal.reason)));
  return filled(row.at("why").get<std::string>(), refusal);
}

std::string CacheWords::expected(const Refusal& refusal) const {
  if (english_) return expected_text(refusal);
  const Json& row = words_.at("refused").at(std::string(name(refusal.reason)));
  return filled(row.at("expected").get<std::string>(), refusal);
}

Json to_json(const Refusal& refusal, const CacheWords& words) {
  return {{"refused",
           {{"code", name(code_of(refusal.reason))},
            {"field", refusal.field},
            {"value", refusal.value},
            {"reason", words.reason(refusal)},
            {"expected", words.expected(refusal)}}}};
}

Json to_json(const CacheAnswer& answer, const CacheOptions& options, const CacheWords& words) {
  Json result = sizes(answer.bytes);
  result["dtype"] = answer.model.dtype;
  result["kinds"] = kinds_of(answer);
  result["assumed"] = Json::array();
  for (const Assumption& assumption : answer.model.assumed) {
    result["assumed"].push_back({{"field", assumption.field},
                                 {"value", value_of(assumption.value)},
                                 {"why", words.why(assumption)},
                                 {"code", assumption.code}});
  }
  result["variants"] = Json::array();
  for (std::size_t i = 0; i < answer.variants.size(); i++) {
    Json variant = {{"what", words.what(answer.model.variants[i])}};
    variant.update(sizes(answer.variants[i]));
    variant["code"] = answer.model.variants[i].code;
    result["variants"].push_back(variant);
  }
  result["doubts"] = Json::array();
  for (const Doubt& doubt : answer.model.doubts) {
    result["doubts"].push_back({{"field", doubt.field},
                                {"value", doubt.value},
                                {"why", words.why(doubt)},
                                {"code", doubt.code}});
  }
  result["ignored"] = answer.model.ignored;
  if (answer.bytes.per_source_token > 0) {
    result["per_source_token"] = exact(answer.bytes.per_source_token);
  }
  if (options.cards > 1) {
    Json card = sizes(answer.plan.card);
    card["cards"] = options.cards;
    result["card"] = card;
  }
  if (options.prefix > 0) result["saved_by_prefix"] = exact(answer.plan.saved);
  if (answer.plan.reserved) {
    result["engine"] = {{"name", options.engine},
                        {"block", exact(answer.plan.reserved->block)},
                        {"total", exact(answer.plan.reserved->total)}};
  }
  if (answer.plan.budget) result["budget"] = budget_of(*answer.plan.budget);
  return result;
}

}  // namespace attn
