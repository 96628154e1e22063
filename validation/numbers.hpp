// Numbers for scenes that follow from a seed: the same on every machine, by splitmix64.
#pragma once

#include <filum/types.hpp>

#include <cmath>
#include <cstdint>

namespace filum::validation {

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  double between(double low, double high) { return low + (high - low) * unit(); }
  // Evenly spread in its logarithm.
  double scaled(double low, double high) { return low * std::pow(high / low, unit()); }
  bool odds(double share) { return unit() < share; }
  int below(int count) { return static_cast<int>(unit() * count); }
  Vec3 vector(double size) { return size * Vec3(between(-1, 1), between(-1, 1), between(-1, 1)); }

 private:
  double unit() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }
  std::uint64_t state_;
};

}  // namespace filum::validation
