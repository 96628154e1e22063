#include "sim/assembly/rigid_fit.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::sim {
namespace {

using geometry::Segment;

geometry::Shape moved(const geometry::Shape& shape, const Vec3& by) {
  geometry::Shape out = shape;
  std::visit(
      [&](auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, geometry::HalfSpace>)
          s.point += by;
        else if constexpr (std::is_same_v<S, geometry::Ball>)
          s.centre += by;
        else if constexpr (std::is_same_v<S, geometry::Capsule> || std::is_same_v<S, geometry::Cylinder>)
          s.axis = {s.axis.from + by, s.axis.to + by};
        else
          s.position += by;
      },
      out);
  return out;
}

// Between −1 and 1; a generator of its own, so that every library has the same bits [Steele2014, SplitMix64].
double any(std::uint64_t& seed) {
  std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  z ^= z >> 31U;
  return 2 * (static_cast<double>(z >> 11U) * 0x1.0p-53) - 1;
}

}  // namespace

RigidPart rigid_part(const geometry::Shape& shape) {
  RigidPart part;
  const geometry::Box box = geometry::bounds_of(shape);
  part.middle = 0.5 * (box.low + box.high);
  part.shape = moved(shape, -part.middle);
  part.edges = edges_of(part.shape);
  for (const SolidEdge& edge : part.edges)
    for (const Vec3& end : {edge.line.from, edge.line.to}) part.reach = std::max(part.reach, end.norm() + edge.radius);
  part.look = part.reach;
  return part;
}

Surroundings::Surroundings(std::vector<geometry::Shape> solids) {
  for (geometry::Shape& shape : solids) {
    Solid& solid = solids_.emplace_back();
    solid.shape = std::move(shape);
    solid.bounds = geometry::bounds_of(solid.shape);
    solid.edges = edges_of(solid.shape);
    std::vector<geometry::Box> boxes;
    for (const SolidEdge& edge : solid.edges) {
      geometry::Box box;
      box.add(edge.line.from);
      box.add(edge.line.to);
      boxes.push_back(box.grown(edge.radius));
    }
    solid.tree.build(boxes);
  }
}

geometry::Distance Surroundings::nearest(const Vec3& point, double reach) const {
  geometry::Distance least;
  least.value = geometry::kFarAway;
  for (const Solid& solid : solids_) {
    if (solid.bounds.square_distance(geometry::Box{point, point}) > reach * reach) continue;
    const geometry::Distance here = geometry::distance_from(solid.shape, point, reach);
    if (here.value < least.value) least = here;
  }
  return least;
}

double Surroundings::distance(const Segment& segment, double reach) const {
  geometry::Box box;
  box.add(segment.from);
  box.add(segment.to);
  double least = geometry::kFarAway;
  for (const Solid& solid : solids_) {
    if (solid.bounds.square_distance(box) > reach * reach) continue;
    least = std::min(least, geometry::distance_from(solid.shape, segment, reach).value);
  }
  return least;
}

// One edge against a shape, both seen alike. A segment that goes through a mesh has no depth of its own: its points have.
NearPlace Surroundings::meet(const geometry::Shape& shape, const SolidEdge& edge, double reach, double& overlap) {
  constexpr int kPoints = 9;
  const geometry::SegmentDistance near = geometry::distance_from(shape, edge.line, reach + edge.radius);
  NearPlace out{near.value - edge.radius, edge.line.at(near.share), near.normal};
  if (out.gap > 0) return out;
  for (int k = 0; k < kPoints; ++k) {
    const Vec3 x = edge.line.at(k / (kPoints - 1.0));
    const geometry::Distance here = geometry::distance_from(shape, x);
    overlap += std::max(0.0, edge.radius - here.value) / kPoints;
    if (here.value - edge.radius < out.gap) out = {here.value - edge.radius, x, here.normal};
  }
  // to go through a thin sheet between two points is no less an overlap
  constexpr double kThrough = 1e-6;
  overlap += kThrough * std::max((edge.line.to - edge.line.from).norm(), edge.radius);
  return out;
}

