#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <vector>

#include "core/engine_log.h"
#include "core/programs/cache_words.h"

namespace attn {
namespace {

/// printf into a string.
template <typename... Values>
std::string printed(const char* format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

class TextWriter {
 public:
  TextWriter(const CacheAnswer& answer, const CacheOptions& options, const CacheWords& words)
      : answer_(answer), model_(answer.model), options_(options), words_(words) {}

  std::string write() {
    write_head();
    for (std::size_t i = 0; i < model_.layout.size(); i++) write_kind(i);
    write_totals();
    write_cards();
    if (answer_.plan.reserved) write_engine(*answer_.plan.reserved);
    if (answer_.plan.budget) write_budget(*answer_.plan.budget);
    write_lists();
    return out_.str();
  }

 private:
  std::string size(std::int64_t bytes) const { return size_text(bytes, words_.english()); }

  void line(const std::string& chinese, const std::string& english) {
    out_ << (words_.english() ? english : chinese) << "\n";
  }

  void write_head() {
    const std::string layers = std::to_string(model_.n_layers);
    line(options_.file + "：" + layers + "层，" + model_.dtype,
         options_.file + ": " + layers + " layers, " + model_.dtype);
    std::string defaults;
    for (const Assumption& assumption : model_.assumed) {
      if (assumption.code != "class_default") continue;
      if (!defaults.empty()) defaults += words_.of("，", ", ");
      defaults += assumption.field + " = " + assumption.value;
    }
    if (!defaults.empty()) {
      line("  文件没有写、按这一类配置的默认值补上：" + defaults,
           "  not in the file, taken from the defaults of its class: " + defaults);
    }
    if (model_.passes > 1) {
      const std::string passes = std::to_string(model_.passes);
      line("  每个词元走" + passes + "遍，每一遍各存一份",
           "  every token passes " + passes + " times, each time with a cache of its own");
    }
    if (!answer_.quantisation_file.empty()) {
      line("  还读了" + answer_.quantisation_file, "  also read " + answer_.quantisation_file);
    }
  }

  void write_kind(std::size_t i) {
    const LayerKind& kind = model_.layout[i];
    const KindBytes& bytes = answer_.bytes.kinds[i];
    const bool english = words_.english();
    const std::string comma(words_.of("，", ", "));
    out_ << "  " << words_.kind(kind.kind) << " × " << kind.layers << (english ? " layers" : "层");
    if (kind.heads > 0) {
      out_ << (english ? ": " : "：") << kind.heads << (english ? " heads × " : "个头 × ")
           << kind.k_width + kind.v_width << (english ? " values" : "个数");
    }
    if (kind.window > 0 && kind.kind == CacheKind::cross) {
      out_ << comma << words_.of("另一路输入有", "the other input has ") << grouped(kind.window)
           << words_.of("个词元", " tokens");
    } else if (kind.window > 0) {
      out_ << comma << words_.of("至多留", "at most ") << grouped(kind.window)
           << words_.of("个词元", " tokens");
    }
    if (bytes.bytes_per_token > 0) {
      out_ << comma << words_.of("每词元", "per token ") << size(bytes.bytes_per_token);
    }
    if (kind.kind == CacheKind::cross && kind.window == 0) {
      out_ << comma << words_.of("另一路输入每个词元", "per token of the other input ")
           << size(bytes.per_source_token);
    }
    if (bytes.constant > 0) {
      out_ << comma << words_.of("不随长度变：", "constant ") << size(bytes.constant);
    }
    out_ << "\n";
  }

  void write_totals() {
    const std::string context = grouped(options_.context);
    const std::string batch = grouped(options_.batch);
    line(context + "个词元 × " + batch + "条序列：" + size(answer_.bytes.total),
         context + " tokens × " + batch + " sequences: " + size(answer_.bytes.total));
    if (model_.max_context > 0 && options_.context > model_.max_context) {
      const std::string most = grouped(model_.max_context);
      line("  （模型自己的上下文只到" + most + "个词元）",
           "  (the model is made for " + most + " tokens)");
    }
    line("这时再多一个词元：" + size(answer_.bytes.growing_per_token),
         "one more token then: " + size(answer_.bytes.growing_per_token));
    if (answer_.bytes.within_window_per_token != answer_.bytes.growing_per_token) {
      line("窗口都没满时每个词元：" + size(answer_.bytes.within_window_per_token),
           "per token while all windows are filling: " +
               size(answer_.bytes.within_window_per_token));
    }
    if (options_.prefix > 0) {
      line("开头" + grouped(options_.prefix) + "个词元共用，省下" + size(answer_.plan.saved),
           "sharing the first " + grouped(options_.prefix) + " tokens saves " +
               size(answer_.plan.saved));
    }
  }

  void write_cards() {
    if (options_.cards == 1) return;
    const std::string cards = grouped(options_.cards);
    std::int64_t all = 0;
    const bool counted = !__builtin_mul_overflow(answer_.plan.card.total, options_.cards, &all);
    line(cards + "张卡，每张存" + size(answer_.plan.card.total),
         cards + " cards, each keeps " + size(answer_.plan.card.total));
    if (counted && all != answer_.bytes.total) {
      line("  合起来" + size(all) + "：头比卡少的部分，每张卡各存一份",
           "  together " + size(all) + ": what cannot be split is copied to every card");
    }
  }

  void write_engine(const Reservation& reserved) {
    line(options_.engine + "实际占用（每张卡）：" + size(reserved.total) + "，一块" +
             grouped(reserved.block) + "个词元",
         options_.engine + " takes (each card): " + size(reserved.total) + ", blocks of " +
             grouped(reserved.block) + " tokens");
    for (const std::string& text : answer_.plan.log) {
      line("  它的日志会写：" + text, "  its log will say: " + text);
    }
  }

  void write_budget(const Budget& budget) {
    std::string chinese = "显存共" + size(budget.memory);
    std::string english = "memory " + size(budget.memory);
    if (budget.weights > 0) {
      chinese += "，权重约" + size(budget.weights);
      english += ", weights about " + size(budget.weights);
    }
    if (answer_.parameters > 0) {
      chinese += "（" + grouped(answer_.parameters) + "个参数）";
      english += " (" + grouped(answer_.parameters) + " parameters)";
    }
    if (budget.reserve > 0) {
      chinese += "，给激活和引擎留" + size(budget.reserve);
      english += ", left for activations and the engine " + size(budget.reserve);
    }
    line(chinese, english);
    if (budget.available < 0) {
      line("  权重和激活已经放不下", "  weights and activations alone do not fit");
      return;
    }
    if (budget.sequences < 0) {
      line("  多少条都放得下", "  any number of sequences fits");
    } else {
      line("  缓存可用" + size(budget.available) + "，放得下" + grouped(budget.sequences) +
               "条这样长的序列",
           "  " + size(budget.available) + " for the cache: room for " + grouped(budget.sequences) +
               " sequences of this length");
    }
    const std::string batch = grouped(options_.batch);
    if (!budget.longest) {
      line("  " + batch + "条序列，多长都放得下", "  any length of " + batch + " sequences fits");
    } else if (*budget.longest >= 0) {
      line("  " + batch + "条序列，每条最长" + grouped(*budget.longest) + "个词元",
           "  " + batch + " sequences, each of at most " + grouped(*budget.longest) + " tokens");
    }
  }

  void write_lists() {
    if (!model_.doubts.empty()) {
      line("没有见过、可能改变结果的键（数字没有算它；用--ignore 键名 表示不理会）：",
           "unknown keys that may change the result (not counted; --ignore KEY accepts that):");
    }
    for (const Doubt& doubt : model_.doubts) item(doubt.field, doubt.value, words_.why(doubt));
    if (!model_.assumed.empty()) line("文件没有写明、补上的：", "not in the file, filled in:");
    for (const Assumption& assumption : model_.assumed) {
      item(assumption.field, assumption.value, words_.why(assumption));
    }
    if (!answer_.variants.empty()) {
      line("推理引擎不同，总量也不同：", "other engines keep it differently:");
    }
    for (std::size_t i = 0; i < answer_.variants.size(); i++) {
      out_ << "  " << words_.what(model_.variants[i]) << words_.of("：", ": ")
           << size(answer_.variants[i].total) << "\n";
    }
    if (!model_.ignored.empty()) line("没有用到的键：", "keys that were not used:");
    constexpr std::size_t kMostShown = 40;
    for (std::size_t i = 0; i < std::min(model_.ignored.size(), kMostShown); i++) {
      out_ << "  " << model_.ignored[i] << "\n";
    }
    if (model_.ignored.size() > kMostShown) {
      const std::string rest = std::to_string(model_.ignored.size() - kMostShown);
      line("  还有" + rest + "个", "  and " + rest + " more");
    }
  }

  void item(const std::string& field, const std::string& value, const std::string& why) {
    out_ << "  " << field << " = " << value << words_.of("：", ": ") << why << "\n";
  }

  const CacheAnswer& answer_;
  const ModelCache& model_;
  const CacheOptions& options_;
  const CacheWords& words_;
  std::ostringstream out_;
};

}  // namespace

std::string size_text(std::int64_t bytes, bool english) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const std::string text = grouped(bytes) + " B";
  if (bytes < 1024) return text;
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    unit++;
  }
  std::string shown = printed("%.2f", value);
  while (shown.back() == '0') shown.pop_back();
  if (shown.back() == '.') shown.pop_back();
  return text + (english ? " (" : "（") + shown + " " + kUnits[unit] + (english ? ")" : "）");
}

std::string to_text(const CacheAnswer& answer, const CacheOptions& options,
                    const CacheWords& words) {
  return TextWriter(answer, options, words).write();
}

std::string to_text(const Refusal& refusal, const CacheOptions& options, const CacheWords& words) {
  const std::string expected = words.expected(refusal);
  std::string text = options.file + std::string(words.of("：", ": ")) + words.reason(refusal);
  if (!refusal.field.empty())
    text += std::string(words.of("\n  字段：", "\n  field: ")) + refusal.field;
  if (!expected.empty()) text += std::string(words.of("\n  应为：", "\n  expected: ")) + expected;
  return text + "\n";
}

}  // namespace attn
