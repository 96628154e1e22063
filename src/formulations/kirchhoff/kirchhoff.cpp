#include "formulations/kirchhoff/kirchhoff.hpp"

#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "formulations/discrete/equilibrium_search.hpp"
#include "formulations/discrete/implicit_step.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/packing.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/push_out.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/discrete/slider_stop.hpp"
#include "formulations/discrete/stepper_options.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "formulations/kirchhoff/mesh_refinement.hpp"
#include "formulations/kirchhoff/natural_modes.hpp"
#include "formulations/state_of.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

struct Rods {
  RodState rods;
  bool fresh = true;                   // as drawn: nothing has been solved yet
  std::vector<PushedOut> pushed = {};  // what was drawn inside obstacles
};

std::vector<double> pack_state(const Rods& value) {
  return pack_state(value.rods);
}

using KirchhoffState = StateOf<Rods>;

RodState& rods_of(State& state) {
  return static_cast<KirchhoffState&>(state).value.rods;
}
const RodState& rods_of(const State& state) {
  return static_cast<const KirchhoffState&>(state).value.rods;
}

bool rubs(const ModelData& model) {
  return !model.stations.empty() &&
         std::any_of(model.solids.begin(), model.solids.end(), [](const Solid& solid) { return solid.friction > 0; });
}

struct KirchhoffWorkspace final : Workspace {
  KirchhoffWorkspace(const ModelData& model, const StepScheme& scheme) : system(model), stepper(scheme.stepper()) {
    if (rubs(model)) rubbing.emplace(model, RodSystem::Symmetry::None);
  }
  // Friction makes the matrix unsymmetric: where it may act, there is a second system.
  RodSystem& system_for(const Targets& targets) { return rubbing && targets.increment ? *rubbing : system; }

  RodSystem system;
  std::optional<RodSystem> rubbing;
  std::unique_ptr<RodStepper> stepper;
  std::unique_ptr<Workspace> coarse;  // of the model with fewer segments
};

