// Bytes as text: base64 with padding [RFC 4648, section 4].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace filum::serve {

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    // three bytes are four digits; what is missing at the end is padding
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18U - 6U * static_cast<unsigned>(k)) & 63U];
  }
  return text;
}

}  // namespace filum::serve
