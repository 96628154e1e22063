#include "sim/statics/other_unknowns.hpp"

#include "sim/formulations.hpp"
#include "sim/statics/patience.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <string>

namespace filum::sim {

namespace {

constexpr int kPolish = 30;  // iterations of one's own, from what another has found

// Whether `formulation` has equilibria of this scene that others may begin from. Things that settle slide off what they
// lie on, on planes alone as they should.
bool may_help(const Formulation& formulation, const Scene& scene) {
  if (!formulation.supports(Feature::SharedEquilibria)) return false;
  const bool settles = !formulation.supports(Feature::RestInPositions);
  const std::vector<FeatureUse> uses = features_used(scene);
  return std::all_of(uses.begin(), uses.end(),
                     [&](const FeatureUse& use) {
                       const bool solid = use.feature == Feature::SolidShapes || use.feature == Feature::RodContact;
                       return formulation.supports(use.feature) && !(settles && solid);
                     }) &&
         formulation.check(scene).empty();
}

}  // namespace

bool searches_in_positions(const Formulation& formulation, const Scene& scene) {
  if (!formulation.supports(Feature::RestInPositions)) return false;
  const std::vector<FeatureUse> uses = features_used(scene);
  return std::any_of(uses.begin(), uses.end(), [](const FeatureUse& use) {
    return use.feature == Feature::Obstacles || use.feature == Feature::SolidShapes ||
           use.feature == Feature::RodContact;
  });
}

int patience_for(std::string_view formulation, const Scene& scene) {
  const bool in_positions = searches_in_positions(*make_formulation(formulation), scene);
  return patience_with(in_positions ? std::string_view(kDefaultFormulation) : formulation);
}

Equilibrium begin_from_another(const Model& model, Workspace& workspace, const Scene& scene, const Targets& targets,
                               const Progress& progress) {
  Equilibrium found;
  int iterations = 0;
  // one that searches in positions is as good as another
  bool in_positions = searches_in_positions(*make_formulation(scene.simulation.formulation), scene);
  for (const std::string_view name : formulation_names()) {
    if (name == scene.simulation.formulation) continue;
    const std::unique_ptr<Formulation> formulation = make_formulation(name);
    if (!may_help(*formulation, scene)) continue;
    const bool searches_alike = searches_in_positions(*formulation, scene);
    if (searches_alike && in_positions) continue;
    in_positions = in_positions || searches_alike;
    const std::unique_ptr<Model> other = formulation->compile(scene);
    const std::unique_ptr<Workspace> scratch = other->workspace();
    const std::unique_ptr<State> rest = other->start(targets);
    Patience first(progress, patience_for(name, scene));
    found.report = first.judged(other->solve(*scratch, *rest, targets, first.watch()));
    iterations += found.report.iterations;
    if (found.report.stopped) break;
    if (!found.report.converged) continue;
    found.state = model.carry_over(*other, *rest, targets);
    found.report.converged = false;
    if (!found.state) continue;
    Patience second(progress, kPolish);
    found.report = second.judged(model.solve(workspace, *found.state, targets, second.watch()));
    iterations += found.report.iterations;
    found.report.begun_from = name;
    if (found.report.converged || found.report.stopped) break;
  }
  found.report.iterations = iterations;
  return found;
}

}  // namespace filum::sim
