// What one contact does to the nodes it is made of.
//
// A contact holds a point Σ w_k x_k off something: an obstacle, then the weights are those of a station on its rod, or
// another strand, then that strand's nodes have negative weights and the point is the way between the two. Its force
// acts on node k as w_k f.
//
// What is held off, or what it is held off from, may be a free body: its node then has a weight (1, or −1) and its rotor
// a turn t. A turn w moves the point by w × e, with e the arm to the point at the step's end, negative for what holds off;
// the force acts on the rotor as the moment m × f, m the arm or, in a step that keeps energy, its mean over the step. A
// force fixed to a body that holds off turns with it. With S the stiffness, c the share of the step's end in such means
// (1, ½) and f₁ the force at that end, rows of p by columns of q are G_p S J_q, where G = w, [m]× and J = w, −[e]×, and
//
//     c G_p [f₁]× for the turn q of what holds off, −c w_q [f]× and c [f]× [e]× for its own row by nodes and by the other
//     turn, −c [f]× [e]× for the turn of what is held off by itself.
//
// A point beside the centre line of a flat rod moves with the frames of one or two edges (rod/edge_arm.hpp): it is
// Σ w_k x_k + Σ r_f, and its force has a moment on each of those edges.
#pragma once

#include <filum/types.hpp>

#include <Eigen/Core>

#include <array>

namespace filum::discrete {

struct ContactTurn {
  int rotor = -1;
  Vec3 arm = Vec3::Zero();  // m
  Vec3 end = Vec3::Zero();  // e
  bool holds_off = false;   // its body bears the solid
};

// An edge that carries a part of the point's place.
struct ContactFrame {
  int edge = 0;
  Vec3 end = Vec3::Zero();  // r_f
  Vec3 arm = Vec3::Zero();  // the same or, in a step that keeps energy, its mean over the step
};

struct ContactTerm {
  static constexpr int kMost = 8;
  static constexpr int kTurns = 2;
  static constexpr int kFrames = 2;
  int count = 0;
  std::array<int, kMost> node{};
  std::array<double, kMost> weight{};
  Vec3 force = Vec3::Zero();
  Mat3 stiffness = Mat3::Zero();  // −∂force/∂(Σ w x) at fixed weights
  // What a place that slides adds, on the rows of node p and the columns of q: Σ_ij rise_i[p] (give)_ij slide_j[q]ᵀ.
  int slides = 0;
  std::array<std::array<Vec3, kMost>, 2> rise{};
  std::array<std::array<Vec3, kMost>, 2> slide{};
  Eigen::Matrix2d give = Eigen::Matrix2d::Zero();
  int turns = 0;
  std::array<ContactTurn, kTurns> turn{};
  std::array<Vec3, kTurns> turn_slide{Vec3::Zero(), Vec3::Zero()};  // as rise[0] and slide[0], of turns
  int frames = 0;
  std::array<ContactFrame, kFrames> frame{};
  double share = 1;               // c
  Vec3 end_force = Vec3::Zero();  // f₁
  double floor = 0;               // what round-off of positions leaves of the force, N
};

// A direction in which a contact leaves no speed at the end of a step: Σ w_k v_k · along + Σ ω_t × e_t · along = speed;
// of a flat rod with Σ ω_f × r_f · along besides, ω_f the spin of an edge's frame.
struct HaltRow {
  int count = 0;
  std::array<int, ContactTerm::kMost> node{};
  std::array<double, ContactTerm::kMost> weight{};
  int turns = 0;
  std::array<ContactTurn, ContactTerm::kTurns> turn{};
  int frames = 0;
  std::array<ContactFrame, ContactTerm::kFrames> frame{};
  Vec3 along = Vec3::UnitZ();
  Vec3 speed = Vec3::Zero();  // of what it touches
};

// What a look back at a finished step finds: `Further`, contacts that nobody had thought of: the balance is to be found
// anew; `Through`, something went through something.
enum class Way { Free, Further, Through };

}  // namespace filum::discrete
