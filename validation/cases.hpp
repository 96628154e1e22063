// Every validation case, one function each, defined in the file of its name.
#pragma once

#include "validation/case.hpp"

namespace filum::validation {

Case heavy_cantilever();
Case heavy_cantilever_skew();
Case clamp_inside();
Case space_cantilever();
Case tip_load();
Case elastic_catenary();
Case roll_up();
Case euler_spiral();
Case helical_spring();
Case column_buckling();
Case greenhill();
Case twisted_ring();
Case section_properties();
Case twisted_bar();
Case springback();
Case former();
Case spline_source();
Case y_harness();
Case beam_modes();
Case hanging_modes();
Case michell_ring();
Case greenhill_motion();
Case pendulum_swing();
Case rope_lay();
Case torsional_pendulum();
Case cantilever_energy();
Case cantilever_energy_long();
Case right_angle_cantilever();
Case flying_beam();
Case motion_battery();
Case motion_battery_long();
Case equilibria_found_case();
Case equilibria_found_long();
Case heavy_load();
Case integrator_orders();
Case steppers_agree();
Case damped_motion();
Case many_turns();
Case link_number();
Case plectoneme();
Case idle_ring();
Case idle_ring_long();
Case wilberforce();
Case gregoire_alpha();
Case particle_loads();
Case table_loads();
Case crane_energy();
Case real_rope();
Case particle_spectra();
Case channel_bend();
Case channel_heuristic();
Case mesh_tubes();
Case mesh_tubes_long();

}  // namespace filum::validation
