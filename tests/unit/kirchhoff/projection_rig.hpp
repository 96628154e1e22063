// Rods in motion in a few lines: scenes made in code, a stepper of its own, and the sums that tests look at.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "math/rotation.hpp"
#include "rod/binormal_bending.hpp"
#include "sim/drivers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

namespace filum::test {

inline constexpr double kTurn = 2 * std::numbers::pi;

// A rod with these stiffnesses and this mass per length; next to nothing stretches it.
inline Section given(double bending, double twisting, double mass_per_length) {
  Section section;
  section.shape = SectionShape::Given;
  section.EA = 1e9;
  section.EI = Vec2(bending, bending);
  section.GJ = twisting;
  section.mass_per_length = mass_per_length;
  section.radius = 1e-3;
  return section;
}

inline Scene bare_scene(const Section& section) {
  Scene scene;
  scene.gravity = Vec3::Zero();
  scene.sections.push_back({"section", section});
  scene.simulation.mode = Mode::Dynamics;
  scene.simulation.stepper = Stepper::Projection;
  return scene;
}

inline Rod& add_line(Scene& scene, const Vec3& from, const Vec3& to, int segments) {
  Rod rod;
  rod.name = "rod" + std::to_string(scene.rods.size());
  rod.section = "section";
  rod.segments = segments;
  rod.shape.points = {from, to};
  rod.normal = math::skew((to - from).normalized()).col(0).norm() > 0.5 ? Vec3::UnitX() : Vec3::UnitY();
  scene.rods.push_back(rod);
  return scene.rods.back();
}

// A ring of this length about the z axis.
inline Rod& add_ring(Scene& scene, double length, int segments) {
  Rod rod;
  rod.name = "ring";
  rod.section = "section";
  rod.segments = segments;
  rod.closed = true;
  rod.shape.kind = CurveKind::Arc;
  rod.shape.start = Vec3(length / kTurn, 0, 0);
  rod.shape.angle = kTurn;
  rod.length = length;
  rod.normal = Vec3::UnitZ();
  scene.rods.push_back(rod);
  return scene.rods.back();
}

enum class Grip { Place, Clamp, Frame };

inline Hold& add_hold(Scene& scene, double where, Grip grip, int rod = 0) {
  Hold hold;
  hold.name = "hold" + std::to_string(scene.holds.size());
  hold.rod = scene.rods[at(rod)].name;
  hold.at = {where, 0};
  if (grip != Grip::Frame) hold.fix.position = kAllAxes;
  if (grip != Grip::Place) hold.fix.orientation = kAllAxes;
  scene.holds.push_back(hold);
  return scene.holds.back();
}

struct Motion {
  explicit Motion(const Scene& scene)
      : owned(std::make_unique<discrete::ModelData>(discrete::compile_model(scene))),
        model(*owned),
        targets(sim::resting_targets(*model.scene)),
        scheme(kirchhoff::make_projection_scheme(model)),
        stepper(scheme->stepper()),
        state(discrete::start_state(model, targets)) {
    scheme->prepare(state);
  }

  StepReport step(double dt) {
    const StepReport report = stepper->step(state, targets, dt);
    most_iterations = std::max(most_iterations, report.iterations);
    return report;
  }
  // Stops at the first step that fails.
  void steps(long count, double dt) {
    for (long k = 0; k < count; ++k) {
      const StepReport report = step(dt);
      if (!report.usable) REQUIRE_MESSAGE(report.usable, report.why);
    }
  }

  [[nodiscard]] Vec3& x(int node) { return state.position[at(node)]; }
  [[nodiscard]] Vec3& v(int node) { return state.velocity[at(node)]; }

  // Moves the nodes and then the edges; the next step puts lengths and frames right.
  template <class F>
  void displace(const F& by) {
    for (int node = 0; node < model.nodes; ++node) x(node) += by(node, x(node));
    for (std::size_t j = 0; j < model.edges.size(); ++j) state.edge[j] = x(model.edges[j].b) - x(model.edges[j].a);
  }

  [[nodiscard]] double kinetic() const {
    double sum = 0;
    for (int node = 0; node < model.nodes; ++node)
      sum += 0.5 * model.node_mass[at(node)] * state.velocity[at(node)].squaredNorm();
    for (const discrete::FreeBody& body : model.bodies) {
      const Vec3& spin = state.rotor_spin[at(body.rotor)];
      sum += 0.5 * spin.dot(model.rotors[at(body.rotor)].inertia * spin);
    }
    return sum;
  }
  [[nodiscard]] Mat3 frame(const discrete::Side& side, double offset) const {
    Mat3 frame =
        side.is_edge()
            ? state.frame[at(side.edge)]
            : Mat3(state.rotor[at(model.sections[at(side.section)].rotor)] * model.sections[at(side.section)].base);
    return frame * Eigen::AngleAxisd(offset, Vec3::UnitZ()).toRotationMatrix();
  }
  // In the binormal measure, from the frames and twists of the state.
  [[nodiscard]] double elastic() const {
    double sum = 0;
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
      const discrete::Joint& joint = model.joints[k];
      const Vec3 strain =
          rod::binormal_strain(frame(joint.left, joint.offset), frame(joint.right, 0), state.twist[k]).value;
      sum += rod::binormal_energy(strain, rod::binormal_elasticity(joint.elasticity));
    }
    return sum;
  }
  [[nodiscard]] double gravity() const {
    double sum = 0;
    for (int node = 0; node < model.nodes; ++node)
      sum -= model.node_mass[at(node)] * model.gravity.dot(state.position[at(node)]);
    return sum;
  }
  [[nodiscard]] double energy() const { return kinetic() + elastic() + gravity(); }
  [[nodiscard]] Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (int node = 0; node < model.nodes; ++node) sum += model.node_mass[at(node)] * state.velocity[at(node)];
    return sum;
  }
  [[nodiscard]] double twist() const {
    double sum = 0;
    for (const double twist : state.twist) sum += twist;
    return sum;
  }
  [[nodiscard]] double fastest() const {
    double most = 0;
    for (const Vec3& v : state.velocity) most = std::max(most, v.norm());
    return most;
  }
  [[nodiscard]] double stretch() const {
    double worst = 0;
    for (std::size_t j = 0; j < model.edges.size(); ++j)
      worst = std::max(worst, std::abs(state.edge[j].norm() / model.edges[j].rest_length - 1));
    return worst;
  }

  std::unique_ptr<discrete::ModelData> owned;  // stays where it is when the motion is moved
  const discrete::ModelData& model;
  Targets targets;
  std::unique_ptr<discrete::StepScheme> scheme;
  std::unique_ptr<discrete::RodStepper> stepper;
  discrete::RodState state;
  int most_iterations = 0;
};

}  // namespace filum::test
