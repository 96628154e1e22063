#include "formulations/discrete/discrete_start.hpp"

#include "base/index.hpp"
#include "formulations/discrete/obstacle_contact.hpp"
#include "formulations/discrete/rod_contact.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"
#include "rod/inextensible_edges.hpp"
#include "rod/joint.hpp"
#include "scene/layout.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <type_traits>

namespace filum::discrete {

namespace {

// A span drawn shorter than its material by more than this (or longer, if it is to begin relaxed), or between holds that
// are not where the shape puts them by more than this share of its length (or as many radians), is laid anew.
constexpr double kSlack = 0.01;
// Shares of a length: what is no longer an edge, and what is no stretch.
constexpr double kCollapsed = 0.1;
constexpr double kRoundOff = 1e-12;

bool is_tied(const ModelData& model, int node) {
  return std::any_of(model.ties.begin(), model.ties.end(),
                     [&](const Tie& tie) { return tie.slave == node || tie.master == node; });
}

// Per node and axis the hold that says where it is to begin, or −1.
using HeldAxes = std::vector<std::array<int, 3>>;

// A node that a span ends at: held along some axis, which keeps it about where it is drawn, or joined to another rod, which
// is taken to stay there too.
bool is_anchor(const ModelData& model, const HeldAxes& position_hold, int node) {
  const auto& hold = position_hold[at(node)];
  return hold[0] >= 0 || hold[1] >= 0 || hold[2] >= 0 || is_tied(model, node);
}

double polyline_length(std::span<const Vec3> x) {
  double length = 0;
  for (std::size_t i = 1; i < x.size(); ++i) length += (x[i] - x[i - 1]).norm();
  return length;
}

// Grows or shrinks a parameter until the nodes have the wanted length: bisection on a length that grows with it.
template <class Shape>
void fit_length(double wanted, double most, const Shape& shape) {
  double low = 0;
  double high = most;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (low + high);
    (shape(middle) < wanted ? low : high) = middle;
  }
}

// The stretch of a rod between two held nodes.
struct Span {
  int first = 0;  // nodes, in the model's numbering
  int last = 0;
  int first_section = -1;  // the cross-sections held there, or none
  int last_section = -1;
};

// Points of a fine polyline at these shares of its length.
void spread_evenly(std::span<const Vec3> fine, std::span<const double> share, std::span<Vec3> x) {
  const double whole = polyline_length(fine);
  double passed = 0;
  std::size_t k = 1;
  for (std::size_t i = 1; i + 1 < x.size(); ++i) {
    const double target = share[i] * whole;
    double step = (fine[k] - fine[k - 1]).norm();
    while (passed + step < target && k + 1 < fine.size()) {
      passed += step;
      ++k;
      step = (fine[k] - fine[k - 1]).norm();
    }
    x[i] = fine[k - 1] + (step > 0 ? (target - passed) / step : 0) * (fine[k] - fine[k - 1]);
  }
}

// A curve from one hold to the other with the right length, if it can: a Hermite cubic that leaves the held
// cross-sections along their tangents, bowed sideways (towards gravity, if it can) as far as it is still short.
std::vector<Vec3> lay_curve(const ModelData& model, const RodState& state, const Span& span, double wanted,
                            const Vec3& normal) {
  constexpr std::size_t kPoints = 400;
  std::vector<Vec3> x(kPoints);
  const Vec3 from = x.front() = state.position[at(span.first)];
  const Vec3 to = x.back() = state.position[at(span.last)];
  const Vec3 chord = to - from;
  const Vec3 along = chord.norm() > 1e-9 * wanted ? Vec3(chord.normalized()) : Vec3(normal.unitOrthogonal());
  auto tangent = [&](int section) {
    if (section < 0) return along;
    const Section& held = model.sections[at(section)];
    return Vec3((state.rotor[at(held.rotor)] * held.base).col(2));
  };
  const Vec3 leave = tangent(span.first_section);
  const Vec3 arrive = tangent(span.last_section);
  const auto count = static_cast<double>(x.size() - 1);
  auto hermite = [&](double speed) {
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
      const double u = static_cast<double>(i) / count;
      const double v = 1 - u;
      x[i] = v * v * (1 + 2 * u) * from + u * u * (1 + 2 * v) * to + speed * u * v * (v * leave - u * arrive);
    }
    return polyline_length(x);
  };
  if (hermite(wanted) > wanted) {
    fit_length(wanted, wanted, hermite);
    return x;
  }
  const Vec3 gravity = model.gravity;
  Vec3 sideways = gravity - gravity.dot(along) * along;
  if (sideways.norm() < 0.1 * gravity.norm() || gravity.isZero(0)) sideways = normal - normal.dot(along) * along;
  if (sideways.norm() < 1e-9) sideways = along.unitOrthogonal();
  sideways.normalize();
  const std::vector<Vec3> flat = x;
  fit_length(wanted, wanted, [&](double depth) {
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
      const double rise = std::sin(std::numbers::pi * static_cast<double>(i) / count);
      x[i] = flat[i] + depth * rise * rise * sideways;
    }
    return polyline_length(x);
  });
  return x;
}

