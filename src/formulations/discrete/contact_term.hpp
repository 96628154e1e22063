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

struct ContactTerm {
  static constexpr int kMost = 8;
  static constexpr int kTurns = 2;
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
  double share = 1;                                                 // c
  Vec3 end_force = Vec3::Zero();                                    // f₁
  double floor = 0;  // what round-off of positions leaves of the force, N
};

// A direction in which a contact leaves no speed at the end of a step: Σ w_k v_k · along + Σ ω_t × e_t · along = speed.
struct HaltRow {
  int count = 0;
  std::array<int, ContactTerm::kMost> node{};
  std::array<double, ContactTerm::kMost> weight{};
  int turns = 0;
  std::array<ContactTurn, ContactTerm::kTurns> turn{};
  Vec3 along = Vec3::UnitZ();
  Vec3 speed = Vec3::Zero();  // of what it touches
};

// What a look back at a finished step finds: `Further`, contacts that nobody had thought of: the balance is to be found
// anew; `Through`, something went through something.
enum class Way { Free, Further, Through };

}  // namespace filum::discrete
