#include "sim/formulations.hpp"

#include "formulations/kirchhoff/kirchhoff.hpp"

namespace filum::sim {

std::unique_ptr<Formulation> make_formulation(const std::string& name) {
  if (name == "kirchhoff") return std::make_unique<kirchhoff::KirchhoffFormulation>();
  return nullptr;
}

}  // namespace filum::sim
