#include "formulations/kirchhoff/start.hpp"

#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::kirchhoff {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A shape drawn shorter than the rod by more than this is slack, and starts from a bow of the right length: a straight
// line compressed so far is an equilibrium of no use.
constexpr double kSlack = 0.01;

bool wholly_held(const ModelData& model, int node) {
  const auto& hold = model.position_hold[at(node)];
  return hold[0] >= 0 && hold[1] >= 0 && hold[2] >= 0;
}

double polyline_length(const std::vector<Vec3>& x) {
  double length = 0;
  for (std::size_t i = 1; i < x.size(); ++i) length += (x[i] - x[i - 1]).norm();
  return length;
}

// Bows the nodes between two held ones sideways, towards gravity if it can, until they have the wanted length.
void bow(std::vector<Vec3>& x, double wanted, const Vec3& gravity, const Vec3& normal) {
  const Vec3 chord = x.back() - x.front();
  const Vec3 along = chord.norm() > 1e-9 * wanted ? Vec3(chord.normalized()) : Vec3(normal.unitOrthogonal());
  Vec3 sideways = gravity - gravity.dot(along) * along;
  if (sideways.norm() < 0.1 * gravity.norm() || gravity.isZero(0)) sideways = normal - normal.dot(along) * along;
  if (sideways.norm() < 1e-9) sideways = along.unitOrthogonal();
  sideways.normalize();
  const std::vector<Vec3> flat = x;
  auto bowed = [&](double depth) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(x.size() - 1);
      const double rise = std::sin(std::numbers::pi * share);
      x[i] = flat[i] + depth * rise * rise * sideways;
    }
    return polyline_length(x);
  };
  // bisection: the length grows with the depth
  double low = 0;
  double high = wanted;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (bowed(middle) < wanted ? low : high) = middle;
  }
}

void take_up_slack(const ModelData& model, const RodRange& range, double factor, RodState& state) {
  const RodMesh& mesh = range.mesh;
  if (mesh.closed) return;
  std::vector<int> held;
  for (int i = 0; i < mesh.nodes(); ++i)
    if (wholly_held(model, range.first_node + i)) held.push_back(i);
  const Vec3 normal = model.start_frame[at(range.first_edge)].col(0);

  // between two held nodes: a bow
  for (std::size_t k = 0; k + 1 < held.size(); ++k) {
    std::vector<Vec3> x(state.position.begin() + range.first_node + held[k],
                        state.position.begin() + range.first_node + held[k + 1] + 1);
    const double wanted = factor * (mesh.s[at(held[k + 1])] - mesh.s[at(held[k])]);
    if (x.size() < 3 || polyline_length(x) > (1 - kSlack) * wanted) continue;
    bow(x, wanted, model.scene.gravity, normal);
    std::copy(x.begin(), x.end(), state.position.begin() + range.first_node + held[k]);
  }
  // beyond the last one (or along a rod that nothing holds): the shape's directions, the rod's lengths
  auto walk = [&](int from, int to) {
    const int step = to > from ? 1 : -1;
    for (int i = from; i != to; i += step) {
      const int edge = range.first_edge + (step > 0 ? i : i - 1);
      const Vec3 direction = step * state.frame[at(edge)].col(2);
      const double length = factor * model.edges[at(edge)].rest_length;
      state.position[at(range.first_node + i + step)] = state.position[at(range.first_node + i)] + length * direction;
    }
  };
  const double drawn = polyline_length({state.position.begin() + range.first_node,
                                        state.position.begin() + range.first_node + mesh.nodes()});
  if (drawn > (1 - kSlack) * factor * mesh.length && held.size() < 2) return;
  walk(held.empty() ? 0 : held.back(), mesh.nodes() - 1);
  if (!held.empty()) walk(held.front(), 0);
}

// Edges and frames after the positions have been set.
void rebuild_edges(const ModelData& model, RodState& state) {
  for (std::size_t j = 0; j < model.edges.size(); ++j) {
    const Edge& edge = model.edges[j];
    Vec3 e = state.position[at(edge.b)] - state.position[at(edge.a)];
    // nodes that fell together keep the direction they had
    if (e.norm() < 1e-9 * edge.rest_length) e = 1e-3 * edge.rest_length * state.frame[j].col(2);
    state.edge[j] = e;
    state.frame[j] = rod::carried_frame(state.frame[j], e, 0);
  }
}

// Moves nodes along one axis: held ones to their targets, those between in proportion, those beyond like the last.
void move_axis(const ModelData& model, const Targets& targets, const RodRange& range, int axis, RodState& state) {
  struct Held {
    int node;
    double move;
  };
  std::vector<Held> held;
  const RodMesh& mesh = range.mesh;
  for (int i = 0; i < mesh.nodes(); ++i) {
    const int node = range.first_node + i;
    const int hold = model.position_hold[at(node)][at(axis)];
    if (hold >= 0) held.push_back({i, targets.holds[at(hold)].position[axis] - state.position[at(node)][axis]});
  }
  if (held.empty()) return;
  for (int i = 0; i < mesh.nodes(); ++i) {
    const auto after = std::find_if(held.begin(), held.end(), [&](const Held& h) { return h.node >= i; });
    double move = after == held.end() ? held.back().move : after->move;
    if (after != held.end() && after != held.begin()) {
      const Held& before = *(after - 1);
      const double share = (mesh.s[at(i)] - mesh.s[at(before.node)]) / (mesh.s[at(after->node)] - mesh.s[at(before.node)]);
      move = before.move + share * (after->move - before.move);
    }
    state.position[at(range.first_node + i)][axis] += move;
  }
  // held nodes exactly where they belong
  for (const Held& h : held) {
    const int node = range.first_node + h.node;
    const int hold = model.position_hold[at(node)][at(axis)];
    state.position[at(node)][axis] = targets.holds[at(hold)].position[axis];
  }
}

void turn_rotors(const ModelData& model, const Targets& targets, RodState& state) {
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    const Rotor& rotor = model.rotors[r];
    if (rotor.hold < 0 || rotor.hold_section < 0) continue;
    const HoldTarget& target = targets.holds[at(rotor.hold)];
    const Mat3 spin = Eigen::AngleAxisd(2 * std::numbers::pi * target.turns, Vec3::UnitZ()).toRotationMatrix();
    const Mat3 wanted = target.orientation.toRotationMatrix() * spin *
                        model.sections[at(rotor.hold_section)].base.transpose();
    const bool held = rotor.fixed[0] && rotor.fixed[1] && rotor.fixed[2];
    // a hinge keeps its own turn and takes on only what the target has turned since
    state.rotor[r] = held ? wanted : Mat3(wanted * state.rotor_target[r].transpose() * state.rotor[r]);
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

void apply_targets(const ModelData& model, const Targets& targets, RodState& state) {
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    state.length_factor[r] = targets.rod_length[r] / model.rods[r].mesh.length;
    for (int axis = 0; axis < 3; ++axis) move_axis(model, targets, model.rods[r], axis, state);
  }
  rebuild_edges(model, state);
  turn_rotors(model, targets, state);
}

RodState start_state(const ModelData& model, const Targets& targets) {
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
  for (const Slider& slider : model.sliders) {
    const RodMesh& mesh = model.rods[at(slider.rod)].mesh;
    state.slide.push_back(model.scene.holds[at(slider.hold)].at.at(mesh.length));
  }
  apply_targets(model, targets, state);
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    take_up_slack(model, model.rods[r], state.length_factor[r], state);
  rebuild_edges(model, state);
  return state;
}

}  // namespace filum::kirchhoff
