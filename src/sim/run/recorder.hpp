// What is kept of a run: frames and history rows at the recorded instants, the worst of every limit, the energy ledger.
//
// Recorded are the first instant, the first step at or after each multiple of record.every, and the last. The ledger
// and the limits are read at these and at some two thousand instants spread evenly over the run besides (at every step
// of a run that has no more).
#pragma once

#include "sim/live/engine.hpp"

#include <filum/outcome.hpp>
#include <filum/run.hpp>

namespace filum::sim {

// Largest departure of the energy balance from its value at the start, and the energy that moved meanwhile.
class Ledger {
 public:
  void note(const Energy& energy);
  // From an earlier one's start and figures.
  void go_on(const Energy& start, double error, double scale);
  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] double scale() const { return scale_; }

 private:
  bool begun_ = false;
  Energy start_;
  double error_ = 0;
  double scale_ = 0;
};

class Recorder {
 public:
  Recorder(const Engine& engine, const RunOptions& options, double end, Outcome& outcome);

  // The first instant, unless the outcome has an earlier one: it goes on with that. False: the caller wants to stop.
  bool first();
  // After every step, the last one included.
  bool after_step(bool last);
  // Whether all that was seen is finite; what is not was not recorded.
  [[nodiscard]] bool finite() const { return finite_; }

 private:
  [[nodiscard]] bool due(double t) const;
  bool record(Snapshot snapshot);
  void read(const Pose& pose, double t);

  const Engine& engine_;
  const RunOptions& options_;
  Outcome& outcome_;
  double every_;         // 0: every step
  double read_every_;    // of the ledger
  double recorded_ = 0;  // multiples of `every` that have passed
  double read_ = 0;      // likewise
  double last_ = 0;      // recorded instant
  Ledger ledger_;
  bool finite_ = true;
};

}  // namespace filum::sim
