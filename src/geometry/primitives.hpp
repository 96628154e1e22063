// Volume and inertia of simple solids of even density: box, sphere, cylinder, capsule.
//
// Principal moments of inertia about the centre of mass, on the solid's own axes; cylinder and capsule stand along z.
// Per unit mass, so that the caller brings the mass. Source: any textbook of mechanics, e.g. Meriam & Kraige,
// «Dynamics».
#pragma once

#include <filum/types.hpp>

#include <numbers>

namespace filum::geometry {

struct Solid {
  double volume = 0;             // m³
  Vec3 gyration = Vec3::Zero();  // principal moments per mass, m²
};

// Full edge lengths.
inline Solid box(const Vec3& edges) {
  const Vec3 squares = edges.cwiseAbs2();
  return {edges.prod(), (Vec3::Constant(squares.sum()) - squares) / 12};
}

inline Solid sphere(double radius) {
  return {4.0 / 3 * std::numbers::pi * radius * radius * radius, Vec3::Constant(0.4 * radius * radius)};
}

inline Solid cylinder(double radius, double length) {
  const double across = radius * radius / 4 + length * length / 12;
  return {std::numbers::pi * radius * radius * length, Vec3(across, across, radius * radius / 2)};
}

// A cylinder of this length between two half spheres. The half spheres' centres of mass lie 3/8 r beyond its ends, so
// their moments across are 2/5 r² + length²/4 + 3/8 r·length per mass (parallel axes).
inline Solid capsule(double radius, double length) {
  const Solid middle = cylinder(radius, length);
  const Solid ends = sphere(radius);
  const double volume = middle.volume + ends.volume;
  if (!(volume > 0)) return {};
  const double shift = length * length / 4 + 0.375 * radius * length;
  const Vec3 ends_gyration = ends.gyration + Vec3(shift, shift, 0);
  return {volume, (middle.volume * middle.gyration + ends.volume * ends_gyration) / volume};
}

}  // namespace filum::geometry
