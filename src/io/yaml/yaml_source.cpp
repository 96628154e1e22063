#include "io/yaml/yaml_source.hpp"

#include "io/file_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace filum::io {
namespace {

struct Decoded {
  std::uint32_t code = 0;
  int bytes = 0;  // 0: not UTF-8
};

// One character of UTF-8 (RFC 3629): shortest form only, no surrogates, at most U+10FFFF.
Decoded decode(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const int bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || rest.size() < static_cast<std::size_t>(bytes)) return {};
  // the lead byte gives the top bits, each follower six more
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (int i = 1; i < bytes; ++i) {
    if ((byte(static_cast<std::size_t>(i)) & 0xC0u) != 0x80u) return {};
    code = code << 6 | (byte(static_cast<std::size_t>(i)) & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes};
}

// The characters YAML allows in a text (YAML 1.1, section 5.1).
bool printable(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  if (code < 0x7F || code == 0x85) return true;
  return code >= 0xA0 && code != 0xFFFE && code != 0xFFFF;
}

Error text_error(std::string message, int line, int column) {
  return {ErrorCode::BadInput, std::move(message), "", line, column};
}

}  // namespace

std::size_t byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? mark.size() : 0;
}

std::optional<Error> check_text(std::string_view text) {
  if (text.size() > kMaxFileBytes)
    return text_error(fmt::format("the file has {} bytes; at most {} are read", text.size(), kMaxFileBytes), 1, 1);
  int line = 1;
  int column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded character = decode(text.substr(i));
    if (character.bytes == 0)
      return text_error(fmt::format("not UTF-8 text: byte 0x{:02x}", static_cast<unsigned char>(text[i])), line,
                        column);
    if (character.code == 0) return text_error("a NUL byte: this is not a text file", line, column);
    if (!printable(character.code))
      return text_error(fmt::format("a control character: U+{:04X}", character.code), line, column);
    // keep count of lines
    if (character.code == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
    i += static_cast<std::size_t>(character.bytes);
  }
  return std::nullopt;
}

CharacterMap::CharacterMap(std::string_view text) : text_(text) {
  ascii_ = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii_) return;
  // every byte that does not continue a character begins one
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u) continue;
    if (characters % kStride == 0) checkpoints_.push_back(i);
    ++characters;
  }
}

std::size_t CharacterMap::byte_of(std::size_t character) const {
  if (ascii_) return std::min(character, text_.size());
  const std::size_t checkpoint = character / kStride;
  if (checkpoint >= checkpoints_.size()) return text_.size();
  // walk on from the checkpoint before
  std::size_t byte = checkpoints_[checkpoint];
  for (std::size_t left = character % kStride; left > 0 && byte < text_.size(); --left) {
    ++byte;
    while (byte < text_.size() && (static_cast<unsigned char>(text_[byte]) & 0xC0u) == 0x80u) ++byte;
  }
  return byte;
}

}  // namespace filum::io
