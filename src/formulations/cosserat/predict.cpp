#include "formulations/cosserat/predict.hpp"

#include "base/index.hpp"
#include "formulations/cosserat/lift.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "math/dense.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace filum::cosserat {

namespace {

// How a held cross-section has moved: a rotation in space, then turns about its own tangent.
struct Move {
  int node = 0;  // local to the rod
  Vec3 turn = Vec3::Zero();
  double spin = 0;  // rad
};

// Turns the held rotors; what each has done.
std::vector<Move> turn_rotors(const ModelData& model, const Targets& targets, CableState& cable) {
  discrete::RodState& state = cable.rods;
  std::vector<Move> moves(model.rotors.size());
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    const discrete::Rotor& rotor = model.rotors[r];
    if (rotor.hold < 0 || rotor.hold_section < 0) continue;
    const HoldTarget& target = targets.holds[at(rotor.hold)];
    const Mat3 unspun = discrete::wanted_rotation(model, rotor, target, state.rotor_turns[r]);
    const Mat3 wanted = discrete::wanted_rotation(model, rotor, target, target.turns);
    moves[r].turn = math::log_so3(unspun * state.rotor_target[r].transpose());
    moves[r].spin = 2 * std::numbers::pi * (target.turns - state.rotor_turns[r]);
    const bool held = fixes_all(rotor.fixed);
    // the count of turns goes the same way: a turn in space, then the spin about the section's own axis
    const Quat base(model.sections[at(rotor.hold_section)].base);
    const Quat spin(std::cos(0.5 * moves[r].spin), 0, 0, std::sin(0.5 * moves[r].spin));
    const Quat guess = math::exp_quat(moves[r].turn) * cable.rotor_lift[r] * base * spin * base.conjugate();
    // a hinge keeps its own turn, about its world axis, on top of the target
    state.rotor[r] = held ? wanted : Mat3(state.rotor[r] * state.rotor_target[r].transpose() * wanted);
    cable.rotor_lift[r] = lifted(state.rotor[r], guess);
    state.rotor_target[r] = wanted;
    state.rotor_turns[r] = target.turns;
  }
  return moves;
}

// The held cross-sections of a rod in order, with their moves.
std::vector<Move> moves_along(const ModelData& model, const discrete::RodRange& range, const std::vector<Move>& moves) {
  std::vector<Move> along;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const discrete::Joint& joint = model.joints[at(k)];
    const int section = std::max(joint.left.section, joint.right.section);
    if (section < 0) continue;
    const int rotor = model.sections[at(section)].rotor;
    if (model.rotors[at(rotor)].hold < 0) continue;
    Move move = moves[at(rotor)];
    move.node = joint.node - range.first_node;
    if (along.empty() || along.back().node != move.node) along.push_back(move);
  }
  return along;
}

// The move of the segment whose middle is at s: between two held sections in proportion, beyond the last one its own.
Move move_at(const discrete::RodMesh& mesh, const std::vector<Move>& along, double s) {
  const auto after =
      std::find_if(along.begin(), along.end(), [&](const Move& move) { return mesh.s[at(move.node)] >= s; });
  if (after == along.begin()) return along.front();
  if (after == along.end()) return along.back();
  const Move& before = *(after - 1);
  const double share = (s - mesh.s[at(before.node)]) / (mesh.s[at(after->node)] - mesh.s[at(before.node)]);
  return {0, (1 - share) * before.turn + share * after->turn, (1 - share) * before.spin + share * after->spin};
}

void turn_rod(const ModelData& model, const discrete::RodRange& range, const std::vector<Move>& moves,
              CableState& cable) {
  discrete::RodState& state = cable.rods;
  const std::vector<Move> along = moves_along(model, range, moves);
  if (along.empty()) return;
  const discrete::RodMesh& mesh = range.mesh;
  std::vector<double> spin(at(mesh.edges()));
  for (int j = 0; j < mesh.edges(); ++j) {
    const Move move = move_at(mesh, along, mesh.s[at(j)] + 0.5 * mesh.edge_length(j));
    const auto edge = at(range.first_edge + j);
    turn(state.frame[edge], cable.edge_lift[edge], move.turn, move.spin);
    spin[at(j)] = move.spin;
  }
  // unwrapped twist of the joints changes by what their sides have spun
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const discrete::Joint& joint = model.joints[at(k)];
    const auto spin_of = [&](const discrete::Side& side) {
      if (side.is_edge()) return spin[at(side.edge - range.first_edge)];
      return moves[at(model.sections[at(side.section)].rotor)].spin;
    };
    state.twist[at(k)] += spin_of(joint.right) - spin_of(joint.left);
  }
}

