#include "formulations/kirchhoff/transfer.hpp"

namespace filum::kirchhoff {

void transfer(const ModelData&, const RodState&, const ModelData&, RodState&) {}

Targets present_targets(const ModelData&, const RodState&, const Targets& targets) {
  return targets;
}

}  // namespace filum::kirchhoff
