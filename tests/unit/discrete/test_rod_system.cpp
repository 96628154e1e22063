// The residual is the gradient of the energy and the tangent the derivative of the residual: by central differences
// along the system's own steps, at shaken states, for every kind of joint, tie, hold and slider.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_rod_system {

using namespace filum::discrete;

namespace {

struct Rig {
  explicit Rig(const std::string& text, double length_factor = 1)
      : model(straight_coordinates(compile_model(test::scene_of(text)))),
        system(model),
        targets(sim::resting_targets(*model.scene)) {
    for (double& length : targets.rod_length) length *= length_factor;
    state = start_state(model, targets);
    // a step of no size gives the step vector its length and the joints their strains
    system.evaluate(state, targets, RodSystem::Want::TrueTangent);
    shake();
  }

  // Rods that hang on one node move along curved coordinates, in which second derivatives differ away from equilibrium:
  // here every rod moves along the plain ones.
  static ModelData straight_coordinates(ModelData compiled) {
    for (int& root : compiled.root) root = -1;
    return compiled;
  }

  std::vector<double> random_step(bool multipliers) {
    std::vector<double> step(system.step().size(), 0);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t i = 0; i < step.size(); ++i) {
      const double value = any(random);
      const int row = static_cast<int>(i);
      if (system.is_free(row) && (multipliers || system.is_primal(row))) step[i] = value;
    }
    return step;
  }

  // To a generic state: bent, twisted, with multipliers of the size of the forces.
  void shake() {
    system.step() = random_step(false);
    const double turn = system.largest_rotation(state);
    system.advance(state, 0.3 / turn);
    std::uniform_real_distribution<double> any(-1, 1);
    auto some = [&] { return Vec3(any(random), any(random), any(random)); };
    for (Vec3& f : state.tie_force) f = some();
    for (std::size_t k = 0; k < state.slide_force.size(); ++k)
      for (int axis = 0; axis < 3; ++axis)
        state.slide_force[k][axis] = model.sliders[k].fixed[static_cast<std::size_t>(axis)] ? any(random) : 0;
    system.track_sliders(state);
  }

  // Energy and the constraints' λ·gap.
  double lagrangian(RodState s) {
    const double energy = system.evaluate(s, targets, RodSystem::Want::Residual).energy();
    double sum = energy;
    for (std::size_t k = 0; k < model.ties.size(); ++k) {
      const Tie& tie = model.ties[k];
      const Vec3 gap = s.position[static_cast<std::size_t>(tie.slave)] -
                       s.position[static_cast<std::size_t>(tie.master)] -
                       s.rotor[static_cast<std::size_t>(tie.rotor)] * tie.arm;
      sum += s.tie_force[k].dot(gap);
    }
    for (std::size_t k = 0; k < model.sliders.size(); ++k) {
      if (model.sliders[k].carried()) {
        const CarriedPlace place = grip_point(model, static_cast<int>(k), s.slide[k], s.position, s.rotor).place;
        sum += s.slide_force[k].dot(place.axes.transpose() * place.apart - model.sliders[k].arm);
        continue;
      }
      const RodRange& range = model.rods[static_cast<std::size_t>(model.sliders[k].rod)];
      const SliderSupport support = slider_support(range.mesh, s.slide[k]);
      const SliderWeights w = slider_weights(range.mesh, s.slide[k]);
      Vec3 point = Vec3::Zero();
      for (std::size_t i = 0; i < static_cast<std::size_t>(support.count); ++i)
        point += w.value[i] * s.position[static_cast<std::size_t>(range.first_node + support.node[i])];
      const Vec3 gap = point - targets.holds[static_cast<std::size_t>(model.sliders[k].hold)].position;
      sum += s.slide_force[k].dot(gap);
    }
    return sum;
  }

  RodState moved(const std::vector<double>& step, double factor) {
    RodState other = state;
    system.step() = step;
    system.advance(other, factor);
    return other;
  }

  // What `evaluate` leaves in step(): minus the gradient.
  std::vector<double> minus_gradient(RodState s) {
    system.evaluate(s, targets, RodSystem::Want::Residual);
    return system.step();
  }

