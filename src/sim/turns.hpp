// The turns of every open rod's ends, and where they went (rod/link.hpp): kept from the first look on.
#pragma once

#include "formulations/formulation.hpp"
#include "rod/link.hpp"

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum::sim {

class TurnKeeper {
 public:
  // From here on turns are counted, of rods that were not there before; those that stay go on.
  void begin(const Scene& scene, const Pose& pose, const Targets& targets);
  void forget() { rods_.clear(); }
  [[nodiscard]] bool begun() const { return !rods_.empty(); }

  // After every step of the holds: by the poses of holds at the ends alone, which cost nothing.
  void follow(const Targets& targets);

  // Of every rod, all zero for rings. `pose` is that of the targets last followed.
  std::vector<TurnBalance> balance(const Pose& pose);

 private:
  struct Ends {
    std::string rod;
    int start = -1;  // the hold that turns this end, or none
    int end = -1;
    std::optional<rod::LinkLedger> ledger;
    double turned = 0;  // turns asked of the holds, end against start, at the last look
  };
  std::vector<Ends> rods_;
};

}  // namespace filum::sim
