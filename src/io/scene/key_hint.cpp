#include "io/scene/key_hint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace filum::io {
namespace {

// Letters inserted, left out, replaced, or swapped with their neighbour (Damerau and Levenshtein's distance, each
// letter touched once).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string key_hint(const scene::Table& table, std::string_view key) {
  // a typing mistake changes a few letters of a word
  constexpr std::size_t kLongestKey = 40;
  if (key.size() <= kLongestKey) {
    const scene::Field* nearest = nullptr;
    std::size_t least = 1 + (key.size() <= 3 ? 1 : std::max<std::size_t>(2, key.size() / 3));
    for (const scene::Field& field : table.fields) {
      const std::size_t distance = edit_distance(key, field.key);
      if (distance < least) {
        least = distance;
        nearest = &field;
      }
    }
    if (nearest) return fmt::format("; did you mean '{}'?", nearest->key);
  }
  std::vector<std::string_view> names;
  for (const scene::Field& field : table.fields)
    if (field.kind != scene::Kind::Planned && (names.empty() || names.back() != field.key)) names.push_back(field.key);
  return fmt::format("; known are {}", fmt::join(names, ", "));
}

}  // namespace filum::io
