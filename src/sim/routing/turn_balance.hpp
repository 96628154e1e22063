// The turns of every open rod's ends, and where they went (rod/link.hpp): kept from the first look on.
//
// The closure of an open rod is undefined where the tangents of its ends are opposite, as they are in every U of cable.
// So the tangent of each end is looked at leant by a millionth of a radian towards a direction that stays in space: it
// passes the opposite on one side, always the same, and the balance is off by less than 1e-8 for it.
#pragma once

#include "formulations/formulation.hpp"
#include "rod/linking_number.hpp"

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
    Vec3 tilt = Vec3::UnitX();  // where the end's tangent leans to
    double turned = 0;          // turns asked of the holds, end against start, at the last look
  };
  std::vector<Ends> rods_;
};

}  // namespace filum::sim
