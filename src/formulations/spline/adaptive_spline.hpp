// Spline rods whose knots follow their shape (docs/theory/spline.md, «Adaptive knots»).
//
// The knots are part of the state. After an equilibrium was found, segments that leave the curve by more than
// `simulation.spline.detail` of the rod's length are halved, knots that are not needed are taken out, and the equilibrium
// is found again. Halving inserts knots, which leaves the curve as it is; what an equilibrium then moves, and by how much
// its energy changes, the report tells. In motion knots come and go after a step (moving_recut.hpp): what that does to the
// energy counts as work.
#pragma once

#include "formulations/discrete/discrete_transfer.hpp"
#include "formulations/formulation.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"

#include <memory>

namespace filum::spline {

// A model of spline rods with one set of knots.
class SplineRods : public Model, public discrete::NodeModel {
 public:
  [[nodiscard]] virtual const SplineModel& splines() const = 0;
  [[nodiscard]] virtual const SplineState& state_of(const State& state) const = 0;
  [[nodiscard]] virtual SplineState& state_of(State& state) const = 0;
};
[[nodiscard]] std::unique_ptr<SplineRods> compile_rods(const Scene& scene);

[[nodiscard]] std::unique_ptr<Model> adaptive_splines(const Scene& scene);

}  // namespace filum::spline
