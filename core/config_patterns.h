// Reads every key by which a config describes the pattern of its layers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/config_fields.h"
#include "core/config_roles.h"

namespace attn {

/// A key distinguishes windowed layers from full ones, or only attention from other layers.
enum class Distinguishes { windows, attention_only };

/// One key's description of the pattern.
struct PatternAccount {
  KeyPath key;
  Distinguishes distinguishes;
  std::vector<LayerRole> roles;
};

/// The sizes that a config states for windows; none where they are switched off.
struct WindowSizes {
  std::optional<Field<bool>> use_window;
  std::optional<Count> window;
  std::optional<Count> chunk;
};

class PatternReader {
 public:
  PatternReader(ConfigFields& fields, std::size_t n_layers, const WindowSizes& sizes)
      : fields_(fields), n_layers_(n_layers), sizes_(sizes) {}

  /// One account for each key that describes the layers.
  std::vector<PatternAccount> read();

  /// An account in which all layers but the last of each group of `interval` have the role.
  PatternAccount every_full(const Count& interval, Distinguishes distinguishes,
                            LayerRole role) const;

  /// True if the file calls layers of attention with Mamba "hybrid".
  bool doubled() const { return doubled_; }

 private:
  struct Word {
    std::string_view word;
    LayerRole role;
  };

  std::vector<LayerRole>& account(const KeyPath& key, Distinguishes distinguishes, LayerRole role);
  LayerRole role_of(std::span<const Word> words, std::string_view word, const KeyPath& key) const;
  void flagged(const Field<std::vector<std::int64_t>>& flags, LayerRole set);
  void lettered(std::span<const Word> letters, std::string_view text, const KeyPath& key,
                Distinguishes distinguishes);
  void read_layer_words();
  void read_block_types();
  void read_attention_types();
  void read_flags();
  void read_indices(std::string_view name, LayerRole listed, LayerRole other);
  void read_linear_group();
  void read_intervals();
  void read_window_patterns();
  void read_chunk_pattern();
  void read_parallel();

  ConfigFields& fields_;
  std::size_t n_layers_;
  const WindowSizes& sizes_;
  std::vector<PatternAccount> accounts_;
  bool doubled_ = false;
};

}  // namespace attn
