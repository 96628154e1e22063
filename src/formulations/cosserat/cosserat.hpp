// The cosserat formulation: a rod as segments with orientations, for equilibrium at interactive rate.
#pragma once

#include "formulations/formulation.hpp"

namespace filum::cosserat {

class CosseratFormulation final : public Formulation {
 public:
  [[nodiscard]] bool supports(Feature feature) const override;
  [[nodiscard]] std::vector<scene::Problem> check(const Scene& scene) const override;
  [[nodiscard]] std::vector<scene::Problem> check_motion(const Scene& scene) const override;
  [[nodiscard]] std::unique_ptr<Model> compile(const Scene& scene) const override;
};

}  // namespace filum::cosserat
