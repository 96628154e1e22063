// A State around the value that a formulation keeps of what moves. `pack_state(value)` is found beside the value's type.
#pragma once

#include "formulations/formulation.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace filum {

template <class Value>
class StateOf final : public State {
 public:
  explicit StateOf(Value initial) : value(std::move(initial)) {}
  [[nodiscard]] std::unique_ptr<State> clone() const override { return std::make_unique<StateOf>(*this); }
  void assign(const State& other) override { value = static_cast<const StateOf&>(other).value; }
  [[nodiscard]] std::vector<double> pack() const override { return pack_state(value); }
  Value value;
};

}  // namespace filum
