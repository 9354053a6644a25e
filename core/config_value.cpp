#include "core/config_value.h"

namespace attn {

const ConfigValue* ConfigValue::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys_.size(); i++) {
    if (keys_[i] == key) return &values_[i];
  }
  return nullptr;
}

}  // namespace attn
