// Natural frequencies and shapes about an equilibrium.
#pragma once

#include <filum/outcome.hpp>
#include <filum/progress.hpp>
#include <filum/result.hpp>

#include <vector>

namespace filum {

struct Scene;

// One natural mode: φ(x) cos ωt about the equilibrium, the largest displacement of a node or body (or, where nothing is
// displaced, rotation) being 1.
struct NaturalMode {
  double eigenvalue = 0;  // ω², 1/s²; negative: the equilibrium is unstable this way
  double frequency = 0;   // Hz; 0 for a rigid motion and for an unstable one
  struct RodShape {
    std::vector<Vec3> displacement;  // per node, as in RodPose::position
    std::vector<double> turn;        // per node, about the tangent, rad
  };
  std::vector<RodShape> rods;
  std::vector<Vec3> body_displacement;
  std::vector<Vec3> body_rotation;

  // What a table says of it, if anything.
  [[nodiscard]] const char* remark() const {
    return eigenvalue < 0 ? "unstable" : eigenvalue == 0 ? "moves freely" : "";
  }
};

struct ModesOutcome {
  SolveReport solve;
  Pose pose;                       // the equilibrium
  std::vector<NaturalMode> modes;  // by rising ω²; none if it was stopped
};

struct ModesOptions {
  int count = 10;
  double at = 0;  // time at which drivers are read, s
  Progress progress;
};

// Refuses what `solve` refuses, and loads without a potential. Without an equilibrium there are no modes: see `solve`.
// Damping plays no part.
Result<ModesOutcome> modes(const Scene& scene, const ModesOptions& options = {});

}  // namespace filum
