#include "formulations/kirchhoff/kirchhoff.hpp"

#include "formulations/discrete/implicit_step.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/packing.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "formulations/discrete/stepper_options.hpp"
#include "formulations/kirchhoff/kirchhoff_equilibrium.hpp"
#include "formulations/kirchhoff/natural_modes.hpp"
#include "formulations/kirchhoff/mesh_refinement.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace filum::kirchhoff {

namespace {

class KirchhoffState final : public State {
 public:
  explicit KirchhoffState(RodState value) : rods(std::move(value)) {}
  [[nodiscard]] std::unique_ptr<State> clone() const override { return std::make_unique<KirchhoffState>(*this); }
  void assign(const State& other) override { *this = static_cast<const KirchhoffState&>(other); }
  [[nodiscard]] std::vector<double> pack() const override { return pack_state(rods); }
  RodState rods;
  bool fresh = true;  // as drawn: nothing has been solved yet
};

RodState& rods_of(State& state) {
  return static_cast<KirchhoffState&>(state).rods;
}
const RodState& rods_of(const State& state) {
  return static_cast<const KirchhoffState&>(state).rods;
}

// Rods of more edges than this may be solved with an eighth of them to begin with, rods of more than that are.
constexpr int kCoarseAbove = 300;
constexpr int kCoarseFirstAbove = 500;
constexpr int kCoarsening = 8;
// Above this the stiffness matrix has lost all its digits to its condition, N⁴ round-offs.
constexpr int kMostSegments = 20000;

Scene coarsened(Scene scene) {
  for (Rod& rod : scene.rods)
    if (rod.segments > kCoarseAbove) rod.segments /= kCoarsening;
  return scene;
}

bool has_more_segments(const Scene& scene, int number) {
  return std::any_of(scene.rods.begin(), scene.rods.end(), [&](const Rod& rod) { return rod.segments > number; });
}

std::unique_ptr<RodStepper> make_stepper(const ModelData& model) {
  switch (model.scene.simulation.stepper) {
    case Stepper::Projection:
      return make_projection_stepper(model);
    case Stepper::Variational:
      return make_variational_stepper(model);
    case Stepper::Implicit:
      break;
  }
  return make_implicit_stepper(model);
}

class KirchhoffModel final : public Model, public NodeModel {
 public:
  explicit KirchhoffModel(const Scene& scene) : data_(compile_model(scene)), system_(data_) {
    if (has_more_segments(scene, kCoarseAbove)) coarse_ = std::make_unique<KirchhoffModel>(coarsened(scene));
    very_fine_ = has_more_segments(scene, kCoarseFirstAbove);
    stepper_ = make_stepper(data_);
  }

  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    RodState rods = start_state(data_, targets);
    stepper_->prepare(rods);
    return std::make_unique<KirchhoffState>(std::move(rods));
  }

  SolveReport solve(State& state, const Targets& targets, const Progress& progress) const override {
    RodState& rods = rods_of(state);
    bring_to_rest(rods);
    apply_targets(data_, targets, rods);
    if (std::string why = unopposed_force(data_, system_.components(), targets); !why.empty()) {
      SolveReport report;
      report.why = std::move(why);
      report.hopeless = true;
      report.residual = 1;
      return report;
    }
    const RodState drawn = rods;
    const bool fresh = std::exchange(static_cast<KirchhoffState&>(state).fresh, false);
    const bool can_coarsen = fresh && coarse_ != nullptr;
    // a very fine rod begins coarse, another only if it would be lost otherwise
    int iterations = 0;
    const bool began_coarse = can_coarsen && very_fine_ && begin_coarse(rods, targets, progress, iterations);
    SolveReport report = attempt(rods, targets, progress);
    iterations += report.iterations;
    if (lost(report) && can_coarsen) {
      RodState other = drawn;
      if (began_coarse || begin_coarse(other, targets, progress, iterations)) {
        const SolveReport second = attempt(other, targets, progress);
        iterations += second.iterations;
        if (!lost(second) || !report.converged) {
          rods = std::move(other);
          report = second;
        }
      }
    }
    if (lost(report) && data_.conservative) {
      RodState other = drawn;
      const SolveReport second = go_down(other, targets, progress);
      iterations += second.iterations;
      if (second.converged || !report.converged) {
        rods = std::move(other);
        report = second;
      }
    }
    report.iterations = iterations;
    return report;
  }

  SolveReport nudge(State& state, const Targets& targets, const Progress& progress) const override {
    RodState& rods = rods_of(state);
    leave_along_softest(system_, rods, targets);
    SolveReport report = go_down(rods, targets, progress);
    report.nudged = true;
    return report;
  }

  StepReport step(State& state, const Targets& targets, double dt) const override {
    static_cast<KirchhoffState&>(state).fresh = false;
    return stepper_->step(rods_of(state), targets, dt);
  }

  [[nodiscard]] double longest_step() const override { return stepper_->longest_step(); }

  [[nodiscard]] double longest_step_from(const State& state) const override {
    const double own = stepper_->longest_step_from(rods_of(state));
    const double of_bodies = longest_step_of_bodies(data_, rods_of(state));
    return own == 0 || of_bodies == 0 ? std::max(own, of_bodies) : std::min(own, of_bodies);
  }

