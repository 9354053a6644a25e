#include "core/config_blocks.h"

#include <string>

namespace attn {
namespace {

/// Refuses every key of a block's attention that the reader does not know, unless it is off.
void require_known(const ConfigFields& fields) {
  const ConfigValue& object = fields.object();
  for (std::size_t i = 0; i < object.keys().size(); i++) {
    if (!fields.was_asked(i) && !sets_nothing(object.values()[i])) {
      refuse_config(Reason::unknown_block_key, fields.key(object.keys()[i]));
    }
  }
}

LayerEntry read_block(ConfigFields block, const Count& width, AttentionReader& attention,
                      UnknownKeys& unknown) {
  block.disregard("ffn");
  const auto described = block.value("attention", ConfigValue::Type::object);
  unknown.judge(block);
  if (!described) {
    refuse_config(Reason::not_stated, block.key("attention"));
  }
  ConfigFields fields = block.inner(*described);
  const bool skipped = fields.is_on("no_op");
  const bool replaced = fields.is_on("replace_with_linear");
  const auto group = fields.count("n_heads_in_group");
  const auto stated = fields.count("num_key_value_heads");
  const auto window = fields.count("window_length");
  require_known(fields);
  if (skipped || replaced) {
    LayerEntry entry = entry_without_cache(CacheKind::none);
    entry.from.push_back({"layers", fields.key(skipped ? "no_op" : "replace_with_linear").text()});
    return entry;
  }
  if (!stated && !group) {
    refuse_config(Reason::not_stated, fields.key("n_heads_in_group"));
  }
  const Count heads =
      stated ? *stated : Count{attention.needed_heads().value / group->value, group->key};
  if (group && attention.needed_heads().value % group->value != 0) {
    refuse_config(Reason::not_a_divisor, group->key, group->value, attention.needed_heads().key,
                  attention.needed_heads().value);
  }
  const HeadGeometry geometry = {attention.checked(heads), width, width};
  return window ? attention_entry(CacheKind::window, geometry, *window)
                : attention_entry(CacheKind::full, geometry);
}

}  // namespace

std::vector<LayerEntry> read_blocks(const Field<const ConfigValue*>& blocks,
                                    AttentionReader& attention, UnknownKeys& unknown,
                                    const std::vector<std::string>& ignored) {
  std::vector<LayerEntry> entries;
  const std::vector<ConfigValue>& list = blocks.value->values();
  const Count width = attention.head_width();
  for (std::size_t i = 0; i < list.size(); i++) {
    const std::string path = blocks.key.text() + "[" + std::to_string(i) + "]";
    entries.push_back(read_block(ConfigFields(list[i], path, &ignored), width, attention, unknown));
  }
  return entries;
}

}  // namespace attn
