#include "formulations/spline/adaptive_spline.hpp"

#include "base/index.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/spline/spline_recut.hpp"
#include "scene/lookup.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace filum::spline {

namespace {

constexpr int kMostRecuts = 14;            // equilibria until knots and shape agree
constexpr int kCoarsenRecuts = 10;         // of these, the first so many may take knots out
constexpr double kLocal = 1.0 / 16;        // of what is allowed: slopes that are off add up along a rod
constexpr std::size_t kMostKnots = 10000;  // knots of a rod
constexpr double kWorthTelling = 1.5;      // in motion: times as many segments as were told last, or as few

using Knots = std::vector<std::vector<double>>;  // per rod: shares of its length; empty: as the scene cuts it

// A state together with the knots that it is of.
class AdaptedState final : public State {
 public:
  AdaptedState(std::shared_ptr<const SplineRods> of, Knots at_knots, std::unique_ptr<State> state)
      : rods(std::move(of)), knots(std::move(at_knots)), inner(std::move(state)) {}
  [[nodiscard]] std::unique_ptr<State> clone() const override {
    auto copy = std::make_unique<AdaptedState>(rods, knots, inner->clone());
    copy->told = told;
    copy->since = since;
    return copy;
  }
  void assign(const State& other) override {
    const auto& from = static_cast<const AdaptedState&>(other);
    told = from.told;
    since = from.since;
    if (rods == from.rods) {
      inner->assign(*from.inner);
      return;
    }
    rods = from.rods;
    knots = from.knots;
    inner = from.inner->clone();
  }
  // The knots first.
  [[nodiscard]] std::vector<double> pack() const override {
    std::vector<double> values;
    for (const std::vector<double>& places : knots) {
      values.push_back(static_cast<double>(places.size()));
      values.insert(values.end(), places.begin(), places.end());
    }
    const std::vector<double> rest = inner->pack();
    values.insert(values.end(), rest.begin(), rest.end());
    return values;
  }

  std::shared_ptr<const SplineRods> rods;
  Knots knots;
  std::unique_ptr<State> inner;
  std::vector<Event> told;  // of when the knots last changed
  // In motion, per rod, since that was last told: segments then, how far its curve moved at most, and what the changes of
  // all rods brought in elastic energy and in all, J.
  struct Since {
    int segments = 0;
    double moved = 0;
    double elastic = 0;
    double all = 0;
  };
  std::vector<Since> since;
};

AdaptedState& adapted_of(State& state) {
  return static_cast<AdaptedState&>(state);
}
const AdaptedState& adapted_of(const State& state) {
  return static_cast<const AdaptedState&>(state);
}

// Scratch of the rods that it was last used for.
struct AdaptedWorkspace final : Workspace {
  std::shared_ptr<const SplineRods> of;
  std::unique_ptr<Workspace> inner;
  Workspace& for_rods(const std::shared_ptr<const SplineRods>& rods) {
    if (of != rods) {
      inner = rods->workspace();
      of = rods;
    }
    return *inner;
  }
};

Workspace& scratch(Workspace& workspace, const State& state) {
  return static_cast<AdaptedWorkspace&>(workspace).for_rods(adapted_of(state).rods);
}

class AdaptiveSplines final : public Model, public discrete::NodeModel {
 public:
  explicit AdaptiveSplines(const Scene& scene)
      : scene_(scene), drawn_(compile_rods(scene)), as_drawn_(scene.rods.size()) {}

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override { return std::make_unique<AdaptedWorkspace>(); }
  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    return std::make_unique<AdaptedState>(drawn_, as_drawn_, drawn_->start(targets));
  }

  SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    return settle(workspace, state, targets, progress, [&] {
      return adapted_of(state).rods->solve(scratch(workspace, state), *adapted_of(state).inner, targets, progress);
    });
  }
  SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    return settle(workspace, state, targets, progress, [&] {
      return adapted_of(state).rods->nudge(scratch(workspace, state), *adapted_of(state).inner, targets, progress);
    });
  }
  StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const override {
    AdaptedState& adapted = adapted_of(state);
    adapted.told.clear();
    const StepReport report = adapted.rods->step(scratch(workspace, state), *adapted.inner, targets, dt);
    if (report.usable) follow_motion(workspace, adapted, targets);
    return report;
  }
  [[nodiscard]] double longest_step_from(const State& state) const override {
    return adapted_of(state).rods->longest_step_from(*adapted_of(state).inner);
  }
  [[nodiscard]] std::vector<NaturalMode> modes(Workspace& workspace, const State& state, const Targets& targets,
                                               int count, const Progress& progress) const override {
    return adapted_of(state).rods->modes(scratch(workspace, state), *adapted_of(state).inner, targets, count, progress);
  }

  // Rods keep the knots that they have, if the new scene has all its breaks among them.
  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* adapted = dynamic_cast<const AdaptiveSplines*>(&other);
    if (adapted == nullptr) {
      std::unique_ptr<State> taken = drawn_->carry_over(other, state, targets);
      if (taken == nullptr) return nullptr;
      return std::make_unique<AdaptedState>(drawn_, as_drawn_, std::move(taken));
    }
    Knots knots = as_drawn_;
    for (std::size_t r = 0; r < scene_.rods.size(); ++r)
      if (const int before = index_of(adapted->scene_.rods, scene_.rods[r].name);
          before >= 0 && adapted->scene_.rods[at(before)].segments == scene_.rods[r].segments)
        knots[r] = adapted_of(state).knots[at(before)];
    const std::shared_ptr<const SplineRods> rods = with_knots(knots);
    std::unique_ptr<State> taken = rods->carry_over(*adapted_of(state).rods, *adapted_of(state).inner, targets);
    return std::make_unique<AdaptedState>(rods, std::move(knots), std::move(taken));
  }

  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    Knots knots(scene_.rods.size());
    for (std::vector<double>& places : knots) {
      if (values.empty() || !(values[0] >= 0 && values[0] < static_cast<double>(values.size()))) return nullptr;
      const auto count = static_cast<std::size_t>(values[0]);
      places.assign(values.begin() + 1, values.begin() + 1 + static_cast<std::ptrdiff_t>(count));
      if (places.size() == 1 || places.size() > kMostKnots || !std::is_sorted(places.begin(), places.end()))
        return nullptr;
      if (!places.empty() && (places.front() != 0 || places.back() != 1)) return nullptr;
      values = values.subspan(1 + count);
    }
    const std::shared_ptr<const SplineRods> rods = with_knots(knots);
    std::unique_ptr<State> read = rods->unpack(values, targets);
    if (read == nullptr) return nullptr;
    return std::make_unique<AdaptedState>(rods, std::move(knots), std::move(read));
  }

  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    return adapted_of(state).rods->where_it_is(*adapted_of(state).inner, targets);
  }
  [[nodiscard]] Pose sample(Workspace& workspace, const State& state, const Targets& targets) const override {
    return adapted_of(state).rods->sample(scratch(workspace, state), *adapted_of(state).inner, targets);
  }
  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    const AdaptedState& adapted = adapted_of(state);
    std::vector<Event> list = adapted.rods->events(*adapted.inner);
    list.insert(list.end(), adapted.told.begin(), adapted.told.end());
    return list;
  }

  // For other formulations: with the nodes of the scene.
  [[nodiscard]] const discrete::ModelData& data() const override { return drawn_->data(); }
  [[nodiscard]] discrete::RodState rods(const State& state) const override {
    const AdaptedState& adapted = adapted_of(state);
    if (adapted.rods == drawn_) return drawn_->rods(*adapted.inner);
    const discrete::RodState nodes = adapted.rods->rods(*adapted.inner);
    Targets targets = adapted.rods->where_it_is(*adapted.inner, blank());
    for (std::size_t r = 0; r < scene_.rods.size(); ++r)
      targets.rod_length[r] = nodes.length_factor[r] * data().rods[r].mesh.length;
    return drawn_->rods(*drawn_->carry_over(*adapted.rods, *adapted.inner, targets));
  }

 private:
  // What no list of a state says.
  [[nodiscard]] Targets blank() const {
    Targets targets;
    targets.holds.resize(scene_.holds.size());
    targets.bodies.resize(scene_.bodies.size());
    targets.force_scale.assign(scene_.forces.size(), 1);
    targets.torque_scale.assign(scene_.torques.size(), 1);
    targets.rod_length.assign(scene_.rods.size(), 1);
    return targets;
  }

  // The scene with these knots.
  [[nodiscard]] std::shared_ptr<const SplineRods> with_knots(const Knots& knots) const {
    if (knots == as_drawn_) return drawn_;
    Scene scene = scene_;
    for (std::size_t r = 0; r < knots.size(); ++r) {
      if (knots[r].empty()) continue;
      scene.rods[r].piece = RodPiece{scene.rods[r].name, 0, 1, knots[r]};
      scene.rods[r].segments = static_cast<int>(knots[r].size()) - 1;
      // the last of a ring is its first
      if (scene.rods[r].closed) scene.rods[r].piece->nodes.pop_back();
    }
    return compile_rods(scene);
  }

  // The knots that the rods of a state ask for.
  [[nodiscard]] Knots wanted(const AdaptedState& state, bool may_coarsen) const {
    Knots knots = state.knots;
    for (std::size_t r = 0; r < knots.size(); ++r) {
      const SplineModel& model = state.rods->splines();
      const std::vector<double> places =
          wanted_knots(model, state.rods->state_of(std::as_const(*state.inner)), static_cast<int>(r),
                       kLocal * scene_.simulation.spline.detail * model.rods[r].knots.length(), may_coarsen);
      const auto now = at(model.rods[r].knots.segments()) + 1;
      if (places.size() > kMostKnots) continue;
      if (places.size() != now || !knots[r].empty()) knots[r] = places;
    }
    return knots;
  }

  // Equilibria until shape and knots agree. If none is found with other knots the last one stays.
  template <class Find>
  SolveReport settle(Workspace& workspace, State& state, const Targets& targets, const Progress& progress,
                     const Find& find) const {
    AdaptedState& adapted = adapted_of(state);
    SolveReport report = find();
    std::unique_ptr<State> first;
    bool agreed = false;
    for (int round = 0; round < kMostRecuts && report.converged && !agreed; ++round) {
      Knots knots = wanted(adapted, round < kCoarsenRecuts);
      agreed = knots == adapted.knots;
      if (agreed) break;
      if (first == nullptr) first = adapted.clone();
      AdaptedState finer(with_knots(knots), knots, nullptr);
      finer.inner = finer.rods->carry_over(*adapted.rods, *adapted.inner, targets);
      SolveReport next = finer.rods->solve(scratch(workspace, finer), *finer.inner, targets, progress);
      next.iterations += report.iterations;
      next.nudged = report.nudged;
      if (!next.converged) {
        report.iterations = next.iterations;
        break;
      }
      adapted.assign(finer);
      report = std::move(next);
    }
    if (first != nullptr && adapted.knots != adapted_of(*first).knots)
      tell(adapted_of(*first), agreed, workspace, adapted, targets);
    return report;
  }

  // After a step: other knots, if they leave the curve where it is. Knots that were put in and taken out again at the same
  // places at once would be as many compiled models.
  void follow_motion(Workspace& workspace, AdaptedState& state, const Targets& targets) const {
    const Knots knots = wanted(state, true);
    if (knots == state.knots) return;
    AdaptedState other(with_knots(knots), knots, nullptr);
    other.inner = other.rods->carry_over(*state.rods, *state.inner, targets);
    const Energy was = sample(workspace, state, targets).energy;
    const Energy is = sample(workspace, other, targets).energy;
    const double gained = is.balance() - was.balance();
    other.since = state.since;
    if (other.since.empty())
      for (const RodSpline& rod : state.rods->splines().rods) other.since.push_back({rod.knots.segments(), 0, 0, 0});
    for (std::size_t r = 0; r < scene_.rods.size(); ++r) {
      if (knots[r] == state.knots[r]) continue;
      const double moved = distance(state, other, static_cast<int>(r));
      if (!(moved <= scene_.simulation.spline.detail * other.rods->splines().rods[r].knots.length())) return;
      other.since[r].moved = std::max(other.since[r].moved, moved);
      other.since[r].elastic += is.elastic - was.elastic;
      other.since[r].all += gained;
    }
    other.rods->state_of(*other.inner).work += gained;
    tell_motion(is.elastic, other);
    state.assign(other);
  }

  // Of rods that have many more segments than were told last, or many fewer.
  void tell_motion(double elastic, AdaptedState& state) const {
    for (std::size_t r = 0; r < scene_.rods.size(); ++r) {
      AdaptedState::Since& since = state.since[r];
      const int segments = state.rods->splines().rods[r].knots.segments();
      if (segments < kWorthTelling * since.segments && since.segments < kWorthTelling * segments) continue;
      std::array<char, 60> all{};
      std::snprintf(all.data(), all.size(), ", all energies by %.2g J", since.all);
      tell_rod(r, since.moved, since.elastic, elastic, all.data(), state);
      since = {segments, 0, 0, 0};
    }
  }

  static double distance(const AdaptedState& a, const AdaptedState& b, int rod) {
    return largest_distance(a.rods->splines(), a.rods->state_of(std::as_const(*a.inner)), b.rods->splines(),
                            b.rods->state_of(std::as_const(*b.inner)), rod);
  }

  // By how much shape and energy changed with the knots.
  void tell(const AdaptedState& before, bool agreed, Workspace& workspace, AdaptedState& state,
            const Targets& targets) const {
    const double was = sample(workspace, before, targets).energy.elastic;
    const double stored = sample(workspace, state, targets).energy.elastic;
    state.told.clear();
    for (std::size_t r = 0; r < scene_.rods.size(); ++r)
      if (state.knots[r] != before.knots[r])
        tell_rod(r, distance(before, state, static_cast<int>(r)), stored - was, stored,
                 agreed ? "" : "; more knots are wanted", state);
  }

  void tell_rod(std::size_t rod, double moved, double gained, double stored, const char* more,
                AdaptedState& state) const {
    std::array<char, 200> text{};
    std::snprintf(text.data(), text.size(),
                  "%d segments; its curve moved by up to %.2g mm, the elastic energy changed by %.2g J to %.4g J%s",
                  state.rods->splines().rods[rod].knots.segments(), 1e3 * moved, gained, stored, more);
    Event& event = state.told.emplace_back();
    event.kind = EventKind::KnotsAdapted;
    event.object = {ObjectKind::Rod, scene_.rods[rod].name};
    event.value = gained;
    event.why = text.data();
  }

  Scene scene_;
  std::shared_ptr<const SplineRods> drawn_;
  Knots as_drawn_;
};

}  // namespace

std::unique_ptr<Model> adaptive_splines(const Scene& scene) {
  return std::make_unique<AdaptiveSplines>(scene);
}

}  // namespace filum::spline