// Frames of a newly laid span: without twist from the first held cross-section, then what is left to the last one
// spread evenly.
void lay_frames(const ModelData& model, const RodRange& range, const Span& span, RodState& state) {
  if (span.first_section < 0) return;
  const Section& first = model.sections[at(span.first_section)];
  Mat3 frame = state.rotor[at(first.rotor)] * first.base;
  const int first_edge = range.first_edge + span.first - range.first_node;
  const int edges = span.last - span.first;
  for (int j = first_edge; j < first_edge + edges; ++j) {
    const Edge& edge = model.edges[at(j)];
    frame = rod::carried_frame(frame, state.position[at(edge.b)] - state.position[at(edge.a)], 0);
    state.frame[at(j)] = frame;
  }
  if (span.last_section < 0) return;
  const Section& last = model.sections[at(span.last_section)];
  // whole turns as drawn
  const std::vector<double>& s = range.mesh.s;
  const double drawn = scene::RodLayout(model.scene->rods[at(model.edges[at(first_edge)].rod)])
                           .twist_between(s[at(span.first - range.first_node)], s[at(span.last - range.first_node)]);
  const double twist = rod::joint_strain(frame, state.rotor[at(last.rotor)] * last.base, drawn).twist;
  for (int j = first_edge; j < first_edge + edges; ++j) {
    const double share = (j - first_edge + 0.5) / edges;
    state.frame[at(j)] = state.frame[at(j)] * Eigen::AngleAxisd(share * twist, Vec3::UnitZ()).toRotationMatrix();
  }
}

// Whether the holds at the ends of a span are where the drawn shape has them.
bool as_drawn(const ModelData& model, const RodState& state, const Span& span, double length) {
  for (const int node : {span.first, span.last})
    if ((state.position[at(node)] - model.start_position[at(node)]).norm() > kSlack * length) return false;
  for (const int section : {span.first_section, span.last_section}) {
    if (section < 0) continue;
    const Mat3& turned = state.rotor[at(model.sections[at(section)].rotor)];
    if (math::log_so3(turned).norm() > kSlack) return false;
  }
  return true;
}

// Whether some node, on its way from where it is drawn to where it has been laid, goes through a solid: the drawn shape
// says on which side of it the rod is, and how to get there with its own length only the search for a balance knows.
bool leads_through_a_solid(const ModelData& model, const Targets& targets, const Span& span,
                           std::span<const Vec3> laid) {
  for (const Solid& solid : model.solids) {
    const SolidPlace place = place_of(solid, targets);
    for (std::size_t i = 1; i + 1 < laid.size(); ++i) {
      const geometry::Segment way{place.seen(model.start_position[at(span.first) + i]), place.seen(laid[i])};
      geometry::Box box;
      box.add(way.from);
      box.add(way.to);
      if (solid.bounds.square_distance(box) > 0) continue;
      const double none = kRoundOff * (way.to - way.from).norm();
      if (geometry::distance_from(solid.shape, way.from).value > none &&
          geometry::distance_from(solid.shape, way).value <= none)
        return true;
    }
  }
  return false;
}

