// All that moves in a chain of rigid parts. A value: copying it is undo.
//
// A rod is a row of rigid elements; each is a part, and so is every free body, every hold that something outside moves,
// every other body of the scene, and, last, the world itself. The list of elements is part of the state because
// winches, sheaves and the level of detail change it; everything else about the mechanism follows from it
// (mechanism.hpp).
#pragma once

#include "rod/plastic_memory.hpp"

#include <filum/types.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace filum::chain {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

// A piece of a rod, rigid, between two of its cross-sections.
struct Element {
  int rod = 0;
  double begin = 0;  // arc lengths of the unstretched rod, m
  double end = 0;
  int wheel = -1;  // that the rod runs over after it, of the scene's sheaves
  [[nodiscard]] double length() const { return end - begin; }
};

struct PartState {
  Vec3 position = Vec3::Zero();  // of its centre of mass
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();  // world frame
  double stiffness = 0;      // geometric, as remembered (tension_stiffness.hpp), N·m
};

// What a constraint remembers: its force on part b, and the turns it has been through.
struct LinkState {
  Vec6 force = Vec6::Zero();  // λ: three of the gap, N, three of the turn, N·m
  Vec3 lag = Vec3::Zero();    // gap at the step's end beyond the one that λ answers to, m (row_weights.hpp)
  double twist = 0;           // unwrapped, rad
  double twist_lag = 0;       // as the gap's, rad
  double twist_rate = 0;      // at the start of the last step, rad/s
  bool broken = false;        // it holds nothing any more
  // of a rod that yields or slips (link_yield.hpp): what it remembers, and the strain that was kept at
  rod::PlasticMemory plastic;
  Vec6 strain = Vec6::Zero();
};

// The largest pull that a rod or rope has borne since it began to move (pulls.hpp).
struct PeakPull {
  double tension = 0;    // N, by a closer look where it was a blow
  double at_steps = 0;   // at the ends of steps alone, N
  double arc = 0;        // where along the unstretched rod, m
  bool settled = false;  // it has not risen in some step: what it rises by from then on is no longer how it was drawn
  double usual = 0;      // mean pull of the last second or so in which it was taut, N
  double taut_for = 0;   // for how long it has been, s
  bool slack = false;    // it bore a load once, and bears none now
  bool jerked = false;   // the last step was a blow, and a closer look has found more than the step
};

// A massless rope (ropes.hpp). Lists: one entry per sheave with friction.
struct RopeState {
  double length = 0;   // unstretched, m
  double tension = 0;  // of its first part, N
  bool slack = false;
  bool broken = false;
  bool tied = true;
  bool retied = false;  // since the start: its length is its own then
  PeakPull peak;
  std::vector<double> friction;  // force of the sheave on the rope: what the tension loses there, N
  std::vector<double> beyond;    // length of rope beyond it while it sticks, m
  std::vector<int> bound;        // where that stands: Schur's Bound
};

struct WinchState {
  double paid_out = 0;   // since the start, m
  double speed = 0;      // over the last step, m/s
  double force = 0;      // tension where the rope leaves the drum, N
  double asked = 0;      // to be paid out in the step, m
  bool stopped = false;  // at its shortest or longest rope, or one that it is geared to is
  double slip = 0;       // what its brake lets out a step more than rope and stretch ask for, m
};

// A sheave with a rod on it (wheels.hpp).
struct WheelState {
  Vec6 force = Vec6::Zero();  // of its six rows
  double tension = 0;         // before it, N
  double friction = 0;        // what the tension gains on it, N
  int bound = 0;              // where that stands: Schur's Bound
  bool sticks = false;
  double stuck = 0;       // arc length that sticks to its mark, m
  double leaves = 0;      // angle from its mark to where the rope leaves it, unwrapped, rad
  double reached = 0;     // that leaves it now, m
  double rate = 0;        // of its rim, m/s; of the rope past its mark where neither friction nor inertia hold it
  double lost = 0;        // to its friction in the last step, J
  double angle = 0;       // of the rope on it, rad
  double slip = 0;        // rope run over it since the start, m
  double twist = 0;       // of the rope across it, unwrapped, rad
  double twist_rate = 0;  // at the start of the last step, rad/s
  bool jumped = false;    // the rope lies beside its groove, or stands off its rim
};

// A joint between bodies (body_joints.hpp).
struct JointState {
  double position = 0;   // of what it leaves free: unwrapped, rad, or m
  double rate = 0;       // at the step's end
  double force = 0;      // of its motor and what drives it, N·m or N
  int motor_bound = 0;   // where the motor stands: Schur's Bound
  bool stopped = false;  // at one of its ends
};

// What holds two things off each other (touch/touches.hpp), as the last step left it.
struct TouchState {
  int part = 0;                  // one that moves
  int other = 0;                 // what it touches
  int own = -1;                  // the solid that touches with a feature (TouchModel::solids); −1: an element
  int feature = 0;               // of an element: its beginning, its end, two places between
  int solid = -1;                // that is touched; −1: an element
  bool sticks = false;           // held by friction
  double force = 0;              // normal, N
  double stick = 0;              // stiffness of friction's spring, N/m
  double gap = 0;                // m
  double chafing = 0;            // normal force times way slipped, for as long as it has touched, N·m
  Vec3 friction = Vec3::Zero();  // on the part, N
  Vec3 normal = Vec3::UnitZ();   // out of the other
  Vec3 point = Vec3::Zero();     // where the surfaces meet, m
  Vec3 slip = Vec3::Zero();      // in the last step, m
};

struct ChainState {
  std::vector<Element> elements;  // rod by rod, along each
  std::vector<PartState> parts;   // of the elements, in their order; of the scene's bodies; of its holds; of the world
  std::vector<LinkState> links;   // in the order of the mechanism's
  std::vector<RopeState> ropes;   // of the scene
  std::vector<WinchState> winches;    // likewise
  std::vector<WheelState> wheels;     // of the scene's sheaves
  std::vector<JointState> joints;     // of the scene's joints
  std::vector<TouchState> touches;    // of what touches now
  std::vector<Mat3> pulls;            // per body: its geometric stiffness as remembered, body axes, N·m
  std::vector<double> length_factor;  // per rod: present length / compiled length
  std::vector<PeakPull> peaks;        // per rod
  std::vector<double> hold_turns;     // per hold: asked for so far
  std::vector<double> force_scale;    // as of the last step
  std::vector<double> torque_scale;
  double load = 1;
  int merged_last = 0;  // steps ago: when elements last became fewer for the level of detail
  bool moving = false;  // a step has been taken
  double work = 0;
  double dissipated = 0;
  double whip = 0;              // for how long steps are to be short, s (pulls.hpp)
  double last_step = 0;         // s; 0: none was taken
  double most_kinetic = 0;      // the largest so far, J
  double loss = 0;              // what the steps themselves have taken in the present window, J (chain_energy.hpp)
  double loss_time = 0;         // how long that has lasted, s
  double told_loss = 0;         // the largest share of the energy that moved, of those worth telling
  double told_made = 0;         // likewise of what they have made
  double risen = 0;             // the balance of the energies above its lowest so far, J (energy.hpp)
  std::uint64_t structure = 0;  // of the list of elements, as it was when they were last cut
};

// A number that tells lists of elements apart.
std::uint64_t structure_of(const std::vector<Element>& elements);

// All of it as numbers.
std::vector<double> pack_state(const ChainState& state);
// False, and nothing changed, if the numbers are not those of a state like this one.
bool unpack_state(std::span<const double> values, ChainState& state);

}  // namespace filum::chain
