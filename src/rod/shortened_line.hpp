// A polyline with fewer segments that can be moved into the first without a crossing.
//
// Stretches that are bent gently are replaced by their chords. While every point of a stretch moves straight to its
// chord it stays in the hull of the stretch; so the line crosses itself nowhere on the way if hulls of stretches that
// are no neighbours have a plane between them, and neighbours run forwards along one direction.
#pragma once

#include <filum/types.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace filum::rod {

// The nodes that stay, first and last among them; none if the line is too tangled for that, or is not much shorter. An
// open line is taken with the rays that prolong its first and last segment to infinity: they are not crossed either. A
// closed polyline repeats its first point at the end.
[[nodiscard]] std::vector<std::size_t> shortened_line(std::span<const Vec3> points, bool closed);

}  // namespace filum::rod
