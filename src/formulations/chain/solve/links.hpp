// The links of a mechanism as rows of a step: the first constraints of its system, one for each.
//
// A gap row and that of the twist look at it as weighted over the step (row_weights.hpp), a bend row at the strain; they give way by
// their compliance ε and damping time β: right = −J u − φ/(h + β), softness = ε/(h (h + β)) [Servin2007, (11)].
//
// J v⁺ leads the ends of a turning element straight on, and they go round: the gap at the step's end is
// φ + h J v⁺ + b, b = bow_of(h ω, ρ) of either side. Left out, b is found as a gap by the next step, which is no harm as
// long as it stays the same; but a rope that whips, or a step that is shorter than the last, makes energy of it. So b is
// foretold by the spins at the start, and where those change much it is asked for again after the solve: then the
// gaps of a step are answered as they are, by forces along the rows at its start, as in SHAKE [Andersen1983].
//
// Links of rods that yield or slip (link_yield.hpp): at φ = φ₀ + a J v⁺, the strain that a row looks at, their law
// λ = −(K φ − R(φ)) − K β J v⁺ is followed by Newton's method. The first solve is elastic from what is remembered, and the
// last if nothing is beyond yield; then, with R ≈ R* + S (φ − φ*),
//
//     A = (K − S) a + K β,      right = −J u − A⁻¹ ((K − S) φ₀ − R* + S φ*),      softness = A⁻¹/h.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/joint_residual.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"

#include <vector>

namespace filum::chain {

class Links {
 public:
  // Appends the constraints of all links to an empty system. Links that join two rods have the group `rods`.
  void add_to(ConstraintSet& set, const Mechanism& mechanism, int rods);

  // Rows and right-hand sides; `velocity`: without the constraints. `kept`: bows are as they were last foretold.
  void fill(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
            const std::vector<Vec6>& velocity, double dt, bool kept = false);

  // After a solve: what the gaps are worth by which the ends of elements go otherwise than was foretold, J.
  double missed_bows(const ConstraintSet& set, const Mechanism& mechanism, const std::vector<Vec6>& velocity,
                     double dt);
  // Has the right-hand sides know of them, to be solved again.
  void foretell_again(ConstraintSet& set);

  // Whether any link has yielded, so that links are likely to give way again.
  [[nodiscard]] bool give() const { return gives_; }

  // After a solve: the rows of links beyond yield, to be solved again with them. False: all stand where their laws have
  // them.
  bool give_way(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, const ChainState& state,
                const std::vector<Vec6>& velocity, double dt);

  // After a solve.
  static void take_forces(const ConstraintSet& set, const Mechanism& mechanism, ChainState& state, double dt);

  // After the last solve; `velocity`: with the constraints. What links have yielded is kept, its heat counted.
  void take_lags(const ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
                 const std::vector<Vec6>& velocity, double dt) const;

 private:
  std::vector<Vec3> gap_;  // as the step finds them
  struct Bow {
    Vec3 told = Vec3::Zero();   // as the right-hand side has it, m
    Vec3 found = Vec3::Zero();  // as the last solve has it
    double weight = 0;          // in the right-hand side, 1/s
  };
  std::vector<Bow> bow_;
  struct Twist {
    double value = 0;
    double rate = 0;
  };
  std::vector<Twist> twist_;  // likewise

  // A link with a law: its rows as the step finds them, and the law as it was last linearised.
  struct Yielding {
    int link = 0;
    Vec3 tangent = Vec3::Zero();
    Vec6 strain = Vec6::Zero();   // φ₀, without bows
    Vec6 ahead = Vec6::Zero();    // a
    Vec6 damping = Vec6::Zero();  // β
    Vec6 free = Vec6::Zero();     // −J u
    Vec6 at = Vec6::Zero();       // φ*
    LinkYield law;                // R*, S
    Mat6 softness = Mat6::Zero();
    Mat3 bow = Mat3::Zero();    // of the bow of its gap in the right-hand side, where that is `softened`, 1/s
    Vec6 found = Vec6::Zero();  // φ of the last solve
    bool softened = false;
    bool gives = false;  // it has yielded, or did in this step: `law` and `tangent` are made

    void begin(const ModelData& model, const Link& own, const LinkRows& rows, const ChainState& state);
  };
  [[nodiscard]] Vec6 strain_of(const Yielding& link, const ConstraintSet& set, const Mechanism& mechanism,
                               const std::vector<Vec6>& velocity, double dt) const;
  void foresee(Yielding& own, const Link& link, const LinkRows& rows, const Mechanism& mechanism,
               const ModelData& model, const ChainState& state, Constraint& constraint, double dt) const;
  void soften(Yielding& link, const Mechanism& mechanism, Constraint& constraint, double dt) const;
  std::vector<Yielding> yielding_;
  bool gives_ = false;  // some of them had yielded before the step
  std::vector<int> yielding_of_;  // per link: its place there, or −1
};

}  // namespace filum::chain
