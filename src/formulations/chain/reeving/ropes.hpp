// Massless ropes as rows of a step: exact total length through eyes and sheaves, pulling only.
//
// A rope of length L0 through any number of places has one row, whose force −T ≤ 0 acts along all its straight parts
// alike:
//
//     φ = L − L0
//
// at the end of the step: φ + hJv⁺ + b, b what the length changes by beyond hJv⁺ as eyes go round with their bodies and
// parts swing. It is foretold by the motion before the step and, where that changes much, found by solving again with the
// same factor (chain_step.cpp). Without it a hook that spins by half a rad a step stretches its rope by centimetres that no
// account knows of, and the next step makes energy of them.
//
// Where a sheave has friction the tension may differ by the capstan's e^{±μβ}: a second row, over the part beyond that
// sheave, holds the rope on it as long as its force stays within those bounds, and stands at a bound while the rope
// slips.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/chain/reeving/rope_path.hpp"
#include "formulations/formulation.hpp"

#include <vector>

namespace filum::chain {

class Ropes {
 public:
  // Appends the constraints of all ropes to a system that is being laid out.
  void add_to(ConstraintSet& set, const Mechanism& mechanism, const Scene& scene);

  // Ties and unties them as the targets ask. One that is tied again is as long as it then lies.
  static void tie(const Mechanism& mechanism, const Targets& targets, ChainState& state);

  // Rows, right-hand sides and where they stood, from a state and the velocities without constraints. `kept`: as Links.
  void fill(ConstraintSet& set, const Mechanism& mechanism, const Scene& scene, const ChainState& state,
            const std::vector<Vec6>& velocity, const Targets& targets, double dt, bool plain, bool kept);

  // After a solve: by how much lengths come out otherwise than was foretold, as the energy that it is worth, J; and the
  // right-hand sides with what was found.
  [[nodiscard]] double missed_bows(const ConstraintSet& set, const Mechanism& mechanism, const Scene& scene,
                                   const ChainState& state, const std::vector<Vec6>& velocity, double dt);
  void foretell_again(ConstraintSet& set, double dt);

  // After the last solve: forces and what the ropes remember. What their winding did is added to the work.
  void take(const ConstraintSet& set, const Mechanism& mechanism, const Scene& scene, ChainState& state,
            const std::vector<Vec6>& velocity, const Targets& targets, double dt);

  // The way of a rope and what it pulls with, part by part.
  static void sample(const Mechanism& mechanism, const Scene& scene, const ChainState& state, Pose& pose);

 private:
  struct Row {
    int rope = 0;
    int from = 0;  // first place whose leaving part counts
    int constraint = 0;
    int sheave = -1;  // place of the friction, of a second row
    double told = 0;  // b, as the rows have it, m
    double found = 0;
  };
  // What a row's length changes by beyond hJv if parts move by these velocities.
  template <class Motion>
  double bow_of(const Row& row, const ConstraintSet& set, const Mechanism& mechanism, const ChainState& state,
                const Motion& velocity, double dt);
  [[nodiscard]] double wanted_length(int rope, const ChainState& state, const Targets& targets) const;

  std::vector<Row> rows_;
  std::vector<char> driven_;     // per rope: whether a driver sets its length
  std::vector<RopePath> paths_;  // per rope
  bool plain_ = false;           // without b
  std::vector<Pulley> places_;
  std::vector<Pulley> moved_places_;
  RopePath moved_;
};

// The ropes as they lie in a state without any memory of them yet: unstretched unless the scene gives a length.
std::vector<RopeState> start_ropes(const Mechanism& mechanism, const Scene& scene, const std::vector<PartState>& parts);

}  // namespace filum::chain