// Likewise through a rod that it is to touch.
bool leads_through_a_rod(const ModelData& model, const Span& span, std::span<const Vec3> laid, const RodState& state) {
  std::vector<Vec3> moved = state.position;
  std::copy(laid.begin(), laid.end(), moved.begin() + span.first);
  return RodContact(model).leads_through(state.position, moved);
}

// The cross-section held wholly, or joined to other rods, at each node of a rod, or −1.
std::vector<int> held_sections(const ModelData& model, const RodRange& range) {
  std::vector<int> held(at(range.mesh.nodes()), -1);
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const Joint& joint = model.joints[at(k)];
    const int section = std::max(joint.left.section, joint.right.section);
    if (section < 0) continue;
    const FixedAxes& fixed = model.rotors[at(model.sections[at(section)].rotor)].fixed;
    if (fixes_all(fixed) || is_tied(model, joint.node)) held[at(joint.node - range.first_node)] = section;
  }
  return held;
}

// Whether a rod is drawn with a length that is not its own: too short, or too long where it is to begin relaxed. By the
// shape's own length: the polygon on it may be far shorter.
bool is_drawn_otherwise(const ModelData& model, const RodRange& range, double factor) {
  const double share = range.drawn_length / (factor * range.mesh.length);
  return share < 1 - kSlack || (share > 1 + kSlack && model.scene->simulation.start == StartKind::Relaxed);
}

// A ring keeps its shape, and has its own length about its middle or the one node that is held.
void lay_ring(const ModelData& model, const RodRange& range, const std::vector<int>& held, double factor,
              RodState& state) {
  if (held.size() > 1 || model.scene->simulation.start != StartKind::Relaxed) return;
  const std::span<Vec3> x(state.position.data() + range.first_node, at(range.mesh.nodes()));
  Vec3 centre = Vec3::Zero();
  for (const Vec3& point : x) centre += point / static_cast<double>(x.size());
  if (!held.empty()) centre = x[at(held.front())];
  const double scale = factor * range.mesh.length / range.drawn_length;
  for (Vec3& point : x) point = centre + scale * (point - centre);
}

// Lays anew what the drawn shape does not fit: spans between holds, and tails of another length than their material.
void lay_rod(const ModelData& model, const Targets& targets, const RodRange& range, const HeldAxes& position_hold,
             double factor, RodState& state) {
  const RodMesh& mesh = range.mesh;
  const bool otherwise = is_drawn_otherwise(model, range, factor);
  // what is held along some axes alone ends a span where there is slack to be laid out before it, or where it has moved
  const auto ends_span = [&](int node) {
    const auto& hold = position_hold[at(node)];
    const bool wholly = is_tied(model, node) || (hold[0] >= 0 && hold[1] >= 0 && hold[2] >= 0);
    const Vec3 moved = state.position[at(node)] - model.start_position[at(node)];
    return is_anchor(model, position_hold, node) && (wholly || otherwise || moved.norm() > kSlack * mesh.length);
  };
  std::vector<int> held;
  for (int i = 0; i < mesh.nodes(); ++i)
    if (ends_span(range.first_node + i)) held.push_back(i);
  if (mesh.closed) {
    if (otherwise) lay_ring(model, range, held, factor, state);
    return;
  }
  const std::vector<int> section = held_sections(model, range);
  const Vec3 normal = model.start_frame[at(range.first_edge)].col(0);

  for (std::size_t k = 0; k + 1 < held.size(); ++k) {
    const Span span{range.first_node + held[k], range.first_node + held[k + 1], section[at(held[k])],
                    section[at(held[k + 1])]};
    const std::span<Vec3> x(state.position.data() + span.first, at(span.last - span.first + 1));
    const double wanted = factor * (mesh.s[at(held[k + 1])] - mesh.s[at(held[k])]);
    const bool ends_as_drawn = as_drawn(model, state, span, wanted);
    if (x.size() < 3 || (!otherwise && ends_as_drawn)) continue;
    std::vector<double> share;
    for (int i = held[k]; i <= held[k + 1]; ++i)
      share.push_back(factor * (mesh.s[at(i)] - mesh.s[at(held[k])]) / wanted);
    std::vector<Vec3> laid(x.begin(), x.end());
    spread_evenly(lay_curve(model, state, span, wanted, normal), share, laid);
    if (ends_as_drawn &&
        (leads_through_a_solid(model, targets, span, laid) || leads_through_a_rod(model, span, laid, state)))
      continue;
    std::copy(laid.begin(), laid.end(), x.begin());
    lay_frames(model, range, span, state);
  }
  // beyond the last hold (or along a rod that nothing holds): the shape's directions, the rod's lengths
  auto walk = [&](int from, int to) {
    const int step = to > from ? 1 : -1;
    for (int i = from; i != to; i += step) {
      const int edge = range.first_edge + (step > 0 ? i : i - 1);
      const Vec3 direction = step * state.frame[at(edge)].col(2);
      const double length = factor * model.edges[at(edge)].rest_length;
      state.position[at(range.first_node + i + step)] = state.position[at(range.first_node + i)] + length * direction;
    }
  };
  if (held.size() < 2 && !otherwise) return;
  walk(held.empty() ? 0 : held.back(), mesh.nodes() - 1);
  if (!held.empty()) walk(held.front(), 0);
}

