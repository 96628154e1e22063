// From one instant to the next: split where that is known to be needed, halved where a step fails.
//
// Split beforehand: a hold that turns by more than half a radian, and a formulation that knows its longest step from
// the state at hand. A step that is not usable, or that makes energy, is taken back and halved, at most kFinest-fold; after some good ones of a
// size the next is twice as long again, after two if the last such try went well. How hard a blow was is looked for in
// shorter steps (closer_look.hpp). Holds and bodies move at an even rate throughout. Nothing allocates.
#pragma once

#include "formulations/formulation.hpp"
#include "sim/run/closer_look.hpp"

#include <filum/outcome.hpp>

#include <memory>

namespace filum::sim {

struct March {
  bool done = false;            // if not, the state is what it was
  const char* why = "";         // why not
  bool stopped = false;         // because its watcher asked for it
  double error = 0;             // the largest of its steps
  double neglected_strain = 0;  // likewise
  double shortest = 0;          // of its steps, s
  double longest = 0;           // likewise
  long unconverged = 0;         // steps
  double residual_left = 0;     // of those at worst
  bool blow = false;            // in one of them a pull rose suddenly: its peak was looked for in shorter steps
};

class Marcher {
 public:
  static constexpr int kFinest = 4096;  // parts of a step at most, by halving

  // `like`, `targets`: any of the model.
  Marcher(const Model& model, Workspace& workspace, const State& like, const Targets& targets);

  // Moves `state` from where `from` left it to where `to` wants it, dt later. Counts iterations, failures and halvings.
  // `progress` is called after every part; stopped, it has failed.
  March march(State& state, const Targets& from, const Targets& to, double dt, RunReport& counts,
              const Progress& progress = {});

  // Takes the last march back.
  void undo(State& state) const { state.assign(*start_); }

 private:
  // What one way through the step came to.
  enum class End { Done, Failed, NeedsCopies };
  End go(State& state, const Targets& from, const Targets& to, double dt, bool copies, RunReport& counts,
         const Progress& progress);

  const Model& model_;
  Workspace& workspace_;
  std::unique_ptr<State> start_;   // before the march
  std::unique_ptr<State> before_;  // before the present part of it
  Targets mixed_;
  CloserLook closer_;
  March result_;
  long pieces_ = 1;
};

// The angle by which some hold turns between two sets of targets, turns about its own tangent included: the largest.
double largest_turn(const Targets& from, const Targets& to);

}  // namespace filum::sim
