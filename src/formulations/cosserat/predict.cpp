#include "formulations/cosserat/predict.hpp"

#include "base/index.hpp"
#include "formulations/kirchhoff/start.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <numbers>

namespace filum::cosserat {

namespace {

// How a held cross-section has moved: a rotation in space, then turns about its own tangent.
struct Move {
  int node = 0;  // local to the rod
  Vec3 turn = Vec3::Zero();
  double spin = 0;  // rad
};

// Turns the held rotors; what each has done.
std::vector<Move> turn_rotors(const ModelData& model, const Targets& targets, kirchhoff::RodState& state) {
  std::vector<Move> moves(model.rotors.size());
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    const kirchhoff::Rotor& rotor = model.rotors[r];
    if (rotor.hold < 0 || rotor.hold_section < 0) continue;
    const HoldTarget& target = targets.holds[at(rotor.hold)];
    const Mat3 unspun = kirchhoff::wanted_rotation(model, rotor, target, state.rotor_turns[r]);
    const Mat3 wanted = kirchhoff::wanted_rotation(model, rotor, target, target.turns);
    moves[r].turn = math::log_so3(unspun * state.rotor_target[r].transpose());
    moves[r].spin = 2 * std::numbers::pi * (target.turns - state.rotor_turns[r]);
    const bool held = rotor.fixed[0] && rotor.fixed[1] && rotor.fixed[2];
    // a hinge keeps its own turn, about its world axis, on top of the target
    state.rotor[r] = held ? wanted : Mat3(state.rotor[r] * state.rotor_target[r].transpose() * wanted);
    state.rotor_target[r] = wanted;
    state.rotor_turns[r] = target.turns;
  }
  return moves;
}

// The held cross-sections of a rod in order, with their moves.
std::vector<Move> moves_along(const ModelData& model, const kirchhoff::RodRange& range,
                              const std::vector<Move>& moves) {
  std::vector<Move> along;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const kirchhoff::Joint& joint = model.joints[at(k)];
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
Move move_at(const kirchhoff::RodMesh& mesh, const std::vector<Move>& along, double s) {
  const auto after =
      std::find_if(along.begin(), along.end(), [&](const Move& move) { return mesh.s[at(move.node)] >= s; });
  if (after == along.begin()) return along.front();
  if (after == along.end()) return along.back();
  const Move& before = *(after - 1);
  const double share = (s - mesh.s[at(before.node)]) / (mesh.s[at(after->node)] - mesh.s[at(before.node)]);
  return {0, (1 - share) * before.turn + share * after->turn, (1 - share) * before.spin + share * after->spin};
}

void turn_rod(const ModelData& model, const kirchhoff::RodRange& range, const std::vector<Move>& moves,
              kirchhoff::RodState& state) {
  const std::vector<Move> along = moves_along(model, range, moves);
  if (along.empty()) return;
  const kirchhoff::RodMesh& mesh = range.mesh;
  std::vector<double> spin(at(mesh.edges()));
  for (int j = 0; j < mesh.edges(); ++j) {
    const Move move = move_at(mesh, along, mesh.s[at(j)] + 0.5 * mesh.edge_length(j));
    Mat3& frame = state.frame[at(range.first_edge + j)];
    frame = math::exp_so3(move.turn) * frame * Eigen::AngleAxisd(move.spin, Vec3::UnitZ()).toRotationMatrix();
    spin[at(j)] = move.spin;
  }
  // unwrapped twist of the joints changes by what their sides have spun
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const kirchhoff::Joint& joint = model.joints[at(k)];
    const auto spin_of = [&](const kirchhoff::Side& side) {
      if (side.is_edge()) return spin[at(side.edge - range.first_edge)];
      return moves[at(model.sections[at(side.section)].rotor)].spin;
    };
    state.twist[at(k)] += spin_of(joint.right) - spin_of(joint.left);
  }
}

}  // namespace

void follow_holds(const ModelData& model, const Network& network, const Targets& targets, CableState& state) {
  kirchhoff::RodState& rods = state.rods;
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    rods.length_factor[r] = targets.rod_length[r] / model.rods[r].mesh.length;
  for (const Root& root : network.roots) {
    const auto& hold = model.position_hold[at(root.node)];
    for (int axis = 0; axis < 3; ++axis)
      if (hold[at(axis)] >= 0) rods.position[at(root.node)][axis] = targets.holds[at(hold[at(axis)])].position[axis];
  }
  const std::vector<Move> moves = turn_rotors(model, targets, rods);
  const bool turned =
      std::any_of(moves.begin(), moves.end(), [](const Move& m) { return m.spin != 0 || !m.turn.isZero(0); });
  if (!turned) return;
  for (const kirchhoff::RodRange& range : model.rods) turn_rod(model, range, moves, rods);
}

}  // namespace filum::cosserat
