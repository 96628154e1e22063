// A formulation with almost no physics, to test what is around a time step: one mass on a spring.
//
// x is moved by the exact solution of ẍ = −ω²x, so the result does not depend on how a stretch of time is divided; the
// clock, the targets and every call are logged in the state. Steps fail on request.
#pragma once

#include "formulations/formulation.hpp"

#include <filum/scene.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace filum::test {

struct FakeCall {
  double t = 0;  // at its end
  double dt = 0;
  HoldTarget hold;  // of the first hold
};

// What a test wants of the model, and what it saw.
struct FakeOptions {
  double omega = 1;
  double longest_step = 0;
  // Given the time at the beginning of a step and its length: whether it is usable.
  std::function<bool(double, double)> usable = [](double, double) { return true; };
  // Likewise: its error.
  std::function<double(double, double)> error = [](double, double) { return 0.0; };
  double neglected_strain = 0;
  bool converges = true;              // to an equilibrium
  bool short_of_convergence = false;  // every step is usable and no more
  std::vector<FakeCall> calls;        // that were usable, in order; taken back ones included
  int tries = 0;                      // all of them
  std::vector<std::string> log;       // compilations and transfers
};

class FakeState final : public State {
 public:
  double t = 0, x = 1, v = 0, work = 0;
  [[nodiscard]] std::unique_ptr<State> clone() const override { return std::make_unique<FakeState>(*this); }
  void assign(const State& other) override { *this = static_cast<const FakeState&>(other); }
  [[nodiscard]] std::vector<double> pack() const override { return {t, x, v, work}; }
};

class FakeModel final : public Model {
 public:
  FakeModel(Scene scene, FakeOptions& options) : scene_(std::move(scene)), options_(options) {}

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  [[nodiscard]] std::unique_ptr<State> start(const Targets&) const override { return std::make_unique<FakeState>(); }
  SolveReport solve(Workspace&, State&, const Targets&, const Progress&) const override {
    SolveReport report;
    report.converged = options_.converges;
    report.hopeless = true;
    report.why = options_.converges ? "" : "nothing holds it";
    return report;
  }
  SolveReport nudge(Workspace&, State&, const Targets&, const Progress&) const override { return {}; }

  StepReport step(Workspace&, State& state, const Targets& targets, double dt) const override {
    auto& fake = static_cast<FakeState&>(state);
    ++options_.tries;
    StepReport report;
    report.iterations = 1;
    report.usable = options_.usable(fake.t, dt);
    report.converged = report.usable && !options_.short_of_convergence;
    report.why = report.usable ? "" : "as told";
    report.error = options_.error(fake.t, dt);
    report.neglected_strain = options_.neglected_strain;
    const double c = std::cos(options_.omega * dt), s = std::sin(options_.omega * dt);
    const double x = fake.x;
    fake.x = c * x + s / options_.omega * fake.v;
    fake.v = c * fake.v - s * options_.omega * x;
    fake.t += dt;
    if (!report.usable) fake.x = std::nan("");
    if (report.usable)
      options_.calls.push_back({fake.t, dt, targets.holds.empty() ? HoldTarget{} : targets.holds.front()});
    return report;
  }
  [[nodiscard]] double longest_step() const override { return options_.longest_step; }
  [[nodiscard]] std::vector<NaturalMode> modes(Workspace&, const State&, const Targets&, int,
                                               const Progress&) const override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<State> carry_over(const Model&, const State& state, const Targets&) const override {
    options_.log.push_back("carried over");
    auto carried = state.clone();
    // a change of the scene brings energy in
    static_cast<FakeState&>(*carried).v += 0.125;
    return carried;
  }
  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets&) const override {
    if (values.size() != 4) return nullptr;
    auto state = std::make_unique<FakeState>();
    state->t = values[0], state->x = values[1], state->v = values[2], state->work = values[3];
    return state;
  }
  // Every hold is found at (x, 0, 0), turned by t about y.
  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    const auto& fake = static_cast<const FakeState&>(state);
    Targets found = targets;
    for (HoldTarget& hold : found.holds) {
      hold.position = Vec3(fake.x, 0, 0);
      hold.orientation = Quat(Eigen::AngleAxisd(fake.t, Vec3::UnitY()));
    }
    return found;
  }
  [[nodiscard]] Pose sample(Workspace&, const State& state, const Targets& targets) const override {
    const auto& fake = static_cast<const FakeState&>(state);
    Pose pose;
    for (std::size_t r = 0; r < scene_.rods.size(); ++r) {
      RodPose rod;
      rod.s = {0, 1};
      rod.position = {Vec3::Zero(), Vec3(fake.x, 0, 0)};
      rod.velocity = {Vec3::Zero(), Vec3(fake.v, 0, 0)};
      rod.axial_force = {fake.x, fake.x};
      pose.rods.push_back(rod);
    }
    pose.bodies = targets.bodies;
    pose.holds.resize(scene_.holds.size());
    pose.energy.elastic = 0.5 * options_.omega * options_.omega * fake.x * fake.x;
    pose.energy.kinetic = 0.5 * fake.v * fake.v;
    return pose;
  }
  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    std::vector<Event> list;
    if (static_cast<const FakeState&>(state).x < 0) list.emplace_back().why = "below zero";
    return list;
  }

 private:
  Scene scene_;
  FakeOptions& options_;
};

class FakeFormulation final : public Formulation {
 public:
  explicit FakeFormulation(FakeOptions& options) : options_(options) {}
  [[nodiscard]] bool supports(Feature) const override { return true; }
  [[nodiscard]] std::vector<scene::Problem> check(const Scene&) const override { return {}; }
  [[nodiscard]] std::unique_ptr<Model> compile(const Scene& scene) const override {
    std::string fixes;
    for (const Hold& hold : scene.holds) {
      for (const bool axis : hold.fix.position) fixes += axis ? 'p' : '.';
      for (const bool axis : hold.fix.orientation) fixes += axis ? 'o' : '.';
    }
    options_.log.push_back("compiled " + fixes);
    return std::make_unique<FakeModel>(scene, options_);
  }

 private:
  FakeOptions& options_;
};

// One rod, one hold at its start, which fixes everything.
inline Scene fake_scene(double step, double end) {
  Scene scene;
  Rod rod;
  rod.name = "a";
  rod.shape.kind = CurveKind::Line;
  rod.shape.points = {Vec3::Zero(), Vec3(1, 0, 0)};
  scene.rods.push_back(rod);
  Hold hold;
  hold.name = "h";
  hold.rod = "a";
  hold.fix.position = hold.fix.orientation = kAllAxes;
  scene.holds.push_back(hold);
  scene.simulation.step = step;
  scene.simulation.end = end;
  return scene;
}

}  // namespace filum::test
