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
Case y_harness();
Case beam_modes();
Case hanging_modes();

}  // namespace filum::validation
