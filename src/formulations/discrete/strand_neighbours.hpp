// Which places of rods belong together, so that they are near each other without touching: neighbours along a rod, and
// what is about a place where rods are joined or held side by side.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

namespace filum::discrete {

// Of one rod's edges so many and fewer apart belong together: from the next but one the way to what lies between is always
// downhill.
inline constexpr int kBeside = 3;

[[nodiscard]] bool belong_together(const ModelData& model, int edge, int other);

}  // namespace filum::discrete