  ModelData model;
  RodSystem system;
  Targets targets;
  RodState state;
  std::mt19937 random{7};
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double size_of_dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] * b[i]);
  return sum;
}

// d/dε of the Lagrangian along a step, against the residual.
void check_gradient(Rig& rig) {
  for (int k = 0; k < 4; ++k) {
    const std::vector<double> step = rig.random_step(true);
    rig.system.step() = step;
    // turns of 1e-4 rad: the third derivative is then 1e-8, round-off of the energy 1e-12 of it
    const double h = 1e-4 / rig.system.largest_rotation(rig.state);
    const double up = rig.lagrangian(rig.moved(step, h));
    const double down = rig.lagrangian(rig.moved(step, -h));
    const double found = (up - down) / (2 * h);
    const std::vector<double> minus_gradient = rig.minus_gradient(rig.state);
    const double told = -dot(minus_gradient, step);
    // measured against the parts of the sum: along a random step they may cancel almost entirely
    CHECK(std::abs(told - found) < 2e-6 * size_of_dot(minus_gradient, step));
  }
}

// The quadratic form of the tangent along a step is the second derivative of the Lagrangian along it. The matrix itself
// is seen only through its solution: for a step d with K d = −g, gᵀd + d·(second derivative)·d = 0.
void check_tangent(Rig& rig) {
  // shifted until positive, so that the step stays small; the shift's own part is known
  const double shift = 3 * rig.system.typical_stiffness();
  RodState here = rig.state;
  const std::vector<double> minus_g = rig.minus_gradient(here);
  rig.system.evaluate(here, rig.targets, RodSystem::Want::TrueTangent);
  REQUIRE(rig.system.solve(shift));
  const std::vector<double> step = rig.system.step();
  double shifted = 0;
  for (std::size_t i = 0; i < step.size(); ++i)
    if (rig.system.is_primal(static_cast<int>(i)) && rig.system.is_free(static_cast<int>(i)))
      shifted += shift * step[i] * step[i];
  const double h = 1e-3 / rig.system.largest_rotation(rig.state);
  const double up = rig.lagrangian(rig.moved(step, h));
  const double down = rig.lagrangian(rig.moved(step, -h));
  const double middle = rig.lagrangian(rig.state);
  const double second = (up - 2 * middle + down) / (h * h);
  CHECK(second + shifted == doctest::Approx(dot(minus_g, step)).epsilon(1e-5));
}

