// The spline formulation: cubic B-splines with a roll angle per knot (docs/theory/spline.md).
#pragma once

#include "formulations/formulation.hpp"

namespace filum::spline {

class SplineFormulation final : public Formulation {
 public:
  [[nodiscard]] bool supports(Feature feature) const override;
  [[nodiscard]] std::vector<scene::Problem> check(const Scene& scene) const override;
  [[nodiscard]] std::vector<scene::Problem> check_motion(const Scene& scene) const override;
  [[nodiscard]] std::unique_ptr<Model> compile(const Scene& scene) const override;
};

}  // namespace filum::spline
