// A bound on the iterations of a search that knows none of its own: a watcher that asks it to stop.
#pragma once

#include <filum/outcome.hpp>
#include <filum/progress.hpp>

namespace filum::sim {

class Patience {
 public:
  Patience(const Progress& progress, int iterations) : progress_(progress), left_(iterations) {}
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  // Searches look up at it once an iteration.
  [[nodiscard]] Progress watch() {
    return [this](double share, const char* what) {
      asked_ = asked_ || stops(progress_, share, what);
      spent_ = spent_ || left_-- <= 0;
      return !asked_ && !spent_;
    };
  }

  // The report of a search that was watched: stopped only if somebody else asked for it.
  [[nodiscard]] SolveReport judged(SolveReport report) const {
    if (!spent_ || asked_ || report.hopeless) return report;
    // what was about to leave a saddle is still on it
    report.stopped = report.converged = false;
    report.stable.reset();
    report.why = "Newton did not settle";
    return report;
  }

 private:
  const Progress& progress_;
  int left_;
  bool asked_ = false;
  bool spent_ = false;
};

}  // namespace filum::sim