// Gives the edges their own lengths. Nodes on a drawn curve have chords between them, shorter than the arcs that are
// the edges' rest lengths: the rod would begin compressed, by (κl)²/24, which is much for what stretches little. Nodes
// move as little as the lengths ask for, held ones not at all; a rod that is longer than it should be stays so.
void fit_edges(const ModelData& model, const RodRange& range, const HeldAxes& position_hold, double factor,
               RodState& state) {
  const auto edges = at(range.mesh.edges());
  const auto nodes = at(range.mesh.nodes());
  std::vector<Vec3> edge(edges), direction(edges), fitted(edges), mobility(nodes);
  std::vector<double> length(edges), tension(edges, 0);
  double excess = 0;
  for (std::size_t j = 0; j < edges; ++j) {
    const Edge& ends = model.edges[at(range.first_edge) + j];
    edge[j] = state.position[at(ends.b)] - state.position[at(ends.a)];
    direction[j] = edge[j].normalized();
    length[j] = factor * ends.rest_length;
    excess += edge[j].norm() - length[j];
    if (!(edge[j].norm() > kCollapsed * length[j])) return;
  }
  if (excess > kRoundOff * factor * range.mesh.length) return;
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto node = at(range.first_node) + i;
    for (std::size_t axis = 0; axis < 3; ++axis)
      mobility[i][static_cast<Eigen::Index>(axis)] = position_hold[node][axis] >= 0 ? 0 : 1;
    if (is_tied(model, static_cast<int>(node))) mobility[i].setZero();
  }
  // pulls along the edges; straight ones between two holds have no way to give
  rod::InextensibleChain chain;
  chain.resize(edges, range.mesh.closed);
  if (!chain.solve({direction, edge, length, mobility, 1}, tension, fitted).converged) return;
  for (std::size_t i = 0; i < nodes; ++i) {
    Vec3 pull = i < edges ? Vec3(tension[i] * direction[i]) : Vec3(Vec3::Zero());
    if (i > 0 || range.mesh.closed) pull -= tension[(i + edges - 1) % edges] * direction[(i + edges - 1) % edges];
    state.position[at(range.first_node) + i] += mobility[i].cwiseProduct(pull);
  }
}

// Edges and frames after the positions have been set.
void rebuild_edges(const ModelData& model, RodState& state) {
  for (std::size_t j = 0; j < model.edges.size(); ++j) {
    const Edge& edge = model.edges[j];
    Vec3 e = state.position[at(edge.b)] - state.position[at(edge.a)];
    // nodes that fell together keep the direction they had
    if (e.norm() < 1e-9 * edge.rest_length) e = 1e-3 * edge.rest_length * state.frame[j].col(2);
    state.edge[j] = e;
  }
  const std::vector<double> unturned(state.edge.size(), 0.0);
  rod::carry_frames(state.frame, state.edge, unturned);
}

