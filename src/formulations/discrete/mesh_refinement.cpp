#include "formulations/discrete/mesh_refinement.hpp"

#include "formulations/discrete/discrete_transfer.hpp"

namespace filum::discrete {

void refine(const ModelData& coarse, const RodState& coarse_state, const ModelData& fine, RodState& fine_state) {
  for (std::size_t r = 0; r < fine.rods.size(); ++r)
    interpolate_rod(coarse, coarse_state,
                    {static_cast<int>(r), 0, coarse.rods[r].mesh.length, fine.rods[r].mesh.length}, fine, fine.rods[r],
                    fine_state);
  fine_state.rotor = coarse_state.rotor;
  fine_state.rotor_target = coarse_state.rotor_target;
  fine_state.rotor_turns = coarse_state.rotor_turns;
  fine_state.tie_force = coarse_state.tie_force;
  fine_state.slide = coarse_state.slide;
  fine_state.slide_force = coarse_state.slide_force;
  fine_state.slide_stop = coarse_state.slide_stop;
}

}  // namespace filum::discrete
