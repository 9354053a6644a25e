#include "core/programs/json_config.h"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace attn {
namespace {

constexpr int kMostLevels = 64;

struct Bare {
  std::string_view text;
  std::string_view as_json;  // a string no published file holds: it begins with U+0000
  std::string_view decoded;
  double value;
};

using namespace std::literals;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kBare = {
    Bare{"NaN", R"("\u0000NaN")", "\0NaN"sv, std::numeric_limits<double>::quiet_NaN()},
    Bare{"Infinity", R"("\u0000Inf")", "\0Inf"sv, kInfinity},
    Bare{"-Infinity", R"("\u0000-Inf")", "\0-Inf"sv, -kInfinity},
};

/// Puts every bare NaN or Infinity outside strings into a form that JSON has.
std::string with_bare_numbers_quoted(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    if (in_string && text[i] == '\\' && i + 1 < text.size()) {
      result.append(text.substr(i, 2));
      i += 2;
      continue;
    }
    if (text[i] == '"') in_string = !in_string;
    const Bare* bare = nullptr;
    for (const Bare& candidate : kBare) {
      if (!in_string && text.substr(i).starts_with(candidate.text)) bare = &candidate;
    }
    if (bare != nullptr) {
      result.append(bare->as_json);
      i += bare->text.size();
    } else {
      result.push_back(text[i++]);
    }
  }
  return result;
}

ConfigValue to_config(const nlohmann::ordered_json& json, int level) {
  if (level > kMostLevels) {
    throw std::invalid_argument("JSON: expected at most " + std::to_string(kMostLevels) +
                                " levels, got more");
  }
  if (json.is_null()) return ConfigValue();
  if (json.is_boolean()) return ConfigValue(json.get<bool>());
  if (json.is_number()) return ConfigValue(json.get<double>());
  if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    for (const Bare& bare : kBare) {
      if (text == bare.decoded) return ConfigValue(bare.value);
    }
    return ConfigValue(text);
  }
  if (json.is_array()) {
    ConfigValue list = ConfigValue::list();
    for (const auto& item : json) list.add(to_config(item, level + 1));
    return list;
  }
  ConfigValue object = ConfigValue::object();
  for (const auto& [key, value] : json.items()) object.add(key, to_config(value, level + 1));
  return object;
}

}  // namespace

ConfigValue parse_config(std::string_view text) {
  try {
    return to_config(nlohmann::ordered_json::parse(with_bare_numbers_quoted(text)), 1);
  } catch (const nlohmann::json::exception& error) {
    const std::string message = error.what();
    // The library's own number of the error means nothing to a reader.
    throw std::invalid_argument(message.substr(message.find("] ") + 2));
  }
}

}  // namespace attn
