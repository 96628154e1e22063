// A chain on the desk: scenes in a few words, and the formulation behind its own interface, without drivers or checks.
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
  hold.fix_position = {true, true, true};
  hold.fix_orientation = {turns, turns, turns};
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

class ChainRig {
 public:
  explicit ChainRig(const Scene& scene)
      : targets(sim::resting_targets(scene)), model_(chain::ChainFormulation().compile(scene)) {
    REQUIRE(chain::ChainFormulation().check(scene).empty());
    state_ = model_->start(targets);
  }

  // False: the step failed.
  bool step(double dt = kFrame) { return model_->step(*state_, targets, dt).usable; }
  bool run(int steps, double dt = kFrame) {
    for (int i = 0; i < steps; ++i)
      if (!step(dt)) return false;
    return true;
  }
  SolveReport solve() { return model_->solve(*state_, targets); }
  [[nodiscard]] Pose pose() const { return model_->sample(*state_, targets); }
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] State& state() { return *state_; }

  Targets targets;

 private:
  std::unique_ptr<Model> model_;
  std::unique_ptr<State> state_;
};

}  // namespace filum::test
