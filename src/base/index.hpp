// Indices are `int` (−1 means none); containers want std::size_t. This is the one place that turns one into the other.
#pragma once

#include <cstddef>
#include <string_view>

namespace filum {

constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// The place of the thing with this name in a list of named things, or −1.
template <class List>
int index_of(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace filum
