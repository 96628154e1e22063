#include "channel/planar_tube.hpp"

#include "math/frame.hpp"

#include <cmath>

namespace filum::channel {
namespace {

constexpr int kLooks = 64;        // along the centreline
constexpr double kFlat = 1e-9;    // of a tangent out of the plane
constexpr double kTurned = 1e-6;  // of a tangent from the first: less is a straight line

// A plane in space, with its origin at the start of the centreline and x along it there.
struct Flat {
  Vec3 origin, x, y;
  [[nodiscard]] Vec3 to(const Vec3& point) const { return {x.dot(point - origin), y.dot(point - origin), 0}; }
  [[nodiscard]] Vec3 back(const Vec2& point) const { return origin + point[0] * x + point[1] * y; }
};

// The plane of the centreline; of a straight one that which the force lies in.
std::optional<Flat> plane_of(const TubeProblem& problem) {
  const CurvePath path(problem.centreline);
  const CurveSample start = path.at(0);
  Vec3 normal = Vec3::Zero();
  std::vector<Vec3> tangents;
  for (int i = 0; i <= kLooks; ++i) {
    tangents.push_back(path.at(path.length() * i / kLooks).tangent);
    const Vec3 across = start.tangent.cross(tangents.back());
    if (across.norm() > normal.norm()) normal = across;
  }
  if (normal.norm() < kTurned) normal = start.tangent.cross(problem.force);
  if (normal.norm() < kTurned * problem.force.norm() || normal.isZero(0))
    normal = math::any_perpendicular(start.tangent);
  normal.normalize();
  for (const Vec3& tangent : tangents)
    if (std::abs(normal.dot(tangent)) > kFlat) return {};
  // arcs keep the sense in which they turn
  if (problem.centreline.kind == CurveKind::Arc && normal.dot(problem.centreline.axis) < 0) normal = -normal;
  return Flat{start.position, start.tangent, normal.cross(start.tangent)};
}

}  // namespace

std::optional<TubeOutcome> planar_shape(const TubeProblem& problem, const ChannelOptions& options) {
  if (problem.centreline.kind == CurveKind::Helix) return {};
  const std::optional<Flat> flat = plane_of(problem);
  if (!flat) return {};
  ChannelProblem planar;
  planar.channel.centreline = problem.centreline;
  for (Vec3& point : planar.channel.centreline.points) point = flat->to(point);
  planar.channel.centreline.centre = flat->to(problem.centreline.centre);
  planar.channel.centreline.start = flat->to(problem.centreline.start);
  planar.channel.centreline.axis = Vec3::UnitZ();
  planar.channel.left = planar.channel.right = {{0, problem.radius}};
  planar.beam = {problem.length, problem.EI, {}};
  planar.loads = {{Vec2(flat->x.dot(problem.force), flat->y.dot(problem.force)), {}}};
  planar.search.links = problem.links;
  planar.search.k = 1;
  if (check_channel(planar)) return {};
  const ChannelOutcome found = solve_channel(planar, {options.parallel, {}});
  if (!found.converged) return {};
  const ChannelState& state = found.shapes.front();
  TubeOutcome outcome;
  outcome.found = outcome.planar = true;
  outcome.energy = state.energy;
  outcome.dimensionless = state.dimensionless;
  outcome.breach = state.breach;
  for (const Vec2& point : state.positions) outcome.positions.push_back(flat->back(point));
  return outcome;
}

}  // namespace filum::channel