// Per node: how far it goes with the solid that it touches, if it touches one.
using Carried = std::vector<std::optional<Vec3>>;

Carried carried_by_solids(const ModelData& model, const Targets& targets, const RodState& state) {
  Carried carried(at(model.nodes));
  for (std::size_t pair = 0; pair < state.contact_touch.size(); ++pair) {
    if (state.contact_touch[pair] == 0) continue;
    const Solid& solid = model.solids[pair % model.solids.size()];
    const ContactStation& station = model.stations[pair / model.solids.size()];
    const SolidPlace before{state.solid_position[pair % model.solids.size()],
                            state.solid_rotation[pair % model.solids.size()]};
    const SolidPlace now = solid.body < 0 || solid.free >= 0 ? before : place_of(solid, targets);
    for (const int node : {station.a, station.b}) {
      if (node < 0) continue;
      const Vec3& x = state.position[at(node)];
      carried[at(node)] = now.position + now.rotation * before.seen(x) - x;
    }
  }
  return carried;
}

// Moves nodes along one axis: held ones to their targets, those that touch something with that, those between in
// proportion, those beyond like the last. So nothing that lies on an obstacle is led into it.
void move_axis(const Targets& targets, const RodRange& range, int axis, const Carried& carried,
               const HeldAxes& position_hold, RodState& state) {
  struct Held {
    int node;
    double move;
  };
  std::vector<Held> held;
  const RodMesh& mesh = range.mesh;
  for (int i = 0; i < mesh.nodes(); ++i) {
    const int node = range.first_node + i;
    const int hold = position_hold[at(node)][at(axis)];
    if (hold >= 0)
      held.push_back({i, targets.holds[at(hold)].position[axis] - state.position[at(node)][axis]});
    else if (carried[at(node)])
      held.push_back({i, (*carried[at(node)])[axis]});
  }
  if (held.empty()) return;
  for (int i = 0; i < mesh.nodes(); ++i) {
    const auto after = std::find_if(held.begin(), held.end(), [&](const Held& h) { return h.node >= i; });
    double move = after == held.end() ? held.back().move : after->move;
    if (after != held.end() && after != held.begin()) {
      const Held& before = *(after - 1);
      const double share =
          (mesh.s[at(i)] - mesh.s[at(before.node)]) / (mesh.s[at(after->node)] - mesh.s[at(before.node)]);
      move = before.move + share * (after->move - before.move);
    }
    state.position[at(range.first_node + i)][axis] += move;
  }
  // held nodes exactly where they belong
  for (const Held& h : held) {
    const int node = range.first_node + h.node;
    const int hold = position_hold[at(node)][at(axis)];
    if (hold >= 0) state.position[at(node)][axis] = targets.holds[at(hold)].position[axis];
  }
}

}  // namespace

Mat3 wanted_rotation(const ModelData& model, const Rotor& rotor, const HoldTarget& target, double turns) {
  const Mat3 spin = Eigen::AngleAxisd(2 * std::numbers::pi * turns, Vec3::UnitZ()).toRotationMatrix();
  return target.orientation.toRotationMatrix() * spin * model.sections[at(rotor.hold_section)].base.transpose();
}

namespace {

void turn_rotors(const ModelData& model, const Targets& targets, RodState& state) {
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    const Rotor& rotor = model.rotors[r];
    if (rotor.hold < 0 || rotor.hold_section < 0) continue;
    const HoldTarget& target = targets.holds[at(rotor.hold)];
    const Mat3 wanted = wanted_rotation(model, rotor, target, target.turns);
    const bool held = fixes_all(rotor.fixed);
    // a hinge keeps its own turn, about its world axis, on top of the target
    state.rotor[r] = held ? wanted : Mat3(state.rotor[r] * state.rotor_target[r].transpose() * wanted);
    state.rotor_target[r] = wanted;
    const double turns = target.turns - state.rotor_turns[r];
    state.rotor_turns[r] = target.turns;
    if (turns == 0) continue;
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
      if (model.joints[k].right.section == rotor.hold_section) state.twist[k] += 2 * std::numbers::pi * turns;
      if (model.joints[k].left.section == rotor.hold_section) state.twist[k] -= 2 * std::numbers::pi * turns;
    }
  }
}

}  // namespace

