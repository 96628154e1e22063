// The list of all validation cases. A new case is a function in its own file, declared and entered here by hand: no
// registration behind the reader's back.
#include "validation/cases.hpp"

namespace filum::validation {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {heavy_cantilever(),
                                        heavy_cantilever_skew(),
                                        clamp_inside(),
                                        space_cantilever(),
                                        tip_load(),
                                        elastic_catenary(),
                                        roll_up(),
                                        euler_spiral(),
                                        helical_spring(),
                                        column_buckling(),
                                        greenhill(),
                                        twisted_ring(),
                                        twisted_bar(),
                                        section_properties(),
                                        springback(),
                                        former(),
                                        spline_source(),
                                        y_harness(),
                                        beam_modes(),
                                        hanging_modes(),
                                        michell_ring(),
                                        greenhill_motion(),
                                        pendulum_swing(),
                                        rope_lay(),
                                        torsional_pendulum(),
                                        cantilever_energy(),
                                        cantilever_energy_long(),
                                        right_angle_cantilever(),
                                        flying_beam(),
                                        motion_battery(),
                                        motion_battery_long(),
                                        equilibria_found_case(),
                                        equilibria_found_long(),
                                        plectoneme(),
                                        heavy_load(),
                                        integrator_orders(),
                                        steppers_agree(),
                                        damped_motion(),
                                        many_turns(),
                                        link_number(),
                                        idle_ring(),
                                        idle_ring_long(),
                                        wilberforce(),
                                        gregoire_alpha(),
                                        particle_loads(),
                                        particle_spectra(),
                                        table_loads(),
                                        crane_energy(),
                                        real_rope(),
                                        channel_bend(),
                                        channel_heuristic(),
                                        mesh_tubes(),
                                        mesh_tubes_long()};
  return all;
}

}  // namespace filum::validation
