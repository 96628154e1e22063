#include "sim/routing/laying.hpp"

#include "base/index.hpp"
#include "sim/drivers.hpp"
#include "sim/statics/load_stepping.hpp"

#include <filum/edit.hpp>

#include <algorithm>
#include <utility>

namespace filum::sim {

namespace {

// Compiles the laying's scene, which has changed in lengths alone, and carries the state over.
void compile_anew(const Laying& laying) {
  const std::unique_ptr<Model> old = std::exchange(laying.model, laying.formulation.compile(laying.scene));
  if (laying.compiled != nullptr) ++*laying.compiled;
  laying.resting = resting_targets(laying.scene);
  laying.last.rod_length = laying.resting.rod_length;
  laying.state = laying.model->carry_over(*old, *laying.state, laying.last);
}

}  // namespace

SolveReport Laying::settle(const Targets& next, const Progress& progress) const {
  Targets targets = next;
  targets.rod_length = resting.rod_length;
  std::unique_ptr<State> before = state->clone();
  SolveReport report = follow_equilibrium(*model, state, last, targets, progress);
  if (report.converged)
    last = std::move(targets);
  else
    state = std::move(before);
  return report;
}

Status set_lengths(const Laying& laying, std::vector<PartLength>& parts) {
  Scene scene = laying.scene;
  Targets resting = laying.resting;
  bool in_parts = false;
  // from the last to the first: what lies before a part stays where it is
  std::vector<PartLength*> order;
  for (PartLength& each : parts) order.push_back(&each);
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->part.from > b->part.from; });
  for (const PartLength* each : order) {
    const Rod& rod = laying.scene.rods[at(each->rod)];
    in_parts = in_parts || !scene::is_whole(rod, each->part);
    if (Status done = edit::set_length_between(scene, rod.name, {0, each->part.from}, {0, each->part.to}, each->length);
        !done)
      return done;
    resting.rod_length[at(each->rod)] = *scene.rods[at(each->rod)].length;
  }
  // what lies beyond a part has moved on
  std::vector<double> shift(laying.scene.rods.size(), 0);
  for (auto each = order.rbegin(); each != order.rend(); ++each) {
    scene::Part& part = (*each)->part;
    const double change = (*each)->length - part.length();
    part.from += shift[at((*each)->rod)];
    part.to = part.from + (*each)->length;
    shift[at((*each)->rod)] += change;
  }
  laying.scene = std::move(scene);
  if (in_parts)
    compile_anew(laying);
  else
    laying.resting = std::move(resting);
  return Done{};
}

// A model is compiled, not copied: the state goes over to it as it is, for the scene says how long its rods are now.
LayingCopy::LayingCopy(const Laying& from, const Scene& other)
    : scene(other),
      model(from.formulation.compile(other)),
      resting(resting_targets(other)),
      last(from.last),
      formulation(from.formulation) {
  last.rod_length = resting.rod_length;
  state = model->carry_over(*from.model, *from.state, last);
}

}  // namespace filum::sim
