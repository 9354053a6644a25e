// npm run cache: how large the KV cache of a model is, from its config.json.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include "core/programs/cache_answer.h"
#include "core/programs/cache_words.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRefused = 2;
constexpr int kWrongCommand = 1;

constexpr const char* kChineseHelp =
    R"(npm run cache -- FILE --context N [选项]：由模型的配置计算KV缓存的大小

FILE可以是config.json、params.json、hf_quant_config.json，或GGUF文件。

  --context N       读过的词元数，不小于0（必填）
  --batch B         同时处理的序列数，不小于1；不写是1
  --dtype T         缓存的数值格式，不写则照文件；可用：
                    bf16 fp16 fp32 fp8 int8 fp4 int4
                    q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl nvfp4 mxfp4 fp8_per_head（带缩放系数）
  --source N        交叉注意力：另一路输入的词元数
  --prefix N        每条序列开头相同的词元数，只存一份
  --cards N         张量并行的卡数：键值头少于卡数时，每张卡各存一份
  --memory GiB      每张卡的显存：放得下几条序列，每条最长多少
  --weights FORMAT  权重的数值格式，或大小（15.5GiB），和缓存一起放进显存
  --engine NAME     vllm、llama.cpp或sglang：按它的分块方式算实际占用
  --ignore KEY      不理会这个键，可以写多次
  --json            给程序读的结果
  --lang zh|en      说明用的语言；不写则看环境变量LC_ALL、LC_MESSAGES、LANG
  -h, --help        这份说明

退出状态：0，算出来了；1，命令写错了；2，文件读不了或不会算。
)";

constexpr const char* kEnglishHelp =
    R"(npm run cache -- FILE --context N [options]: the size of a model's KV cache from its config

FILE may be a config.json, params.json, hf_quant_config.json or a GGUF file.

  --context N       tokens read so far, 0 or more (required)
  --batch B         sequences at the same time, 1 or more; 1 by default
  --dtype T         number format of the cache, by default the file's:
                    bf16 fp16 fp32 fp8 int8 fp4 int4
                    q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl nvfp4 mxfp4 fp8_per_head (with scales)
  --source N        cross-attention: tokens of the other input
  --prefix N        tokens that begin every sequence alike, kept once
  --cards N         cards for tensor parallelism; KV heads are copied where they are fewer
  --memory GiB      memory of each card: how many sequences fit, and how long they may be
  --weights FORMAT  number format of the weights, or their size (15.5GiB), in the same memory
  --engine NAME     vllm, llama.cpp or sglang: what it takes with its blocks
  --ignore KEY      leave out a key; may be repeated
  --json            the result for programs
  --lang zh|en      language; by default from LC_ALL, LC_MESSAGES or LANG
  -h, --help        this text

Exit status: 0 for an answer, 1 for a wrong command, 2 for a file that is not read or not modelled.
)";

/// The language of the environment: English where its first setting begins with "en".
bool english_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return std::string_view(value).starts_with("en");
  }
  return false;
}

/// The language has to be known before the command is parsed: its errors are in that language.
bool wants_english(int argc, char** argv) {
  bool english = english_environment();
  for (int i = 1; i < argc; i++) {
    const std::string_view argument = argv[i];
    if (argument == "--lang" && i + 1 < argc) english = std::string_view(argv[i + 1]) == "en";
    if (argument.starts_with("--lang=")) english = argument == "--lang=en";
  }
  return english;
}

