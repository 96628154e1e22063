#include "formulations/kirchhoff/kirchhoff.hpp"

#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "formulations/discrete/implicit_step.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/node_statics.hpp"
#include "formulations/discrete/packing.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/discrete/slider_stop.hpp"
#include "formulations/discrete/stepper_options.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "formulations/kirchhoff/natural_modes.hpp"
#include "formulations/state_of.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <utility>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

struct Rods {
  RodState rods;
  Drawn drawn = {};
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
Drawn& drawn_of(State& state) {
  return static_cast<KirchhoffState&>(state).value.drawn;
}

struct KirchhoffWorkspace final : Workspace {
  std::unique_ptr<NodeStatics::Work> rest;
  std::unique_ptr<RodStepper> stepper;
  RodState sampled;  // kept for its memory
};

KirchhoffWorkspace& own(Workspace& workspace) {
  return static_cast<KirchhoffWorkspace&>(workspace);
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

class KirchhoffModel final : public Model, public NodeModel {
 public:
  explicit KirchhoffModel(const Scene& scene)
      : data_(compile_with_contact(scene)), statics_(data_), scheme_(make_scheme(data_)) {}

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override {
    auto made = std::make_unique<KirchhoffWorkspace>();
    made->rest = statics_.work();
    made->stepper = scheme_->stepper();
    return made;
  }

  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    RodState rods = start_state(data_, targets);
    scheme_->prepare(rods);
    return std::make_unique<KirchhoffState>(Rods{std::move(rods)});
  }

  SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    return statics_.solve(*own(workspace).rest, rods_of(state), drawn_of(state), targets, progress);
  }

  SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    return statics_.nudge(*own(workspace).rest, rods_of(state), targets, progress);
  }

  StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const override {
    drawn_of(state).fresh = false;
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
    return natural_modes(data_, own(workspace).rest->system, rods, targets, data_.scene->simulation.rotary_inertia,
                         count, progress);
  }

  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* from = dynamic_cast<const NodeModel*>(&other);
    if (from == nullptr) return nullptr;
    RodState rods = start_state(data_, targets);
    transfer(from->data(), from->rods(state), data_, rods);
    scheme_->prepare(rods);
    return std::make_unique<KirchhoffState>(Rods{std::move(rods), {.fresh = false}});
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
    return std::make_unique<KirchhoffState>(Rods{std::move(rods), {.fresh = false}});
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    return present_targets(data_, rods_of(state), targets);
  }

  [[nodiscard]] Pose sample(Workspace& workspace, const State& state, const Targets& targets) const override {
    KirchhoffWorkspace& work = own(workspace);
    RodState& rods = work.sampled = rods_of(state);
    work.stepper->synchronise(rods, targets);
    const Balance balance = evaluate_as_it_is(work.rest->system, rods, targets);
    Internals internals = work.rest->system.internals(balance);
    internals.elastic = work.stepper->elastic_energy(rods).value_or(balance.elastic);
    return sample_pose(data_, internals, rods, targets);
  }

  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    const RodState& rods = rods_of(state);
    std::vector<Event> list;
    for (std::size_t k = 0; k < rods.slide_stop.size(); ++k)
      if (rods.slide_stop[k] != 0) list.push_back(slider_stop(data_, rods, k));
    for (const PushedOut& pushed : static_cast<const KirchhoffState&>(state).value.drawn.pushed)
      list.push_back(pushed_event(data_, pushed));
    return list;
  }

 private:
  ModelData data_;
  NodeStatics statics_;
  std::unique_ptr<const StepScheme> scheme_;
};

}  // namespace

bool KirchhoffFormulation::supports(Feature feature) const {
  return feature == Feature::Motion || feature == Feature::NaturalModes || feature == Feature::Obstacles ||
         feature == Feature::SolidShapes || feature == Feature::RodContact || feature == Feature::SharedEquilibria ||
         feature == Feature::RestInPositions || feature == Feature::Plasticity || feature == Feature::RopeLay ||
         feature == Feature::SlidingHolds || feature == Feature::CarriedAxes || feature == Feature::CarriedSlides ||
         feature == Feature::CarriedJunctions;
}

std::vector<scene::Problem> KirchhoffFormulation::check(const Scene& scene) const {
  std::vector<scene::Problem> refusals = discrete::stepper_option_refusals(scene.simulation);
  const auto add = [&](const std::vector<scene::Problem>& more) {
    refusals.insert(refusals.end(), more.begin(), more.end());
  };
  add(node_statics_refusals(scene, "kirchhoff statics"));
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
