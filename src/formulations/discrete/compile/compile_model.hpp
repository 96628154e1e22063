// From a scene to its compiled model.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

namespace filum::discrete {

ModelData compile_model(const Scene& scene);

}  // namespace filum::discrete
