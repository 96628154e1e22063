#include "io/export/line_names.hpp"

#include "io/result/result_names.hpp"

#include <algorithm>
#include <cctype>

namespace filum::io {

std::string line_name(const StoredResult& result, size_t rods, size_t index) {
  return index < rods ? name_or(result.names.rods, index, "rod") : name_or(result.names.ropes, index - rods, "rope");
}

std::string file_stem(std::string_view name, std::vector<std::string>& taken) {
  // letters, digits and what lies beyond ASCII stay; the rest becomes «_»
  std::string stem;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    stem += std::isalnum(byte) || byte >= 0x80 || c == '-' || c == '_' ? c : '_';
  }
  if (stem.empty()) stem = "rod";
  // short enough for any file system, cut between characters
  size_t end = std::min<size_t>(stem.size(), 80);
  while (end < stem.size() && (stem[end] & 0xC0) == 0x80) --end;
  stem.resize(end);
  // two names may fall together
  std::string unique = stem;
  for (int k = 2; std::find(taken.begin(), taken.end(), unique) != taken.end(); ++k) {
    unique = stem + "-" + std::to_string(k);
  }
  taken.push_back(unique);
  return unique;
}

}  // namespace filum::io
