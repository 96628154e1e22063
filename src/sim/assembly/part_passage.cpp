#include "sim/assembly/part_passage.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {
namespace {

// The path with frames that are carried along it without twist.
class PathFrames {
 public:
  explicit PathFrames(std::span<const Vec3> points) : points_(points.begin(), points.end()) {
    way_.push_back(0);
    for (std::size_t k = 0; k + 1 < points_.size(); ++k) {
      const Vec3 leg = points_[k + 1] - points_[k];
      way_.push_back(way_.back() + leg.norm());
      const Vec3 tangent = leg.normalized();
      turn_.push_back(k == 0 ? Quat::Identity()
                             : (Quat::FromTwoVectors(tangent_.back(), tangent) * turn_.back()).normalized());
      tangent_.push_back(tangent);
    }
  }
  [[nodiscard]] double length() const { return way_.back(); }
  [[nodiscard]] std::size_t leg(double way) const {
    std::size_t k = 0;
    while (k + 1 < tangent_.size() && way_[k + 1] < way) ++k;
    return k;
  }
  [[nodiscard]] Vec3 point(double way) const {
    const std::size_t k = leg(way);
    return points_[k] + (way - way_[k]) * tangent_[k];
  }
  [[nodiscard]] const Vec3& tangent(double way) const { return tangent_[leg(way)]; }
  // From the path's start to there.
  [[nodiscard]] const Quat& turn(double way) const { return turn_[leg(way)]; }

 private:
  std::vector<Vec3> points_;
  std::vector<double> way_;
  std::vector<Vec3> tangent_;
  std::vector<Quat> turn_;
};

// A part's farthest point moves by no more than this from one pose to another.
double displacement(const RigidPart& part, const PartPose& from, const PartPose& to) {
  return (to.position - from.position).norm() +
         2 * part.reach * std::sin(0.5 * std::min(from.orientation.angularDistance(to.orientation), M_PI));
}

// Turned so it is the same part.
bool is_same(const RigidPart& part, const Quat& turn) {
  const double same = 1e-6 * part.reach;
  const auto lies_on_one = [&](const SolidEdge& edge) {
    const Vec3 middle = turn * edge.line.at(0.5);
    const double length = (edge.line.to - edge.line.from).norm();
    return std::any_of(part.edges.begin(), part.edges.end(), [&](const SolidEdge& other) {
      return (other.line.at(0.5) - middle).norm() < same && std::abs(other.radius - edge.radius) < same &&
             std::abs((other.line.to - other.line.from).norm() - length) < same;
    });
  };
  constexpr std::size_t kMost = 500;  // of a mesh: not worth it
  return part.edges.size() < kMost && std::all_of(part.edges.begin(), part.edges.end(), lies_on_one);
}

// Orientations to begin with: the one it has; and every way to lay one of its axes along the path and another across it.
std::vector<Quat> beginnings(const RigidPart& part, const PassageOptions& options, const Vec3& tangent) {
  std::vector<Quat> list{options.orientation};
  if (!options.turns) return list;
  const auto add = [&](const Quat& orientation) {
    if (std::none_of(list.begin(), list.end(),
                     [&](const Quat& other) { return is_same(part, other.conjugate() * orientation); }))
      list.push_back(orientation);
  };
  const Quat lies = Quat::FromTwoVectors(Vec3::UnitZ(), tangent);
  const auto about = [](double angle, const Vec3& axis) { return Quat(Eigen::AngleAxisd(angle, axis)); };
  for (const double roll : {0.0, M_PI / 2, M_PI, -M_PI / 2})
    for (const double tip : {0.0, M_PI / 2, M_PI, -M_PI / 2}) {
      add(lies * about(roll, Vec3::UnitZ()) * about(tip, Vec3::UnitX()));
      if (tip == M_PI / 2 || tip == -M_PI / 2) add(lies * about(roll, Vec3::UnitZ()) * about(tip, Vec3::UnitY()));
    }
  return list;
}

class Walker {
 public:
  Walker(const Surroundings& around, const RigidPart& part, const PathFrames& path, const PassageOptions& options)
      : around_(around), part_(part), path_(path), options_(options) {}

  Passage walk(const Quat& orientation) {
    Passage out;
    out.clearance = geometry::kFarAway;
    seed_ = 1;
    looked_ = -geometry::kFarAway;
    PartPose pose{path_.point(0), orientation};
    Fit fit = around_.fit(part_, pose, part_.look);
    if (!free(fit)) fit = improve(around_, part_, search(0, kFull), seed_, pose);
    if (!free(fit)) return stuck(out, 0, fit);
    note(out, 0, pose, fit);
    // what is left when it is shorter than the shortest stride is no way any more
    const double end = path_.length() - kLeast * kFinest * part_.reach;
    for (double way = 0; way < end;) {
      if (stops(options_.progress, way / path_.length(), "a part on its way")) {
        out.stopped = true;
        return out;
      }
      double stride =
          std::min({kStride * part_.reach, path_.length() - way, std::max(fit.clearance, kLeast * part_.reach)});
      Fit blocked;
      bool went = false;
      for (; !went && stride > kLeast * part_.reach * kFinest; stride *= 0.5) {
        PartPose next = advanced(pose, way, way + stride);
        Fit there = settle(way + stride, fit, next);
        if (!free(there)) {
          blocked = there;
          continue;
        }
        if (!clear_between(pose, fit, next, there)) continue;
        way += stride, pose = next, fit = there, went = true;
        note(out, way, pose, fit);
      }
      if (!went) return stuck(out, way, blocked.is_free() ? fit : blocked);
    }
    out.passes = true;
    return out;
  }

