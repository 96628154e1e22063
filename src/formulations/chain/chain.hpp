// The formulation `chain`: rods as rows of rigid elements with elastic joints, moved at a fixed step and a bounded
// cost.
//
// For hoisting: loads of any weight on ropes of real material at 1/60 s. docs/theory/hoisting.md tells what holds.
#pragma once

#include "formulations/chain/chain_variant.hpp"
#include "formulations/formulation.hpp"

namespace filum::chain {

class ChainFormulation final : public Formulation {
 public:
  explicit ChainFormulation(const ChainVariant& variant = {}) : variant_(variant) {}
  [[nodiscard]] bool supports(Feature feature) const override;
  [[nodiscard]] std::vector<scene::Problem> check(const Scene& scene) const override;
  [[nodiscard]] std::unique_ptr<Model> compile(const Scene& scene) const override;

 private:
  ChainVariant variant_;
};

}  // namespace filum::chain
