// Scenes in a few words, and the sums that every equilibrium must satisfy.
#pragma once

#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace filum::test {

// A soft hose, a stiffer wire and a flat band; the rest of the scene follows.
inline const std::string kStock = R"(filum: 1
materials: {rubber: {young: 5e6, poisson: 0.45, density: 1100}, metal: {young: 70e9, poisson: 0.3, density: 2700}}
sections:
  hose: {shape: circle, radius: 5 mm}
  wire: {shape: circle, radius: 1 mm}
  band: {shape: rectangle, width: 12 mm, height: 3 mm}
)";

inline Scene scene_of(const std::string& text) {
  const Result<Scene> scene = parse_scene(kStock + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

inline Outcome solved(const Scene& scene, const SolveOptions& options = {}) {
  const Result<Outcome> outcome = solve(scene, options);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  return *outcome;
}

inline Outcome solved(const std::string& text, const SolveOptions& options = {}) {
  const Outcome outcome = solved(scene_of(text), options);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return outcome;
}

inline const Pose& last(const Outcome& outcome) {
  return outcome.states.back().pose;
}

// Everything that acts on the rods from outside, as one force and one moment about the origin. Zero at equilibrium.
struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  double force_scale = 0;
  double moment_scale = 0;

  void add(const Vec3& f, const Vec3& at, const Vec3& m = Vec3::Zero()) {
    force += f;
    moment += m + at.cross(f);
    force_scale = std::max(force_scale, f.norm());
    moment_scale = std::max({moment_scale, m.norm(), at.cross(f).norm()});
  }
};

inline std::size_t rod_index(const Scene& scene, const std::string& name) {
  for (std::size_t r = 0; r < scene.rods.size(); ++r)
    if (scene.rods[r].name == name) return r;
  return 0;
}

// The sample nearest to a place on a rod.
inline std::size_t sample_at(const RodPose& rod, double s) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < rod.s.size(); ++i)
    if (std::abs(rod.s[i] - s) < std::abs(rod.s[best] - s)) best = i;
  return best;
}

// Weight and distributed force, half of each edge to its nodes, then point loads, holds and obstacles.
inline Wrench outside(const Scene& scene, const Pose& pose) {
  Wrench sum;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Rod& rod = scene.rods[r];
    const RodPose& shape = pose.rods[r];
    for (std::size_t j = 0; j + 1 < shape.s.size(); ++j) {
      const double middle = 0.5 * (shape.s[j] + shape.s[j + 1]);
      const double length = shape.s[j + 1] - shape.s[j];
      std::string section = rod.section;
      std::string material = rod.material;
      for (const Station& station : rod.stations)
        if (station.s.at(shape.s.back()) < middle) {
          section = station.section;
          material = station.material.empty() ? rod.material : station.material;
        }
      Stiffness made;
      for (const SectionEntry& entry : scene.sections)
        for (const MaterialEntry& stuff : scene.materials)
          if (entry.name == section && (stuff.name == material || material.empty()))
            made = stiffness(entry.section, stuff.material);
      Vec3 load = made.mass_per_length * scene.gravity;
      for (const DistributedForce& d : scene.distributed)
        if (d.rod == rod.name && middle > d.from.at(shape.s.back()) && middle < d.to.at(shape.s.back()))
          load += d.force_per_length;
      sum.add(0.5 * length * load, shape.position[j]);
      sum.add(0.5 * length * load, shape.position[j + 1]);
    }
  }
  for (const PointForce& force : scene.forces) {
    const RodPose& rod = pose.rods[rod_index(scene, force.point.rod)];
    if (!force.follow) sum.add(force.force, rod.position[sample_at(rod, force.point.at.at(rod.s.back()))]);
  }
  for (const PointTorque& torque : scene.torques)
    if (!torque.follow) sum.add(Vec3::Zero(), Vec3::Zero(), torque.torque);
  for (const HoldPose& hold : pose.holds) sum.add(hold.force, hold.position, hold.moment);
  // what touches acts on the centre line; what rods do to rods is none from outside
  for (const ContactPose& contact : pose.contacts) {
    if (contact.b.rod >= 0) continue;
    const RodPose& rod = pose.rods[static_cast<std::size_t>(contact.a.rod)];
    sum.add(contact.force, contact.position + rod.outline[0].maxCoeff() * contact.normal);
  }
  return sum;
}

// Newton stops at a residual of 1e-10 a node, so a sum over some hundred nodes is good to 1e-8 of its largest term.
inline void check_balance(const Scene& scene, const Pose& pose) {
  const Wrench sum = outside(scene, pose);
  // forces through the origin make no moment: they then count with the longest rod as their arm
  double arm = 0;
  for (const RodPose& rod : pose.rods) arm = std::max(arm, rod.s.back());
  const double moment_scale = std::max(sum.moment_scale, arm * sum.force_scale);
  CHECK(sum.force.norm() <= 1e-8 * std::max(sum.force_scale, 1e-30));
  CHECK(sum.moment.norm() <= 1e-8 * std::max(moment_scale, 1e-30));
}

}  // namespace filum::test
