// How far a centre line may be from that of the tube, at most: told by the vertices themselves.
//
// Let every vertex be within η of the true tube. Seen from a centre that is off by δ, it is farther from it than the
// true radius by δ·u, u being the way to the vertex, to the first order and within η. No angle larger than the gap g being
// without a vertex, one lies within g/2 of the way of δ and another one opposite; so the distances differ by at
// least 2 |δ| cos(g/2) − 2 η, and half their range bounds the error:
//
//   |δ| ≤ (range/2 + η) / cos(g/2),    |R − r| ≤ (largest distance from the circle) + η + |δ|.
//
// The same holds for how far a ring's plane leans, with the distances from the plane, divided by the radius. η is not
// known; the largest distance of any vertex of the tube from its circle stands for it.
//
// Flat tubes are the same seen from both sides of their centre. Turned half round about a centre that is off by δ, a
// vertex at which the section's direction is n lies outside the section by 2 δ·n, to the first order and within 2 η; so
// half of how far the polygon of the vertices, turned so, stands out of itself bounds the error as half the range does, g
// being the largest angle between the directions at neighbouring vertices: at most what the polygon turns at both, but
// for sharp corners, which have all directions from edge to edge.
//
// A pattern of errors that a
// circle follows all along the tube is not seen: nothing in the mesh tells it from a tube that runs there.
#pragma once

#include "flexible/section_cut.hpp"

#include <vector>

namespace filum::flexible {

constexpr double kFromEnd = 2.5;  // radii from the ends of a branch, where others run into it: bounds hold beyond

// What a circle leaves of its points; lengths.
struct CircleRest {
  double range = 0;        // of the distances from the circle
  double worst = 0;        // the largest of them
  double plane_range = 0;  // of the distances from its plane
  double plane_worst = 0;
  double gap = 7;  // the largest angle without a point, rad; of a flat tube: between directions
};
// Of the points that have a weight.
CircleRest rest_of(const std::vector<Vec3>& points, const std::vector<double>& weights, const Circle& circle,
                   const Vec3& normal);

// The same of a flat tube: range and worst are how far its ring stands out of itself, turned half round.
CircleRest rest_of(const std::vector<Vec3>& points, const Profile& profile, const Vec3& normal);

// Bounds as lengths, where vertices are within `eta` of the tube; infinite where vertices are on one side alone.
double centre_bound(const CircleRest& rest, double eta);
double radius_bound(const CircleRest& rest, double eta);
// Of the direction, rad, where vertices are within `eta` of their plane.
double lean_bound(const CircleRest& rest, double eta, double radius);

}  // namespace filum::flexible
