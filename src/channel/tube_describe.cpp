#include "channel/tube_describe.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

// The moment that a joint carries: bending about the normal of its plane, and the twist's torque along it.
Vec3 joint_moment(const Vec3& a, const Vec3& b, double stiffness, double torque) {
  const Vec3 normal = a.cross(b);
  const double sine = normal.norm();
  const Vec3 bending = sine > 0 ? Vec3(stiffness * std::atan2(sine, a.dot(b)) / sine * normal) : Vec3(Vec3::Zero());
  return bending + torque / (1 + a.dot(b)) * (a + b);
}

// What holds a turned tip against turning also rides on the tube: where that bends, and the tip does not lie along it, it
// is pushed along.
Vec3 held_force(const SpaceBeam& beam, const SpaceConfiguration& shape) {
  const Vec3& end = shape.tangents.back();
  const SpacePlace& tip = shape.places.back();
  const double lever = end.cross(tip.tangent).dot(tip.bend) / (1 + end.dot(tip.tangent));
  return -beam.twist_stiffness * shape.twist * lever * tip.tangent;
}

// Largest difference between a joint's moment and that of all forces beyond it, from positions and forces alone. A tip
// that is turned is held by a torque about the mean of its own axis and the tube's.
double out_of_balance(const SpaceBeam& beam, const SpaceConfiguration& shape, const std::vector<Vec3>& forces) {
  const double torque = beam.twist_stiffness * shape.twist;
  const Vec3& end = shape.tangents.back();
  const Vec3& tube = shape.places.back().tangent;
  const Vec3 held = torque / (1 + end.dot(tube)) * (end + tube);
  double most = 0;
  for (int joint = 0; joint < beam.links; ++joint) {
    Vec3 moment = held;
    for (int node = joint + 1; node <= beam.links; ++node) {
      const Vec3 force = forces[at(node)] + (node == beam.links ? beam.force : Vec3(Vec3::Zero()));
      moment += (shape.nodes[at(node)] - shape.nodes[at(joint)]).cross(force);
    }
    const Vec3& before = joint == 0 ? beam.heading : shape.tangents[at(joint - 1)];
    const Vec3 carried = joint_moment(before, shape.tangents[at(joint)], beam.stiffness_of(joint), torque);
    most = std::max(most, (carried - moment).norm());
  }
  return most;
}

// All nodes lie in one plane through the clamp.
bool in_plane(const SpaceConfiguration& shape, const Vec3& heading) {
  Vec3 normal = Vec3::Zero();
  for (const Vec3& t : shape.tangents)
    if (heading.cross(t).norm() > normal.norm()) normal = heading.cross(t);
  if (normal.norm() < 1e-9) return true;
  normal.normalize();
  return std::all_of(shape.tangents.begin(), shape.tangents.end(),
                     [&](const Vec3& t) { return std::abs(t.dot(normal)) < 1e-6; });
}

void add_contacts(const TubeProblem& problem, const SpaceBeam& beam, const SpacePolished& polished, TubeShape& shape) {
  const double length = problem.length;
  const double unit_force = problem.EI / (length * length);
  for (std::size_t r = 0; r < polished.rows.size(); ++r) {
    const SpaceRow& row = polished.rows[r];
    const double force = polished.force[r];
    if (!row.wall() || force <= 0) continue;
    const SpacePlace& place = polished.configuration.places[at(row.node)];
    shape.contacts.push_back({row.node, length * beam.step * row.node, length * place.s,
                              length * polished.configuration.nodes[at(row.node)], unit_force * force * row.push,
                              unit_force * force * row.gradient.norm(),
                              unit_force * force * (row.push - row.gradient).dot(place.tangent)});
    shape.indentation = std::max(shape.indentation, row.give * force * length);
    shape.wall_energy += 0.5 * row.give * force * force * length * unit_force;
  }
}

}  // namespace

TubeShape describe(const TubeProblem& problem, const SpaceBeam& beam, const SpacePolished& polished) {
  const double length = problem.length;
  const double unit_energy = problem.EI / length;
  const SpaceConfiguration& now = polished.configuration;
  const SpaceEnergy sum = energy(beam, now);
  TubeShape shape;
  shape.converged = polished.converged;
  shape.stable = polished.stable;
  shape.why = polished.why;
  shape.bending = unit_energy * sum.bending;
  shape.twist_energy = unit_energy * sum.twist;
  for (const Vec3& node : now.nodes) shape.positions.emplace_back(length * node);
  add_contacts(problem, beam, polished, shape);
  shape.energy = unit_energy * sum.total() + shape.wall_energy;
  shape.dimensionless = shape.energy / unit_energy;
  shape.planar = in_plane(now, beam.heading);
  // the clamp carries what walls and tip do not
  std::vector<Vec3> forces = node_forces(beam.links + 1, polished.rows, polished.force);
  Vec3 end = beam.force;
  for (std::size_t r = 0; r < polished.rows.size(); ++r)
    if (!polished.rows[r].wall()) end += polished.force[r] * polished.rows[r].push;
  shape.end_force = unit_energy / length * end;
  shape.push_force = -shape.end_force.dot(now.places.back().tangent);
  forces.back() += held_force(beam, now);
  Vec3 total = beam.force;
  for (const Vec3& force : forces) total += force;
  shape.clamp_force = -unit_energy / length * total;
  shape.insertion_force = shape.clamp_force.dot(beam.heading);
  if (beam.twist_stiffness > 0) {
    shape.twist = now.twist;
    shape.torque = unit_energy * beam.twist_stiffness * now.twist;
  }
  shape.tip_along = length * now.places.back().s;
  shape.breach = length * polished.breach;
  shape.kkt = polished.kkt;
  shape.balance = out_of_balance(beam, now, forces);
  shape.iterations = polished.iterations;
  return shape;
}

}  // namespace filum::channel
