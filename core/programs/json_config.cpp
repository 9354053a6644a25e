#include "core/programs/json_config.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace attn {
namespace {

struct Bare {
  std::string_view text;
  std::string_view as_json;    // a string no published file holds: it begins with U+0000
  std::string_view decoded;    // that string, parsed
  std::string_view as_digits;  // a number of the same length
  double value;
};

using namespace std::literals;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kBare = {
    Bare{"NaN", R"("\u0000NaN")", "\0NaN"sv, "111", std::numeric_limits<double>::quiet_NaN()},
    Bare{"Infinity", R"("\u0000Inf")", "\0Inf"sv, "11111111", kInfinity},
    Bare{"-Infinity", R"("\u0000-Inf")", "\0-Inf"sv, "-11111111", -kInfinity},
};

/// Replaces every bare NaN or Infinity outside strings by something that JSON has.
std::string with_bare_replaced(std::string_view text, std::string_view Bare::*replacement) {
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
    if (!in_string && (text[i] == 'N' || text[i] == 'I' || text[i] == '-')) {
      for (const Bare& candidate : kBare) {
        if (text.substr(i).starts_with(candidate.text)) bare = &candidate;
      }
    }
    if (bare != nullptr) {
      result.append(bare->*replacement);
      i += bare->text.size();
    } else {
      result.push_back(text[i++]);
    }
  }
  return result;
}

/// Builds the tree as the parser goes through the text: nothing is recursive, nothing quadratic.
class TreeBuilder {
 public:
  using Json = nlohmann::json;

  bool null() { return put(ConfigValue()); }
  bool boolean(bool value) { return put(ConfigValue(value)); }
  bool number_integer(Json::number_integer_t value) {
    return put(ConfigValue(static_cast<double>(value)));
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    return put(ConfigValue(static_cast<double>(value)));
  }
  bool number_float(Json::number_float_t value, const Json::string_t&) {
    return put(ConfigValue(value));
  }
  bool string(Json::string_t& value) {
    for (const Bare& bare : kBare) {
      if (value == bare.decoded) return put(ConfigValue(bare.value));
    }
    return put(ConfigValue(std::move(value)));
  }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(ConfigValue::object()); }
  bool start_array(std::size_t) { return open(ConfigValue::list()); }
  bool key(Json::string_t& name) {
    levels_.back().key = std::move(name);
    return true;
  }
  bool end_array() { return close(); }
  bool end_object() {
    require_distinct_keys();
    return close();
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) {
    error_position = position;
    return false;
  }

  ConfigValue root;
  std::size_t error_position = 0;

 private:
  struct Level {
    ConfigValue value;
    std::string key;  // of the member that is being read
  };

  bool open(ConfigValue value) {
    if (levels_.size() == kMostLevels) {
      throw ConfigTextError({Reason::nested_too_deep, "", "", "", std::to_string(kMostLevels)});
    }
    levels_.push_back({std::move(value), ""});
    return true;
  }

  bool close() {
    ConfigValue done = std::move(levels_.back().value);
    levels_.pop_back();
    return put(std::move(done));
  }

  bool put(ConfigValue value) {
    if (levels_.empty()) {
      root = std::move(value);
    } else if (levels_.back().value.is(ConfigValue::Type::list)) {
      levels_.back().value.add(std::move(value));
    } else {
      levels_.back().value.add(std::move(levels_.back().key), std::move(value));
    }
    return true;
  }

  void require_distinct_keys() const {
    const std::vector<std::string>& keys = levels_.back().value.keys();
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    const auto twice =
        std::adjacent_find(order.begin(), order.end(),
                           [&](std::size_t a, std::size_t b) { return keys[a] == keys[b]; });
    if (twice == order.end()) return;
    std::string path;
    for (std::size_t i = 0; i + 1 < levels_.size(); i++) {
      if (!levels_[i].key.empty()) path.append(levels_[i].key).append(".");
    }
    throw ConfigTextError({Reason::repeated_key, path + keys[*twice], "", "", ""});
  }

  std::vector<Level> levels_;
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The place of a byte as line and column, both from 1, and the character there.
Refusal syntax_error(std::string_view text, std::size_t at) {
  if (at >= text.size()) at = text.size();
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const std::string_view row = before.substr(start);
  const auto column =
      1 + std::count_if(row.begin(), row.end(), [](char c) { return !is_continuation(c); });
  const std::string place[] = {std::to_string(line), std::to_string(column)};
  if (at == text.size()) return {Reason::cut_off, "", place[0], place[1], ""};
  std::size_t length = 1;
  while (at + length < text.size() && is_continuation(text[at + length])) length++;
  return {Reason::syntax, "", place[0], place[1], std::string(text.substr(at, length))};
}

/// The byte at which the text stops being JSON.
std::size_t first_wrong_byte(std::string_view text) {
  TreeBuilder tree;
  nlohmann::json::sax_parse(with_bare_replaced(text, &Bare::as_digits), &tree);
  return tree.error_position == 0 ? text.size() : tree.error_position - 1;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto unit = [&](std::size_t i) {
    const auto one = static_cast<unsigned char>(bytes[i]);
    const auto two = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(big_endian ? one << 8 | two : two << 8 | one);
  };
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size()) {
      const std::uint32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    append_utf8(text, code >= 0xD800 && code < 0xE000 ? kReplacement : code);
  }
  return text;
}

}  // namespace

std::string decoded_text(std::string bytes) {
  if (bytes.size() > kLargestFile) {
    throw ConfigTextError({Reason::file_too_large, "", std::to_string(bytes.size()), "",
                           std::to_string(kLargestFile)});
  }
  const std::string_view view = bytes;
  if (view.starts_with("\xEF\xBB\xBF")) return bytes.substr(3);
  if (view.starts_with("\xFE\xFF")) return from_utf16(view.substr(2), true);
  if (view.starts_with("\xFF\xFE")) return from_utf16(view.substr(2), false);
  // JSON begins with an ASCII character, so a zero byte beside it means UTF-16.
  if (view.size() >= 2 && view[0] == '\0') return from_utf16(view, true);
  if (view.size() >= 2 && view[1] == '\0') return from_utf16(view, false);
  return bytes;
}

ConfigValue parse_config(std::string_view text) {
  TreeBuilder tree;
  if (nlohmann::json::sax_parse(with_bare_replaced(text, &Bare::as_json), &tree)) {
    return std::move(tree.root);
  }
  throw ConfigTextError(syntax_error(text, first_wrong_byte(text)));
}

}  // namespace attn