class Command {
 public:
  explicit Command(bool english) : english_(english), app_("", "npm run cache --") {
    options_.english = english;
    app_.set_help_flag();
    app_.add_flag("-h,--help", help_);
    app_.add_option("FILE", options_.file);
    app_.add_option("--context", options_.context)->check(whole(0));
    app_.add_option("--batch", options_.batch)->check(whole(1));
    app_.add_option("--source", options_.source)->check(whole(0));
    app_.add_option("--prefix", options_.prefix)->check(whole(0));
    app_.add_option("--cards", options_.cards)->check(whole(1));
    app_.add_option("--memory", options_.memory_gib)->check(memory());
    app_.add_option("--weights", options_.weights);
    app_.add_option("--dtype", options_.dtype)->check(one_of(value_format_names(), [](auto& text) {
      return named_format(text).has_value();
    }));
    app_.add_option("--engine", options_.engine)
        ->check(one_of("vllm, llama.cpp, sglang", [](auto& text) {
          return !text.empty() && named<Engine>(text).has_value();
        }));
    // A key takes exactly one argument, so that the file's name is not taken for another key.
    app_.add_option("--ignore", options_.ignored)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app_.add_flag("--json", options_.json);
    app_.add_option("--lang", language_)->check(one_of("zh, en", [](auto& text) {
      return text == "zh" || text == "en";
    }));
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return wrong(sentence(error));
    }
    if (help_) {
      std::cout << (english_ ? kEnglishHelp : kChineseHelp);
      return 0;
    }
    if (options_.file.empty()) return wrong(missing("FILE"));
    if (app_.count("--context") == 0) return wrong(missing("--context"));
    return answer_or_refuse();
  }

 private:
  int answer_or_refuse() {
    const CacheWords words(english_);
    try {
      const CacheAnswer result = answer(options_);
      if (options_.json) {
        std::cout << dumped(to_json(result, options_, words));
      } else {
        std::cout << to_text(result, options_, words);
      }
      return 0;
    } catch (const Refusal& refusal) {
      return refuse(refusal, words);
    } catch (const std::invalid_argument& error) {
      // "<argument>: expected <expected>, got <got>"
      const std::string text = error.what();
      const std::string argument = text.substr(0, text.find(':'));
      if (text.find("bytes, got more") != std::string::npos) {
        return refuse({Reason::bytes_too_large, argument, "", "", ""}, words);
      }
      return wrong(text);
    }
  }

  int refuse(const Refusal& refusal, const CacheWords& words) const {
    if (options_.json) {
      std::cout << dumped(to_json(refusal, words));
    } else {
      std::cerr << to_text(refusal, options_, words);
    }
    return kRefused;
  }

  /// Text that is no UTF-8, as a file may hold it, is replaced by marks.
  static std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  int wrong(const std::string& text) const {
    std::cerr << text << "\n"
              << (english_ ? "See npm run cache -- --help\n" : "用法见 npm run cache -- --help\n");
    return kWrongCommand;
  }

  std::string missing(const std::string& name) const {
    return english_ ? name + " is missing" : "缺少" + name;
  }

  /// The library's errors are English; only their names and the part after the colon are used.
  std::string sentence(const CLI::ParseError& error) const {
    const std::string text = error.what();
    const bool own = dynamic_cast<const CLI::ValidationError*>(&error) != nullptr;
    if (english_ || own) return text;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
      return "不认识的参数：" + text.substr(text.find(": ") + 2);
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
      return text.substr(0, text.find(':')) + "后面缺少一个值";
    return "命令写错了：" + text;
  }

  std::string expected(const std::string& chinese, const std::string& english,
                       const std::string& got) const {
    return english_ ? "expected " + english + ", got " + got : "应为" + chinese + "，得到" + got;
  }

  CLI::Validator whole(std::int64_t least) const {
    return CLI::Validator(
        [this, least](const std::string& text) {
          std::int64_t value = 0;
          if (CLI::detail::lexical_cast(text, value) && value >= least) return std::string();
          const std::string limit = std::to_string(least);
          return expected("不小于" + limit + "的整数", "a whole number, " + limit + " or more",
                          text);
        },
        "");
  }

  CLI::Validator memory() const {
    return CLI::Validator(
        [this](const std::string& text) {
          constexpr double kMost = 1048576;
          double value = 0;
          const bool number = CLI::detail::lexical_cast(text, value);
          if (number && value > 0 && value <= kMost) return std::string();
          return expected("大于0的数，单位GiB", "a number of GiB above 0", text);
        },
        "");
  }

  template <typename Known>
  CLI::Validator one_of(const std::string& names, Known known) const {
    return CLI::Validator(
        [this, names, known](const std::string& text) {
          return known(text) ? std::string() : expected(names + "之一", "one of " + names, text);
        },
        "");
  }

  bool english_;
  bool help_ = false;
  std::string language_;
  CacheOptions options_;
  CLI::App app_;
};

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  return attn::Command(attn::wants_english(argc, argv)).run(argc, argv);
}
