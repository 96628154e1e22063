// What can be wrong with a problem before anything is computed.
#include "base/index.hpp"
#include "channel/lattice_size.hpp"

#include <cmath>
#include <cstdio>

namespace filum {
namespace channel {
namespace {

constexpr double kMostBytes = 4e9;
constexpr int kMostLinksAllowed = 1000;
constexpr int kMostLevels = 2001;
constexpr double kSharpestCorner = 2.0;  // rad

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

using Fault = std::optional<ChannelFault>;

Fault check_width(const std::vector<Vec2>& points, const std::string& path) {
  if (points.empty()) return ChannelFault{path, "expected at least one point [arc length, distance]"};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string item = path + "[" + std::to_string(i) + "]";
    if (!points[i].allFinite()) return ChannelFault{item, "expected finite numbers"};
    if (points[i][1] < 0)
      return ChannelFault{item, "a wall cannot be at a negative distance (" + number(points[i][1]) + " m)"};
    if (i > 0 && points[i][0] <= points[i - 1][0])
      return ChannelFault{item,
                          "arc lengths must rise: " + number(points[i][0]) + " after " + number(points[i - 1][0])};
  }
  return {};
}

Fault check_curve(const Curve& curve) {
  const std::string path = "channel.centreline";
  if (curve.kind == CurveKind::Helix) return ChannelFault{path, "a channel is planar: a helix is not"};
  const auto in_plane = [](const Vec3& point) { return point.allFinite() && point[2] == 0; };
  for (const Vec3& point : curve.points)
    if (!in_plane(point)) return ChannelFault{path, "expected finite points in the plane"};
  if (curve.kind == CurveKind::Arc && !(in_plane(curve.start) && in_plane(curve.centre) && std::isfinite(curve.angle)))
    return ChannelFault{path, "expected finite numbers"};
  if (!(curve_length(curve) > 0)) return ChannelFault{path, "the centreline has no length"};
  return {};
}

Fault check_beam(const ChannelBeam& beam, double channel_length) {
  if (!(beam.length > 0) || !std::isfinite(beam.length))
    return ChannelFault{"beam.length", "expected a length above zero, found " + number(beam.length) + " m"};
  if (!(beam.EI > 0) || !std::isfinite(beam.EI))
    return ChannelFault{"beam.EI", "expected a bending stiffness above zero, found " + number(beam.EI)};
  if (beam.length > channel_length * (1 + 1e-9))
    return ChannelFault{"beam.length", "the beam (" + number(beam.length) + " m) is longer than the channel (" +
                                           number(channel_length) + " m)"};
  for (std::size_t i = 0; i < beam.curvature.size(); ++i) {
    const bool rising = i == 0 || beam.curvature[i][0] > beam.curvature[i - 1][0];
    if (!beam.curvature[i].allFinite() || !rising)
      return ChannelFault{"beam.rest_curvature", "expected finite numbers at rising arc lengths"};
  }
  return {};
}

Fault check_loads(const ChannelProblem& problem) {
  if (problem.loads.empty()) return ChannelFault{"load", "expected a force or a push"};
  const bool pushed = problem.loads.front().push.has_value();
  const bool inserted = problem.loads.front().insert.has_value();
  for (const ChannelLoad& load : problem.loads) {
    if (load.insert.has_value() != inserted || (inserted && pushed))
      return ChannelFault{"load", "of forces, pushes and insertions one alone"};
    if (inserted && !(*load.insert > 0 && *load.insert <= problem.beam.length * (1 + 1e-9)))
      return ChannelFault{"load.insert", "expected lengths above zero and up to that of the beam, " +
                                             number(problem.beam.length) + " m; found " + number(*load.insert) + " m"};
    if (!std::isfinite(load.resist) || load.resist < 0)
      return ChannelFault{"load.resist", "expected a force above zero"};
    if (load.push.has_value() != pushed) return ChannelFault{"load", "forces and pushes exclude each other"};
    if (!load.force.allFinite()) return ChannelFault{"load.force", "expected finite numbers"};
    if (!pushed) continue;
    if (!std::isfinite(*load.push)) return ChannelFault{"load.push", "expected a finite number"};
    if (*load.push >= problem.beam.length)
      return ChannelFault{"load.push", "a push of " + number(*load.push) + " m leaves nothing of a beam of " +
                                           number(problem.beam.length) + " m in the channel"};
    if (-*load.push > kReach * problem.beam.length)
      return ChannelFault{"load.push", "the tip cannot be drawn out by more than a quarter of the beam"};
  }
  return {};
}

Fault check_walls(const Channel& channel, const ChannelSearch& search) {
  constexpr double kMostFriction = 3;
  if (!std::isfinite(channel.stiffness) || channel.stiffness < 0)
    return ChannelFault{"channel.stiffness", "expected a stiffness above zero, or none for rigid walls"};
  if (!std::isfinite(channel.friction) || channel.friction < 0 || channel.friction > kMostFriction)
    return ChannelFault{"channel.friction", "expected a coefficient from 0 to " + number(kMostFriction)};
  if (channel.stiffness > 0 && search.method == ChannelMethod::Sections)
    return ChannelFault{"search.method", "sections have rigid walls: walls that give need the lattice"};
  return {};
}

// Walls that fold over: wider on the inside of a bend than its radius.
Fault check_bends(const Passage& passage, double length) {
  for (std::size_t i = 1; i + 1 < passage.pieces().size(); ++i) {
    const Piece& piece = passage.pieces()[i];
    if (piece.turn == 0) continue;
    const bool left = piece.turn > 0;
    const std::string side = left ? "left" : "right";
    const double along = piece.s + 0.5 * piece.length;
    const double inside = (left ? passage.left(along) : passage.right(along)).value;
    const std::string place = " at arc length " + number(along * length) + " m";
    if (piece.length > 0 && inside >= piece.radius)
      return ChannelFault{"channel.width." + side, "the wall (" + number(inside * length) +
                                                       " m) lies beyond the centre of the bend (radius " +
                                                       number(piece.radius * length) + " m)" + place};
    if (piece.length > 0) continue;
    if (std::abs(piece.turn) > kSharpestCorner)
      return ChannelFault{"channel.centreline", "the corner" + place + " turns by more than 115°"};
    const double shorter = std::min(passage.pieces()[i - 1].length, passage.pieces()[i + 1].length);
    if (inside * std::tan(std::abs(piece.turn) / 2) > shorter)
      return ChannelFault{"channel.width." + side,
                          "the walls cross on the inside of the corner" + place + ": its legs are too short"};
  }
  return {};
}

Fault check_search(const ChannelProblem& problem, const Passage& passage) {
  const ChannelSearch& search = problem.search;
  const auto within = [](int value, int least, int most) { return value >= least && value <= most; };
  const auto range = [](int least, int most) {
    std::string text = "expected a number from ";
    text += std::to_string(least);
    text += " to ";
    return text += std::to_string(most);
  };
  if (!within(search.links, 2, kMostLinksAllowed)) return ChannelFault{"search.links", range(2, kMostLinksAllowed)};
  if (search.levels != 0 && !within(search.levels, 3, kMostLevels))
    return ChannelFault{"search.levels", range(3, kMostLevels)};
  if (!within(search.arc_steps, 1, 64)) return ChannelFault{"search.arc_steps", range(1, 64)};
  if (!within(search.k, 1, 20)) return ChannelFault{"search.k", range(1, 20)};
  const bool in_legs = search.method == ChannelMethod::Sections;
  if (in_legs && problem.loads.front().push)
    return ChannelFault{"search.method", "sections serve dead forces: a push needs the lattice"};
  if (search.sections != 0 && !in_legs) return ChannelFault{"search.sections", "sections need 'method: sections'"};
  if (search.sections != 0 && !within(search.sections, 2, kMostLinksAllowed))
    return ChannelFault{"search.sections", range(2, kMostLinksAllowed)};
  if (!within(problem.branch, 1, 20)) return ChannelFault{"load.branch", range(1, 20)};
  const LatticeSize size = lattice_size(problem, passage);
  if (size.bytes > kMostBytes)
    return ChannelFault{"search.levels",
                        "this lattice would take about " + number(size.bytes / 1e9) +
                            " GB; fewer levels, arc_steps or links will do: the polish is exact anyway"};
  return {};
}

}  // namespace
}  // namespace channel

std::optional<ChannelFault> check_channel(const ChannelProblem& problem) {
  using namespace channel;
  const Channel& given = problem.channel;
  if (auto fault = check_curve(given.centreline)) return fault;
  if (auto fault = check_width(given.left, "channel.width.left")) return fault;
  if (auto fault = check_width(given.right, "channel.width.right")) return fault;
  if (auto fault = check_walls(given, problem.search)) return fault;
  if (auto fault = check_beam(problem.beam, curve_length(given.centreline))) return fault;
  if (auto fault = check_loads(problem)) return fault;
  const double length = problem.beam.length;
  const Passage passage(given, 1 / length, kReach);
  // room everywhere
  for (int i = 0; i <= 1000; ++i) {
    const double s = passage.length() * i / 1000;
    if (passage.left(s).value + passage.right(s).value > 1e-6) continue;
    return ChannelFault{"channel.width", "the channel has no width at arc length " + number(s * length) + " m"};
  }
  if (auto fault = check_bends(passage, length)) return fault;
  return check_search(problem, passage);
}

}  // namespace filum
