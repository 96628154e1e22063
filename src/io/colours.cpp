#include "io/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

constexpr const char* kCurves[] = {"#3b7dd8", "#e07b27", "#2e9e73", "#c2498f", "#8a6fd1", "#c9a227",
                                   "#2aa5c0", "#d8504d", "#7f9436", "#a4704b", "#6b7f99", "#d17fb5"};
constexpr size_t kCount = sizeof kCurves / sizeof *kCurves;

}  // namespace

std::string curve_colour(size_t i) {
  return kCurves[i % kCount];
}

std::string curve_dash(size_t i) {
  static const char* const kDashes[] = {"", "6 3", "2 3", "8 3 2 3"};
  return kDashes[(i / kCount) % 4];
}

Rgb scale_colour(double share) {
  static const struct {
    double at;
    Rgb colour;
  } kStops[] = {
      {0, {0.22, 0.44, 0.82}}, {0.35, {0.18, 0.67, 0.64}}, {0.68, {0.93, 0.76, 0.27}}, {1, {0.94, 0.49, 0.16}}};
  if (std::isnan(share)) return plain_colour();
  share = std::clamp(share, 0.0, 1.0);
  for (size_t i = 1; i < 4; ++i) {
    if (share > kStops[i].at) continue;
    const double w = (share - kStops[i - 1].at) / (kStops[i].at - kStops[i - 1].at);
    return (1 - w) * kStops[i - 1].colour + w * kStops[i].colour;
  }
  return kStops[3].colour;
}

Rgb over_colour() {
  return {0.83, 0.12, 0.25};
}

Rgb plain_colour() {
  return {0.56, 0.61, 0.68};
}

std::string shaded(const Rgb& colour, double brightness) {
  // darker towards black, lighter towards white
  const auto part = [&](double c) {
    const double v = brightness <= 1 ? c * brightness : c + (1 - c) * (brightness - 1);
    return static_cast<int>(std::lround(255 * std::clamp(v, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(colour.x()), part(colour.y()), part(colour.z()));
}

}  // namespace filum::io
