// Rods that find their own lengths: the scene's `routing`, at every equilibrium (docs/routing.md).
#pragma once

#include "sim/live/living_scene.hpp"

#include <filum/outcome.hpp>

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace filum::sim {

class Router {
 public:
  // Lengths count from those of this scene.
  explicit Router(const Scene& scene) { begin(scene); }
  void begin(const Scene& scene);

  // To the equilibrium at `next` with the lengths that belong to it. The living's rods have these lengths then. Not
  // converged: everything is as it was. Stopped: this router is, and the living has some lengths in between.
  SolveReport settle(LivingScene& living, const Targets& next, const Progress& progress = {});

  // What the last equilibrium has found, in the order of the scene's `routing` and along the rods.
  [[nodiscard]] const std::vector<FoundLength>& lengths() const { return lengths_; }

 private:
  SolveReport find(LivingScene& living, const Targets& next, const Progress& progress);
  SolveReport pull(LivingScene& living, const Targets& next, std::size_t routing, const Progress& progress);
  void note(const Scene& scene, const struct SoughtPart& sought, std::size_t index);

  struct Origin {
    std::string rod;
    std::vector<double> lengths;  // of its parts
  };
  std::vector<Origin> origins_;  // one per routing
  std::vector<FoundLength> lengths_;
  Eigen::MatrixXd slopes_;                    // of the self-finding parts
  std::optional<LivingScene> soft_;           // for those that end where nothing holds
  std::vector<Eigen::MatrixXd> pull_slopes_;  // one per routing
};

// What became of a length, to be told.
Event length_event(const FoundLength& length, double t);

}  // namespace filum::sim
