#include "scene/parts.hpp"

#include "scene/check/fault_list.hpp"
#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>

namespace filum::scene {

namespace {

// Places closer together than this share of the rod's length are one.
constexpr double kSamePlace = 1e-7;

bool grips(const Hold& hold) {
  return !hold.slide && (hold.holds_position() || hold.holds_orientation());
}

bool is_even(const RestShape& rest) {
  return rest.kind == RestKind::Straight || rest.kind == RestKind::Uniform ||
         (rest.kind == RestKind::Curve && rest.curve.kind == CurveKind::Line);
}

}  // namespace

std::vector<double> fixed_places(const Scene& scene, const Rod& rod) {
  const double length = rod_length(rod);
  std::vector<double> places;
  for (const Hold& hold : scene.holds)
    if (hold.rod == rod.name && grips(hold)) places.push_back(hold.at.at(length));
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      if (point.rod == rod.name) places.push_back(point.at.at(length));
  for (const Winch& winch : scene.winches)
    if (winch.rod == rod.name) places.push_back(winch.at.at(length));
  std::sort(places.begin(), places.end());
  const auto same = [&](double a, double b) { return b - a <= kSamePlace * length; };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  return places;
}

std::vector<Part> held_parts(const Scene& scene, const Rod& rod) {
  const std::vector<double> places = fixed_places(scene, rod);
  std::vector<Part> parts;
  for (std::size_t i = 1; i < places.size(); ++i) parts.push_back({places[i - 1], places[i]});
  return parts;
}

bool is_whole(const Rod& rod, const Part& part) {
  const double length = rod_length(rod);
  return part.from <= kSamePlace * length && part.to >= (1 - kSamePlace) * length;
}

std::optional<std::string> fixed_along(const Scene& scene, const Rod& rod) {
  const std::string which = "rod " + quoted(rod.name);
  if (!is_even(rod.rest))
    return which + " has a rest shape that varies along it: it can get longer or shorter as a whole, not in a part";
  const double length = rod_length(rod);
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods) {
      const double s = point.at.at(length);
      if (point.rod == rod.name && s > kSamePlace * length && s < (1 - kSamePlace) * length)
        return which + " is joined in between by junction " + quoted(junction.name) +
               ": split it there, so that its parts can get longer or shorter";
    }
  return std::nullopt;
}

RodPlace place_at(const Scene& scene, const Rod& rod, double s) {
  const double length = rod_length(rod);
  const auto here = [&](const ArcPosition& at) { return std::abs(at.at(length) - s) <= 1e-6 * length; };
  for (const Hold& hold : scene.holds)
    if (hold.rod == rod.name && grips(hold) && here(hold.at)) return {PlaceKind::Hold, hold.name};
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      if (point.rod == rod.name && here(point.at)) return {PlaceKind::Junction, junction.name};
  for (const Winch& winch : scene.winches)
    if (winch.rod == rod.name && here(winch.at)) return {PlaceKind::Winch, winch.name};
  if (s <= 1e-6 * length) return {PlaceKind::Start, {}};
  if (s >= (1 - 1e-6) * length) return {PlaceKind::End, {}};
  return {PlaceKind::Along, {}, s};
}

}  // namespace filum::scene