KirchhoffWorkspace& own(Workspace& workspace) {
  return static_cast<KirchhoffWorkspace&>(workspace);
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

std::unique_ptr<StepScheme> make_scheme(const ModelData& model) {
  switch (model.scene->simulation.stepper) {
    case Stepper::Projection:
      return make_projection_scheme(model);
    case Stepper::Variational:
      return make_variational_scheme(model);
    case Stepper::Implicit:
      break;
  }
  return make_implicit_scheme(model);
}

ModelData compiled(const Scene& scene) {
  ModelData model = compile_model(scene);
  compile_contact(model);
  compile_rod_contact(model);
  return model;
}

class KirchhoffModel final : public Model, public NodeModel {
 public:
  explicit KirchhoffModel(const Scene& scene) : data_(compiled(scene)), scheme_(make_scheme(data_)) {
    if (has_more_segments(scene, kCoarseAbove)) coarse_ = std::make_unique<KirchhoffModel>(coarsened(scene));
    very_fine_ = has_more_segments(scene, kCoarseFirstAbove);
  }

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override {
    auto made = std::make_unique<KirchhoffWorkspace>(data_, *scheme_);
    if (coarse_ != nullptr) made->coarse = coarse_->workspace();
    return made;
  }

  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    RodState rods = start_state(data_, targets);
    scheme_->prepare(rods);
    return std::make_unique<KirchhoffState>(Rods{std::move(rods), true});
  }

  SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    KirchhoffWorkspace& work = own(workspace);
    RodState& rods = rods_of(state);
    bring_to_rest(rods);
    const std::vector<Vec3> start = rods.position;
    apply_targets(data_, targets, rods);
    std::string why = unopposed_force(data_, work.system.components(), targets);
    if (!data_.spans.empty())
      why = "not yet supported: an equilibrium of rods that hold each other off; run it until it rests";
    // an obstacle may hold what no hold does
    if (!why.empty() && (data_.solids.empty() || !data_.spans.empty())) {
      SolveReport report;
      report.why = std::move(why);
      report.hopeless = true;
      report.residual = 1;
      return report;
    }
    Rods& value = static_cast<KirchhoffState&>(state).value;
    const bool fresh = std::exchange(value.fresh, false);
    if (fresh) value.pushed = push_out(data_, targets, rods);
    const RodState drawn = rods;
    const bool can_coarsen = fresh && coarse_ != nullptr;
    // a very fine rod begins coarse, another only if it would be lost otherwise
    int iterations = 0;
    const bool began_coarse = can_coarsen && very_fine_ && begin_coarse(work, rods, targets, progress, iterations);
    const Search search{work, targets, start, progress};
    SolveReport report = attempt(search, rods);
    iterations += report.iterations;
    if (!why.empty() && !report.converged && flew_off(rods, start)) {
      report.hopeless = true;
      report.stopped = false;
      report.why = why + "; nor does an obstacle catch it";
      return report;
    }
    if (lost(report) && can_coarsen) {
      RodState other = drawn;
      if (began_coarse || begin_coarse(work, other, targets, progress, iterations)) {
        const SolveReport second = attempt(search, other);
        iterations += second.iterations;
        if (!lost(second) || !report.converged) {
          rods = std::move(other);
          report = second;
        }
      }
    }
    if (lost(report) && data_.conservative) {
      RodState other = drawn;
      const SolveReport second = go_down(search, other);
      iterations += second.iterations;
      if (second.converged || !report.converged) {
        rods = std::move(other);
        report = second;
      }
    }
    report.iterations = iterations;
    remember_contact(search, rods, report);
    end_increment(work.system, targets, report, rods);
    return report;
  }

  SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    RodState& rods = rods_of(state);
    const std::vector<Vec3> start = rods.position;
    const Search search{own(workspace), targets, start, progress};
    RodSystem& system = begin(search, rods);
    leave_along_softest(system, rods, targets);
    SolveReport report = go_down(search, rods);
    report.nudged = true;
    remember_contact(search, rods, report);
    end_increment(system, targets, report, rods);
    return report;
  }

  StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const override {
    static_cast<KirchhoffState&>(state).value.fresh = false;
    return own(workspace).stepper->step(rods_of(state), targets, dt);
  }

  [[nodiscard]] double longest_step() const override { return scheme_->longest_step(); }

  [[nodiscard]] double longest_step_from(const State& state) const override {
    const double own = scheme_->longest_step_from(rods_of(state));
    const double of_spins = longest_step_of_spins(data_, rods_of(state));
    return own == 0 || of_spins == 0 ? std::max(own, of_spins) : std::min(own, of_spins);
  }

  [[nodiscard]] std::vector<NaturalMode> modes(Workspace& workspace, const State& state, const Targets& targets,
                                               int count, const Progress& progress) const override {
    RodState rods = rods_of(state);
    return natural_modes(data_, own(workspace).system, rods, targets, data_.scene->simulation.rotary_inertia, count,
                         progress);
  }

  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* from = dynamic_cast<const NodeModel*>(&other);
    if (from == nullptr) return nullptr;
    RodState rods = start_state(data_, targets);
    transfer(from->data(), from->rods(state), data_, rods);
    scheme_->prepare(rods);
    return std::make_unique<KirchhoffState>(Rods{std::move(rods), false});
  }

  bool take_over(State& state, const Model& part, const State& of_part) const override {
    const auto* from = dynamic_cast<const KirchhoffModel*>(&part);
    if (from == nullptr || rods_of(state).moving) return false;
    transfer_part(from->data_, rods_of(of_part), data_, rods_of(state));
    return true;
  }

  [[nodiscard]] const ModelData& data() const override { return data_; }
  [[nodiscard]] RodState rods(const State& state) const override { return rods_of(state); }

  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    RodState rods = start_state(data_, targets);
    scheme_->prepare(rods);
    if (!unpack_state(values, rods)) return nullptr;
    return std::make_unique<KirchhoffState>(Rods{std::move(rods), false});
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    return present_targets(data_, rods_of(state), targets);
  }

  [[nodiscard]] Pose sample(Workspace& workspace, const State& state, const Targets& targets) const override {
    KirchhoffWorkspace& work = own(workspace);
    RodState rods = rods_of(state);
    work.stepper->synchronise(rods, targets);
    work.system.track_sliders(rods);
    if (rods.moving)
      work.system.contact().leave();
    else
      work.system.contact().begin_as_it_is(rods, targets);
    const Balance balance = work.system.evaluate(rods, targets, RodSystem::Want::Residual);
    Internals internals = work.system.internals(balance);
    internals.elastic = work.stepper->elastic_energy(rods).value_or(balance.elastic);
    return sample_pose(data_, internals, rods, targets);
  }

  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    const RodState& rods = rods_of(state);
    std::vector<Event> list;
    for (std::size_t k = 0; k < rods.slide_stop.size(); ++k)
      if (rods.slide_stop[k] != 0) list.push_back(slider_stop(data_, rods, k));
    for (const PushedOut& pushed : static_cast<const KirchhoffState&>(state).value.pushed)
      list.push_back(pushed_event(data_, pushed));
    return list;
  }

 private:
  // What has yielded at an equilibrium stays so. Whether that is stable was judged before: with the stiffness of loading.
  void end_increment(RodSystem& system, const Targets& targets, const SolveReport& report, RodState& rods) const {
    if (!report.converged) return;
    keep_anchors(data_, nullptr, rods);
    if (data_.plasticity.empty()) return;
    const Balance balance = system.evaluate(rods, targets, RodSystem::Want::Residual);
    keep_plastic(data_, system.internals(balance).strain, nullptr, rods);
  }

  // What a search for an equilibrium is given.
  struct Search {
    KirchhoffWorkspace& work;
    const Targets& targets;
    const std::vector<Vec3>& start;  // where nodes were before holds moved
    const Progress& progress;
  };

  // The system to search with, its contacts as `rods` has them.
  static RodSystem& begin(const Search& search, RodState& rods) {
    RodSystem& system = search.work.system_for(search.targets);
    system.contact().begin_rest(rods, search.targets, search.start);
    return system;
  }

  // By the inertia of the symmetric system's tangent, where nothing rubs.
  void judge(const Search& search, RodState& rods, SolveReport& report) const {
    RodSystem& symmetric = search.work.system;
    if (!search.work.system_for(search.targets).contact().rubbing(rods)) {
      symmetric.contact().begin_rest(rods, search.targets, search.start);
      return judge_stability(symmetric, rods, search.targets, data_.conservative, report);
    }
    report.stable.reset();
    if (report.converged) report.why = "friction holds it: what is in balance depends on the path, and has no energy";
  }

  // To a stable equilibrium if there is one: by Newton that leaves unstable branches, or step by step downhill.
  SolveReport go_down(const Search& search, RodState& rods) const {
    const RodState before = rods;
    SolveReport report = newton(begin(search, rods), rods, search.targets, Branch::Leave, search.progress);
    judge(search, rods, report);
    if (report.stopped || (report.converged && report.stable == true)) return report;
    if (search.work.system_for(search.targets).contact().rubbing(rods)) return report;
    rods = before;
    SolveReport second = descend(begin(search, rods), rods, search.targets, search.progress);
    second.iterations += report.iterations;
    judge(search, rods, second);
    return second;
  }

  SolveReport attempt(const Search& search, RodState& rods) const {
    SolveReport report = newton(begin(search, rods), rods, search.targets, Branch::Keep, search.progress);
    judge(search, rods, report);
    return report;
  }

  // What contacts keep of an equilibrium. One that lies beyond an obstacle as seen from the state before is none.
  static void remember_contact(const Search& search, RodState& rods, SolveReport& report) {
    ObstacleContact& contact = begin(search, rods).contact();
    if (!report.converged || !contact.acts()) return;
    if (search.targets.increment && contact.look_back(rods) == Way::Through) {
      report.converged = false;
      report.stable.reset();
      report.why = "something would go through an obstacle on the way from the state before: ask for more states";
      return;
    }
    contact.end_rest(rods);
  }

  // Falls for ever: many times its own length, and touches nothing.
  [[nodiscard]] bool flew_off(const RodState& rods, const std::vector<Vec3>& start) const {
    constexpr double kLengths = 20;
    if (std::any_of(rods.contact_touch.begin(), rods.contact_touch.end(), [](int touch) { return touch != 0; }))
      return false;
    double farthest = 0;
    for (std::size_t i = 0; i < start.size(); ++i) farthest = std::max(farthest, (rods.position[i] - start[i]).norm());
    return farthest > kLengths * data_.size;
  }

  // Without an equilibrium, or at an unstable one that only a leap could have brought it to.
  static bool lost(const SolveReport& report) {
    return !report.stopped && (!report.converged || (report.leaps > 0 && report.stable == false));
  }

  // Puts a fresh state where the coarse model has its equilibrium, if it has one. Adds its iterations.
  bool begin_coarse(KirchhoffWorkspace& work, RodState& rods, const Targets& targets, const Progress& progress,
                    int& iterations) const {
    const std::unique_ptr<State> coarse = coarse_->start(targets);
    const SolveReport report = coarse_->solve(*work.coarse, *coarse, targets, progress);
    iterations += report.iterations;
    if (report.converged) refine(coarse_->data_, rods_of(*coarse), data_, rods);
    return report.converged;
  }

  ModelData data_;
  std::unique_ptr<const StepScheme> scheme_;
  std::unique_ptr<const KirchhoffModel> coarse_;  // with fewer segments, for fine rods
  bool very_fine_ = false;
};

}  // namespace

bool KirchhoffFormulation::supports(Feature feature) const {
  return feature == Feature::Motion || feature == Feature::NaturalModes || feature == Feature::Obstacles ||
         feature == Feature::SolidShapes || feature == Feature::RodContact || feature == Feature::SharedEquilibria ||
         feature == Feature::Plasticity || feature == Feature::RopeLay;
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
  add(contact_refusals(scene));
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
