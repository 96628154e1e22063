#include "formulations/discrete/node_statics.hpp"

#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/equilibrium_search.hpp"
#include "formulations/discrete/free_end.hpp"
#include "formulations/discrete/friction_of.hpp"
#include "formulations/discrete/mesh_refinement.hpp"
#include "formulations/discrete/plastic_rods.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace filum::discrete {

namespace {

// Rods of more edges than this may be solved with an eighth of them to begin with, rods of more than that are.
constexpr int kCoarseAbove = 300;
constexpr int kCoarseFirstAbove = 500;
constexpr int kCoarsening = 8;
constexpr int kIterationsBeforeMarch = 25;
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

bool rubs(const ModelData& model) {
  return rods_rub(model) || (!model.stations.empty() && solids_rub(model));
}

constexpr const char* kThrough =
    "something would go through something else on the way from the state before: ask for more states";

SolveReport not_begun(std::string why) {
  SolveReport report;
  report.residual = 1;
  report.why = std::move(why);
  return report;
}

// Without an equilibrium, or at an unstable one that only a leap could have brought it to.
bool lost(const SolveReport& report) {
  return !report.stopped && (!report.converged || (report.leaps > 0 && report.stable == false));
}

}  // namespace

struct NodeStatics::Coarse {
  explicit Coarse(const Scene& scene) : model(compile_with_contact(scene)), statics(model) {}
  ModelData model;
  NodeStatics statics;
};

NodeStatics::NodeStatics(const ModelData& model)
    : model_(model), very_fine_(has_more_segments(*model.scene, kCoarseFirstAbove)) {
  // strands that touch are as thick as ever on a coarse mesh
  if (model.spans.empty() && has_more_segments(*model.scene, kCoarseAbove))
    coarse_ = std::make_unique<Coarse>(coarsened(*model.scene));
}

NodeStatics::~NodeStatics() = default;

NodeStatics::Work::Work(const ModelData& model) : system(model) {
  if (rubs(model)) rubbing.emplace(model, RodSystem::Symmetry::None);
}

std::unique_ptr<NodeStatics::Work> NodeStatics::work() const {
  auto made = std::make_unique<Work>(model_);
  if (coarse_ != nullptr) made->coarse = coarse_->statics.work();
  return made;
}

SolveReport NodeStatics::solve(Work& work, RodState& rods, Drawn& drawn, const Targets& targets,
                               const Progress& progress) const {
  bring_to_rest(rods);
  const std::vector<Vec3> start = rods.position;
  apply_targets(model_, targets, rods);
  std::string why = unopposed_force(model_, work.system.components(), targets);
  // an obstacle or another rod may hold what no hold does
  if (!why.empty() && model_.solids.empty() && model_.spans.empty()) {
    SolveReport report = not_begun(std::move(why));
    report.hopeless = true;
    return report;
  }
  // holds that were moved carry what hangs on them along, before anything looks where that leads
  if (targets.increment && work.system.rod_contact().leads_through(start, rods.position)) return not_begun(kThrough);
  const bool fresh = std::exchange(drawn.fresh, false);
  if (fresh) drawn.pushed = push_out(model_, targets, rods);
  const RodState first = rods;
  const bool can_coarsen = fresh && coarse_ != nullptr;
  // what can be marched is not searched for long
  const bool marched = fresh && is_marched_from_free_end(model_);
  int left = marched ? kIterationsBeforeMarch : std::numeric_limits<int>::max();
  bool given_up = false;
  const Progress watched = [&](double share, const char* what) {
    if (stops(progress, share, what)) return false;
    given_up = left-- <= 0;
    return !given_up;
  };
  const Search search{work, targets, start, watched};
  // a very fine rod begins coarse, another only if it would be lost otherwise
  int iterations = 0;
  const bool began_coarse = can_coarsen && very_fine_ && begin_coarse(search, rods, iterations);
  SolveReport report = attempt(search, rods);
  iterations += report.iterations;
  if (given_up) {
    report.stopped = report.converged = false;
    report.why = "Newton did not settle";
  }
  left = std::numeric_limits<int>::max();
  if (!why.empty() && !report.converged && flew_off(rods, start)) {
    report.hopeless = true;
    report.stopped = false;
    report.why = why + (model_.spans.empty() ? "; nor does an obstacle catch it" : "; nor does anything catch it");
    return report;
  }
  // another beginning, kept if it is better
  const auto take = [&](RodState& other, const SolveReport& second, bool better) {
    iterations += second.iterations;
    if (!better) return;
    rods = std::move(other);
    report = second;
  };
  if (lost(report) && can_coarsen) {
    RodState other = first;
    if (began_coarse || begin_coarse(search, other, iterations)) {
      const SolveReport second = attempt(search, other);
      take(other, second, !lost(second) || !report.converged);
    }
  }
  if (lost(report) && marched) {
    RodState other = first;
    if (march_from_free_end(model_, targets, other)) {
      SolveReport second = attempt(search, other);
      second.begun_from = kMarched;
      take(other, second, second.converged);
    }
  }
  // with friction there is no downhill
  if (lost(report) && model_.conservative && !(targets.increment && work.system_for(targets).rubbing(rods))) {
    RodState other = first;
    const SolveReport second = go_down(search, other);
    take(other, second, second.converged || !report.converged);
  }
  report.iterations = iterations;
  remember(search, rods, report);
  return report;
}