Fit Surroundings::fit(const RigidPart& part, const PartPose& pose, double reach, std::vector<NearPlace>* places) const {
  Fit out;
  const geometry::Box here = geometry::Box{pose.position, pose.position}.grown(part.reach + reach);
  const Quat back = pose.orientation.conjugate();
  const auto put = [&](const Vec3& x) -> Vec3 { return pose.position + pose.orientation * x; };
  const auto seen = [&](const Vec3& x) -> Vec3 { return back * (x - pose.position); };
  const auto note = [&](const NearPlace& place, int solid) {
    if (places != nullptr && place.gap < reach) places->push_back(place);
    if (place.gap < out.clearance) out = {place.gap, out.overlap, solid, place.point};
  };
  for (int k = 0; k < static_cast<int>(solids_.size()); ++k) {
    const Solid& solid = solids_[at(k)];
    if (solid.bounds.square_distance(here) > 0) continue;
    for (const SolidEdge& edge : part.edges)
      note(meet(solid.shape, {{put(edge.line.from), put(edge.line.to)}, edge.radius}, reach, out.overlap), k);
    solid.tree.near(here, 0, [&](int e) {
      const SolidEdge& edge = solid.edges[at(e)];
      NearPlace place = meet(part.shape, {{seen(edge.line.from), seen(edge.line.to)}, edge.radius}, reach, out.overlap);
      place.point = put(place.point);
      place.away = pose.orientation * -place.away;
      note(place, k);
    });
  }
  return out;
}

namespace {

// Along the gradient of the soft minimum of all gaps, by what helps. Whether it did.
bool ascend(const Surroundings& around, const RigidPart& part, const Search& search, Fit& best, PartPose& pose) {
  constexpr int kMost = 12;
  constexpr double kSoft = 0.3;  // τ, of the smallest gap
  std::vector<NearPlace> places;
  bool helped = false;
  double stride = 1;
  for (int round = 0; round < kMost; ++round) {
    places.clear();
    const Fit now = around.fit(part, pose, part.look, &places);
    if (places.empty()) return helped;
    const double tau = std::max(kSoft * std::abs(now.clearance), 1e-4 * part.reach);
    Vec3 shift = Vec3::Zero();
    Vec3 turn = Vec3::Zero();
    double sum = 0;
    for (const NearPlace& place : places) {
      const double weight = std::exp((now.clearance - place.gap) / tau);
      sum += weight;
      shift += weight * place.away;
      turn += weight * (place.point - pose.position).cross(place.away);
    }
    shift = (shift - search.along.dot(shift) * search.along) / sum;
    // angles count as ways at the part's reach
    turn = search.turns ? Vec3(turn / (sum * part.reach)) : Vec3(Vec3::Zero());
    const double slope = std::hypot(shift.norm(), turn.norm());
    if (!(slope > 1e-6)) return helped;
    const double length = std::max(std::abs(now.clearance), 1e-3 * part.reach) / slope;
    bool better = false;
    for (int halving = 0; halving < 6 && !better; ++halving, stride *= better ? 1 : 0.5) {
      const Vec3 by = stride * length * turn / part.reach;
      PartPose next{pose.position + stride * length * shift, pose.orientation};
      if (by.norm() > 0)
        next.orientation = (Quat(Eigen::AngleAxisd(by.norm(), by.normalized())) * pose.orientation).normalized();
      const Fit there = around.fit(part, next, part.look);
      better = there.better_than(best);
      if (better) best = there, pose = next;
    }
    if (!better) return helped;
    helped = true;
    stride = std::min(1.0, 2 * stride);
    if (best.is_free() && best.clearance >= search.enough) return true;
  }
  return helped;
}

}  // namespace

Fit improve(const Surroundings& around, const RigidPart& part, const Search& search, std::uint64_t& seed,
            PartPose& pose) {
  constexpr double kDecades = 2;
  constexpr int kInARow = 50;  // trials between two ascents
  const Vec3 side = search.along.unitOrthogonal();
  const Vec3 up = search.along.cross(side);
  Fit best = around.fit(part, pose, part.look);
  for (int k = 0; k < search.tries; ++k) {
    if (best.is_free() && best.clearance >= search.enough) break;
    if (k % kInARow == 0) ascend(around, part, search, best, pose);
    const double step = search.step * std::pow(10, -0.5 * kDecades * (1 + any(seed)));
    PartPose next = pose;
    // all at once, or one of them alone
    const int which = k % 3;
    if (which != 1 || !search.turns) next.position += step * part.reach * (any(seed) * side + any(seed) * up);
    if (which != 2 && search.turns) {
      const Vec3 turn(any(seed), any(seed), any(seed));
      next.orientation =
          (Quat(Eigen::AngleAxisd(step * turn.norm(), turn.normalized())) * pose.orientation).normalized();
    }
    const Fit there = around.fit(part, next, part.look);
    if (there.better_than(best)) best = there, pose = next;
  }
  return best;
}

}  // namespace filum::sim
