#include "sim/formulations.hpp"

#include "formulations/chain/chain.hpp"
#include "formulations/cosserat/cosserat.hpp"
#include "formulations/kirchhoff/kirchhoff.hpp"
#include "formulations/spline/spline.hpp"

namespace filum::sim {

namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Formulation> (*make)();
  int patience;
};

template <class Made>
std::unique_ptr<Formulation> make() {
  return std::make_unique<Made>();
}

constexpr Entry kFormulations[] = {{"kirchhoff", make<kirchhoff::KirchhoffFormulation>, 30},
                                   {"cosserat", make<cosserat::CosseratFormulation>, 200},
                                   {"chain", make<chain::ChainFormulation>, 2000},
                                   {"spline", make<spline::SplineFormulation>, 60}};

}  // namespace

std::vector<std::string_view> formulation_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kFormulations) names.push_back(entry.name);
  return names;
}

std::unique_ptr<Formulation> make_formulation(std::string_view name) {
  for (const Entry& entry : kFormulations)
    if (entry.name == name) return entry.make();
  return nullptr;
}

int patience_with(std::string_view name) {
  for (const Entry& entry : kFormulations)
    if (entry.name == name) return entry.patience;
  return 0;
}

std::string formulations_with(Feature feature) {
  std::string list;
  for (const Entry& entry : kFormulations)
    if (entry.make()->supports(feature)) list += (list.empty() ? "" : " or ") + std::string(entry.name);
  return list;
}

}  // namespace filum::sim
