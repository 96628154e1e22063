#include "formulations/chain/chain.hpp"

#include "base/index.hpp"
#include "formulations/chain/chain_refusals.hpp"
#include "formulations/chain/chain_sample.hpp"
#include "formulations/chain/chain_transfer.hpp"
#include "formulations/chain/discrete_nodes.hpp"
#include "formulations/chain/mechanism/chain_compile.hpp"
#include "formulations/chain/mechanism/chain_start.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/chain/mechanism/pulls.hpp"
#include "formulations/chain/reeving/wheels.hpp"
#include "formulations/chain/reeving/winch.hpp"
#include "formulations/chain/rest/chain_equilibrium.hpp"
#include "formulations/chain/rest/relaxation.hpp"
#include "formulations/chain/solve/chain_step.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "formulations/discrete/mobility.hpp"
#include "formulations/state_of.hpp"
#include "scene/check/fault_list.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::chain {

namespace {

// A drawn length that differs by more than this share is not the rod's own.
constexpr double kOtherLength = 0.01;

using WrappedState = StateOf<ChainState>;

ChainState& chain_of(State& state) {
  return static_cast<WrappedState&>(state).value;
}
const ChainState& chain_of(const State& state) {
  return static_cast<const WrappedState&>(state).value;
}

struct ChainWorkspace final : Workspace {
  explicit ChainWorkspace(const ModelData& model) : stepper(model) {}
  ChainStepper stepper;
};

// Whether what touches in a state that was read are things of the model.
bool touch_known(const TouchModel& model, const ChainState& state) {
  const auto known = [&](int solid) { return solid >= -1 && solid < static_cast<int>(model.solids.size()); };
  return std::all_of(state.touches.begin(), state.touches.end(),
                     [&](const TouchState& touch) { return known(touch.own) && known(touch.solid); });
}

ChainStepper& stepper_of(Workspace& workspace) {
  return static_cast<ChainWorkspace&>(workspace).stepper;
}

class ChainModel final : public Model, public discrete::NodeModel {
 public:
  ChainModel(const Scene& scene, const ChainVariant& variant)
      : data_(compile_model(scene, variant)),
        rods_(discrete::compile_model(*data_.scene)),
        components_(discrete::find_components(rods_)) {}

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<ChainWorkspace>(data_);
  }

  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    ChainState state = start_state(data_, targets);
    if (is_laid_anew(targets)) take_nodes(rods_, discrete::start_state(rods_, targets), data_, state);
    set_elastic_forces(data_, make_mechanism(data_, state), state);
    return std::make_unique<WrappedState>(std::move(state));
  }

  SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    ChainState& chain = chain_of(state);
    SolveReport report;
    if (!settles() && data_.scene->winches.empty()) report.why = discrete::unopposed_force(rods_, components_, targets);
    if (!report.why.empty()) {
      report.hopeless = true;
      report.residual = 1;
      return report;
    }
    return find_rest(stepper_of(workspace), chain, targets, progress);
  }

  SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    ChainState& chain = chain_of(state);
    ChainStepper& stepper = stepper_of(workspace);
    stepper.bring_to_rest(chain, targets);
    disturb(chain);
    SolveReport report = find_rest(stepper, chain, targets, progress);
    report.nudged = true;
    return report;
  }

  StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const override {
    ChainState& chain = chain_of(state);
    ChainStepper& stepper = stepper_of(workspace);
    if (!chain.moving && Wheels::pushed_together(data_, stepper.fit(chain), chain)) {
      StepReport report;
      report.why =
          "a rod is far too long for its way over its sheaves: give it about the length of that way, or none, or start "
          "from equilibrium";
      return report;
    }
    return stepper.step(chain, targets, dt);
  }

  // Short while a slack rod is drawn straight; after short steps at most twice as long as the last.
  [[nodiscard]] double longest_step_from(const State& state) const override {
    const ChainState& chain = chain_of(state);
    const double usual = data_.scene->simulation.step;
    if (chain.whip > 0) return usual / kWhipParts;
    return chain.last_step > 0 && !data_.variant.plain ? std::max(usual / kWhipParts, 2 * chain.last_step) : 0;
  }

  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* from = dynamic_cast<const ChainModel*>(&other);
    if (from == nullptr) return taken_from(dynamic_cast<const discrete::NodeModel*>(&other), state, targets);
    const ChainState& chain = chain_of(state);
    return std::make_unique<WrappedState>(
        chain::carry_over(from->data_, make_mechanism(from->data_, chain), chain, data_, targets));
  }

  [[nodiscard]] const discrete::ModelData& data() const override { return rods_; }
  [[nodiscard]] discrete::RodState rods(const State& state) const override {
    const ChainState& chain = chain_of(state);
    return nodes_of(data_, make_mechanism(data_, chain), chain, rods_);
  }

  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    ChainState state = start_state(data_, targets);
    if (!unpack_state(values, state)) return nullptr;
    const Mechanism mechanism = make_mechanism(data_, state);
    if (mechanism.links.size() != state.links.size()) return nullptr;
    make_memory(data_, mechanism, state);
    if (!touch_known(data_.touch, state)) return nullptr;
    return std::make_unique<WrappedState>(std::move(state));
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    return present_targets(data_, chain_of(state), targets);
  }

  [[nodiscard]] Pose sample(Workspace& workspace, const State& state, const Targets& targets) const override {
    const ChainState& chain = chain_of(state);
    return sample_pose(data_, stepper_of(workspace).fit(chain), chain, targets);
  }

  [[nodiscard]] double peak_pulls(const State& state) const override { return sum_of_peaks(chain_of(state)); }
  void take_peaks(State& state, const State& looked) const override {
    chain::take_peaks(make_mechanism(data_, chain_of(state)), chain_of(state), make_mechanism(data_, chain_of(looked)),
                      chain_of(looked));
  }

  bool part(State& state, int rod, double s) const override {
    ChainState& chain = chain_of(state);
    const Mechanism mechanism = make_mechanism(data_, chain);
    int nearest = -1;
    for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
      const Link& link = mechanism.links[k];
      if (link.rod != rod || !link.has_gap() || chain.links[k].broken) continue;
      if (nearest < 0 || std::abs(link.arc - s) < std::abs(mechanism.links[at(nearest)].arc - s))
        nearest = static_cast<int>(k);
    }
    if (nearest < 0) return true;
    chain.links[at(nearest)].broken = true;
    chain.links[at(nearest)].force.setZero();
    return true;
  }

  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    const ChainState& chain = chain_of(state);
    std::vector<Event> list;
    const auto tell = [&](EventKind what, ObjectKind kind, const std::string& name, const RodPlace& where) -> Event& {
      Event& event = list.emplace_back();
      event.kind = what;
      event.object = {kind, name};
      event.from = where;
      return event;
    };
    for (std::size_t r = 0; r < chain.peaks.size(); ++r)
      if (chain.peaks[r].jerked)
        tell(EventKind::Jerked, ObjectKind::Rod, data_.scene->rods[r].name, {PlaceKind::Along, {}, chain.peaks[r].arc})
            .value = chain.peaks[r].tension;
    for (std::size_t r = 0; r < chain.ropes.size(); ++r)
      if (chain.ropes[r].peak.jerked)
        tell(EventKind::Jerked, ObjectKind::Rope, data_.scene->ropes[r].name, {}).value = chain.ropes[r].peak.tension;
    const auto is_broken = [](const LinkState& link) { return link.broken; };
    if (std::any_of(chain.links.begin(), chain.links.end(), is_broken)) {
      const Mechanism mechanism = make_mechanism(data_, chain);
      for (std::size_t k = 0; k < mechanism.links.size(); ++k)
        if (chain.links[k].broken)
          tell(EventKind::Broke, ObjectKind::Rod, data_.scene->rods[at(mechanism.links[k].rod)].name,
               {PlaceKind::Along, {}, mechanism.links[k].arc});
    }
    const Scene& scene = *data_.scene;
    for (std::size_t w = 0; w < chain.winches.size(); ++w) {
      if (chain.winches[w].stopped)
        tell(EventKind::WinchStopped, ObjectKind::Winch, scene.winches[w].name, {}).value =
            rope_out(data_, chain, static_cast<int>(w));
      if (chain.winches[w].slip != 0)
        tell(EventKind::BrakeSlipped, ObjectKind::Winch, scene.winches[w].name, {}).value = *scene.winches[w].max_force;
    }
    for (std::size_t k = 0; k < chain.joints.size(); ++k)
      if (chain.joints[k].stopped)
        tell(EventKind::JointStopped, ObjectKind::Joint, scene.joints[k].name, {}).value = chain.joints[k].position;
    for (std::size_t r = 0; r < chain.peaks.size(); ++r)
      if (chain.peaks[r].slack) tell(EventKind::WentSlack, ObjectKind::Rod, scene.rods[r].name, {});
    for (std::size_t r = 0; r < chain.ropes.size(); ++r) {
      if (!chain.ropes[r].tied) tell(EventKind::RopeUntied, ObjectKind::Rope, scene.ropes[r].name, {});
      if (chain.ropes[r].peak.slack) tell(EventKind::WentSlack, ObjectKind::Rope, scene.ropes[r].name, {});
    }
    // where the other formulation could run the scene
    for (const double share : {chain.told_loss, -chain.told_made}) {
      if (share == 0 || settles() || !scene.winches.empty()) continue;
      Event& event = tell(share > 0 ? EventKind::EnergyTaken : EventKind::EnergyMade, ObjectKind::None, {}, {});
      event.value = std::abs(share);
      event.why = "the formulation kirchhoff keeps it";
    }
    for (std::size_t w = 0; w < chain.wheels.size(); ++w)
      if (chain.wheels[w].jumped)
        tell(EventKind::RopeJumped, ObjectKind::Sheave, scene.sheaves[w].name, {}).rod = scene.sheaves[w].rod;
    for (std::size_t r = 0; r < chain.ropes.size(); ++r)
      if (chain.ropes[r].broken) tell(EventKind::Broke, ObjectKind::Rope, data_.scene->ropes[r].name, {});
    return list;
  }

 private:
  // Whether a rod is to begin at its own length and is drawn with another one.
  [[nodiscard]] bool is_laid_anew(const Targets& targets) const {
    if (data_.scene->simulation.start != StartKind::Relaxed) return false;
    for (std::size_t r = 0; r < rods_.rods.size(); ++r) {
      if (runs_over_wheels(data_, static_cast<int>(r))) continue;
      const double length = targets.rod_length.empty() ? data_.rods[r].length : targets.rod_length[r];
      if (std::abs(rods_.rods[r].drawn_length / length - 1) > kOtherLength) return true;
    }
    return false;
  }

  // Whether Newton's method would not know all that acts.
  [[nodiscard]] bool settles() const {
    for (std::size_t h = 0; h < data_.grips.size(); ++h)
      if (data_.grips[h].body >= 0 && fixes_some(data_.scene->holds[h].fix.position)) return true;
    return !data_.scene->joints.empty() || !data_.scene->ropes.empty() || !data_.touch.empty() ||
           !data_.scene->sheaves.empty();
  }

  SolveReport find_rest(ChainStepper& stepper, ChainState& chain, const Targets& targets,
                        const Progress& progress) const {
    if (settles()) return let_settle(chain, targets, progress);
    stepper.bring_to_rest(chain, targets);
    const Mechanism& mechanism = stepper.fit(chain);
    const SolveReport report = find_equilibrium(data_, mechanism, chain, targets, rods_.conservative, progress);
    read_winches(mechanism, chain, 0);
    return report;
  }

  SolveReport let_settle(ChainState& chain, const Targets& targets, const Progress& progress) const {
    const ChainState before = chain;
    SolveReport report = settle(data_, chain, targets, progress);
    if (before.moving) return report;
    // what had not moved yet begins with the velocities that it was given; elements that were cut anew stand
    const bool same = before.elements.size() == chain.elements.size();
    const std::size_t first = same ? 0 : chain.elements.size();
    for (std::size_t p = first; p < chain.parts.size(); ++p) {
      const PartState& given = before.parts[p + before.elements.size() - chain.elements.size()];
      chain.parts[p].velocity = given.velocity;
      chain.parts[p].spin = given.spin;
    }
    return report;
  }

  // A state of discrete rods.
  std::unique_ptr<State> taken_from(const discrete::NodeModel* other, const State& state,
                                    const Targets& targets) const {
    if (other == nullptr) return nullptr;
    discrete::RodState nodes = discrete::start_state(rods_, targets);
    discrete::transfer(other->data(), other->rods(state), rods_, nodes);
    ChainState taken = start_state(data_, targets);
    take_nodes(rods_, nodes, data_, taken);
    set_elastic_forces(data_, make_mechanism(data_, taken), taken);
    return std::make_unique<WrappedState>(std::move(taken));
  }

  // Off a symmetric equilibrium: every part a little aside, each in another direction.
  void disturb(ChainState& chain) const {
    const double size = 1e-3 * data_.size;
    for (std::size_t p = 0; p < chain.elements.size(); ++p) {
      const double phase = 2.4 * static_cast<double>(p);
      chain.parts[p].position += size * Vec3(std::sin(phase), std::cos(1.7 * phase), std::sin(0.9 * phase + 1));
    }
  }

  ModelData data_;
  discrete::ModelData rods_;  // to tell what nothing holds, and for other formulations
  std::vector<discrete::Component> components_;
};

}  // namespace

bool ChainFormulation::supports(Feature feature) const {
  return feature != Feature::NaturalModes && feature != Feature::SplineOptions && feature != Feature::RungeKutta &&
         feature != Feature::RestInPositions && feature != Feature::SlidingHolds && feature != Feature::CarriedSlides;
}

std::vector<scene::Problem> ChainFormulation::check(const Scene& scene) const {
  return refusals(scene, variant_);
}

std::unique_ptr<Model> ChainFormulation::compile(const Scene& scene) const {
  return std::make_unique<ChainModel>(scene, variant_);
}

}  // namespace filum::chain
