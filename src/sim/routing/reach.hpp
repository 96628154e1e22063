// How far cables let things go, and by how much they are too short.
//
// A part between neighbouring holds or junctions may bear its rod's `max_tension`, at its worst place. Without such a
// limit it is too short where its ends are farther apart than its length by more than 1e-3 of it. What is missing is
// found on a copy whose taut parts get longer, the worst first, at every state that is asked for, and stay as long:
// with that length all these states can be reached.
#pragma once

#include "sim/live/living_scene.hpp"

#include <filum/outcome.hpp>

#include <optional>
#include <vector>

namespace filum::sim {

// A part that can become taut.
struct ReachPart {
  int rod = 0;
  int index = 0;  // among the parts of its rod
  scene::Part part;
  double limit = 0;     // N
  double tension = 0;   // as compared with the limit
  bool by_rod = false;  // the limit is the rod's own
  [[nodiscard]] double use() const { return tension / limit; }
};

// Every part of open rods, as a pose has them.
std::vector<ReachPart> reach_parts(const Scene& scene, const Pose& pose);

// Which parts are too short for a series of states, and by how much.
class ReachKeeper {
 public:
  // `as_it_is`: parts that are over their limit in this pose may be so, but not more.
  void begin(const Scene& scene, const Pose& pose, bool as_it_is);

  // The part that is over its limit the most, or none.
  [[nodiscard]] std::optional<ReachPart> worst(const Scene& scene, const Pose& pose) const;

  // A state that was asked for, in equilibrium.
  void note(const LivingScene& living, double t, const Progress& progress = {});

  // The one that stops first comes first.
  [[nodiscard]] std::vector<Shortage> shortages() const;

 private:
  struct Part {
    int rod = 0;
    int index = 0;
    double allowed = 0;    // use of the limit
    double length = 0;     // of the scene
    bool carries = false;  // its tension is not a matter of its length
    int shortage = -1;
  };
  [[nodiscard]] int find(const ReachPart& part) const;
  [[nodiscard]] bool is_over(const ReachPart& part) const;
  Shortage& shortage_of(const Scene& scene, const ReachPart& part, double t);
  void lengthen(const Targets& next, double t, const Progress& progress);

  std::vector<Part> parts_;
  std::optional<LivingScene> copy_;
  std::vector<Shortage> shortages_;
};

}  // namespace filum::sim
