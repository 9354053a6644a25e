#include "core/programs/case_changes.h"

#include <limits>
#include <utility>

#include "core/check.h"

namespace attn {
namespace {

using Apply = void (*)(TrainingOptions&);

const std::pair<const char*, Apply> kChanges[] = {
    {"no-residual", [](TrainingOptions& o) { o.config.parts.residual = false; }},
    {"no-layer-norm", [](TrainingOptions& o) { o.config.parts.layer_norm = false; }},
    {"untied-output", [](TrainingOptions& o) { o.config.parts.tied_output = false; }},
    {"no-positions", [](TrainingOptions& o) { o.config.parts.positions = false; }},
    {"no-residual-start", [](TrainingOptions& o) { o.config.parts.residual_start = false; }},
    {"uniform-biases", [](TrainingOptions& o) { o.config.parts.zero_biases = false; }},
    {"no-warm-up", [](TrainingOptions& o) { o.schedule.warmup_steps = 0; }},
    {"constant-rate", [](TrainingOptions& o) { o.schedule.lowest = 1; }},
    {"no-clipping", [](TrainingOptions& o) { o.clip = std::numeric_limits<double>::infinity(); }},
    {"decay-all", [](TrainingOptions& o) { o.decay_all = true; }},
    {"couplets", [](TrainingOptions&) {}},
};

std::string without_breaks(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\n') out.push_back(c);
  }
  return out;
}

std::string broken_after_full_stops(const std::string& text) {
  const std::string stop = "。";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find(stop, at);
    if (end == std::string::npos) return out + text.substr(at);
    out += text.substr(at, end + stop.size() - at) + '\n';
    at = end + stop.size();
  }
  return out;
}

}  // namespace

std::vector<std::string> change_names() {
  std::vector<std::string> all;
  for (const auto& [name, apply] : kChanges) all.emplace_back(name);
  return all;
}

void apply_change(const std::string& name, TrainingOptions& options) {
  for (const auto& [known, apply] : kChanges) {
    if (name == known) return apply(options);
  }
  refuse("change", "one of change_names()", name);
}

CaseText::CaseText(const std::string& corpus, int vocab_size, bool couplets)
    : tokenizer(couplets ? without_breaks(corpus) : corpus, vocab_size) {
  const std::string text = couplets ? broken_after_full_stops(without_breaks(corpus)) : corpus;
  tokens = tokenizer.encode(text);
  const std::u32string characters = code_points("corpus", text);
  const std::vector<int> points(characters.begin(), characters.end());
  cut = split_by_lines(points, '\n').training.size();
}

Split CaseText::split() const {
  const std::span<const int> all(tokens);
  return {all.first(cut), all.subspan(cut)};
}

}  // namespace attn
