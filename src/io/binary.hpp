// Numbers as bytes, little endian: written to the end of a text, read from a span that is never overrun.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace filum::io {

static_assert(std::endian::native == std::endian::little, "the binary formats are little endian");

template <class T>
requires std::is_arithmetic_v<T>
void put_bytes(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void put_u32(std::string& out, std::size_t value) {
  put_bytes(out, static_cast<std::uint32_t>(value));
}

inline void put_f32(std::string& out, double value) {
  put_bytes(out, static_cast<float>(value));
}

// FNV-1a, 64 bits: tells damaged bytes, not forged ones.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

// The same over words of eight bytes, the last filled up with zeros, with the upper half of each sum mixed into the lower:
// many times as fast, for frames.
inline std::uint64_t word_checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = (hash ^ word) * 1099511628211ULL;
    hash ^= hash >> 32U;
  }
  return hash;
}

// Takes numbers off the front of some bytes. Once they do not suffice everything is zero and `ok` is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }

  template <class T>
  requires std::is_arithmetic_v<T> T take() {
    T value{};
    const std::string_view part = take_bytes(sizeof value);
    if (ok_) std::memcpy(&value, part.data(), sizeof value);
    return value;
  }

  std::string_view take_bytes(std::size_t count) {
    ok_ = ok_ && count <= bytes_.size();
    if (!ok_) return {};
    const std::string_view part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace filum::io