// The smallest rotation from one direction to another.
Vec3 shortest_turn(const Vec3& from, const Vec3& to) {
  return math::log_quat(math::smallest_turn(from, to));
}

// A span whose ends have gone far is swung round with its chord. One that becomes taut is laid straight, as far
// stretched as it has to be; one that was taut and becomes slack is laid as an arc, downwards.
void lay_span(const ModelData& model, const Network& network, int index, CableState& state) {
  constexpr double kFar = 0.1;    // move of the chord, share of the span's length
  constexpr double kTaut = 0.98;  // chord, likewise
  const Chain& chain = network.chains[at(index)];
  if (!chain.is_span() || !network.is_given(chain.start) || !network.is_given(chain.end)) return;
  discrete::RodState& rods = state.rods;
  const double factor = rods.length_factor[at(chain.rod)];
  Vec3 old = Vec3::Zero();
  double length = 0;
  for (const int edge : chain.edges) {
    const double rest = factor * model.edges[at(edge)].rest_length;
    old += rest * (1 + rods.tension[at(edge)] / model.edges[at(edge)].axial_stiffness) * rods.frame[at(edge)].col(2);
    length += rest;
  }
  const Vec3 chord = rods.position[at(network.stations[at(chain.end)].node)] -
                     rods.position[at(network.stations[at(chain.start)].node)];
  if ((chord - old).norm() < kFar * length || chord.norm() < 1e-3 * length) return;
  const Vec3 along = chord.normalized();
  const bool was_taut = old.norm() > kTaut * length;
  const bool taut = chord.norm() > kTaut * length;

  if (old.norm() > 1e-3 * length) {
    const Vec3 swing = shortest_turn(old, chord);
    for (const int edge : chain.edges) turn(rods.frame[at(edge)], state.edge_lift[at(edge)], swing);
  }
  if (!taut && !was_taut) return;
  // an arc of half angle β has the chord sin β/β of its length
  double half = 0;
  if (!taut) {
    double high = std::numbers::pi;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (half + high);
      (math::sinc(middle) * length > chord.norm() ? half : high) = middle;
    }
  }
  const Vec3 gravity = model.gravity;
  Vec3 axis = along.cross(gravity);
  axis = axis.norm() > 1e-3 * gravity.norm() && !gravity.isZero(0) ? Vec3(axis.normalized()) : along.unitOrthogonal();
  const double strain = std::max(0.0, chord.norm() / length - 1);
  double s = 0;
  for (const int index_of_edge : chain.edges) {
    const auto edge = at(index_of_edge);
    const double rest = factor * model.edges[edge].rest_length;
    const double angle = half * (1 - 2 * (s + 0.5 * rest) / length);
    const Vec3 direction = Eigen::AngleAxisd(angle, axis) * along;
    turn(rods.frame[edge], state.edge_lift[edge], shortest_turn(rods.frame[edge].col(2), direction));
    rods.tension[edge] = strain * model.edges[edge].axial_stiffness;
    s += rest;
  }
  state.span_force[at(index)] = rods.tension[at(chain.edges.front())] * along;
}

}  // namespace

void follow_holds(const ModelData& model, const Network& network, const Targets& targets, CableState& state) {
  discrete::RodState& rods = state.rods;
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    rods.length_factor[r] = targets.rod_length[r] / model.rods[r].mesh.length;
  for (const Root& root : network.roots) {
    const auto& hold = model.position_hold[at(root.node)];
    for (int axis = 0; axis < 3; ++axis)
      if (hold[at(axis)] >= 0) rods.position[at(root.node)][axis] = targets.holds[at(hold[at(axis)])].position[axis];
  }
  const std::vector<Move> moves = turn_rotors(model, targets, state);
  const bool turned =
      std::any_of(moves.begin(), moves.end(), [](const Move& m) { return m.spin != 0 || !m.turn.isZero(0); });
  if (turned)
    for (const discrete::RodRange& range : model.rods) turn_rod(model, range, moves, state);
  for (std::size_t c = 0; c < network.chains.size(); ++c) lay_span(model, network, static_cast<int>(c), state);
}

}  // namespace filum::cosserat
