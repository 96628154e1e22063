// Equilibria of discrete rods with positions and angles as unknowns, and obstacles that hold the rods off.
//
// Newton's method (equilibrium_search.hpp) from where the rods are; where it is lost, from the equilibrium of a coarser
// mesh if the rods are fine, and downhill at last. What contacts remember and what has yielded stays at an equilibrium
// that was found.
//
// kirchhoff has no other; a formulation with unknowns of its own turns to it where obstacles act, whose contacts are
// conditions on positions.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/push_out.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "formulations/formulation.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filum::discrete {

class NodeStatics {
 public:
  // Refers to the model, which must outlive it.
  explicit NodeStatics(const ModelData& model);
  ~NodeStatics();

  // Scratch.
  struct Work {
    explicit Work(const ModelData& model);
    // Friction makes the matrix unsymmetric: where it may act, there is a second system.
    RodSystem& system_for(const Targets& targets) { return rubbing && targets.increment ? *rubbing : system; }

    RodSystem system;
    std::optional<RodSystem> rubbing;
    std::unique_ptr<Work> coarse;  // of the model with fewer segments
  };
  [[nodiscard]] std::unique_ptr<Work> work() const;

  // As Model::solve and Model::nudge.
  SolveReport solve(Work& work, RodState& rods, Drawn& drawn, const Targets& targets, const Progress& progress) const;
  SolveReport nudge(Work& work, RodState& rods, const Targets& targets, const Progress& progress) const;

 private:
  // What a search for an equilibrium is given.
  struct Search {
    Work& work;
    const Targets& targets;
    const std::vector<Vec3>& start;  // where nodes were before holds moved
    const Progress& progress;
  };
  static RodSystem& begin(const Search& search, RodState& rods);
  void judge(const Search& search, RodState& rods, SolveReport& report) const;
  SolveReport attempt(const Search& search, RodState& rods) const;
  SolveReport go_down(const Search& search, RodState& rods) const;
  bool begin_coarse(const Search& search, RodState& rods, int& iterations) const;
  void remember(const Search& search, RodState& rods, SolveReport& report) const;
  [[nodiscard]] bool flew_off(const RodState& rods, const std::vector<Vec3>& start) const;

  struct Coarse;
  const ModelData& model_;
  std::unique_ptr<const Coarse> coarse_;  // with fewer segments, for fine rods
  bool very_fine_ = false;
};

// The balance of a state as it stands, with the contacts that it has: for showing.
Balance evaluate_as_it_is(RodSystem& system, RodState& rods, const Targets& targets);

// Rods of more segments than such an equilibrium may have. `what` takes no more, in words.
std::vector<scene::Problem> node_statics_refusals(const Scene& scene, const std::string& what);

}  // namespace filum::discrete
