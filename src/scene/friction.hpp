// The coefficients of friction of pairs of materials.
#pragma once

#include <filum/scene.hpp>

#include <optional>
#include <string_view>

namespace filum::scene {

[[nodiscard]] inline bool is_pair(const FrictionPair& pair, std::string_view one, std::string_view other) {
  return (pair.material == one && pair.against == other) || (pair.material == other && pair.against == one);
}

// Of two materials on each other, if the scene lists them.
[[nodiscard]] inline std::optional<double> pair_friction(const Contact& contact, std::string_view one,
                                                         std::string_view other) {
  if (one.empty() || other.empty()) return {};
  for (const FrictionPair& pair : contact.pairs)
    if (is_pair(pair, one, other)) return pair.friction;
  return {};
}

}  // namespace filum::scene
