// Writhe of a polyline and linking number of two, by the exact Gauss integral over pairs of segments.
//
// Wr = 1/4π ∬ (x1 − x2)·(dx1 × dx2)/|x1 − x2|³. The integral over one pair of straight segments is the solid angle of
// the parallelogram spanned by the differences of their ends, seen from the origin [Klenin2000, method 1a]. It is
// evaluated here by the arctangent formula of [VanOosterom1983] instead of four arcsines, which lose half the digits where segments come near each other.
//
// Right-handed coils have positive writhe. For a closed ribbon Lk = Tw + Wr (Călugăreanu, White, Fuller), and this
// holds exactly for polylines with the joint twist of rod/curve_kit.
#pragma once

#include <filum/types.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace filum::rod {

// Every k-th node of a polyline, first and last kept, so that at most `max_segments` (> 0) segments are left.
[[nodiscard]] std::vector<std::size_t> thinned(std::size_t segments, int max_segments);

// Writhe may cost the square of the number of segments; rods of more than this are thinned out.
inline constexpr int kWritheSegments = 200;

// A closed polyline repeats its first point at the end.
[[nodiscard]] double writhe(std::span<const Vec3> points, bool closed, int max_segments = kWritheSegments);

// Half of the Gauss integrals, ∬ as above, of two rays against an open polyline: one from behind its start along the tangent
// there, one from its end on; rad.
[[nodiscard]] double half_rays(std::span<const Vec3> points, const Vec3& start_tangent, const Vec3& end_tangent);

// Both polylines closed, the first point repeated at the end. An integer but for rounding if they do not touch.
[[nodiscard]] double linking_number(std::span<const Vec3> first, std::span<const Vec3> second);

}  // namespace filum::rod
