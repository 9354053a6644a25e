// The entries that a model's attention layers keep for each token: heads, widths, latent vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/config_entries.h"
#include "core/config_fields.h"
#include "core/config_roles.h"

namespace attn {

/// Entries of the roles that occur; those of the others are empty.
struct AttentionEntries {
  LayerEntries full;
  LayerEntries window;
  LayerEntries chunk;
  LayerEntries cross;  // attention to another input
  /// Key-value heads layer by layer, where the file lists them; 0 is a layer without attention.
  std::optional<Field<std::vector<std::int64_t>>> heads_by_layer;
  /// The full layers of a latent cache, expanded to the keys and values of every head.
  std::optional<LayerEntry> expanded;
  bool keys_are_values = false;  // in the full layers
};

/// Reads the geometry of the attention layers.
class AttentionReader {
 public:
  /// @param heads  query heads of a layer, where the file states them
  AttentionReader(ConfigFields& fields, const std::optional<Count>& heads,
                  std::vector<Assumption>& assumed)
      : fields_(fields), heads_(heads), assumed_(assumed) {}

  AttentionEntries read(const LayerRoles& roles);

  /// Width of a head: stated, or the model's width divided by the number of query heads.
  Count head_width();

  /// Refuses a number of key-value heads that does not divide that of query heads.
  Count checked(const Count& kv_heads) const;

  /// The number of query heads, or a refusal where the file does not state it.
  const Count& needed_heads() const;

 private:
  Count kv_heads();
  std::optional<Count> grouped_heads();
  Count doubled_width();
  void read_heads_by_layer(std::size_t n_layers);
  HeadGeometry general_geometry(const LayerRoles& roles);
  HeadGeometry window_geometry(const HeadGeometry& general);
  HeadGeometry full_geometry(const HeadGeometry& general);
  bool is_latent();
  LayerEntries latent_entries(const LayerRoles& roles);
  void assume(std::string_view code, std::string_view field, std::int64_t value,
              std::string_view why);

  ConfigFields& fields_;
  const std::optional<Count>& heads_;
  std::vector<Assumption>& assumed_;
  AttentionEntries result_;
  bool latent_is_off_ = false;
};

}  // namespace attn
