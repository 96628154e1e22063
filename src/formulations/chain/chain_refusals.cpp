#include "formulations/chain/chain_refusals.hpp"

#include "formulations/features.hpp"
#include "scene/lookup.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <string>

namespace filum::chain {

namespace {

scene::Problem not_yet(std::vector<std::string> path, const std::string& what) {
  return {std::move(path), "not yet supported: " + what + " in the formulation chain"};
}

// The formulation's own options.
void refuse_options(const ChainOptions& chain, const ChainVariant& variant, std::vector<scene::Problem>& found) {
  if (chain.sweeps < 0)
    found.push_back({{"simulation", "chain", "sweeps"},
                     "sweeps must be zero (one direct solve) or more, found " + std::to_string(chain.sweeps)});
  if (chain.detail > 0 && variant.joint != JointForm::Vector)
    found.push_back(not_yet({"simulation", "chain", "detail"}, "level of detail with joints by angles"));
}

// What winds a rod, lets it run or lays it bends it otherwise than its joints know.
void refuse_yield(const Scene& scene, std::vector<scene::Problem>& found) {
  for (const FeatureUse& use : features_used(scene)) {
    if (use.feature != Feature::Plasticity) continue;
    const std::string& name = use.path[1];
    const auto runs = [&](const auto& thing) { return thing.rod == name; };
    const bool laid = std::any_of(scene.rods.begin(), scene.rods.end(),
                                  [&](const Rod& rod) { return rod.name == name && rod.lay != Lay{}; });
    if (laid) found.push_back(not_yet(use.path, use.what + " that is laid"));
    if (std::any_of(scene.winches.begin(), scene.winches.end(), runs))
      found.push_back(not_yet(use.path, use.what + " on a winch"));
    if (std::any_of(scene.sheaves.begin(), scene.sheaves.end(), runs))
      found.push_back(not_yet(use.path, use.what + " over a sheave"));
  }
}

}  // namespace

std::vector<scene::Problem> refusals(const Scene& scene, const ChainVariant& variant) {
  std::vector<scene::Problem> found;
  refuse_options(scene.simulation.chain, variant, found);
  const scene::Names names(scene);
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const Hold& hold = scene.holds[h];
    const std::vector<std::string> path = {"holds", std::to_string(h)};
    if (fixes_some(hold.fix.orientation))
      found.push_back(not_yet(path, "a hold that leaves one rotation free ('" + hold.name + "')"));
  }
  refuse_yield(scene, found);
  for (const Rod& rod : scene.rods) {
    // every element needs mass: the step divides by it
    const Section* section = names.section(rod.section);
    const Material* material = names.material(rod.material);
    if (section != nullptr && !(stiffness(*section, material != nullptr ? *material : Material{}).mass_per_length > 0))
      found.push_back({{"rods", rod.name}, "rod '" + rod.name + "' has no mass: the formulation chain needs some"});
  }
  // what winds a rod or lets it run cuts its elements anew, and knows how only where it is even
  auto must_be_even = [&](const std::string& what, const std::string& name, const std::string& rod_name) {
    const Rod* rod = names.rod(rod_name);
    if (rod != nullptr && !(rod->stations.empty() && rod->rest.kind == RestKind::Straight && !rod->closed))
      found.push_back({{"reeving", name},
                       what + " '" + name + "': rod '" + rod_name +
                           "' must have one section, be straight at rest and have two ends"});
    for (const Driver& driver : scene.drivers)
      if (driver.kind == DriverKind::Rod && driver.target == rod_name)
        found.push_back(
            {{"reeving", name}, what + " '" + name + "': the length of rod '" + rod_name + "' is driven as well"});
  };
  for (const Winch& winch : scene.winches) must_be_even("winch", winch.name, winch.rod);
  for (const Sheave& sheave : scene.sheaves) {
    must_be_even("sheave", sheave.name, sheave.rod);
    for (const Junction& junction : scene.junctions)
      for (const RodPoint& point : junction.rods)
        if (point.rod == sheave.rod && !(point.at == ArcPosition{0, 0}) && !(point.at == ArcPosition{1, 0}))
          found.push_back(not_yet({"reeving", sheave.name},
                                  "a sheave ('" + sheave.name + "') on a rod that has a junction between its ends"));
    for (const Hold& hold : scene.holds)
      if (hold.rod == sheave.rod && !(hold.at == ArcPosition{0, 0}) && !(hold.at == ArcPosition{1, 0}))
        found.push_back(not_yet({"reeving", sheave.name}, "a sheave ('" + sheave.name + "') on a rod that hold '" +
                                                              hold.name + "' grips between its ends"));
  }
  return found;
}

}  // namespace filum::chain
