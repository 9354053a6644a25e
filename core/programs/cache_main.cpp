// npm run cache: how large the KV cache of a model is, from its config.json.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "core/config_format.h"
#include "core/config_reader.h"
#include "core/kv_cache.h"
#include "core/programs/json_config.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRefused = 2;

struct Options {
  std::string file;
  std::int64_t context = 0;
  std::int64_t batch = 1;
  std::string dtype;
  bool json = false;
};

/// As a Refusal, with the codes that only a program needs: unreadable, not_json, too_large.
struct Refused {
  std::string code;
  std::string field;
  std::string reason;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios_base::failure&) {
    // A folder opens like a file; reading it fails.
    file.setstate(std::ios::badbit);
  }
  if (!file) throw Refused{"unreadable", "", "cannot read " + path};
  return text;
}

/// The config of a file: the whole of it, or what a file of lessons/models holds as "config".
ConfigValue read_config_file(const std::string& path) {
  const std::string text = read_file(path);
  try {
    ConfigValue whole = parse_config(text);
    const bool model_file = whole.find("model") != nullptr && whole.find("origin") != nullptr;
    const ConfigValue* inner = model_file ? whole.find("config") : nullptr;
    return inner == nullptr ? whole : *inner;
  } catch (const std::invalid_argument& error) {
    throw Refused{"not_json", "", error.what()};
  }
}

/// Bits of a format named on the command line.
int bits_of(const std::string& dtype) {
  if (const auto bits = float_bits(dtype)) return *bits;
  for (const char* name : {"fp8", "int8", "8-bit"}) {
    if (dtype == name) return 8;
  }
  for (const char* name : {"fp4", "int4", "4-bit"}) {
    if (dtype == name) return 4;
  }
  throw CLI::ValidationError("--dtype", "应为bf16、fp16、fp32、fp8、int8、fp4或int4，得到" + dtype);
}

CacheBytes bytes_at(const CacheLayout& layout, const Options& options, int bits) {
  try {
    return cache_bytes(
        layout, {.context = options.context, .batch = options.batch, .bits_per_value = bits});
  } catch (const std::invalid_argument& error) {
    const std::string sentence = error.what();
    throw Refused{"too_large", sentence.substr(0, sentence.find(':')), sentence};
  }
}

struct Answer {
  ModelCache cache;
  CacheBytes bytes;
  std::vector<CacheBytes> variants;
};

Answer answer(const Options& options) {
  auto result = read_config(read_config_file(options.file));
  if (const auto* refusal = std::get_if<Refusal>(&result)) {
    throw Refused{std::string(name(refusal->code)), refusal->field, refusal->reason};
  }
  Answer answer{std::get<ModelCache>(std::move(result)), {}, {}};
  const bool other_format = !options.dtype.empty();
  if (other_format) {
    answer.cache.dtype = options.dtype;
    answer.cache.bits_per_value = bits_of(options.dtype);
    // The file's own choice of format no longer stands for comparison.
    std::erase_if(answer.cache.variants, [](const CacheVariant& variant) {
      return variant.code == "cache_in_model_dtype";
    });
  }
  answer.bytes = bytes_at(answer.cache.layout, options, answer.cache.bits_per_value);
  for (const CacheVariant& variant : answer.cache.variants) {
    const int bits = other_format ? answer.cache.bits_per_value : variant.bits_per_value;
    answer.variants.push_back(bytes_at(variant.layout, options, bits));
  }
  return answer;
}

// --- as JSON ---

/// A number as far as every JSON reader counts exactly, a decimal string from 2⁵³ on.
Json exact(std::int64_t value) {
  constexpr std::int64_t kFirstInexact = std::int64_t{1} << 53;
  return value < kFirstInexact ? Json(value) : Json(std::to_string(value));
}

/// Assumed values are texts; those of counts are numbers.
Json value_of(const std::string& text) {
  const bool count = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return count ? exact(std::stoll(text)) : Json(text);
}

Json to_json(const Answer& answer) {
  Json kinds = Json::array();
  for (std::size_t i = 0; i < answer.cache.layout.size(); i++) {
    const LayerKind& kind = answer.cache.layout[i];
    kinds.push_back({{"kind", name(kind.kind)},
                     {"layers", kind.layers},
                     {"heads", exact(kind.heads)},
                     {"k_width", exact(kind.k_width)},
                     {"v_width", exact(kind.v_width)},
                     {"window", kind.window > 0 ? exact(kind.window) : Json()},
                     {"bytes_per_token", exact(answer.bytes.kinds[i].bytes_per_token)},
                     {"constant", exact(answer.bytes.kinds[i].constant)}});
  }
  Json assumed = Json::array();
  for (const Assumption& assumption : answer.cache.assumed) {
    assumed.push_back({{"field", assumption.field},
                       {"value", value_of(assumption.value)},
                       {"why", assumption.why},
                       {"code", assumption.code}});
  }
  Json variants = Json::array();
  for (std::size_t i = 0; i < answer.variants.size(); i++) {
    const CacheBytes& bytes = answer.variants[i];
    variants.push_back({{"what", answer.cache.variants[i].what},
                        {"total", exact(bytes.total)},
                        {"growing_per_token", exact(bytes.growing_per_token)},
                        {"within_window_per_token", exact(bytes.within_window_per_token)},
                        {"constant", exact(bytes.constant)},
                        {"code", answer.cache.variants[i].code}});
  }
  return {{"total", exact(answer.bytes.total)},
          {"growing_per_token", exact(answer.bytes.growing_per_token)},
          {"within_window_per_token", exact(answer.bytes.within_window_per_token)},
          {"constant", exact(answer.bytes.constant)},
          {"dtype", answer.cache.dtype},
          {"kinds", kinds},
          {"assumed", assumed},
          {"variants", variants},
          {"ignored", answer.cache.ignored}};
}

