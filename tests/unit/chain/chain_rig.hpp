// A chain to try things on: scenes in a few words, and the formulation behind its own interface, without drivers or checks.
#pragma once

#include "formulations/chain/chain.hpp"
#include "sim/drivers.hpp"

#include <filum/scene.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

namespace filum::test {

inline constexpr double kFrame = 1.0 / 60;  // s: the step of a display

// A round wire: EI and GJ, and the share of EI that a stranded rope has of them.
inline Section wire(double young, double diameter, double density, double bend_share = 1) {
  const double area = std::numbers::pi * diameter * diameter / 4;
  const double second = area * diameter * diameter / 16;
  Section section;
  section.shape = SectionShape::Given;
  section.EA = young * area;
  section.EI = Vec2::Constant(bend_share * young * second);
  section.GJ = bend_share * young * second / 1.3;
  section.mass_per_length = density * area;
  section.radius = diameter / 2;
  return section;
}

// One straight rod named «rod»; neither gravity nor holds.
inline Scene one_rod(const Section& section, const Vec3& from, const Vec3& to, int segments) {
  Scene scene;
  scene.gravity.setZero();
  scene.simulation.formulation = "chain";
  scene.sections.push_back({"section", section});
  Rod rod;
  rod.name = "rod";
  rod.section = "section";
  rod.segments = segments;
  rod.shape.points = {from, to};
  scene.rods.push_back(rod);
  return scene;
}

// At the start (0) or the end (1) of the rod, to the world or to a body.
inline Hold grip(double fraction, bool turns, const std::string& body = "") {
  Hold hold;
  hold.name = (body.empty() ? "hold " : "to " + body + " ") + std::to_string(fraction);
  hold.rod = "rod";
  hold.at = {fraction, 0};
  hold.fix.position = kAllAxes;
  hold.fix.orientation = {turns, turns, turns};
  hold.body = body;
  return hold;
}

inline Body load(double mass, const Vec3& position) {
  Body body;
  body.name = "load";
  body.mass = mass;
  const double side = std::cbrt(mass / 7850);
  body.box = {side, side, side};
  body.position = position;
  body.motion = BodyMotion::Free;
  return body;
}

// A rope of one length from the origin, `angle` from the vertical in the plane of x and z, drawn `stretch` longer than
// it is, with a load pinned to its end.
inline Scene pendulum(const Section& section, double length, int segments, double mass, double angle,
                      double stretch = 0) {
  const Vec3 end = (length + stretch) * Vec3(std::sin(angle), 0, -std::cos(angle));
  Scene scene = one_rod(section, Vec3::Zero(), end, segments);
  scene.rods[0].length = length;
  scene.gravity = {0, 0, -9.81};
  scene.bodies = {load(mass, end)};
  scene.holds = {grip(0, false), grip(1, false, "load")};
  return scene;
}

// A drum at the start of the rod.
inline Winch drum() {
  Winch winch;
  winch.name = "winch";
  winch.rod = "rod";
  winch.drum_radius = 0.2;
  return winch;
}

inline Obstacle floor_at(double height, double friction, double slope = 0) {
  Obstacle plane;
  plane.name = "floor";
  plane.point = {0, 0, height};
  plane.normal = {std::sin(slope), 0, std::cos(slope)};
  plane.friction = friction;
  return plane;
}

// Under the middle of the rod, turning it about y.
inline Sheave wheel(const Vec3& centre, double radius) {
  Sheave sheave;
  sheave.name = "wheel";
  sheave.rod = "rod";
  sheave.at = {0.5, 0};
  sheave.point = centre;
  sheave.axis = Vec3::UnitY();
  sheave.radius = radius;
  return sheave;
}

// Two loads, «left» and «right», on a rope over a wheel of 0.3 m, 6 m above them: half a turn. As long as it is under
// the left one.
inline Scene loads_over_wheel(const Section& rope, double left, double right, double friction = 0, double inertia = 0) {
  Scene scene = one_rod(rope, Vec3(-0.3, 0, -6), Vec3(0.3, 0, -6), 24);
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].length = (12 + std::numbers::pi * 0.3) / (1 + left * 9.81 / rope.EA);
  for (const bool second : {false, true}) {
    Body body = load(second ? right : left, Vec3(second ? 0.3 : -0.3, 0, -6));
    body.name = second ? "right" : "left";
    scene.bodies.push_back(body);
    scene.holds.push_back(grip(second ? 1 : 0, false, body.name));
  }
  scene.sheaves = {wheel(Vec3::Zero(), 0.3)};
  scene.sheaves[0].friction = friction;
  scene.sheaves[0].inertia = inertia;
  return scene;
}

class ChainRig {
 public:
  explicit ChainRig(const Scene& scene, const chain::ChainVariant& variant = {})
      : targets(sim::resting_targets(scene)), model_(chain::ChainFormulation(variant).compile(scene)) {
    REQUIRE(chain::ChainFormulation(variant).check(scene).empty());
    workspace_ = model_->workspace();
    state_ = model_->start(targets);
  }

  // False: the step failed.
  bool step(double dt = kFrame) { return model_->step(*workspace_, *state_, targets, dt).usable; }
  bool run(int steps, double dt = kFrame) {
    for (int i = 0; i < steps; ++i)
      if (!step(dt)) return false;
    return true;
  }
  SolveReport solve() { return model_->solve(*workspace_, *state_, targets); }
  [[nodiscard]] Pose pose() const { return model_->sample(*workspace_, *state_, targets); }
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] Workspace& workspace() { return *workspace_; }
  [[nodiscard]] State& state() { return *state_; }

  Targets targets;

 private:
  std::unique_ptr<Model> model_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<State> state_;
};

}  // namespace filum::test
