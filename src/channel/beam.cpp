#include "channel/beam.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <numbers>

namespace filum::channel {

double natural_curvature(const ChannelBeam& beam, double s) {
  const std::vector<Vec2>& points = beam.curvature;
  if (points.empty()) return 0;
  if (s <= points.front()[0]) return points.front()[1];
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (s > points[i + 1][0]) continue;
    const double share = (s - points[i][0]) / (points[i + 1][0] - points[i][0]);
    return points[i][1] + share * (points[i + 1][1] - points[i][1]);
  }
  return points.back()[1];
}

Beam make_beam(const ChannelProblem& problem, const Passage& passage, int links, const ChannelLoad& load) {
  const double length = problem.beam.length;
  Beam beam;
  beam.links = links;
  beam.step = 1.0 / links;
  const Ruling start = passage.ruling(0);
  beam.start = start.point;
  beam.heading = start.heading;
  beam.rest.resize(at(links));
  for (int joint = 0; joint < links; ++joint)
    beam.rest[at(joint)] = natural_curvature(problem.beam, length * joint / links) * length / links;
  // from the clamp to the middle of the first link
  beam.rest[0] = natural_curvature(problem.beam, 0.25 * length / links) * 0.5 * length / links;
  const double unit_stiffness = problem.beam.EI / (length * length * length * length);
  beam.wall_stiffness = problem.channel.stiffness / unit_stiffness;
  beam.friction = problem.channel.friction;
  beam.sense = problem.sliding == ChannelSliding::In ? 1 : -1;
  if (load.push) {
    beam.tip = (length - *load.push) / length;
    beam.centred = problem.tip == ChannelTip::Centre;
  } else {
    beam.force = load.force * (length * length / problem.beam.EI);
    beam.thrust = -beam.force.dot(passage.ruling(passage.u_of(1)).tangent);
  }
  return beam;
}

Energy energy(const Beam& beam, const std::vector<double>& angles) {
  Energy sum;
  for (int i = 0; i < beam.links; ++i) {
    const double bent = beam.bent(i, angles);
    sum.bending += 0.5 * beam.stiffness_of(i) * bent * bent;
    sum.load += beam.load_energy(angles[at(i)]);
  }
  return sum;
}

std::vector<Vec2> positions(const Beam& beam, const std::vector<double>& angles) {
  std::vector<Vec2> nodes{beam.start};
  nodes.reserve(angles.size() + 1);
  for (const double angle : angles) nodes.emplace_back(nodes.back() + beam.step * direction(angle));
  return nodes;
}

std::vector<Place> places(const Passage& passage, const std::vector<Vec2>& nodes) {
  std::vector<Place> seen;
  seen.reserve(nodes.size());
  // piece 0 is the run-in
  int piece = 1;
  for (const Vec2& node : nodes) {
    seen.push_back(passage.locate(node, piece));
    piece = seen.back().piece;
  }
  return seen;
}

double breach(const Passage& passage, const std::vector<Place>& nodes) {
  double most = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Place& node = nodes[i];
    most = std::max({most, node.y - passage.left(node.s).value, -node.y - passage.right(node.s).value});
  }
  return most;
}

bool forward(const std::vector<double>& angles, const std::vector<Place>& nodes) {
  for (std::size_t link = 0; link < angles.size(); ++link)
    if (std::abs(angles[link] - nodes[link + 1].heading) >= std::numbers::pi / 2) return false;
  return true;
}

int square_link(const std::vector<double>& angles, const std::vector<Place>& nodes) {
  constexpr double kAllBut = 0.03;  // rad
  for (std::size_t link = 1; link < angles.size(); ++link)
    if (std::abs(angles[link] - nodes[link + 1].heading) >= std::numbers::pi / 2 - kAllBut)
      return static_cast<int>(link);
  return 0;
}

}  // namespace filum::channel
