#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace filum::io {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

// Plain words of letters, digits and a few harmless signs that begin with a letter.
bool safe_plain(std::string_view text) {
  if (text.empty() || !is_letter(text.front()) || text.back() == ' ') return false;
  if (text == "null" || text == "true" || text == "false") return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-' || c == '.' || c == '/';
  });
}

// The characters beyond ASCII that YAML does not print or takes for a line break: C1 controls, the line and paragraph
// separators, the byte order mark and the two non-characters. Returns their code, or 0.
unsigned unprintable(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0u; };
  if (byte(0) == 0xC2 && byte(1) < 0xA0) return byte(1);
  if (byte(0) == 0xE2 && byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9)) return 0x2000 + (byte(2) & 0x3Fu);
  if (byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF) return 0xFEFF;
  if (byte(0) == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0xFFC0 + (byte(2) & 0x3Fu);
  return 0;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 60;
  if (text.empty()) return "nothing";
  if (text.size() <= kShown) return fmt::format("'{}'", text);
  // cut between two characters
  std::size_t cut = kShown;
  while (cut > 0 && is_continuation(text[cut])) --cut;
  return fmt::format("'{}…'", text.substr(0, cut));
}

std::string yaml_scalar(std::string_view text) {
  if (safe_plain(text)) return std::string(text);
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      quoted += {'\\', text[i]};
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c < 0x20 || c == 0x7F) {
      quoted += fmt::format("\\x{:02X}", c);
    } else if (const unsigned code = c >= 0x80 ? unprintable(text.substr(i)) : 0; code != 0) {
      quoted += fmt::format("\\u{:04X}", code);
      // its further bytes are told with it
      while (i + 1 < text.size() && is_continuation(text[i + 1])) ++i;
    } else {
      quoted += text[i];
    }
  }
  return quoted + "\"";
}

}  // namespace filum::io
