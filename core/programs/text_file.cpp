#include "core/programs/text_file.h"

#include <fstream>

#include "core/config_refusal.h"

namespace attn {

std::string read_text_file(const std::string& path, std::size_t limit) {
  std::ifstream file(path, std::ios::binary);
  std::string text(limit, '\0');
  std::streamsize count = 0;
  try {
    file.read(text.data(), static_cast<std::streamsize>(limit));
    count = file.gcount();
  } catch (const std::ios_base::failure&) {
    file.setstate(std::ios::badbit);
  }
  // A folder opens like a file; reading it fails.
  if (!file.is_open() || file.bad()) throw Refusal{Reason::unreadable, path, "", "", ""};
  text.resize(static_cast<std::size_t>(count));
  return text;
}

}  // namespace attn
