#include "channel/describe.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

double cross(const Vec2& a, const Vec2& b) {
  return a[0] * b[1] - a[1] * b[0];
}

// Largest difference between a joint's moment and the moment of all forces beyond it, from positions and forces alone.
double out_of_balance(const Beam& beam, const Configuration& shape, const std::vector<Vec2>& forces) {
  double most = 0;
  for (int joint = 0; joint < beam.links; ++joint) {
    double moment = 0;
    for (int node = joint + 1; node <= beam.links; ++node) {
      const Vec2 force = forces[at(node)] + (node == beam.links ? beam.force : Vec2::Zero());
      moment += cross(shape.nodes[at(node)] - shape.nodes[at(joint)], force);
    }
    most = std::max(most, std::abs(beam.stiffness_of(joint) * beam.bent(joint, shape.angles) - moment));
  }
  return most;
}

// How far the middles of the links are beyond a wall.
double link_breach(const Passage& passage, const Configuration& shape) {
  std::vector<Place> middles(1);
  for (std::size_t link = 0; link + 1 < shape.nodes.size(); ++link)
    middles.push_back(passage.locate(0.5 * (shape.nodes[link] + shape.nodes[link + 1]), shape.places[link].piece));
  return breach(passage, middles);
}

void add_contacts(const Beam& beam, const Polished& polished, double length, double unit_force, ChannelState& state) {
  for (std::size_t r = 0; r < polished.rows.size(); ++r) {
    const Row& row = polished.rows[r];
    if (!row.wall() || polished.force[r] <= 0) continue;
    const Place& place = polished.configuration.places[at(row.node)];
    const Vec2 rubs = unit_force * polished.force[r] * (row.push - row.gradient);
    state.contacts.push_back({row.node, length * beam.step * row.node, length * place.s, row.kind == RowKind::Left,
                              length * polished.configuration.nodes[at(row.node)],
                              unit_force * polished.force[r] * row.push,
                              unit_force * polished.force[r] * row.gradient.norm(), rubs.dot(place.tangent)});
    state.indentation = std::max(state.indentation, row.give * polished.force[r] * length);
    state.wall_energy += 0.5 * row.give * polished.force[r] * polished.force[r] * length * unit_force;
  }
}

// A clamp that lies on a wall carries the pressure on the first half link, which rubs like that on the next.
double rubs_at_clamp(const Passage& passage, const Beam& beam, const Polished& polished) {
  double sum = 0;
  for (std::size_t r = 0; r < 2; ++r) {
    const Row& row = polished.rows[r];
    const double gap = (row.kind == RowKind::Left ? passage.left(0) : passage.right(0)).value;
    if (gap <= 0) sum += 0.5 * beam.sense * beam.friction * polished.force[r] * row.gradient.norm();
  }
  return sum;
}

}  // namespace

ChannelState describe(const ChannelProblem& problem, const Passage& passage, const Beam& beam,
                      const Polished& polished) {
  const double length = problem.beam.length;
  const double unit_force = problem.beam.EI / (length * length);
  const double unit_energy = problem.beam.EI / length;
  const Configuration& shape = polished.configuration;
  const Energy total = energy(beam, shape.angles);
  ChannelState state;
  state.converged = polished.converged;
  state.stable = polished.stable;
  state.why = polished.why;
  state.bending = total.bending * unit_energy;
  state.angles = shape.angles;
  for (int node = 0; node <= beam.links; ++node) {
    state.s.push_back(length * beam.step * node);
    state.positions.emplace_back(length * shape.nodes[at(node)]);
  }
  for (int joint = 1; joint < beam.links; ++joint)
    state.moments.push_back(unit_energy * beam.stiffness_of(joint) * beam.bent(joint, shape.angles));
  add_contacts(beam, polished, length, unit_force, state);
  state.energy = total.total() * unit_energy + state.wall_energy;
  state.dimensionless = state.energy / unit_energy;
  // what acts on the tip besides a wall
  const std::vector<Vec2> forces = node_forces(beam.links + 1, polished.rows, polished.force);
  Vec2 tip = beam.force;
  for (std::size_t r = 0; r < polished.rows.size(); ++r)
    if (!polished.rows[r].wall()) tip += polished.force[r] * polished.rows[r].push;
  const Place& end = shape.places.back();
  state.end_force = unit_force * tip;
  state.push_force = -unit_force * tip.dot(end.tangent);
  state.tip_along = length * end.s;
  state.tip_offset = length * end.y;
  // the clamp carries the rest
  Vec2 sum = beam.force;
  double moment = cross(shape.nodes.back() - beam.start, beam.force);
  for (int node = 0; node <= beam.links; ++node) {
    sum += forces[at(node)];
    moment += cross(shape.nodes[at(node)] - beam.start, forces[at(node)]);
  }
  state.clamp_force = -unit_force * sum;
  state.insertion_force =
      state.clamp_force.dot(direction(beam.heading)) + unit_force * rubs_at_clamp(passage, beam, polished);
  state.clamp_moment = -unit_energy * moment;
  // what leaves the clamp bent pushes itself out [Bigoni2015]
  const double bent = natural_curvature(problem.beam, 0) - state.clamp_moment / problem.beam.EI;
  state.feed_force = state.insertion_force - 0.5 * problem.beam.EI * bent * bent;
  state.breach = length * polished.breach;
  state.link_breach = length * link_breach(passage, shape);
  state.kkt = polished.kkt;
  state.balance = out_of_balance(beam, shape, forces);
  state.iterations = polished.iterations;
  return state;
}

}  // namespace filum::channel
