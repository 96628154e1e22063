#include "channel/planar_tube.hpp"

#include "math/frame.hpp"

#include <cmath>
#include <optional>

namespace filum::channel {
namespace {

constexpr int kLooks = 64;        // along the centreline
constexpr double kFlat = 1e-9;    // of a tangent out of the plane
constexpr double kTurned = 1e-6;  // of a tangent from the first: less is a straight line

// A plane in space, with its origin at the start of the centreline and x along it there.
struct Flat {
  Vec3 origin, x, y;
  [[nodiscard]] Vec3 to(const Vec3& point) const { return {x.dot(point - origin), y.dot(point - origin), 0}; }
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
  const Vec3& force = problem.loads.front().force;
  if (normal.norm() < kTurned) normal = start.tangent.cross(force);
  if (normal.norm() < kTurned * force.norm() || normal.isZero(0)) normal = math::any_perpendicular(start.tangent);
  normal.normalize();
  for (const Vec3& tangent : tangents)
    if (std::abs(normal.dot(tangent)) > kFlat) return {};
  // arcs keep the sense in which they turn
  if (problem.centreline.kind == CurveKind::Arc && normal.dot(problem.centreline.axis) < 0) normal = -normal;
  return Flat{start.position, start.tangent, normal.cross(start.tangent)};
}

}  // namespace

std::vector<std::vector<Vec3>> planar_shapes(const TubeProblem& problem, const ChannelOptions& options) {
  if (problem.centreline.kind == CurveKind::Helix || !problem.section.empty()) return {};
  const std::optional<Flat> flat = plane_of(problem);
  if (!flat) return {};
  ChannelProblem planar;
  planar.channel.centreline = problem.centreline;
  for (Vec3& point : planar.channel.centreline.points) point = flat->to(point);
  planar.channel.centreline.centre = flat->to(problem.centreline.centre);
  planar.channel.centreline.start = flat->to(problem.centreline.start);
  planar.channel.centreline.axis = Vec3::UnitZ();
  planar.channel.left = planar.channel.right = problem.radius;
  planar.channel.stiffness = problem.stiffness;
  planar.beam = {problem.length, problem.EI, {}};
  const TubeLoad& load = problem.loads.front();
  planar.loads = {{Vec2(flat->x.dot(load.force), flat->y.dot(load.force)), load.push, {}, 0}};
  planar.tip = problem.tip;
  planar.search.links = problem.links;
  planar.search.k = problem.k;
  if (check_channel(planar)) return {};
  std::vector<std::vector<Vec3>> shapes;
  for (const ChannelState& state : solve_channel(planar, {options.parallel, {}}).shapes) {
    if (!state.converged) continue;
    std::vector<Vec3> tangents;
    for (const double angle : state.angles) tangents.emplace_back(std::cos(angle) * flat->x + std::sin(angle) * flat->y);
    shapes.push_back(std::move(tangents));
  }
  return shapes;
}

}  // namespace filum::channel
