// Reading model files and short configs in tests.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/config_reader.h"
#include "core/config_value.h"

namespace attn {

/// Text of a file, its path from the project's root.
std::string read_project_file(const std::string& path);

/// Names of the files in lessons/models without ".json", sorted.
std::vector<std::string> model_names();

/// The published config inside lessons/models/<name>.json.
ConfigValue model_config(const std::string& name);

/// "16", or with scales "8+16/32".
std::string described(const ValueFormat& format);

/// Everything that reading a config returns, as text: equal results give equal texts.
std::string described(const std::variant<ModelCache, Refusal>& result);

/// The cache of a config that must be readable; fails the test with the refusal otherwise.
ModelCache read_or_fail(const ConfigValue& config);

/// "code field" of a config that must be refused; "accepted" otherwise.
std::string refusal_of(std::string_view json);

/// A config of four layers with two heads of width 8, and more fields.
std::string four_layers(const std::string& more);

/// "field=value, field=value" of the doubts of a config that must be readable.
std::string doubts_of(const std::string& json);

}  // namespace attn
