// What contact does to a rod: force, pressure, chafing, in figures that do not depend on how finely the rod is cut.
//
// A pose has one contact per node, or per point over an edge, that touches. Along a face they share what presses on the
// rod, each on the length half way to its neighbours; over an edge one bears all. So forces are summed over a stretch
// that touches one thing, and pressure and chafing are taken on a stretch as long as the rod is wide.
#pragma once

#include <filum/pose.hpp>
#include <filum/reference.hpp>
#include <filum/scene.hpp>

#include <vector>

namespace filum::sim {

struct ContactLoad {
  int stretches = 0;    // of the rod that touch something
  double force = 0;     // the largest normal force of a stretch, summed along it, N
  double force_s = 0;   // where its largest part is, m
  ObjectRef on;         // what that stretch touches
  double pressure = 0;  // normal force over the square of the rod's width, Pa
  double pressure_s = 0;
  double chafing = 0;  // normal force times way slipped, N·m
  double chafing_s = 0;
};

[[nodiscard]] ContactLoad contact_load(const Scene& scene, const Pose& pose, int rod);

// What one thing does to another on which it does not rest as a rod: bodies on obstacles and on each other.
struct SolidLoad {
  ObjectRef of;  // what is pressed
  ObjectRef on;
  int places = 0;
  double normal = 0;          // normal forces, summed, N
  double friction = 0;        // likewise
  Vec3 force = Vec3::Zero();  // all together, on `of`, N
  double chafing = 0;         // N·m
};
[[nodiscard]] std::vector<SolidLoad> solid_loads(const Scene& scene, const Pose& pose);

// What a contact's side is called.
[[nodiscard]] ObjectRef thing(const Scene& scene, const ContactSide& side);

}  // namespace filum::sim
