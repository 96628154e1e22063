// A scene compiled for a chain: its rods cut as the shared mesh cuts them, what grips, winds and carries them.
#pragma once

#include "formulations/chain/mechanism/chain_model.hpp"

namespace filum::chain {

ModelData compile_model(const Scene& scene, const ChainVariant& variant = {});

}  // namespace filum::chain
