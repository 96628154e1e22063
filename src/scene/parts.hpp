// The parts of a rod whose lengths can change by themselves: those between neighbouring places that something fixes.
#pragma once

#include <filum/reference.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum::scene {

// Part of a rod from one arc length to another, unstretched, m.
struct Part {
  double from = 0;
  double to = 0;
  [[nodiscard]] double length() const { return to - from; }
};

// Where non-sliding holds, junctions and winches sit on an open rod, ascending; those that rounding alone tells apart
// are one.
std::vector<double> fixed_places(const Scene& scene, const Rod& rod);

// Between neighbouring fixed places.
std::vector<Part> held_parts(const Scene& scene, const Rod& rod);

// Does it go from end to end?
bool is_whole(const Rod& rod, const Part& part);

// Why a part of this rod alone cannot get longer or shorter while its shape stays as drawn, or nothing: a rest shape
// that varies along it, or a junction in between, whose pose is that of the drawn shape.
std::optional<std::string> fixed_along(const Scene& scene, const Rod& rod);

// What is at this place: the first hold, junction or winch that grips the rod there, or an end of it.
RodPlace place_at(const Scene& scene, const Rod& rod, double s);

}  // namespace filum::scene
