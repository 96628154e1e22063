// A straight bar turned at one end: uniform twist, and every turn counted.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"
#include "validation/shaft.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace filum::validation {

namespace twisted_bar_case {
namespace {

constexpr double kTwist = 0.77;  // GJ, with EI = 1 and L = 1

void add_bar(Sheet& sheet, double turns, double tension) {
  const double angle = 2 * math::kPi * turns;
  const Outcome outcome = sheet.solve(twisted_shaft(kTwist, tension, turns, 50));
  const RodPose& rod = rod_pose(outcome);
  const std::vector<HoldPose>& holds = outcome.states.back().pose.holds;
  sheet.relative(fmt::format("torque of the far hold, GJΦ/L, {} turns", turns), holds[1].moment[0], kTwist * angle,
                 1e-9, "twist is linear: exact on any mesh");
  sheet.relative(fmt::format("torque of the near hold, {} turns", turns), holds[0].moment[0], -kTwist * angle, 1e-9,
                 "balance");
  sheet.absolute(fmt::format("turns counted, {} turns", turns), rod.turns, turns, 1e-9, "whole turns are not lost");
  const auto [least, most] = std::minmax_element(rod.twist.begin(), rod.twist.end());
  sheet.absolute(fmt::format("spread of the twist along the bar over its mean, {} turns", turns),
                 (*most - *least) / angle, 0, 1e-9, "uniform");
  sheet.at_least(fmt::format("stable, {} turns", turns), outcome.solve.stable.value_or(false), 1,
                 "below Greenhill's twist");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  // Greenhill: without tension up to 8.99 EI/(GJ) rad, under much tension up to about 2 √(T·EI)·L/GJ
  add_bar(sheet, 1, 0);
  add_bar(sheet, -1.5, 0);
  setting.tell(0.5);
  add_bar(sheet, 10, 2000);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace twisted_bar_case

Case twisted_bar() {
  return {.name = "twisted-bar",
          .shows = "A clamped bar turned by one or ten turns carries the torque GJΦ/L evenly",
          .source = "Saint-Venant: M = GJΦ/L",
          .equilibria = true,
          .run = twisted_bar_case::run};
}

}  // namespace filum::validation
