#include "formulations/cosserat/cosserat.hpp"

#include "base/index.hpp"
#include "formulations/cosserat/cosserat_equilibrium.hpp"
#include "formulations/cosserat/lift.hpp"
#include "formulations/cosserat/network.hpp"
#include "formulations/cosserat/predict.hpp"
#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "formulations/discrete/free_end.hpp"
#include "formulations/discrete/implicit_step.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/mobility.hpp"
#include "formulations/discrete/node_statics.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/push_out.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/discrete/slider_stop.hpp"
#include "formulations/discrete/stepper_options.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "formulations/state_of.hpp"
#include "scene/check/fault_list.hpp"

#include <filum/scene.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace filum::cosserat {

namespace {

using CosseratState = StateOf<CableState>;

// A cable whose ends are farther apart than its length by more than this share of it is called too short.
constexpr double kMostStretch = 1e-3;

// A segment shorter than this share of its rest length is not one any more.
constexpr double kLeastLength = 0.05;

// Free bodies hold rods otherwise than by a tie of their own: nodes are the unknowns then.
bool is_carried(const ModelData& model) {
  const auto carries = [](const discrete::Slider& slider) { return slider.carried(); };
  const auto twice = [&](const discrete::Tie& tie) {
    return std::any_of(model.ties.begin(), model.ties.end(),
                       [&](const discrete::Tie& other) { return &other != &tie && other.slave == tie.slave; });
  };
  return std::any_of(model.sliders.begin(), model.sliders.end(), carries) ||
         std::any_of(model.ties.begin(), model.ties.end(), twice);
}

// What of a scene cannot be moved.
std::vector<scene::Problem> motion_refusals(const Scene& scene) {
  std::vector<scene::Problem> refusals = discrete::implicit_refusals(scene);
  if (scene.simulation.stepper != Stepper::Implicit) {
    scene::Problem& problem = refusals.emplace_back();
    problem.path = {"simulation", "stepper"};
    problem.message = "not yet supported: a stepper other than implicit in the formulation cosserat";
  }
  for (scene::Problem& problem : discrete::slider_refusals(scene)) refusals.push_back(std::move(problem));
  return refusals;
}

CableState& cable_of(State& state) {
  return static_cast<CosseratState&>(state).value;
}
const CableState& cable_of(const State& state) {
  return static_cast<const CosseratState&>(state).value;
}

struct CosseratWorkspace final : Workspace {
  CosseratWorkspace(const ModelData& model, const Network& network) : system(model, network) {}
  System system;
  // null: something of the scene cannot be moved
  std::unique_ptr<discrete::RodStepper> stepper;
  std::unique_ptr<discrete::RodSystem> moving;        // in motion positions and angles are the unknowns
  std::unique_ptr<discrete::NodeStatics::Work> rest;  // and at rest where things touch; null: nothing may
};

CosseratWorkspace& own(Workspace& workspace) {
  return static_cast<CosseratWorkspace&>(workspace);
}

class CosseratModel final : public Model, public discrete::NodeModel {
 public:
  explicit CosseratModel(const Scene& scene)
      : data_(discrete::compile_with_contact(scene)),
        network_(make_network(data_)),
        components_(discrete::find_components(data_)),
        scheme_(motion_refusals(scene).empty() ? discrete::make_implicit_scheme(data_) : nullptr) {
    if (discrete::has_contact(scene) || data_.laid || is_carried(data_)) statics_.emplace(data_);
  }

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override {
    auto made = std::make_unique<CosseratWorkspace>(data_, network_);
    if (scheme_ != nullptr) {
      made->stepper = scheme_->stepper();
      made->moving = std::make_unique<discrete::RodSystem>(data_);
    }
    if (statics_) made->rest = statics_->work();
    return made;
  }

  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    return wrap(prepared(discrete::start_state(data_, targets)));
  }

  SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    CableState& cable = cable_of(state);
    if (statics_) {
      const SolveReport report = statics_->solve(*own(workspace).rest, cable.rods, cable.drawn, targets, progress);
      follow_nodes(cable);
      return report;
    }
    if (cable.rods.moving) {
      discrete::bring_to_rest(cable.rods);
      guess_span_forces(cable);
    }
    follow_holds(data_, network_, targets, cable);
    SolveReport report;
    report.why = discrete::unopposed_force(data_, components_, targets);
    if (!report.why.empty()) {
      report.hopeless = true;
      report.residual = 1;
      return report;
    }
    System& system = own(workspace).system;
    system.set_targets(targets, cable);
    Elsewhere marched;
    if (std::exchange(cable.drawn.fresh, false) && discrete::is_marched_from_free_end(data_))
      marched = [&](CableState& other) {
        discrete::RodState rods = other.rods;
        if (!discrete::march_from_free_end(data_, targets, rods)) return false;
        other = empty(std::move(rods));
        return true;
      };
    return settle(system, cable, progress, marched);
  }

  SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    CableState& cable = cable_of(state);
    if (statics_) {
      const SolveReport report = statics_->nudge(*own(workspace).rest, cable.rods, targets, progress);
      follow_nodes(cable);
      return report;
    }
    System& system = own(workspace).system;
    system.set_targets(targets, cable);
    leave_along_softest(system, cable);
    SolveReport report = settle(system, cable, progress);
    report.nudged = true;
    return report;
  }

  StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const override {
    StepReport report;
    if (scheme_ == nullptr) {
      report.why = "the formulation cosserat cannot move this scene";
      return report;
    }
    CableState& cable = cable_of(state);
    cable.drawn.fresh = false;
    report = own(workspace).stepper->step(cable.rods, targets, dt);
    if (report.usable) begin_lifts(data_, cable);
    return report;
  }

  [[nodiscard]] double longest_step_from(const State& state) const override {
    return discrete::longest_step_of_spins(data_, cable_of(state).rods);
  }

  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* from = dynamic_cast<const discrete::NodeModel*>(&other);
    if (from == nullptr) return nullptr;
    discrete::RodState rods = discrete::start_state(data_, targets);
    discrete::transfer(from->data(), from->rods(state), data_, rods);
    std::unique_ptr<State> carried = wrap(prepared(std::move(rods)));
    cable_of(*carried).drawn.fresh = false;
    if (dynamic_cast<const CosseratModel*>(&other) == nullptr) return carried;
    // where as many spans and pegs are left, their forces are a better guess than what the tensions suggest
    const CableState& was = cable_of(state);
    CableState& is = cable_of(*carried);
    if (!was.rods.moving && was.span_force.size() == is.span_force.size()) is.span_force = was.span_force;
    if (!was.rods.moving && was.peg_force.size() == is.peg_force.size()) is.peg_force = was.peg_force;
    return carried;
  }

  bool take_over(State& state, const Model& part, const State& of_part) const override {
    const auto* from = dynamic_cast<const CosseratModel*>(&part);
    CableState& cable = cable_of(state);
    if (from == nullptr || cable.rods.moving) return false;
    // its spans and pegs, in the order that both models have them in
    const auto is_its = [&](int rod) {
      return index_of(from->data_.scene->rods, data_.scene->rods[at(rod)].name) >= 0;
    };
    std::vector<std::size_t> chains;
    for (std::size_t c = 0; c < network_.chains.size(); ++c)
      if (is_its(network_.chains[c].rod)) chains.push_back(c);
    if (chains.size() != from->network_.chains.size() || !network_.pegs.empty()) return false;
    const CableState& moved = cable_of(of_part);
    for (std::size_t c = 0; c < chains.size(); ++c) cable.span_force[chains[c]] = moved.span_force[c];
    discrete::transfer_part(from->data_, moved.rods, data_, cable.rods);
    begin_lifts(data_, cable);
    return true;
  }

  [[nodiscard]] const discrete::ModelData& data() const override { return data_; }
  [[nodiscard]] discrete::RodState rods(const State& state) const override { return cable_of(state).rods; }

  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    CableState cable = empty(prepared(discrete::start_state(data_, targets)));
    if (!unpack_state(values, cable)) return nullptr;
    cable.drawn.fresh = false;
    begin_lifts(data_, cable);
    return std::make_unique<CosseratState>(std::move(cable));
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    return discrete::present_targets(data_, cable_of(state).rods, targets);
  }

  [[nodiscard]] Pose sample(Workspace& workspace, const State& state, const Targets& targets) const override {
    CableState cable = cable_of(state);
    // what has not been solved for is where it is drawn: its edges are stretched as they lie, as when it moves
    const bool as_drawn = cable.drawn.fresh && scheme_ != nullptr;
    if (cable.rods.moving || as_drawn || statics_) {
      discrete::RodSystem& nodes = statics_ ? own(workspace).rest->system : *own(workspace).moving;
      const discrete::Balance now = discrete::evaluate_as_it_is(nodes, cable.rods, targets);
      return discrete::sample_pose(data_, nodes.internals(now), cable.rods, targets);
    }
    System& system = own(workspace).system;
    system.set_targets(targets, cable);
    const Balance balance = system.evaluate(cable, false);
    return discrete::sample_pose(data_, system.internals(cable, balance), cable.rods, targets);
  }

  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    const discrete::RodState& rods = cable_of(state).rods;
    std::vector<Event> list;
    for (const discrete::PushedOut& pushed : cable_of(state).drawn.pushed)
      list.push_back(discrete::pushed_event(data_, pushed));
    for (std::size_t k = 0; k < rods.slide_stop.size(); ++k) {
      if (rods.slide_stop[k] == 0) continue;
      list.push_back(discrete::slider_stop(data_, rods, k));
      if (statics_) continue;
      // what holds the rod on the way to its end stops it before
      const Chain& chain = network_.chains[at(network_.chain_of_slider[k])];
      const int stop = rods.slide_stop[k] > 0 ? chain.end : chain.start;
      if (stop >= 0) list.back().to = place_of(stop);
    }
    for (const Chain& chain : network_.chains)
      if (chain.is_span()) note_too_short(rods, chain, list);
    return list;
  }

 private:
  // From where the cable is to an equilibrium, judged, with its nodes in place.
  SolveReport settle(System& system, CableState& cable, const Progress& progress,
                     const Elsewhere& elsewhere = {}) const {
    SolveReport report = find_minimum(system, cable, progress, nullptr, elsewhere);
    if (report.converged && system.least_length(cable) < kLeastLength) {
      report.converged = false;
      report.why = "a rod is compressed to nothing: its stretch stiffness EA is too small for the forces on it";
    }
    if (report.converged && system.stretch_yields(cable)) {
      report.converged = false;
      report.why =
          "a rod is stretched beyond its yield force: cosserat bends and twists rods for good, kirchhoff "
          "stretches them too";
    }
    judge_stability(system, cable, data_.conservative, report);
    system.place_nodes(cable);
    // what has yielded at an equilibrium stays so
    if (report.converged) discrete::keep_anchors(data_, nullptr, cable.rods);
    if (report.converged && !data_.plasticity.empty()) {
      const Balance balance = system.evaluate(cable, false);
      if (!discrete::keep_unless_jumped(data_, system.internals(cable, balance).strain, cable.rods)) {
        report.converged = false;
        report.why = discrete::kJumped;
      }
    }
    return report;
  }

  // A span that is stretched because its ends are too far apart.
  void note_too_short(const discrete::RodState& rods, const Chain& chain, std::vector<Event>& list) const {
    double length = 0;
    for (const int edge : chain.edges) length += data_.edges[at(edge)].rest_length;
    length *= rods.length_factor[at(chain.rod)];
    const Vec3 chord = rods.position[at(network_.stations[at(chain.end)].node)] -
                       rods.position[at(network_.stations[at(chain.start)].node)];
    const double missing = chord.norm() - length;
    if (missing <= kMostStretch * length || !network_.is_given(chain.start) || !network_.is_given(chain.end)) return;
    Event& event = list.emplace_back();
    event.kind = EventKind::TooShort;
    event.object = {ObjectKind::Rod, data_.scene->rods[at(chain.rod)].name};
    event.from = place_of(chain.start);
    event.to = place_of(chain.end);
    event.value = missing;
  }

  // What holds a station.
  [[nodiscard]] RodPlace place_of(int station) const {
    const int node = network_.stations[at(station)].node;
    for (std::size_t h = 0; h < data_.scene->holds.size(); ++h)
      if (data_.hold_node[h] == node) return {PlaceKind::Hold, data_.scene->holds[h].name};
    return {PlaceKind::Junction, {}};
  }

  CableState empty(discrete::RodState rods) const {
    CableState cable;
    cable.rods = std::move(rods);
    cable.span_force.assign(network_.chains.size(), Vec3::Zero());
    cable.peg_force.assign(network_.pegs.size(), Vec3::Zero());
    begin_lifts(data_, cable);
    return cable;
  }

  // With the past that a first step asks for.
  discrete::RodState prepared(discrete::RodState rods) const {
    if (scheme_ != nullptr) scheme_->prepare(rods);
    return rods;
  }

  // Forces of the spans as the segments' tensions suggest.
  void guess_span_forces(CableState& cable) const {
    for (std::size_t c = 0; c < network_.chains.size(); ++c) {
      const Chain& chain = network_.chains[c];
      if (!chain.is_span()) continue;
      cable.span_force[c].setZero();
      for (const int edge : chain.edges)
        cable.span_force[c] += cable.rods.tension[at(edge)] * cable.rods.frame[at(edge)].col(2);
      cable.span_force[c] /= static_cast<double>(chain.edges.size());
    }
  }

  // After nodes have been moved, at rest: what is told by them.
  void follow_nodes(CableState& cable) const {
    guess_span_forces(cable);
    begin_lifts(data_, cable);
  }

  std::unique_ptr<State> wrap(discrete::RodState rods) const {
    CableState cable = empty(std::move(rods));
    guess_span_forces(cable);
    return std::make_unique<CosseratState>(std::move(cable));
  }

  ModelData data_;
  Network network_;
  std::vector<discrete::Component> components_;
  std::unique_ptr<const discrete::StepScheme> scheme_;  // null: something of the scene cannot be moved
  // Where things touch the search is that in positions and angles: contacts are conditions on positions, and the balance
  // that both sets of unknowns seek is the same.
  std::optional<discrete::NodeStatics> statics_;
};

}  // namespace

