// One description of attention for each block, as in models that were cut down layer by layer.
#pragma once

#include <string>
#include <vector>

#include "core/config_attention.h"
#include "core/config_entries.h"
#include "core/config_fields.h"
#include "core/config_unknown.h"

namespace attn {

/// The entry of each block in the list under `block_configs`.
///
/// @param unknown  gets the keys of the blocks that the reader does not use
std::vector<LayerEntry> read_blocks(const Field<const ConfigValue*>& blocks,
                                    AttentionReader& attention, UnknownKeys& unknown,
                                    const std::vector<std::string>& ignored);

}  // namespace attn
