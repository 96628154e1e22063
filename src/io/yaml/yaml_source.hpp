// The bytes of a YAML text: is it text at all, and where in it is the n-th character?
#pragma once

#include <filum/result.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace filum::io {

// Bytes that a byte order mark takes at the beginning: it says nothing in UTF-8 and belongs to no key or number.
std::size_t byte_order_mark(std::string_view text);

// What keeps the bytes from being a YAML text: too long, not UTF-8, a control character.
std::optional<Error> check_text(std::string_view text);

// Byte offsets of characters: libyaml counts characters, a patch needs bytes.
class CharacterMap {
 public:
  explicit CharacterMap(std::string_view text);
  [[nodiscard]] std::size_t byte_of(std::size_t character) const;

 private:
  static constexpr std::size_t kStride = 64;
  std::string_view text_;
  bool ascii_ = true;                     // one byte a character
  std::vector<std::size_t> checkpoints_;  // byte of every kStride-th character
};

}  // namespace filum::io
