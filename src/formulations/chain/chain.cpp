#include "formulations/chain/chain.hpp"

#include "base/index.hpp"
#include "formulations/chain/rest/chain_equilibrium.hpp"
#include "formulations/chain/discrete_nodes.hpp"
#include "formulations/chain/chain_refusals.hpp"
#include "formulations/chain/rest/relaxation.hpp"
#include "formulations/chain/chain_sample.hpp"
#include "formulations/chain/solve/chain_step.hpp"
#include "formulations/chain/chain_transfer.hpp"
#include "formulations/chain/reeving/winch.hpp"
#include "formulations/discrete/mobility.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "scene/check/fault_list.hpp"

#include <utility>

namespace filum::chain {

namespace {

class WrappedState final : public State {
 public:
  explicit WrappedState(ChainState value) : chain(std::move(value)) {}
  [[nodiscard]] std::unique_ptr<State> clone() const override { return std::make_unique<WrappedState>(*this); }
  void assign(const State& other) override { *this = static_cast<const WrappedState&>(other); }
  [[nodiscard]] std::vector<double> pack() const override { return pack_state(chain); }
  ChainState chain;
};

ChainState& chain_of(State& state) {
  return static_cast<WrappedState&>(state).chain;
}
const ChainState& chain_of(const State& state) {
  return static_cast<const WrappedState&>(state).chain;
}

class ChainModel final : public Model, public discrete::NodeModel {
 public:
  ChainModel(const Scene& scene, const ChainVariant& variant)
      : data_(compile_model(scene, variant)),
        rods_(discrete::compile_model(data_.scene)),
        components_(discrete::find_components(rods_)),
        stepper_(data_) {}

  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    ChainState state = start_state(data_, targets);
    set_elastic_forces(data_, stepper_.mechanism(state), state);
    return std::make_unique<WrappedState>(std::move(state));
  }

  SolveReport solve(State& state, const Targets& targets, const Progress& progress) const override {
    ChainState& chain = chain_of(state);
    SolveReport report;
    if (!settles() && data_.scene.winches.empty()) report.why = discrete::unopposed_force(rods_, components_, targets);
    if (!report.why.empty()) {
      report.hopeless = true;
      report.residual = 1;
      return report;
    }
    return find_rest(chain, targets, progress);
  }

  SolveReport nudge(State& state, const Targets& targets, const Progress& progress) const override {
    ChainState& chain = chain_of(state);
    stepper_.bring_to_rest(chain, targets);
    disturb(chain);
    SolveReport report = find_rest(chain, targets, progress);
    report.nudged = true;
    return report;
  }

  StepReport step(State& state, const Targets& targets, double dt) const override {
    return stepper_.step(chain_of(state), targets, dt);
  }

  [[nodiscard]] std::vector<NaturalMode> modes(const State&, const Targets&, int, const Progress&) const override {
    return {};
  }

  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* from = dynamic_cast<const ChainModel*>(&other);
    if (from == nullptr) return taken_from(dynamic_cast<const discrete::NodeModel*>(&other), state, targets);
    const ChainState& chain = chain_of(state);
    ChainState carried = chain::carry_over(from->data_, from->stepper_.mechanism(chain), chain, data_, targets);
    stepper_.renumber(carried);
    return std::make_unique<WrappedState>(std::move(carried));
  }

  [[nodiscard]] const discrete::ModelData& data() const override { return rods_; }
  [[nodiscard]] const discrete::RodState& rods(const State& state) const override {
    const ChainState& chain = chain_of(state);
    return nodes_ = nodes_of(data_, stepper_.mechanism(chain), chain, rods_);
  }

  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    ChainState state = start_state(data_, targets);
    if (!unpack_state(values, state)) return nullptr;
    stepper_.renumber(state);
    if (stepper_.mechanism(state).links.size() != state.links.size()) return nullptr;
    return std::make_unique<WrappedState>(std::move(state));
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    const ChainState& chain = chain_of(state);
    return present_targets(data_, stepper_.mechanism(chain), chain, targets);
  }

  [[nodiscard]] Pose sample(const State& state, const Targets& targets) const override {
    const ChainState& chain = chain_of(state);
    return sample_pose(data_, stepper_.mechanism(chain), chain, targets);
  }

  [[nodiscard]] std::vector<std::string> events(const State& state) const override {
    const ChainState& chain = chain_of(state);
    const Mechanism& mechanism = stepper_.mechanism(chain);
    std::vector<std::string> list;
    for (std::size_t k = 0; k < mechanism.links.size(); ++k)
      if (chain.links[k].broken)
        list.push_back("rod '" + data_.scene.rods[at(mechanism.links[k].rod)].name +
                       "' broke at s = " + scene::in_millimetres(mechanism.links[k].arc));
    for (std::size_t r = 0; r < chain.ropes.size(); ++r)
      if (chain.ropes[r].broken) list.push_back("rope '" + data_.scene.ropes[r].name + "' broke");
    return list;
  }

 private:
  // Whether Newton's method would not know all that acts.
  [[nodiscard]] bool settles() const {
    return !data_.scene.ropes.empty() || !data_.scene.planes.empty() || !data_.scene.sheaves.empty();
  }

  SolveReport find_rest(ChainState& chain, const Targets& targets, const Progress& progress) const {
    if (settles()) return let_settle(chain, targets, progress);
    stepper_.bring_to_rest(chain, targets);
    const SolveReport report =
        find_equilibrium(data_, stepper_.mechanism(chain), chain, targets, rods_.conservative, progress);
    read_winches(stepper_.mechanism(chain), chain, 0);
    return report;
  }

  SolveReport let_settle(ChainState& chain, const Targets& targets, const Progress& progress) const {
    const ChainState before = chain;
    SolveReport report = settle(data_, chain, targets, progress);
    stepper_.renumber(chain);
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
    set_elastic_forces(data_, stepper_.mechanism(taken), taken);
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
  mutable discrete::RodState nodes_;  // of the state that was last asked for them
  mutable ChainStepper stepper_;      // scratch of the solver: nothing that a state would remember
};

}  // namespace

bool ChainFormulation::supports(Feature feature) const {
  return feature != Feature::NaturalModes;
}

std::vector<scene::Problem> ChainFormulation::check(const Scene& scene) const {
  return refusals(scene, variant_);
}

std::unique_ptr<Model> ChainFormulation::compile(const Scene& scene) const {
  return std::make_unique<ChainModel>(scene, variant_);
}

}  // namespace filum::chain