bool CosseratFormulation::supports(Feature feature) const {
  return feature == Feature::Motion || feature == Feature::SharedEquilibria || feature == Feature::Plasticity ||
         feature == Feature::Obstacles || feature == Feature::SolidShapes || feature == Feature::RodContact ||
         feature == Feature::RestInPositions || feature == Feature::RopeLay || feature == Feature::SlidingHolds ||
         feature == Feature::CarriedAxes || feature == Feature::CarriedSlides || feature == Feature::CarriedJunctions;
}

std::vector<scene::Problem> CosseratFormulation::check(const Scene& scene) const {
  std::vector<scene::Problem> refusals = discrete::stepper_option_refusals(scene.simulation);
  if (!discrete::has_contact(scene)) return refusals;
  for (scene::Problem& problem : discrete::contact_refusals(scene)) refusals.push_back(std::move(problem));
  for (scene::Problem& problem : discrete::node_statics_refusals(scene, "cosserat statics with obstacles"))
    refusals.push_back(std::move(problem));
  return refusals;
}

std::vector<scene::Problem> CosseratFormulation::check_motion(const Scene& scene) const {
  return motion_refusals(scene);
}

std::unique_ptr<Model> CosseratFormulation::compile(const Scene& scene) const {
  return std::make_unique<CosseratModel>(scene);
}

}  // namespace filum::cosserat