SolveReport NodeStatics::nudge(Work& work, RodState& rods, const Targets& targets, const Progress& progress) const {
  const std::vector<Vec3> start = rods.position;
  const Search search{work, targets, start, progress};
  leave_along_softest(begin(search, rods), rods, targets);
  SolveReport report = go_down(search, rods);
  report.nudged = true;
  remember(search, rods, report);
  return report;
}

// The system to search with, its contacts as `rods` has them.
RodSystem& NodeStatics::begin(const Search& search, RodState& rods) {
  RodSystem& system = search.work.system_for(search.targets);
  system.begin_contact(rods, search.targets, search.start);
  return system;
}

// By the inertia of the symmetric system's tangent, where nothing rubs.
void NodeStatics::judge(const Search& search, RodState& rods, SolveReport& report) const {
  RodSystem& symmetric = search.work.system;
  if (!search.work.system_for(search.targets).rubbing(rods)) {
    symmetric.begin_contact(rods, search.targets, search.start);
    const bool as_searched = model_.stations.empty() && model_.spans.empty() && model_.plasticity.empty();
    return judge_stability(symmetric, rods, search.targets, model_.conservative, report, as_searched);
  }
  report.stable.reset();
  if (report.converged) report.why = "friction holds it: what is in balance depends on the path, and has no energy";
}

SolveReport NodeStatics::attempt(const Search& search, RodState& rods) const {
  SolveReport report = newton(begin(search, rods), rods, search.targets, Branch::Keep, search.progress);
  judge(search, rods, report);
  return report;
}

// To a stable equilibrium if there is one: by Newton that leaves unstable branches, or step by step downhill.
SolveReport NodeStatics::go_down(const Search& search, RodState& rods) const {
  const RodState before = rods;
  SolveReport report = newton(begin(search, rods), rods, search.targets, Branch::Leave, search.progress);
  judge(search, rods, report);
  if (report.stopped || (report.converged && report.stable == true)) return report;
  if (search.work.system_for(search.targets).rubbing(rods)) return report;
  rods = before;
  SolveReport second = descend(begin(search, rods), rods, search.targets, search.progress);
  second.iterations += report.iterations;
  judge(search, rods, second);
  return second;
}

// Puts a fresh state where the coarse model has its equilibrium, if it has one. Adds its iterations.
bool NodeStatics::begin_coarse(const Search& search, RodState& rods, int& iterations) const {
  RodState coarse = start_state(coarse_->model, search.targets);
  Drawn drawn;
  const SolveReport report =
      coarse_->statics.solve(*search.work.coarse, coarse, drawn, search.targets, search.progress);
  iterations += report.iterations;
  if (report.converged) refine(coarse_->model, coarse, model_, rods);
  return report.converged;
}

// What stays of an equilibrium: what contacts remember, what has yielded. Whether it is stable was judged before, with
// the stiffness of loading. One that lies beyond an obstacle as seen from the state before is none.
void NodeStatics::remember(const Search& search, RodState& rods, SolveReport& report) const {
  RodSystem& system = begin(search, rods);
  if (!report.converged) return;
  if (ObstacleContact& contact = system.contact();
      contact.acts() && search.targets.increment && contact.look_back(rods) == Way::Through) {
    report.converged = false;
    report.stable.reset();
    report.why = kThrough;
    return;
  }
  system.end_contact(rods);
  keep_anchors(model_, nullptr, rods);
  if (model_.plasticity.empty()) return;
  RodSystem& symmetric = search.work.system;
  const Balance balance = symmetric.evaluate(rods, search.targets, RodSystem::Want::Residual);
  if (keep_unless_jumped(model_, symmetric.internals(balance).strain, rods)) return;
  report.converged = false;
  report.why = kJumped;
}

// Falls for ever: many times its own length, and touches nothing.
bool NodeStatics::flew_off(const RodState& rods, const std::vector<Vec3>& start) const {
  constexpr double kLengths = 20;
  if (!rods.rod_touch.list.empty() ||
      std::any_of(rods.contact_touch.begin(), rods.contact_touch.end(), [](int touch) { return touch != 0; }))
    return false;
  double farthest = 0;
  for (std::size_t i = 0; i < start.size(); ++i) farthest = std::max(farthest, (rods.position[i] - start[i]).norm());
  return farthest > kLengths * model_.size;
}

Balance evaluate_as_it_is(RodSystem& system, RodState& rods, const Targets& targets) {
  system.track_sliders(rods);
  if (rods.moving) {
    system.contact().leave();
    system.rod_contact().leave();
    system.body_contact().leave();
  } else {
    system.begin_contact_as_it_is(rods, targets);
  }
  return system.evaluate(rods, targets, RodSystem::Want::Residual);
}

std::vector<scene::Problem> node_statics_refusals(const Scene& scene, const std::string& what) {
  std::vector<scene::Problem> refusals;
  for (const Rod& rod : scene.rods)
    if (rod.segments > kMostSegments && scene.simulation.mode == Mode::Statics)
      refusals.push_back({{"rods", rod.name, "segments"},
                          "rod '" + rod.name + "' has " + std::to_string(rod.segments) + " segments: " + what +
                              " takes at most " + std::to_string(kMostSegments) +
                              ", because its matrix loses digits as the fourth power of them"});
  return refusals;
}

}  // namespace filum::discrete
