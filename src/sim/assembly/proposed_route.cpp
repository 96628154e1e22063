#include "sim/assembly/proposed_route.hpp"

#include "base/index.hpp"
#include "scene/text.hpp"
#include "sim/assembly/placed_solids.hpp"
#include "sim/assembly/route_search.hpp"
#include "sim/assembly/thickest.hpp"
#include "sim/clearance.hpp"
#include "sim/drivers.hpp"

#include <filum/solve.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace filum::sim {
namespace {

constexpr int kMostClips = 8;
constexpr double kMore = 0.02;      // of the length, at a time
constexpr int kMostLonger = 5;      // times
constexpr double kTouching = 1e-9;  // of the radius: an end that lies on a part is not in it by round-off

// The holds at its two ends.
struct EndHolds {
  int start = -1;
  int end = -1;
};

Result<EndHolds> ends_of(const Scene& scene, const Rod& rod) {
  EndHolds ends;
  const std::string which = "rod '" + rod.name + "'";
  if (rod.closed) return bad_input(which + " is closed: it has no ends");
  for (int h = 0; h < static_cast<int>(scene.holds.size()); ++h) {
    const Hold& hold = scene.holds[at(h)];
    if (hold.rod != rod.name) continue;
    const bool first = hold.at == ArcPosition{0, 0};
    const bool last = hold.at == ArcPosition{1, 0};
    if (!first && !last)
      return bad_input("hold '" + hold.name + "' grips " + which +
                       " between its ends: a route is proposed from end to end");
    if (fixes_all(hold.fix.position)) (first ? ends.start : ends.end) = h;
  }
  for (const auto& [index, name] : {std::pair{ends.start, "start"}, std::pair{ends.end, "end"}})
    if (index < 0) return bad_input(which + " needs a hold at its " + name + " that fixes the position");
  return ends;
}

// What stands in the way: all solids but the bodies that hold the ends.
struct Parts {
  std::vector<geometry::Shape> shapes;
  std::vector<ObjectRef> names;
  geometry::Box bounds;
};
Parts parts_of(const Scene& scene, const EndHolds& ends) {
  Parts parts;
  const std::string& first = scene.holds[at(ends.start)].body;
  const std::string& last = scene.holds[at(ends.end)].body;
  for (PlacedSolid& solid : placed_solids(scene)) {
    if (!solid.body.empty() && (solid.body == first || solid.body == last)) continue;
    const geometry::Box box = geometry::bounds_of(solid.shape);
    if (box.low.allFinite() && box.high.allFinite()) parts.bounds.add(box);
    parts.shapes.push_back(std::move(solid.shape));
    parts.names.push_back(std::move(solid.ref));
  }
  return parts;
}

// As far straight on as there is room, up to what its bending asks for.
Result<double> lead_of(const Surroundings& around, const RouteTask& task, double wanted, const std::string& name) {
  const double least = 2 * task.radius;
  for (double lead = wanted; lead >= least; lead *= 0.7) {
    bool clear = true;
    for (const RouteEnd* end : {&task.start, &task.end}) {
      const Vec3 out = end->position + lead * end->outwards;
      clear = clear && around.nearest(out, task.keep).value >= task.keep &&
              around.distance(geometry::Segment{end->position, out}, task.radius) >= task.radius;
    }
    if (clear) return lead;
  }
  return bad_input("rod '" + name + "' has no room to leave its ends with this clearance");
}

Curve through(const std::vector<Vec3>& points) {
  Curve curve;
  curve.kind = CurveKind::Points;
  curve.points = points;
  return curve;
}

class Proposer {
 public:
  Proposer(const Scene& scene, const RouteRequest& request, std::size_t rod, double allowed,
           const std::vector<Vec3>& way)
      : request_(request), rod_(rod), way_(through(way)), path_(way_) {
    out_.scene = scene;
    out_.allowed = allowed;
  }

  Result<ProposedRoute> run(const EndHolds& ends, const Targets& targets) {
    lay(ends, targets);
    if (auto done = settle(); !done) return done.error();
    int longer = 0;
    while (true) {
      if (needs_clip()) {
        if (!add_clip()) break;
      } else if (out_.bend_radius < out_.allowed && !request_.extra && longer++ < kMostLonger) {
        out_.scene.rods[rod_].length = out_.length * (1 + kMore);
      } else {
        break;
      }
      if (auto done = settle(); !done) return done.error();
    }
    return out_;
  }

 private:
  void lay(const EndHolds& ends, const Targets& targets) {
    Rod& rod = out_.scene.rods[rod_];
    rod.shape = way_;
    rod.length = path_.length() * (1 + request_.extra.value_or(0));
    for (const int h : {ends.start, ends.end}) {
      Hold& hold = out_.scene.holds[at(h)];
      hold.position = targets.holds[at(h)].position;
      if (hold.holds_orientation()) hold.orientation = targets.holds[at(h)].orientation;
    }
  }

