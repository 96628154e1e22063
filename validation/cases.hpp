// Every validation case, one function each, defined in the file of its name.
#pragma once

#include "validation/case.hpp"

namespace filum::validation {

Case heavy_cantilever();
Case heavy_cantilever_skew();
Case clamp_inside();
Case space_cantilever();
Case tip_load();

}  // namespace filum::validation
