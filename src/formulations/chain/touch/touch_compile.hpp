// Finds what of a scene's chains may touch what (touch_model.hpp).
#pragma once

#include "formulations/chain/mechanism/chain_model.hpp"

namespace filum::chain {

// For a chain whose rods, grips and wheels are there; `rods`: as the shared mesh cuts them.
void compile_touch(ModelData& model, discrete::ModelData& rods);

}  // namespace filum::chain
