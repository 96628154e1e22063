// Lengths at which the forces along parts of rods are what is asked for.
//
// For each part k the unknown is x = ln ℓ and the residual f = (F(ℓ) − pull)/(pull + EI/ℓ²), F being one of the forces
// of part_force.hpp in the equilibrium at these lengths. f > 0 lengthens. A single part is found within a bracket, by
// secants through asinh f, which tames the step from slack to taut, and halving where they are slow. Several parts,
// which may hang on each other by junctions and free holds, take Newton steps with a matrix of differences, kept up to
// date by Broyden's formula and shortened until the residuals fall. A length that its bound keeps from changing drops
// out.
#pragma once

#include "sim/live/living_scene.hpp"

#include <filum/outcome.hpp>

#include <Eigen/Core>

#include <vector>

namespace filum::sim {

// Which of the forces of part_force.hpp is compared with the pull.
enum class PartMeasure { Configurational, MeanTension, LargestTension, StraightTension };

// A part whose length is sought.
struct SoughtPart {
  int rod = 0;
  scene::Part part;  // as it is now; kept up to date
  PartMeasure measure = PartMeasure::Configurational;
  double pull = 0;
  double shortest = 0;
  double longest = 0;

  // what came out
  double force = 0;
  LengthVerdict verdict = LengthVerdict::Failed;
};

// Finds the lengths of all parts for the targets `next`, the parts of one rod in order. `slopes` is the matrix of an
// earlier search for the same parts, or empty, and is kept for the next. The report sums up all equilibria; if it has
// not converged everything is as it was.
SolveReport find_lengths(LivingScene& living, const Targets& next, std::vector<SoughtPart>& parts,
                         Eigen::MatrixXd& slopes, const Progress& progress = {});

// All parts by one factor: the one at which their residuals vanish on average. Those within `accuracy` are found.
SolveReport scale_lengths(LivingScene& living, const Targets& next, std::vector<SoughtPart>& parts, double accuracy,
                          const Progress& progress = {});

}  // namespace filum::sim
