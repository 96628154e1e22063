#include "sim/refusal.hpp"

#include "scene/obstacle_shape.hpp"
#include "sim/formulations.hpp"

namespace filum::sim {

namespace {

// «kirchhoff, cosserat»
std::string listed_names() {
  std::string list;
  for (const std::string_view name : formulation_names()) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

// What a scene asks for that its formulation does not have, with the one that has it.
scene::Problem unsupported(const FeatureUse& use, const std::string& formulation) {
  const std::string others = formulations_with(use.feature);
  if (use.feature == Feature::ChainOptions || use.feature == Feature::SplineOptions)
    return {use.path, "these are options of the formulation " + others + ", not of " + formulation};
  const bool solid = use.feature == Feature::Obstacles || use.feature == Feature::SolidShapes;
  const std::string watched =
      solid ? "; with 'contact: {obstacles: false}' it is watched only, and holds nothing off" : "";
  if (use.feature == Feature::RodContact)
    return {use.path, use.what + " need formulation " + others + "; without this key they are watched only"};
  if (others.empty()) return {use.path, "not yet supported: " + use.what + watched};
  return {use.path, use.what + " needs formulation " + others + watched};
}

}  // namespace

std::optional<scene::Problem> refusal(const Scene& scene) {
  const std::unique_ptr<Formulation> formulation = make_formulation(scene.simulation.formulation);
  if (!formulation)
    return scene::Problem{
        {"simulation", "formulation"},
        "expected a formulation (" + listed_names() + "), found '" + scene.simulation.formulation + "'"};
  for (const FeatureUse& use : features_used(scene))
    if (!formulation->supports(use.feature)) return unsupported(use, scene.simulation.formulation);
  const std::vector<scene::Problem> refused = formulation->check(scene);
  if (!refused.empty()) return refused.front();
  return std::nullopt;
}

std::optional<Error> why_not(const Scene& scene) {
  if (const auto problem = scene::validate(scene)) return problem->error();
  if (scene.rods.empty() && scene.ropes.empty())
    return Error{ErrorCode::BadInput, "the scene has no rod: there is nothing to solve", {}, 0, 0};
  if (const auto refused = refusal(scene)) {
    Error error = refused->error();
    error.code = ErrorCode::NotSupported;
    return error;
  }
  return std::nullopt;
}

std::optional<scene::Problem> motion_refusal(const Scene& scene) {
  const std::vector<scene::Problem> refused = make_formulation(scene.simulation.formulation)->check_motion(scene);
  if (!refused.empty()) return refused.front();
  return std::nullopt;
}

std::optional<scene::Problem> modes_refusal(const Scene& scene) {
  if (!make_formulation(scene.simulation.formulation)->supports(Feature::NaturalModes))
    return scene::Problem{{"simulation", "formulation"},
                          "not yet supported: natural modes in the formulation " + scene.simulation.formulation +
                              "; the formulation " + formulations_with(Feature::NaturalModes) + " has them"};
  if (scene.contact.obstacles && scene::has_obstacles(scene))
    return scene::Problem{
        scene.obstacles.empty() ? std::vector<std::string>{"scenery"} : std::vector<std::string>{"obstacles", "0"},
        "not yet supported: natural modes of rods that touch something; 'contact: {obstacles: "
        "false}' leaves the obstacles out"};
  if (scene.contact.rods)
    return scene::Problem{{"contact", "rods"}, "not yet supported: natural modes of rods that touch each other"};
  // a load without a potential makes the tangent unsymmetric: what oscillates then may also feed on it
  const std::string needed = "natural modes need loads that have a potential: ";
  if (!scene.torques.empty()) return scene::Problem{{"torques", "0"}, needed + "a torque has none"};
  for (std::size_t i = 0; i < scene.forces.size(); ++i)
    if (scene.forces[i].follow)
      return scene::Problem{{"forces", std::to_string(i), "follow"}, needed + "a force that follows the rod has none"};
  return std::nullopt;
}

namespace {

std::optional<Error> not_supported(const std::optional<scene::Problem>& problem) {
  if (!problem) return std::nullopt;
  Error error = problem->error();
  error.code = ErrorCode::NotSupported;
  return error;
}

}  // namespace

std::optional<Error> why_not_moving(const Scene& scene) {
  if (auto refused = why_not(scene)) return refused;
  return not_supported(motion_refusal(scene));
}

std::optional<Error> why_no_modes(const Scene& scene) {
  if (auto refused = why_not(scene)) return refused;
  return not_supported(modes_refusal(scene));
}

}  // namespace filum::sim