namespace {

// `position_hold`: per node and axis the hold that says where it is, or −1.
void move_to(const ModelData& model, const Targets& targets, const HeldAxes& position_hold, RodState& state) {
  const Carried carried = carried_by_solids(model, targets, state);
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    state.length_factor[r] = targets.rod_length[r] / model.rods[r].mesh.length;
    for (int axis = 0; axis < 3; ++axis) move_axis(targets, model.rods[r], axis, carried, position_hold, state);
  }
  rebuild_edges(model, state);
  turn_rotors(model, targets, state);
}

}  // namespace

void apply_targets(const ModelData& model, const Targets& targets, RodState& state) {
  move_to(model, targets, model.position_hold, state);
}

namespace {

// The scene's initial velocities: rods as rigid bodies about their centres of mass, and bodies.
void set_in_motion(const ModelData& model, RodState& state) {
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    const RodRange& range = model.rods[r];
    const Rod& rod = model.scene->rods[r];
    Vec3 centre = Vec3::Zero();
    double mass = 0;
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
      centre += model.node_mass[at(node)] * state.position[at(node)];
      mass += model.node_mass[at(node)];
    }
    centre /= mass;
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
      const Vec3 v = rod.velocity + rod.spin.cross(state.position[at(node)] - centre);
      for (int axis = 0; axis < 3; ++axis)
        if (model.position_hold[at(node)][at(axis)] < 0) state.velocity[at(node)][axis] = v[axis];
    }
    // edges turn with the rod
    for (int j = range.first_edge; j < range.first_edge + range.mesh.edges(); ++j) {
      const Vec3 own = state.frame[at(j)].transpose() * rod.spin;
      state.edge_spin[at(j)] = own[2];
      state.edge_tilt[at(j)] = own.head<2>();
    }
  }
  // so do sections that nothing holds
  for (const Joint& joint : model.joints)
    for (const Side& side : {joint.left, joint.right}) {
      if (side.is_edge()) continue;
      const auto r = at(model.sections[at(side.section)].rotor);
      if (model.rotors[r].hold < 0 && model.rotors[r].body < 0)
        state.rotor_spin[r] = state.rotor[r].transpose() * model.scene->rods[at(joint.rod)].spin;
    }
  for (const FreeBody& body : model.bodies) {
    state.velocity[at(body.node)] = model.scene->bodies[at(body.body)].velocity;
    state.rotor_spin[at(body.rotor)] = model.scene->bodies[at(body.body)].spin;
  }
}

}  // namespace

namespace {

// A hold through which the rod slides may be off the rod as it is drawn. A run begins with the nearest node, if nothing else
// holds it, in it: otherwise the gap would be closed in the first step, however short. (The search for an equilibrium
// closes it on its way, in fewer iterations than from there.)
void meet_sliding_holds(const ModelData& model, const Targets& targets, HeldAxes& position_hold, RodState& state) {
  constexpr double kOff = 1e-6;  // share of the rod's length
  const Simulation& asked = model.scene->simulation;
  if (asked.mode != Mode::Dynamics || asked.start == StartKind::Equilibrium) return;
  for (std::size_t k = 0; k < model.sliders.size(); ++k) {
    const Slider& slider = model.sliders[k];
    const bool simple = slider.slides && slider.offset == 0 && slider.fixed == std::array{true, true, true};
    if (!simple) continue;
    const RodRange& range = model.rods[at(slider.rod)];
    const Vec3 gap =
        slider_target(slider, targets) - nodal_at(range.mesh, state.position, range.first_node, state.slide[k]);
    if (gap.norm() <= kOff * range.mesh.length) continue;
    const auto nearest = std::min_element(range.mesh.s.begin(), range.mesh.s.end(), [&](double a, double b) {
      return std::abs(a - state.slide[k]) < std::abs(b - state.slide[k]);
    });
    const int node = static_cast<int>(nearest - range.mesh.s.begin()) % range.mesh.nodes();
    if (is_anchor(model, position_hold, range.first_node + node)) continue;
    position_hold[at(range.first_node + node)].fill(slider.hold);
    state.slide[k] = state.slide_anchor[k] = *nearest;
  }
}

// Twists of joints are counted on from what they are.
void count_twists(const ModelData& model, RodState& state) {
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    state.twist[k] = rod::joint_strain(side_frame(model, state, joint.left, joint.offset),
                                       side_frame(model, state, joint.right, 0), state.twist[k])
                         .twist;
  }
}

}  // namespace