const std::vector<std::pair<const char*, std::string>> kScenes{
    {"clamped", R"(
rods: {a: {material: rubber, section: hose, segments: 6, shape: {line: [[0,0,0],[0.3,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
forces: [{rod: a, at: end, force: [0.1, -0.2, 0.3]}]
distributed: [{rod: a, from: 0.1, to: 0.2, force_per_length: [1, 2, 0]}])"},
    {"band with rest curvature", R"(
rods: {a: {material: rubber, section: band, segments: 6, twist: 2.5, rest: {curvature: [3, 5], twist_rate: 4},
  shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 200 deg}}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 40 %, fix: [orientation]}])"},
    {"body that a rod slides through", R"(
bodies: {bead: {box: [0.04, 0.03, 0.05], mass: 0.2, position: [0.12, 0.02, -0.03], orientation: [0.9, 0.1, 0.2, 0.3], motion: free}}
rods: {a: {material: rubber, section: hose, segments: 7, shape: {line: [[0,0,0],[0.3,0.1,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 0.13, fix: [position], slide: true, body: bead}])"},
    {"guide on a body", R"(
bodies: {bead: {box: [0.04, 0.03, 0.05], mass: 0.2, position: [0.12, 0.02, -0.03], orientation: [0.9, 0.1, 0.2, 0.3], motion: free}}
rods: {a: {material: rubber, section: hose, segments: 7, shape: {line: [[0,0,0],[0.3,0.1,0]]}}}
holds: [{rod: a, at: start, fix: [position]},
        {rod: a, at: 0.13, fix: [position, orientation], slide: true, friction: 0.3 N, body: bead}])"},
    {"slideway on a body", R"(
bodies: {bead: {box: [0.04, 0.03, 0.05], mass: 0.2, position: [0.12, 0.02, -0.03], orientation: [0.9, 0.1, 0.2, 0.3], motion: free}}
rods: {a: {material: rubber, section: hose, segments: 7, shape: {line: [[0,0,0],[0.3,0.1,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]},
        {rod: a, at: end, fix: {position: [x, z], orientation: true}, body: bead}])"},
    {"junction on a body", R"(
bodies: {hook: {box: [0.04, 0.03, 0.05], mass: 0.2, position: [0.12, 0.02, -0.03], motion: free}}
rods: {a: {material: rubber, section: hose, segments: 5, shape: {line: [[0,0,0],[0.3,0.1,0]]}},
       b: {material: rubber, section: hose, segments: 5, shape: {line: [[0.6,0,0],[0.3,0.12,0]]}}}
junctions: [{rods: [{rod: a, at: end}, {rod: b, at: end}]}]
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: b, at: end, fix: [position, orientation], body: hook}])"},
    {"hinge inside", R"(
rods: {a: {material: rubber, section: band, segments: 7, shape: {line: [[0,0,0],[0.3,0.1,0]]}}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: 45 %, fix: {position: [x, z], orientation: [x, y]}}])"},
    {"star with arms", R"(
rods:
  a: {material: rubber, section: hose, segments: 4, shape: {line: [[0,0,0],[0.3,0,0]]}}
  b: {material: rubber, section: band, segments: 4, shape: {line: [[0.31,0.02,0],[0.5,0.2,0]]}}
  c: {material: rubber, section: band, segments: 4, shape: {line: [[0.2,-0.2,0],[0.4,-0.2,0.1]]}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
junctions: [{rods: [{rod: a, at: end}, {rod: b, at: start}, {rod: c, at: middle}]}])"},
    {"slider", R"(
rods: {a: {material: rubber, section: hose, segments: 8, shape: {line: [[0,0,0],[0.4,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 0.27, fix: [position], slide: true},
        {rod: a, at: 0.11, fix: {position: [y]}, slide: true}])"},
    {"ring", R"(
rods: {a: {material: rubber, section: band, segments: 9, closed: true, twist: 3,
  shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 1 turn}}}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: 30 %, fix: [orientation]}])"},
    {"two materials", R"(
rods: {a: {material: rubber, section: hose, segments: 6, shape: {line: [[0,0,0],[0.3,0,0]]},
  stations: [{s: 0.1, section: band}, {s: 0.22, section: wire, material: metal}]}}
holds: [{rod: a, at: end, fix: [position, orientation]}])"},
    {"laid rope", R"(
rods: {a: {material: rubber, section: hose, segments: 6, lay: {torque_factor: 0.15}, shape: {line: [[0,0,0],[0.3,0,0]]},
  stations: [{s: 0.12, section: wire, material: metal}]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 60 %, fix: {orientation: [x, y]}}])"},
    {"laid ring", R"(
rods: {a: {material: rubber, section: hose, segments: 9, closed: true, twist: 3, lay: {torque_factor: -0.18},
  shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 1 turn}}}}
holds: [{rod: a, at: start, fix: [position]}])"},
};

}  // namespace

TEST_CASE("the residual is the gradient of the energy") {
  for (const auto& each : kScenes) {
    const auto& name = std::get<0>(each);
    const auto& text = std::get<1>(each);
    CAPTURE(name);
    Rig rig(text);
    check_gradient(rig);
  }
}

TEST_CASE("the tangent is the second derivative of the energy along its own steps") {
  for (const auto& each : kScenes) {
    const auto& name = std::get<0>(each);
    const auto& text = std::get<1>(each);
    CAPTURE(name);
    Rig rig(text);
    check_tangent(rig);
  }
}

TEST_CASE("both hold for rods of driven length") {
  for (const auto& each : kScenes) {
    const auto& name = std::get<0>(each);
    const auto& text = std::get<1>(each);
    CAPTURE(name);
    Rig rig(text, 1.3);
    check_gradient(rig);
    check_tangent(rig);
  }
}

}  // namespace filum::test_rod_system
