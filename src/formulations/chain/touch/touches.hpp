// What touches in a step: the velocities at which contacts and everything else are in balance.
//
// The motion of a step is the minimum over v of
//
//     ½ |v − u|²_M̃ + Ψ(v) + Σ ℓ_i(J_i v),
//
// u the velocities that the parts would have alone, Ψ what joints and ropes add, ℓ_i the contacts (contact/soft_contact.hpp).
// It is convex, so there is one. Newton's method: each ℓ_i in the second order about c_i adds to its part's own mass
// and momentum,
//
//     M̃ += Jᵀ H J,    M̃ u += Jᵀ (γ(c) + H c),
//
// or, between two parts that move, is a row of the system that the joints are; and the step is solved as without contacts.
// That gives velocities w and the impulses γ̂ = γ(c) − H (w − c). If these are what the law asks for at w, all is in balance.
// Else the next c lies on the way from c to w where the convex function is least: since the joints answer to γ̂ exactly its slope
// is that of the contacts alone, Σ (γ̂ − γ)·dc, which rises along the way. So it ends, whatever touches.
//
// Friction's bound is μ times the normal force of the same step, asked for again until it stays. What is met within the step
// although nobody foresaw it is added then.
//
// k = 100 M/h², M all that moves: if everything weighs on one place it sinks in by g h²/100, 0.03 mm at 1/60 s; elements of a
// rod at least with ten times their own stretching stiffness. Friction's spring is as stiff. What is drawn deep inside comes out
// slowly.
//
// What contacts take along the way that the step goes, −γ·v, counts as dissipated; what a blow takes besides, ½|Δv|²_M, is
// what the step loses (chain_energy.hpp). None is made.
#pragma once

#include "contact/soft_contact.hpp"
#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/touch/touch_search.hpp"

#include <utility>
#include <vector>

namespace filum::chain {

class Touches {
 public:
  // For the parts of another mechanism.
  void lay_out(const ModelData& model, const Mechanism& mechanism, const ChainState& state);
  [[nodiscard]] bool is_there() const { return there_; }

  // Before a step, with the velocities that the parts would have: who touches.
  void begin(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
             const std::vector<Vec6>& velocity, double dt);

  // Contacts of two parts that move, as constraints behind all others. `relinked`: since then they are others.
  [[nodiscard]] bool relinked() const { return relinked_; }
  void add_to(ConstraintSet& set, int group);

  // Adds the contacts, about where they stand: to the masses and the free velocities of the parts, and, when these are
  // known, to the constraints.
  void press(std::vector<Mobility>& mobility, std::vector<Vec6>& velocity);
  void fill(ConstraintSet& set, const std::vector<Vec6>& velocity) const;

  // After a solve: whether all is in balance. If not it is to be pressed and solved again.
  bool settle(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
              const std::vector<Vec6>& velocity, const ConstraintSet& set);
  // The joints ask for something else: from where it stands.
  void go_on_anew();
  // Something would go through something else, and is not held.
  [[nodiscard]] bool missed() const { return missed_; }
  // The balance was not found.
  [[nodiscard]] bool unsettled() const { return unsettled_; }
  // Likewise after the parts have moved, and turned, which the ways above leave out.
  bool went_through(const ModelData& model, const Mechanism& mechanism, const ChainState& state);

  // After the last solve, with the new velocities: what contacts remember, and the accounts.
  void take(const Mechanism& mechanism, ChainState& state, const std::vector<Vec6>& velocity);

 private:
  struct Contact {
    TouchFound place;
    double friction = 0;  // coefficient
    Vec3 arm = Vec3::Zero();
    Vec3 arm_other = Vec3::Zero();
    contact::SoftContact law;
    Vec3 about = Vec3::Zero();   // c
    Vec3 held = Vec3::Zero();    // γ̂, as c and the joints' answer go with it
    Vec3 solved = Vec3::Zero();  // w
    Vec3 acted = Vec3::Zero();   // γ̂ at w
    double force = 0;            // normal, N, as last found
    Vec3 rubbed = Vec3::Zero();  // friction of the step before, N
    double least_stick = 0;      // of friction's spring, N/m
    double slack = 0;            // by which it is bent at most, m
    double chafing = 0;
    bool linked = false;  // both parts move
    int constraint = -1;  // likewise
  };
  void add(const ModelData& model, const Mechanism& mechanism, const ChainState& state, const TouchFound& place);
  bool add_new(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
               const std::vector<Vec6>& velocity);
  void remember(const ChainState& state, Contact& each) const;
  [[nodiscard]] Vec3 speed(const Contact& each, const std::vector<Vec6>& velocity) const;
  [[nodiscard]] double slope(double share) const;
  void go_on();
  bool renew_limits();
  [[nodiscard]] TouchState ended(const Contact& each, const Vec3& now, const Vec3& moved) const;
  static void set_limit(Contact& each, double limit);

  TouchSearch search_;
  std::vector<Contact> contacts_;
  std::vector<Mat6> coupled_;               // mobilities of parts that touch
  std::vector<Vec6> moves_;                 // of all parts, after a solve
  std::vector<PartState> before_;           // parts at the start of the step
  std::vector<Vec6> still_;                 // velocities of what does not move
  std::vector<std::pair<int, int>> links_;  // parts of the constraints
  double mass_ = 0;                         // of all that moves, kg
  double dt_ = 0;
  double push_out_ = 0;  // the deepest that comes out within a step, m
  double weight_ = 0;    // of all that moves, over a step, N·s
  bool there_ = false;
  bool relinked_ = false;
  bool begun_ = false;  // c lies where the joints have answered
  bool missed_ = false;
  bool unsettled_ = false;
  int rounds_ = 0;
  int renewals_ = 0;
  int additions_ = 0;
};

}  // namespace filum::chain