// --- as text ---

/// "1,234,567"
std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

/// "65,536 B（64 KiB）"
std::string size_text(std::int64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::string text = grouped(bytes) + " B";
  if (bytes < 1024) return text;
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    unit++;
  }
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%.2f", value);
  std::string shown = number.data();
  while (shown.back() == '0') shown.pop_back();
  if (shown.back() == '.') shown.pop_back();
  return text + "（" + shown + " " + kUnits[unit] + "）";
}

/// The wording that command line and page share.
class Words {
 public:
  Words() : words_(Json::parse(read_file(ATTN_SOURCE_DIR "/lessons/data/cache-words.json"))) {}

  std::string of(const char* group, std::string_view code) const {
    return words_.at(group).at(std::string(code)).get<std::string>();
  }

 private:
  Json words_;
};

void print_kind(const Words& words, const LayerKind& kind, const KindBytes& bytes) {
  std::cout << "  " << words.of("kinds", name(kind.kind)) << " × " << kind.layers << "层";
  if (kind.heads > 0) {
    std::cout << "：" << kind.heads << "个头 × " << kind.k_width + kind.v_width << "个数";
  }
  if (kind.window > 0) std::cout << "，至多留" << grouped(kind.window) << "个词元";
  if (bytes.bytes_per_token > 0) std::cout << "，每词元" << size_text(bytes.bytes_per_token);
  if (bytes.constant > 0) std::cout << "，不随长度变：" << size_text(bytes.constant);
  std::cout << "\n";
}

void print(const Options& options, const Answer& answer) {
  const Words words;
  const ModelCache& cache = answer.cache;
  std::cout << options.file << "：" << cache.n_layers << "层，" << cache.dtype << "\n";
  for (std::size_t i = 0; i < cache.layout.size(); i++) {
    print_kind(words, cache.layout[i], answer.bytes.kinds[i]);
  }
  std::cout << grouped(options.context) << "个词元 × " << grouped(options.batch) << "条序列："
            << size_text(answer.bytes.total) << "\n";
  if (cache.max_context > 0 && options.context > cache.max_context) {
    std::cout << "  （模型自己的上下文只到" << grouped(cache.max_context) << "个词元）\n";
  }
  std::cout << "这时再多一个词元：" << size_text(answer.bytes.growing_per_token) << "\n";
  if (answer.bytes.within_window_per_token != answer.bytes.growing_per_token) {
    std::cout << "窗口都没满时每个词元：" << size_text(answer.bytes.within_window_per_token)
              << "\n";
  }
  if (!cache.assumed.empty()) std::cout << "文件没有写明、补上的：\n";
  for (const Assumption& assumption : cache.assumed) {
    std::cout << "  " << assumption.field << " = " << assumption.value << "："
              << words.of("assumed", assumption.code) << "\n";
  }
  if (!answer.variants.empty()) std::cout << "推理引擎不同，总量也不同：\n";
  for (std::size_t i = 0; i < answer.variants.size(); i++) {
    std::cout << "  " << words.of("variants", cache.variants[i].code) << "："
              << size_text(answer.variants[i].total) << "\n";
  }
  if (!cache.ignored.empty()) std::cout << "没有用到的键：\n";
  for (const std::string& key : cache.ignored) std::cout << "  " << key << "\n";
}

void print(const Options& options, const Refused& refused) {
  std::string sentence = Words().of("refused", refused.code);
  const std::string place = "{field}";
  if (const auto at = sentence.find(place); at != std::string::npos) {
    sentence.replace(at, place.size(), refused.field);
  }
  std::cerr << options.file << "：" << sentence << "\n  " << refused.reason << "\n";
}

CLI::Validator at_least(std::int64_t least) {
  return CLI::Validator(
      [least](const std::string& text) {
        std::int64_t value = 0;
        const bool count = CLI::detail::lexical_cast(text, value) && value >= least;
        return count ? std::string() : "应为不小于" + std::to_string(least) + "的整数，得到" + text;
      },
      "");
}

int run(const Options& options) {
  try {
    const Answer result = answer(options);
    if (options.json) {
      std::cout << to_json(result).dump(2) << "\n";
    } else {
      print(options, result);
    }
    return 0;
  } catch (const Refused& refused) {
    if (options.json) {
      const Json refusal = {{"field", refused.field}, {"reason", refused.reason}};
      std::cout << Json{{"refused", refusal}}.dump(2, ' ', false, Json::error_handler_t::replace)
                << "\n";
    } else {
      print(options, refused);
    }
    return kRefused;
  }
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  attn::Options options;
  CLI::App app("由config.json计算KV缓存的大小", "npm run cache --");
  app.add_option("FILE", options.file, "模型的config.json")->required();
  app.add_option("--context", options.context, "读过的词元数，不小于0")
      ->required()
      ->check(attn::at_least(0));
  app.add_option("--batch", options.batch, "同时处理的序列数，不小于1")->check(attn::at_least(1));
  app.add_option("--dtype", options.dtype, "缓存的数值格式，不写则照文件");
  app.add_flag("--json", options.json, "给程序读的结果");
  try {
    app.parse(argc, argv);
    return attn::run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
}
