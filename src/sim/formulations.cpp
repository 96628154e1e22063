#include "sim/formulations.hpp"

#include "formulations/chain/chain.hpp"
#include "formulations/cosserat/cosserat.hpp"
#include "formulations/kirchhoff/kirchhoff.hpp"

namespace filum::sim {

std::vector<std::string_view> formulation_names() {
  return {"kirchhoff", "cosserat", "chain"};
}

std::unique_ptr<Formulation> make_formulation(const std::string& name) {
  if (name == "kirchhoff") return std::make_unique<kirchhoff::KirchhoffFormulation>();
  if (name == "cosserat") return std::make_unique<cosserat::CosseratFormulation>();
  if (name == "chain") return std::make_unique<chain::ChainFormulation>();
  return nullptr;
}

bool has_dynamics(const std::string& name) {
  return name == "kirchhoff" || name == "cosserat" || name == "chain";
}

}  // namespace filum::sim