  Status settle() {
    SolveOptions options;
    options.progress = request_.progress;
    Result<Outcome> outcome = solve(out_.scene, options);
    if (!outcome) return outcome.error();
    if (!outcome->solve.converged)
      return Error{ErrorCode::NoSolution,
                   "the way was found, but no equilibrium of the cable along it: " + outcome->solve.why,
                   {},
                   0,
                   0};
    out_.outcome = std::move(*outcome);
    const Pose& pose = out_.outcome.states.back().pose;
    out_.length = *out_.scene.rods[rod_].length;
    out_.bend_radius = pose.rods[rod_].min_bend_radius.value;
    std::vector<double> reach(out_.scene.rods.size(), 0);
    reach[rod_] = std::max(2 * request_.clearance, 0.5 * path_.length());
    nearest_ = clearances(out_.scene, pose, reach)[rod_];
    // where it touches it has none
    for (const ContactPose& contact : pose.contacts)
      if (contact.a.rod == static_cast<int>(rod_) && contact.gap < nearest_.value) {
        nearest_.value = std::min(0.0, contact.gap);
        nearest_.s = contact.a.s;
      }
    out_.clearance = nearest_.value;
    out_.nearest = nearest_.other;
    return Done{};
  }

  [[nodiscard]] bool needs_clip() const { return !out_.keeps_clear(request_) && out_.clips < kMostClips; }

  // On the way that was found, where the cable comes nearest to something. False: there is one already.
  bool add_clip() {
    const double share = nearest_.s / out_.length;
    const double apart = 0.04;
    for (const Hold& hold : out_.scene.holds)
      if (hold.rod == out_.scene.rods[rod_].name && std::abs(hold.at.at(1) - share) < apart) return false;
    Hold clip;
    clip.name = out_.scene.rods[rod_].name + " clip " + std::to_string(++out_.clips);
    clip.rod = out_.scene.rods[rod_].name;
    clip.at = {share, 0};
    clip.fix.position = kAllAxes;
    clip.position = path_.at(share * path_.length()).position;
    out_.scene.holds.push_back(clip);
    return true;
  }

  const RouteRequest& request_;
  std::size_t rod_;
  Curve way_;
  CurvePath path_;
  Clearance nearest_;
  ProposedRoute out_;
};

}  // namespace

Result<ProposedRoute> propose_route(const Scene& scene, const RouteRequest& request) {
  if (request.rod.empty() && scene.rods.size() != 1)
    return bad_input("the scene has " + std::to_string(scene.rods.size()) + " rods: say which is to be laid");
  const int index = request.rod.empty() ? 0 : index_of(scene.rods, request.rod);
  if (index < 0) return bad_input("there is no rod '" + request.rod + "'");
  const Rod& rod = scene.rods[at(index)];
  const Result<EndHolds> ends = ends_of(scene, rod);
  if (!ends) return ends.error();
  Parts parts = parts_of(scene, *ends);
  const Targets targets = resting_targets(scene);
  const double radius = thickest(scene, rod).radius;
  const double allowed = rod.limits.min_bend_radius ? rod.limits.min_bend_radius->centre_radius(radius, false) : 0;

  RouteTask task;
  task.radius = radius;
  task.keep = radius + request.clearance;
  task.progress = request.progress;
  for (const auto& [hold, end, sign] : {std::tuple{ends->start, &task.start, 1.0}, {ends->end, &task.end, -1.0}}) {
    const HoldTarget& target = targets.holds[at(hold)];
    end->position = target.position;
    if (scene.holds[at(hold)].holds_orientation()) end->outwards = sign * (target.orientation * Vec3::UnitZ());
    parts.bounds.add(target.position);
    for (std::size_t k = 0; k < parts.shapes.size(); ++k)
      if (geometry::distance_from(parts.shapes[k], target.position).value < radius * (1 - kTouching))
        return bad_input("the end of rod '" + rod.name + "' at hold '" + scene.holds[at(hold)].name + "' lies in '" +
                         parts.names[k].name + "'");
  }
  const double size = (parts.bounds.high - parts.bounds.low).norm();
  task.bounds = parts.bounds.grown(request.room * size + 4 * task.keep);
  const Surroundings around(parts.shapes);
  const Result<double> lead = lead_of(around, task, std::max(allowed, 6 * radius), rod.name);
  if (!lead) return lead.error();
  task.lead = *lead;

  const FoundRoute found = find_route(around, task);
  if (found.stopped) return Error{ErrorCode::NoSolution, kStopped, {}, 0, 0};
  if (found.points.empty())
    return Error{
        ErrorCode::NoSolution,
        "there is no way for rod '" + rod.name + "' with a clearance of " + scene::text(request.clearance) + " m" +
            (found.complete ? ", within the bounds, on a grid of " : "; not all was looked at, on a grid of ") +
            scene::text(found.grid) + " m",
        {},
        0,
        0};
  Result<ProposedRoute> proposed = Proposer(scene, request, at(index), allowed, found.points).run(*ends, targets);
  if (proposed) proposed->grid = found.grid;
  return proposed;
}

}  // namespace filum::sim
