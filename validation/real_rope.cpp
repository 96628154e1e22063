// Steel ropes from the empty hook to the breaking load, through seven disturbances of a minute each at 1/60 s.
//
// Solid bars of 10 mm and wire ropes of 5, 10 and 20 mm with a tenth or a hundredth of their bending stiffness; 4 to
// 70 m; elements of 2 m to 2 cm; loads of the hook alone, a fifth of the breaking load and all of it (1.8 GPa). A rope
// is lost if a number is not finite, its mean energy over some swing is above that of the first by a hundredth of the
// swing's, or its tension in the last ten seconds is five times that at rest. The last, period and loss are judged where the rope weighs less than a fifth of
// the load: a light hook does not keep its rope straight, and the rope cracks like a whip.
#include "validation/cases.hpp"
#include "validation/rope_trial.hpp"
#include "validation/scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filum::validation {

namespace real_rope_case {
namespace {

constexpr double kSeconds = 60;

struct Kind {
  double diameter;
  double bend_share;
};
constexpr Kind kKinds[] = {{0.01, 1}, {0.01, 0.1}, {0.005, 0.01}, {0.02, 0.1}};

struct Cut {
  double length;
  int elements;
};
constexpr Cut kCuts[] = {{4, 2}, {4, 200}, {15, 30}, {70, 35}, {70, 140}};

// Share of the breaking load; zero: the hook alone.
constexpr double kLoads[] = {0, 0.2, 1};

struct Worst {
  int tried = 0;
  int lost = 0;
  double elongation = 0;
  double period = 0;
  double loss = 0;
};

void note(Worst& worst, const SteelRope& rope, const Trial& trial) {
  ++worst.tried;
  const bool straight = rope.mass() < 0.2 * rope.load;
  if (!trial.finite || trial.growth >= 0.01 || (straight && trial.tension >= 5)) {
    ++worst.lost;
    return;
  }
  worst.elongation = std::max(worst.elongation, std::abs(trial.elongation));
  if (!straight) return;
  worst.period = std::max(worst.period, std::abs(trial.period));
  worst.loss = std::max(worst.loss, trial.loss);
}

Worst try_all(Disturbance disturbance) {
  Worst worst;
  for (const Kind& kind : kKinds)
    for (const Cut& cut : kCuts)
      for (const double share : kLoads) {
        SteelRope rope{kind.diameter, kind.bend_share, cut.length, cut.elements, 0};
        const double hook = 5 * std::pow(kind.diameter / 0.01, 2);
        rope.load = std::max(hook, share * rope.breaking_load());
        note(worst, rope, try_rope(rope, disturbance, kSeconds));
      }
  return worst;
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  double done = 0;
  for (const Disturbance disturbance : kDisturbances) {
    const Worst worst = try_all(disturbance);
    const std::string name = name_of(disturbance);
    sheet.at_most(fmt::format("{}: lost of {} ropes", name, worst.tried), worst.lost, 0, "every rope is to hold");
    if (disturbance == Disturbance::Rest)
      sheet.at_most("rest: largest error of the elongation", worst.elongation, 1e-3,
                    "asked for; exact but for round-off");
    if (disturbance == Disturbance::Swing30 || disturbance == Disturbance::Swing60) {
      sheet.at_most(name + ": largest error of the period", worst.period, 1e-3, "asked for");
      sheet.at_most(name + ": largest loss of energy in 15 s", worst.loss, 0.02, "asked for");
    }
    setting.tell(done += 1.0 / std::size(kDisturbances));
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace real_rope_case

Case real_rope() {
  return {.name = "real-rope",
          .shows = "Steel ropes hold every load up to breaking through swing, drop, jump, hoisting, slack and snap",
          .source = "the elastic pendulum with the rope's mass on its line, by Runge-Kutta; Hooke's law",
          .takes_long = true,
          .run = real_rope_case::run};
}

}  // namespace filum::validation
