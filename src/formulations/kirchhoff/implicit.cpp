#include "formulations/kirchhoff/stepper.hpp"

namespace filum::kirchhoff {

namespace {
class Nothing final : public RodStepper {
 public:
  StepReport step(RodState&, const Targets&, double) override { return {}; }
  void prepare(RodState&) const override {}
};
}  // namespace

std::unique_ptr<RodStepper> make_implicit_stepper(const ModelData&) {
  return std::make_unique<Nothing>();
}

std::vector<scene::Problem> implicit_refusals(const Scene&) {
  return {};
}

}  // namespace filum::kirchhoff
