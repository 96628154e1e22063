#include "formulations/spline/spline.hpp"

#include "base/index.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "formulations/discrete/equilibrium_search.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/discrete/slider_stop.hpp"
#include "formulations/spline/adaptive_spline.hpp"
#include "formulations/spline/motion_refusals.hpp"
#include "formulations/spline/moving_recut.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_modes.hpp"
#include "formulations/spline/spline_nodes.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "formulations/spline/spline_recut.hpp"
#include "formulations/spline/spline_sample.hpp"
#include "formulations/spline/spline_step.hpp"
#include "formulations/spline/spline_system.hpp"
#include "formulations/state_of.hpp"
#include "scene/check/fault_list.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace filum::spline {

namespace {

using State_ = StateOf<SplineState>;

// Directors that have drifted from their curve by less, rad, are where they belong.
constexpr double kInStep = 1e-9;
constexpr int kMostRounds = 8;
constexpr int kLeastRing = 4;      // segments of a closed rod: as many as control points make one
constexpr double kMostSpin = 0.5;  // of a free body in one step, rad

SplineState& own(State& state) {
  return static_cast<State_&>(state).value;
}
const SplineState& own(const State& state) {
  return static_cast<const State_&>(state).value;
}

struct SplineWorkspace final : Workspace {
  explicit SplineWorkspace(const SplineModel& model) : system(model), stepper(model) {}
  System system;
  SplineStepper stepper;
};

SplineStepper& stepper_of(Workspace& workspace) {
  return static_cast<SplineWorkspace&>(workspace).stepper;
}
System& system_of(Workspace& workspace) {
  return static_cast<SplineWorkspace&>(workspace).system;
}

class Splines final : public SplineRods {
 public:
  explicit Splines(const Scene& scene) : model_(compile_spline(scene)), moves_(motion_refusals(scene).empty()) {}

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<SplineWorkspace>(model_);
  }

  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    return std::make_unique<State_>(
        from_nodes(model_, discrete::start_state(model_.nodes, targets, discrete::Nodes::OnCurve)));
  }

  SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    SplineState& rods = own(state);
    bring_to_rest(rods);
    apply_targets(model_, targets, rods);
    SolveReport report;
    report.why = discrete::unopposed_force(model_.nodes, model_.components, targets);
    if (!report.why.empty()) {
      report.hopeless = true;
      report.residual = 1;
      return report;
    }
    const SplineState before = rods;
    System& system = system_of(workspace);
    report = settle(system, rods, targets, discrete::Branch::Keep, progress);
    const bool lost = !report.converged || (report.leaps > 0 && report.stable == false);
    if (lost && model_.nodes.conservative) {
      SplineState other = before;
      SolveReport second = go_down(system, other, targets, progress);
      second.iterations += report.iterations;
      if (second.converged || !report.converged) {
        rods = std::move(other);
        report = second;
      }
    }
    end_increment(report, rods);
    return report;
  }

  SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    System& system = system_of(workspace);
    discrete::leave_along_softest(system, own(state), targets);
    resynchronise(model_, own(state));
    SolveReport report = go_down(system, own(state), targets, progress);
    end_increment(report, own(state));
    report.nudged = true;
    return report;
  }

  StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const override {
    StepReport report;
    if (!moves_) {
      report.why = "the formulation spline cannot move this scene";
      return report;
    }
    return stepper_of(workspace).step(own(state), targets, dt);
  }

  [[nodiscard]] double longest_step_from(const State& state) const override {
    double fastest = 0;
    for (const discrete::FreeBody& body : model_.nodes.bodies)
      fastest = std::max(fastest, own(state).rotor_spin[at(body.rotor)].norm());
    return fastest > 0 ? kMostSpin / fastest : 0;
  }

  [[nodiscard]] std::vector<NaturalMode> modes(Workspace& workspace, const State& state, const Targets& targets,
                                               int count, const Progress& progress) const override {
    return natural_modes(model_, system_of(workspace), own(state), targets, count, progress);
  }

  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* from = dynamic_cast<const discrete::NodeModel*>(&other);
    if (from == nullptr) return nullptr;
    discrete::RodState nodes = discrete::start_state(model_.nodes, targets, discrete::Nodes::OnCurve);
    discrete::transfer(from->data(), from->rods(state), model_.nodes, nodes);
    SplineState rods = from_nodes(model_, nodes);
    if (const auto* splines = dynamic_cast<const Splines*>(&other))
      copy_rods(splines->model_, own(state), targets, rods);
    return std::make_unique<State_>(std::move(rods));
  }

  [[nodiscard]] const SplineModel& splines() const override { return model_; }
  [[nodiscard]] const SplineState& state_of(const State& state) const override { return own(state); }
  [[nodiscard]] SplineState& state_of(State& state) const override { return own(state); }
  [[nodiscard]] const discrete::ModelData& data() const override { return model_.nodes; }
  [[nodiscard]] discrete::RodState rods(const State& state) const override { return to_nodes(model_, own(state)); }

  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    std::unique_ptr<State> state = start(targets);
    if (!unpack_state(values, own(*state))) return nullptr;
    return state;
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    return discrete::present_targets(model_.nodes, to_nodes(model_, own(state)), targets);
  }

  [[nodiscard]] Pose sample(Workspace& workspace, const State& state, const Targets& targets) const override {
    System& system = system_of(workspace);
    const Balance balance = system.evaluate(own(state), targets, System::Want::Residual);
    Pose pose = sample_spline(model_, system, balance, own(state), targets);
    pose.energy.kinetic = stepper_of(workspace).kinetic(own(state));
    return pose;
  }

  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    std::vector<Event> list;
    for (std::size_t k = 0; k < own(state).slide_stop.size(); ++k)
      if (own(state).slide_stop[k] != 0) list.push_back(discrete::slider_stop(model_.nodes, own(state), k));
    return list;
  }

 private:
  // What has moved. Velocities that a scene begins with are kept for its run.
  static void bring_to_rest(SplineState& rods) {
    if (!rods.moving) return;
    rods.moving = false;
    rods.last_step = rods.drain_left = 0;
    rods.work = rods.dissipated = rods.drained = 0;
    std::fill(rods.velocity.begin(), rods.velocity.end(), Vec3(Vec3::Zero()));
    std::fill(rods.rotor_spin.begin(), rods.rotor_spin.end(), Vec3(Vec3::Zero()));
    std::fill(rods.node_spin.begin(), rods.node_spin.end(), 0.0);
    std::fill(rods.strain_step.begin(), rods.strain_step.end(), 0.0);
  }

  // What has yielded at an equilibrium stays so.
  void end_increment(SolveReport& report, SplineState& rods) const {
    if (report.converged) discrete::keep_anchors(model_.nodes, nullptr, rods);
    if (!report.converged || model_.memory.empty()) return;
    const rod::PlasticMemory before = rods.plastic;
    const double far = furthest_yield(model_, rods);
    keep_plastic(model_, nullptr, rods);
    if (furthest_yield(model_, rods) <= far + discrete::kMostJump) return;
    rods.plastic = before;
    report.converged = false;
    report.why = discrete::kJumped;
  }

  // Newton, and again as long as the directors that it carried along are not those of the curve it arrived at.
  SolveReport settle(System& system, SplineState& rods, const Targets& targets, discrete::Branch branch,
                     const Progress& progress) const {
    SolveReport report;
    for (int round = 0; round < kMostRounds; ++round) {
      if (round > 0) system.resume_increment();
      const SolveReport found = discrete::newton(system, rods, targets, branch, progress);
      const int iterations = report.iterations + found.iterations;
      const int leaps = report.leaps + found.leaps;
      report = found;
      report.iterations = iterations;
      report.leaps = leaps;
      if (!report.converged || resynchronise(model_, rods) < kInStep) break;
    }
    discrete::judge_stability(system, rods, targets, model_.nodes.conservative, report);
    return report;
  }

  // To a stable equilibrium if there is one: by Newton that leaves unstable branches, or step by step downhill.
  SolveReport go_down(System& system, SplineState& rods, const Targets& targets, const Progress& progress) const {
    const SplineState before = rods;
    const SolveReport report = settle(system, rods, targets, discrete::Branch::Leave, progress);
    if (report.converged && report.stable == true) return report;
    rods = before;
    const SolveReport fallen = discrete::descend(system, rods, targets, progress);
    resynchronise(model_, rods);
    SolveReport second = settle(system, rods, targets, discrete::Branch::Keep, progress);
    second.iterations += report.iterations + fallen.iterations;
    return second;
  }

  // Whether a rod has the laws that it had, segment by segment.
  [[nodiscard]] bool is_same_stock(const SplineModel& from, const discrete::RodOrigin& origin, int is) const {
    const RodSpline& now = model_.rods[at(is)];
    for (int k = 0; k < now.knots.segments(); ++k) {
      const int old_law = from.segments[at(from.rods[at(origin.rod)].first_segment + origin.first + k)].law;
      const int law = model_.segments[at(now.first_segment + k)].law;
      if ((old_law < 0) != (law < 0)) return false;
      if (law < 0) continue;
      const rod::SectionPlasticity& a = from.nodes.plasticity.laws[at(old_law)];
      const rod::SectionPlasticity& b = model_.nodes.plasticity.laws[at(law)];
      if (a.joint_memory() != b.joint_memory() || a.edge_memory() != b.edge_memory()) return false;
      if (a.bend_yield != b.bend_yield || a.twist_yield != b.twist_yield || a.stretch_yield != b.stretch_yield)
        return false;
    }
    return true;
  }

  // What such a rod remembers, as it is: bends, twists, stretches, each from its first site to the next rod's. A piece of
  // a rod begins at its segment `skip`, and has stretch points of its own.
  void copy_memory(const SplineModel& from, const RodSpline& before, const SplineState& old, const RodSpline& is,
                   int skip, bool whole, SplineState& now) const {
    const auto copy = [&](const std::vector<int>& was_place, int was_first, const std::vector<int>& place, int first,
                          int count, const std::vector<rod::SectionPlasticity>& laws, const auto& law_of) {
      for (int k = 0; k < count; ++k)
        if (const int law = law_of(first + k); law >= 0)
          std::copy_n(old.plastic.at(was_place[at(was_first + k)]), laws[at(law)].joint_memory(),
                      now.plastic.at(place[at(first + k)]));
    };
    if (!old.plastic.blank()) now.plastic.written();
    const SplineMemory& was = from.memory;
    const SplineMemory& memory = model_.memory;
    const int segments = is.knots.segments();
    const int first = before.first_segment + skip;
    copy(was.bend_place, kBendPoints * first, memory.bend_place, kBendPoints * is.first_segment, kBendPoints * segments,
         memory.bend, [&](int g) { return model_.segments[at(g / kBendPoints)].law; });
    copy(was.twist_place, first, memory.twist_place, is.first_segment, segments, memory.twist,
         [&](int k) { return model_.segments[at(k)].law; });
    if (!whole) return;
    copy(was.stretch_place, before.first_stretch, memory.stretch_place, is.first_stretch, is.stretches, memory.stretch,
         [&](int g) { return model_.segments[at(model_.stretches[at(g)].segment)].law; });
  }

  // The control points of a piece of a rod, whose knots are a run of the whole's: one curve alone goes through the same
  // points with the same slopes at its breaks [DeBoor1978], as if knots had been inserted until it parts.
  [[nodiscard]] std::vector<Vec3> part_of_curve(const SplineModel& from, const std::vector<Vec3>& control,
                                                int first_node, const rod::SplineKnots& knots) const {
    std::vector<Vec3> points;
    std::vector<Vec3> slopes;
    for (int node = first_node; node <= first_node + knots.segments(); ++node) {
      const NodeCurve& curve = from.curve[at(node)];
      points.push_back(node_sum(from, control, node));
      Vec3& slope = slopes.emplace_back(Vec3::Zero());
      for (int p = 0; p < 3; ++p)
        slope += curve.slope[at(p)] * (control[at(curve.first + p + 1)] - control[at(curve.first + p)]);
    }
    return knots.through(points, slopes);
  }

  // Whether a rod has the breaks that its whole has in this run of nodes; its ends are breaks anyway.
  static bool has_breaks_of(const discrete::RodMesh& is, const discrete::RodMesh& was, int skip) {
    for (int i = 1; i + 1 < is.nodes(); ++i)
      if (is.is_break[at(i)] != was.is_break[at(skip + i)]) return false;
    return true;
  }

  // Rods that have the knots they had keep their curve to the last bit; pieces of them, to round-off.
  void copy_rods(const SplineModel& from, const SplineState& old, const Targets& targets, SplineState& now) const {
    std::vector<int> recut(model_.rods.size(), -1);
    for (std::size_t r = 0; r < model_.rods.size(); ++r) {
      const discrete::RodOrigin origin = discrete::origin_of(from.nodes, model_.nodes, static_cast<int>(r));
      if (origin.rod < 0) continue;
      const RodSpline& is = model_.rods[r];
      const RodSpline& before = from.rods[at(origin.rod)];
      const discrete::RodRange& range = model_.nodes.rods[r];
      const discrete::RodRange& old_range = from.nodes.rods[at(origin.rod)];
      // the whole of it, in other segments
      if (range.mesh.closed == old_range.mesh.closed && range.mesh.length == old_range.mesh.length &&
          range.mesh.s != old_range.mesh.s) {
        recut_rod(from, origin.rod, old, model_, static_cast<int>(r), now);
        recut[r] = origin.rod;
        continue;
      }
      if (origin.first < 0) continue;
      const bool whole = range.mesh.s == old_range.mesh.s && range.mesh.is_break == old_range.mesh.is_break;
      const int skip = origin.first;
      if (!whole && (!model_.nodes.scene->rods[r].piece || !has_breaks_of(range.mesh, old_range.mesh, skip))) continue;
      const auto copy = [](const auto& list, int first, int count, auto& target, int place) {
        std::copy_n(list.begin() + first, count, target.begin() + place);
      };
      if (whole) {
        copy(old.control, before.first_control, is.knots.controls(), now.control, is.first_control);
        copy(old.leg, before.first_control, is.knots.controls() - 1, now.leg, is.first_control);
        copy(old.velocity, before.first_control, is.knots.controls(), now.velocity, is.first_control);
        copy(old.tension, before.first_stretch, is.stretches, now.tension, is.first_stretch);
        copy(old.strain_step, before.first_stretch, is.stretches, now.strain_step, is.first_stretch);
      } else {
        const int first = old_range.first_node + skip;
        copy(part_of_curve(from, old.control, first, is.knots), 0, is.knots.controls(), now.control, is.first_control);
        copy(part_of_curve(from, old.velocity, first, is.knots), 0, is.knots.controls(), now.velocity,
             is.first_control);
        for (int i = is.first_control; i + 1 < is.first_control + is.knots.controls(); ++i)
          now.leg[at(i)] = now.control[at(i + 1)] - now.control[at(i)];
      }
      copy(old.node_frame, old_range.first_node + skip, range.mesh.nodes(), now.node_frame, range.first_node);
      copy(old.twist, before.first_segment + skip, is.knots.segments(), now.twist, is.first_segment);
      copy(old.bend_frame, kBendPoints * (before.first_segment + skip), kBendPoints * is.knots.segments(),
           now.bend_frame, kBendPoints * is.first_segment);
      copy(old.node_spin, old_range.first_node + skip, range.mesh.nodes(), now.node_spin, range.first_node);
      if (model_.memory.size > 0 && from.memory.size > 0 && is_same_stock(from, origin, static_cast<int>(r)))
        copy_memory(from, before, old, is, skip, whole, now);
    }
    if (std::any_of(recut.begin(), recut.end(), [](int rod) { return rod >= 0; })) {
      if (old.moving) settle_recut(from, old, recut, model_, targets, now);
      resynchronise(model_, now);
    }
    // what grips the same node in the same way goes on with its force
    for (std::size_t k = 0; k < model_.grips.size() && model_.grips.size() == from.grips.size(); ++k)
      if (model_.grips[k].kind == from.grips[k].kind && model_.grips[k].node == from.grips[k].node)
        now.grip[k] = old.grip[k];
  }

  SplineModel model_;
  bool moves_;  // nothing of the scene forbids it
};

}  // namespace