  [[nodiscard]] std::vector<NaturalMode> modes(const State& state, const Targets& targets, int count,
                                               const Progress& progress) const override {
    RodState rods = rods_of(state);
    return natural_modes(data_, system_, rods, targets, count, progress);
  }

  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* from = dynamic_cast<const NodeModel*>(&other);
    if (from == nullptr) return nullptr;
    RodState rods = start_state(data_, targets);
    transfer(from->data(), from->rods(state), data_, rods);
    stepper_->prepare(rods);
    auto carried = std::make_unique<KirchhoffState>(std::move(rods));
    carried->fresh = false;
    return carried;
  }

  [[nodiscard]] const ModelData& data() const override { return data_; }
  [[nodiscard]] const RodState& rods(const State& state) const override { return rods_of(state); }

  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    RodState rods = start_state(data_, targets);
    stepper_->prepare(rods);
    if (!unpack_state(values, rods)) return nullptr;
    auto state = std::make_unique<KirchhoffState>(std::move(rods));
    state->fresh = false;
    return state;
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    return present_targets(data_, rods_of(state), targets);
  }

  [[nodiscard]] Pose sample(const State& state, const Targets& targets) const override {
    RodState rods = rods_of(state);
    stepper_->synchronise(rods, targets);
    system_.track_sliders(rods);
    const Balance balance = system_.evaluate(rods, targets, System::Want::Residual);
    Internals internals = system_.internals(balance);
    internals.elastic = stepper_->elastic_energy(rods).value_or(balance.elastic);
    return sample_pose(data_, internals, rods, targets);
  }

  [[nodiscard]] std::vector<std::string> events(const State& state) const override {
    const RodState& rods = rods_of(state);
    std::vector<std::string> list;
    for (std::size_t k = 0; k < rods.slide_stop.size(); ++k) {
      if (rods.slide_stop[k] == 0) continue;
      const Hold& hold = data_.scene.holds[static_cast<std::size_t>(data_.sliders[k].hold)];
      list.push_back("hold '" + hold.name + "' reached the " + (rods.slide_stop[k] > 0 ? "end" : "start") +
                     " of rod '" + hold.rod + "'");
    }
    return list;
  }

 private:
  // To a stable equilibrium if there is one: by Newton that leaves unstable branches, or step by step downhill.
  SolveReport go_down(RodState& rods, const Targets& targets, const Progress& progress) const {
    const RodState before = rods;
    SolveReport report = newton(system_, rods, targets, Branch::Leave, progress);
    judge_stability(system_, rods, targets, data_.conservative, report);
    if (report.converged && report.stable == true) return report;
    rods = before;
    SolveReport second = descend(system_, rods, targets, progress);
    second.iterations += report.iterations;
    judge_stability(system_, rods, targets, data_.conservative, second);
    return second;
  }

  SolveReport attempt(RodState& rods, const Targets& targets, const Progress& progress) const {
    SolveReport report = newton(system_, rods, targets, Branch::Keep, progress);
    judge_stability(system_, rods, targets, data_.conservative, report);
    return report;
  }

  // Without an equilibrium, or at an unstable one that only a leap could have brought it to.
  static bool lost(const SolveReport& report) {
    return !report.converged || (report.leaps > 0 && report.stable == false);
  }

  // Puts a fresh state where the coarse model has its equilibrium, if it has one. Adds its iterations.
  bool begin_coarse(RodState& rods, const Targets& targets, const Progress& progress, int& iterations) const {
    const std::unique_ptr<State> coarse = coarse_->start(targets);
    const SolveReport report = coarse_->solve(*coarse, targets, progress);
    iterations += report.iterations;
    if (report.converged) refine(coarse_->data_, rods_of(*coarse), data_, rods);
    return report.converged;
  }

  ModelData data_;
  std::unique_ptr<KirchhoffModel> coarse_;  // with fewer segments, for fine rods
  bool very_fine_ = false;
  std::unique_ptr<RodStepper> stepper_;
  mutable System system_;  // scratch of the solver: nothing that a state would remember
};

}  // namespace

bool KirchhoffFormulation::supports(Feature feature) const {
  return feature == Feature::Motion || feature == Feature::NaturalModes;
}

std::vector<scene::Problem> KirchhoffFormulation::check(const Scene& scene) const {
  std::vector<scene::Problem> refusals = discrete::stepper_option_refusals(scene.simulation);
  for (const Rod& rod : scene.rods)
    if (rod.segments > kMostSegments && scene.simulation.mode == Mode::Statics)
      refusals.push_back({{"rods", rod.name, "segments"},
                          "rod '" + rod.name + "' has " + std::to_string(rod.segments) +
                              " segments: kirchhoff statics takes at most " + std::to_string(kMostSegments) +
                              ", because its matrix loses digits as the fourth power of them"});
  const auto add = [&](const std::vector<scene::Problem>& more) {
    refusals.insert(refusals.end(), more.begin(), more.end());
  };
  switch (scene.simulation.stepper) {
    case Stepper::Implicit:
      add(implicit_refusals(scene));
      break;
    case Stepper::Projection:
      add(projection_refusals(scene));
      break;
    case Stepper::Variational:
      add(variational_refusals(scene));
      break;
  }
  return refusals;
}

std::vector<scene::Problem> KirchhoffFormulation::check_motion(const Scene& scene) const {
  return slider_refusals(scene);
}

std::unique_ptr<Model> KirchhoffFormulation::compile(const Scene& scene) const {
  return std::make_unique<KirchhoffModel>(scene);
}

}  // namespace filum::kirchhoff
