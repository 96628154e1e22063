// The `kirchhoff` formulation: nodes and one angle per edge, statics by Newton. See model.hpp for the unknowns.
#pragma once

#include "formulations/formulation.hpp"

namespace filum::kirchhoff {

class KirchhoffFormulation final : public Formulation {
 public:
  [[nodiscard]] bool supports(Feature feature) const override;
  [[nodiscard]] std::vector<scene::Problem> check(const Scene& scene) const override;
  [[nodiscard]] std::vector<scene::Problem> check_motion(const Scene& scene) const override;
  [[nodiscard]] std::unique_ptr<Model> compile(const Scene& scene) const override;
};

}  // namespace filum::kirchhoff
