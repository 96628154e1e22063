// Rods that have parted in a run.
//
// The scene stays what it was: a rod keeps its name, its holds and its arc lengths. Underneath, a formulation is asked to
// compile the scene with the rod cut into pieces, and its model is shown to the outside as one of the whole: targets are
// handed on piece by piece, poses put together again. Where a rod has parted its two ends stand one after the other at
// the same arc length. A piece has the nodes that the whole had, so mass, momentum and shape are kept to round-off.
#pragma once

#include "formulations/formulation.hpp"

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <memory>
#include <string>
#include <vector>

namespace filum::sim {

// Where a rod has parted.
struct Parting {
  std::string rod;
  std::vector<double> cuts;   // shares of its length, ascending; each of them is one of its nodes
  std::vector<double> nodes;  // all of them, likewise
};

// The same formulation, of scenes whose rods have parted. Rods that a scene lacks are no matter.
[[nodiscard]] std::shared_ptr<const Formulation> part_rods(std::shared_ptr<const Formulation> whole,
                                                           std::vector<Parting> partings);

// `partings` with one cut more, of a rod of that model at the node nearest to `share`, but for those next to an end: a
// piece has two segments at least. `share` is then where. Says why it cannot be.
[[nodiscard]] Result<std::vector<Parting>> with_cut(const Scene& scene, const Model& model, int rod, double& share,
                                                    std::vector<Parting> partings);

}  // namespace filum::sim