bool SplineFormulation::supports(Feature feature) const {
  return feature == Feature::Motion || feature == Feature::NaturalModes || feature == Feature::Plasticity ||
         feature == Feature::RopeLay || feature == Feature::SplineOptions || feature == Feature::RungeKutta ||
         feature == Feature::SlidingHolds;
}

std::vector<scene::Problem> SplineFormulation::check(const Scene& scene) const {
  std::vector<scene::Problem> refused;
  const auto refuse = [&](std::vector<std::string> path, const std::string& what) {
    refused.push_back(
        {std::move(path), "not yet supported by the formulation spline: " + what + "; kirchhoff and cosserat have it"});
  };
  for (const Rod& rod : scene.rods)
    if (rod.closed && rod.segments < kLeastRing)
      refuse({"rods", rod.name, "segments"}, "the closed rod " + scene::quoted(rod.name) + " of fewer than " +
                                                 std::to_string(kLeastRing) + " segments");
  const SplineOptions& options = scene.simulation.spline;
  if (options.basis == CurveBasis::CatmullRom && options.detail > 0)
    refused.push_back({{"simulation", "spline", "detail"},
                       "the basis catmull-rom has no knots to insert: adaptive knots are for b-spline and nurbs"});
  for (const Rod& rod : scene.rods) {
    if (options.basis != CurveBasis::Nurbs || rod.shape.weights.empty()) continue;
    const auto weights = [&](const std::string& what) {
      refused.push_back({{"rods", rod.name, "shape", "control", "weights"},
                         "not yet supported by the basis nurbs: weights of the " + what + " " +
                             scene::quoted(rod.name) + "; b-spline has it"});
    };
    if (rod.closed) weights("closed rod");
    if (rod.limits.may_break()) weights("breaking rod");
  }
  return refused;
}

std::vector<scene::Problem> SplineFormulation::check_motion(const Scene& scene) const {
  return motion_refusals(scene);
}

std::unique_ptr<SplineRods> compile_rods(const Scene& scene) {
  return std::make_unique<Splines>(scene);
}

std::unique_ptr<Model> SplineFormulation::compile(const Scene& scene) const {
  if (scene.simulation.spline.detail > 0) return adaptive_splines(scene);
  return compile_rods(scene);
}

}  // namespace filum::spline