RodState start_state(const ModelData& model, const Targets& targets, Nodes nodes) {
  RodState state;
  state.position = model.start_position;
  state.edge.resize(model.edges.size());
  state.frame = model.start_frame;
  state.tension.assign(model.edges.size(), 0);
  state.twist = model.start_twist;
  state.rotor.assign(model.rotors.size(), Mat3::Identity());
  state.rotor_target.assign(model.rotors.size(), Mat3::Identity());
  state.rotor_turns.assign(model.rotors.size(), 0);
  state.tie_force.assign(model.ties.size(), Vec3::Zero());
  state.slide_force.assign(model.sliders.size(), Vec3::Zero());
  state.slide_stop.assign(model.sliders.size(), 0);
  state.length_factor.assign(model.rods.size(), 1);
  state.plastic = rod::PlasticMemory(std::vector<double>(at(model.plasticity.memory), 0));
  state.velocity.assign(at(model.nodes), Vec3::Zero());
  state.edge_spin.assign(model.edges.size(), 0);
  state.edge_tilt.assign(model.edges.size(), Vec2::Zero());
  state.rotor_spin.assign(model.rotors.size(), Vec3::Zero());
  state.hold_force.assign(model.scene->holds.size(), Vec3::Zero());
  state.hold_moment.assign(model.scene->holds.size(), Vec3::Zero());
  state.force_scale = targets.force_scale;
  state.torque_scale = targets.torque_scale;
  for (const Slider& slider : model.sliders) {
    state.slide.push_back(drawn_slide(model, slider));
    state.slide_anchor.push_back(state.slide.back());
  }
  // to begin with, holds on free bodies are where the scene puts them too
  HeldAxes position_hold = model.position_hold;
  for (std::size_t h = 0; h < model.hold_tie.size(); ++h)
    if (model.hold_tie[h] >= 0) position_hold[at(model.hold_node[h])].fill(static_cast<int>(h));
  meet_sliding_holds(model, targets, position_hold, state);
  move_to(model, targets, position_hold, state);
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    lay_rod(model, targets, model.rods[r], position_hold, state.length_factor[r], state);
    if (nodes == Nodes::AtEdgeLengths) fit_edges(model, model.rods[r], position_hold, state.length_factor[r], state);
  }
  rebuild_edges(model, state);
  count_twists(model, state);
  set_in_motion(model, state);
  size_contacts(model, targets, state);
  return state;
}

void bring_to_rest(RodState& state) {
  if (!state.moving) return;
  state.moving = false;
  state.last_step = 0;
  state.drain_left = 0;
  state.trend_goes_on = 0;
  // accounts of a motion begin where it begins
  state.work = state.dissipated = state.drained = 0;
  const auto clear = [](auto& list) { std::fill(list.begin(), list.end(), std::decay_t<decltype(list[0])>::Zero()); };
  for (auto* list :
       {&state.velocity, &state.rotor_spin, &state.mean_velocity, &state.trend, &state.trend_change,
        &state.rotor_mean_spin, &state.acceleration, &state.mean_acceleration, &state.rotor_lead, &state.strain_change})
    clear(*list);
  clear(state.edge_tilt);
  for (auto* list : {&state.edge_spin, &state.axial_change, &state.edge_lead})
    std::fill(list->begin(), list->end(), 0.0);
}

}  // namespace filum::discrete
