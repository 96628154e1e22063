// Layout: APPNOTE.TXT of PKWARE, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (its end).
#include "serve/net/zip.hpp"

#include <array>
#include <cstdint>

namespace filum::serve {

namespace {

void put16(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 16; shift += 8) out += static_cast<char>((value >> shift) & 255U);
}
void put32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((value >> shift) & 255U);
}

// CRC-32 of IEEE 802.3, bit by bit from the low end.
std::uint32_t checksum(const std::string& bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> values{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
      values[i] = c;
    }
    return values;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 255U] ^ (crc >> 8U);
  return ~crc;
}

// What local header and directory have in common: version, flags (UTF-8 names), method, time, sums and sizes.
void put_facts(std::string& out, const ZipEntry& entry, std::uint32_t crc) {
  constexpr std::uint32_t kVersion = 20;
  constexpr std::uint32_t kUtf8 = 0x0800;
  constexpr std::uint32_t kFirstOfJanuary1980 = 0x0021;
  put16(out, kVersion);
  put16(out, kUtf8);
  put16(out, 0);
  put16(out, 0);
  put16(out, kFirstOfJanuary1980);
  put32(out, crc);
  put32(out, static_cast<std::uint32_t>(entry.bytes.size()));
  put32(out, static_cast<std::uint32_t>(entry.bytes.size()));
  put16(out, static_cast<std::uint32_t>(entry.name.size()));
  put16(out, 0);
}

}  // namespace

std::string zip(const std::vector<ZipEntry>& entries) {
  std::string out;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const auto offset = static_cast<std::uint32_t>(out.size());
    const std::uint32_t crc = checksum(entry.bytes);
    put32(out, 0x04034B50);
    put_facts(out, entry, crc);
    out += entry.name + entry.bytes;
    put32(directory, 0x02014B50);
    put16(directory, 20);
    put_facts(directory, entry, crc);
    for (int k = 0; k < 3; ++k) put16(directory, 0);
    put32(directory, 0);
    put32(directory, offset);
    directory += entry.name;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  out += directory;
  put32(out, 0x06054B50);
  put16(out, 0);
  put16(out, 0);
  put16(out, static_cast<std::uint32_t>(entries.size()));
  put16(out, static_cast<std::uint32_t>(entries.size()));
  put32(out, static_cast<std::uint32_t>(directory.size()));
  put32(out, start);
  put16(out, 0);
  return out;
}

}  // namespace filum::serve
