// Changes to the course's recipe that a run of the case study can be made with, by name.
#pragma once

#include <string>
#include <vector>

#include "core/gpt/tokenizer.h"
#include "core/gpt/trainer.h"

namespace attn {

/// Changes to the options that a run can be made with; `couplets` changes the text instead.
std::vector<std::string> change_names();

/// @throws std::invalid_argument for a name that is not among change_names()
void apply_change(const std::string& name, TrainingOptions& options);

/// The text of a run in tokens, with its vocabulary.
struct CaseText {
  Tokenizer tokenizer;
  std::vector<int> tokens;
  std::size_t cut;  // tokens before it are for training, the others for validation

  /// @param corpus    one poem a line
  /// @param couplets  a line break after every full stop instead, and a vocabulary that is counted
  ///                  without line breaks, so that each of them becomes <unk>
  CaseText(const std::string& corpus, int vocab_size, bool couplets);

  Split split() const;
};

}  // namespace attn
