// Threads in a few words for the tests of the variational stepper, and the sums that it conserves.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "formulations/kirchhoff/variational/variational_spans.hpp"
#include "sim/drivers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace filum::test::threads {

// A round thread without gravity, 1 m long.
struct Thread {
  int segments = 20;
  double length = 1;
  double bend = 1e-3;             // EI, N·m²
  double twist = 1e-3;            // GJ, N·m²
  double mass_per_length = 0.01;  // kg/m
  double stretch = 1e4;           // EA, N

  [[nodiscard]] Scene scene() const {
    Scene scene;
    scene.gravity = Vec3::Zero();
    Section section;
    section.shape = SectionShape::Given;
    section.radius = 0.001;
    section.EA = stretch;
    section.EI = {bend, bend};
    section.GJ = twist;
    section.mass_per_length = mass_per_length;
    scene.sections.push_back({"thread", section});
    Rod rod;
    rod.name = "thread";
    rod.section = "thread";
    rod.segments = segments;
    rod.length = length;
    rod.shape.kind = CurveKind::Line;
    rod.shape.points = {Vec3::Zero(), Vec3(length, 0, 0)};
    scene.rods.push_back(rod);
    scene.simulation.mode = Mode::Dynamics;
    scene.simulation.stepper = Stepper::Variational;
    return scene;
  }
  // (l²/2) √(μ/EI): above this a step is unstable.
  [[nodiscard]] double limit() const {
    const double l = length / segments;
    return 0.5 * l * l * std::sqrt(mass_per_length / bend);
  }
};

inline Hold hold(const std::string& name, double fraction, bool position, bool orientation) {
  Hold hold;
  hold.name = name;
  hold.rod = "thread";
  hold.at = {fraction, 0};
  hold.fix.position = {position, position, position};
  hold.fix.orientation = {orientation, orientation, orientation};
  return hold;
}

// A scene ready to step.
class Motion {
  std::unique_ptr<discrete::ModelData> compiled_;  // stays where it is when a Motion is moved

 public:
  explicit Motion(const Scene& scene)
      : compiled_(std::make_unique<discrete::ModelData>(discrete::compile_model(scene))),
        model(*compiled_),
        scheme(kirchhoff::make_variational_scheme(model)),
        stepper(scheme->stepper()),
        targets(sim::resting_targets(scene)),
        state(discrete::start_state(model, targets)) {
    scheme->prepare(state);
  }

  StepReport step(double h) {
    StepReport report = stepper->step(state, targets, h);
    REQUIRE_MESSAGE(report.usable, report.why);
    return report;
  }
  void run(double time, double h) {
    const long steps = std::lround(time / h);
    for (long k = 0; k < steps; ++k) step(h);
  }

  [[nodiscard]] double kinetic() const {
    double sum = 0;
    for (std::size_t n = 0; n < state.velocity.size(); ++n)
      sum += 0.5 * model.node_mass[n] * state.velocity[n].squaredNorm();
    return sum;
  }
  [[nodiscard]] double gravity() const {
    double sum = 0;
    for (std::size_t n = 0; n < state.position.size(); ++n)
      sum -= model.node_mass[n] * model.gravity.dot(state.position[n]);
    return sum;
  }
  double energy() { return kinetic() + gravity() + stepper->elastic_energy(state).value(); }
  // What stays the same but for the integrator's own error.
  double balance() { return energy() - state.work + state.dissipated; }

  [[nodiscard]] Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t n = 0; n < state.velocity.size(); ++n) sum += model.node_mass[n] * state.velocity[n];
    return sum;
  }
  // Σ m x^k × v^k; with x^k = x^{k−1} + h v^k this is Σ m x^{k−1} × v^k, the discrete angular momentum.
  [[nodiscard]] Vec3 spin() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t n = 0; n < state.velocity.size(); ++n)
      sum += model.node_mass[n] * state.position[n].cross(state.velocity[n]);
    return sum;
  }
  [[nodiscard]] double twist() const {
    double sum = 0;
    for (const double t : state.twist) sum += t;
    return sum;
  }
  // Largest ||e|/l − 1|, from the positions themselves.
  [[nodiscard]] double strain() const {
    double worst = 0;
    for (const discrete::Edge& edge : model.edges) {
      const Vec3 e = state.position[at(edge.b)] - state.position[at(edge.a)];
      worst = std::max(worst, std::abs(e.norm() / edge.rest_length - 1));
    }
    return worst;
  }

  discrete::ModelData& model;
  std::unique_ptr<discrete::StepScheme> scheme;
  std::unique_ptr<discrete::RodStepper> stepper;
  Targets targets;
  discrete::RodState state;
};

// A random curve with edges of unit stretch: a walk whose direction turns by up to `bend` radians a node.
inline std::vector<Vec3> random_curve(std::mt19937& random, int nodes, double edge, double bend) {
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Vec3> x{Vec3::Zero()};
  Vec3 t = Vec3(any(random), any(random), any(random)).normalized();
  for (int i = 1; i < nodes; ++i) {
    x.push_back(x.back() + edge * t);
    t = (t + bend * Vec3(any(random), any(random), any(random))).normalized();
  }
  return x;
}

}  // namespace filum::test::threads
