// What can be wrong with a tube before anything is computed.
#include <filum/tube.hpp>

#include <algorithm>
#include <cmath>

namespace filum {
namespace {

using Fault = std::optional<ChannelFault>;

bool positive(double value) {
  return std::isfinite(value) && value > 0;
}

Fault check_radius(const std::vector<Vec2>& radius) {
  for (std::size_t i = 0; i < radius.size(); ++i) {
    if (!radius[i].allFinite() || !positive(radius[i][1]))
      return ChannelFault{"tube.radius", "expected a radius above zero"};
    if (i > 0 && radius[i][0] <= radius[i - 1][0])
      return ChannelFault{"tube.radius", "expected radii at rising arc lengths"};
  }
  return {};
}

// Convex, counter-clockwise, with the centreline inside.
Fault check_section(const std::vector<Vec2>& corners) {
  if (corners.size() < 3 || corners.size() > 64)
    return ChannelFault{"tube.section", "expected 3 to 64 corners of a convex section"};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2& a = corners[i];
    const Vec2& b = corners[(i + 1) % corners.size()];
    const Vec2& c = corners[(i + 2) % corners.size()];
    const auto cross = [](const Vec2& p, const Vec2& q) { return p[0] * q[1] - p[1] * q[0]; };
    if (!a.allFinite() || !(cross(b - a, c - b) > 0))
      return ChannelFault{"tube.section", "expected a convex section with its corners counter-clockwise"};
    if (!(cross(a, b) > 0)) return ChannelFault{"tube.section", "the centreline must lie inside the section"};
  }
  return {};
}

Fault check_beam(const TubeProblem& problem, double length) {
  if (!positive(problem.length)) return ChannelFault{"beam.length", "expected a length above zero"};
  if (!positive(problem.EI)) return ChannelFault{"beam.EI", "expected a bending stiffness above zero"};
  if (problem.length > length * (1 + 1e-9)) return ChannelFault{"beam.length", "the beam is longer than the tube"};
  if (!std::isfinite(problem.GJ) || problem.GJ < 0)
    return ChannelFault{"beam.GJ", "expected a twisting stiffness above zero"};
  return {};
}

Fault check_loads(const TubeProblem& problem) {
  if (problem.loads.empty()) return ChannelFault{"load", "expected a load"};
  const TubeLoad& first = problem.loads.front();
  for (const TubeLoad& load : problem.loads) {
    if (load.turn && !std::isfinite(*load.turn)) return ChannelFault{"load.turn", "expected a finite angle"};
    if (load.turn && problem.GJ == 0) return ChannelFault{"load.turn", "a tip that is turned needs the beam's GJ"};
    if (!load.force.allFinite()) return ChannelFault{"load.force", "expected finite numbers"};
    if (load.push && !(*load.push >= 0 && *load.push < problem.length))
      return ChannelFault{"load.push", "expected a length from zero to less than the beam's"};
    if (load.push.has_value() != first.push.has_value() || load.turn.has_value() != first.turn.has_value())
      return ChannelFault{"load", "the loads of a path are all of one kind"};
  }
  if (problem.branch < 1 || problem.branch > problem.k)
    return ChannelFault{"load.branch", "expected one of the shapes that are asked for, from 1 to 'k'"};
  return {};
}

Fault check_search(const TubeProblem& problem) {
  constexpr int kMostLatticeLinks = 20;
  if (problem.links < 3 || problem.links > 200) return ChannelFault{"search.links", "expected a number from 3 to 200"};
  if (problem.rings < 0 || problem.rings > 5) return ChannelFault{"search.rings", "expected a number from 1 to 5"};
  if (problem.arc_steps < 1 || problem.arc_steps > 16)
    return ChannelFault{"search.arc_steps", "expected a number from 1 to 16"};
  if (problem.keep < 0) return ChannelFault{"search.keep", "expected a number of states, or 0 for all"};
  if (problem.k < 1 || problem.k > 20) return ChannelFault{"search.k", "expected a number from 1 to 20"};
  // states × (link, costs, pointers of all stages)
  const int links = std::min(problem.links, kMostLatticeLinks);
  const double across = 1 + 3.0 * problem.rings * (problem.rings + 1);
  const double states = 1.25 * links * problem.arc_steps * across * across;
  if (states * (80 + 4.0 * links) > 4e9)
    return ChannelFault{"search.rings", "this lattice would take more than 4 GB; fewer rings, links or arc_steps"};
  return {};
}

}  // namespace

std::optional<ChannelFault> check_tube(const TubeProblem& problem) {
  const double length = curve_length(problem.centreline);
  if (!positive(length)) return ChannelFault{"tube.centreline", "the centreline has no length"};
  if (problem.section.empty() && problem.radius.empty())
    return ChannelFault{"tube.radius", "expected a radius or a section"};
  if (auto fault = problem.section.empty() ? check_radius(problem.radius) : check_section(problem.section)) return fault;
  if (!std::isfinite(problem.stiffness) || problem.stiffness < 0)
    return ChannelFault{"tube.stiffness", "expected a stiffness above zero, or none for a rigid wall"};
  if (!std::isfinite(problem.friction) || problem.friction < 0 || problem.friction > 3)
    return ChannelFault{"tube.friction", "expected a coefficient from 0 to 3"};
  if (auto fault = check_beam(problem, length)) return fault;
  if (auto fault = check_loads(problem)) return fault;
  return check_search(problem);
}

}  // namespace filum