 private:
  static constexpr double kStride = 0.05;  // of the reach, at most
  static constexpr double kLeast = 2e-3;   // of the reach: the stride where it is tight
  static constexpr double kFinest = 0.2;   // of that, the last tried
  static constexpr double kTight = 0.1;    // of the reach: a clearance from which on it looks ahead,
  static constexpr double kAhead = 0.5;    // so far,
  static constexpr double kAgain = 0.05;   // and again after so much more
  static constexpr int kFull = 300;        // tries where it is blocked
  static constexpr int kTouch = 6;         // and where it has become tighter

  [[nodiscard]] bool free(const Fit& fit) const { return fit.is_free() && fit.clearance > options_.clearance; }

  [[nodiscard]] Search search(double way, int tries) const {
    Search s;
    s.along = path_.tangent(way);
    s.turns = options_.turns;
    s.tries = tries;
    return s;
  }

  // As it is, further along the path.
  [[nodiscard]] PartPose advanced(const PartPose& pose, double from, double to) const {
    const Quat turn = path_.turn(to) * path_.turn(from).conjugate();
    return {path_.point(to) + turn * (pose.position - path_.point(from)), (turn * pose.orientation).normalized()};
  }

  // Into a better place, if it has become tight.
  Fit settle(double way, const Fit& before, PartPose& pose) {
    Fit fit = around_.fit(part_, pose, part_.look);
    const bool again = way > looked_ + kAgain * part_.reach;
    if (!free(fit) || (fit.clearance < kTight * part_.reach && again)) {
      looked_ = way;
      look_ahead(way, before, fit, pose);
    }
    if (free(fit) && !(fit.clearance < std::min(0.98 * before.clearance, 2 * kTight * part_.reach))) return fit;
    Search s = search(way, free(fit) ? kTouch : kFull);
    if (free(fit)) s.step = std::min(0.02, 0.5 * fit.clearance / part_.reach + 1e-3);
    if (!free(fit)) s.enough = std::max(before.clearance, options_.clearance);
    return improve(around_, part_, s, seed_, pose);
  }

  // Half a part further on, where it is in the opening, how deep its edges lie in the other says which way is out; here,
  // before the opening, nothing does. If it would be blocked there it takes on here what is better there.
  void look_ahead(double way, const Fit& before, Fit& fit, PartPose& pose) {
    const double ahead = std::min(way + kAhead * part_.reach, path_.length());
    PartPose there = advanced(pose, way, ahead);
    if (free(around_.fit(part_, there, part_.look))) return;
    Search s = search(ahead, kFull);
    s.enough = std::max(std::min(before.clearance, 0.01 * part_.reach), options_.clearance);
    improve(around_, part_, s, seed_, there);
    const PartPose here = advanced(there, ahead, way);
    const Fit found = around_.fit(part_, here, part_.look);
    if (free(found) || found.better_than(fit)) fit = found, pose = here;
  }

  // Nothing is touched between two poses: their clearances together are more than any point moves by, or halves are so.
  bool clear_between(const PartPose& from, const Fit& at_from, const PartPose& to, const Fit& at_to,
                     int depth = 0) const {
    constexpr int kMostHalvings = 7;
    if (displacement(part_, from, to) < at_from.clearance + at_to.clearance - 2 * options_.clearance) return true;
    if (depth == kMostHalvings) return false;
    const PartPose middle{0.5 * (from.position + to.position), from.orientation.slerp(0.5, to.orientation)};
    const Fit there = around_.fit(part_, middle, part_.look);
    return free(there) && clear_between(from, at_from, middle, there, depth + 1) &&
           clear_between(middle, there, to, at_to, depth + 1);
  }

  void note(Passage& out, double way, const PartPose& pose, const Fit& fit) const {
    out.poses.push_back({way, pose, fit.clearance});
    if (!(fit.clearance < out.clearance)) return;
    out.clearance = fit.clearance;
    out.way = way;
    out.place = fit.place;
    out.solid = fit.solid;
  }

  Passage& stuck(Passage& out, double way, const Fit& fit) const {
    out.way = way;
    out.clearance = fit.clearance;
    out.place = fit.place;
    out.solid = fit.solid;
    return out;
  }

  const Surroundings& around_;
  const RigidPart& part_;
  const PathFrames& path_;
  const PassageOptions& options_;
  std::uint64_t seed_ = 1;
  double looked_ = 0;  // where it last looked ahead
};

}  // namespace

Passage pass_through(const Surroundings& around, const RigidPart& part, std::span<const Vec3> path,
                     const PassageOptions& options) {
  const PathFrames frames(path);
  Walker walker(around, part, frames, options);
  Passage best;
  best.way = -1;
  for (const Quat& orientation : beginnings(part, options, frames.tangent(0))) {
    Passage tried = walker.walk(orientation);
    if (tried.passes || tried.stopped) return tried;
    if (tried.way > best.way) best = std::move(tried);
  }
  return best;
}

}  // namespace filum::sim
