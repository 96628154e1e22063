// Turns are counted, however many: fifty turns of a clamped bar, and the link number of a ring that writhes.
#include "validation/cases.hpp"
#include "validation/motion.hpp"
#include "validation/ring.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace many_turns_case {
namespace {

constexpr double kTurns = 50;

// A bar far too stiff in bending to buckle at fifty turns, its far end turned in one second.
Scene bar(double step) {
  Scene scene = straight_rod(given_section(1e6, Vec2::Constant(1000), 1, 1), Vec3::Zero(), Vec3::UnitX(), 20);
  scene.holds = {clamp(kStart), clamp(kEnd)};
  scene.holds[1].name = "far end";
  Driver driver;
  driver.kind = DriverKind::Hold;
  driver.target = "far end";
  driver.path.resize(2);
  driver.path[0].turns = 0;
  driver.path[1].t = 1;
  driver.path[1].turns = kTurns;
  scene.drivers = {driver};
  scene.simulation.step = step;
  return scene;
}

void add_turns(Sheet& sheet, double steps) {
  Motion motion(sheet, bar(1 / steps));
  motion.watch(1, 100000, [](double, const Pose&) {});
  if (!motion.fine()) return;
  const Pose end = motion.pose();
  sheet.absolute(fmt::format("turns counted, fifty in {} steps", steps), end.rods.front().turns, kTurns, 1e-9,
                 "whole turns are not lost");
  sheet.relative(fmt::format("torque of the far hold, {} steps", steps), end.holds[1].moment[0], 2 * math::kPi * kTurns,
                 0.02, "the mean over the last step");
  sheet.relative(fmt::format("work done by the hold over the elastic energy, {} steps", steps),
                 end.energy.work / end.energy.elastic, 1, 1e-6, "quasi-static twist: all of it is stored");
}

Result<std::vector<Row>> turn_rows(const Setting& setting) {
  Sheet sheet(setting);
  for (const double steps : {60.0, 200.0, 1000.0}) {
    add_turns(sheet, steps);
    setting.tell(steps / 1000);
  }
  return std::move(sheet).result();
}

// Turns and writhe of the ring at the start, at the end, and the largest change of their sum.
Result<std::vector<Row>> link_rows(const Setting& setting) {
  Sheet sheet(setting);
  Scene scene = twisted_ring_scene(1, 1.5 * 2 * math::kPi * std::sqrt(3.0), 100);
  scene.simulation.step = 5e-4;
  const NaturalMode mode = softest(modes_of(sheet, scene, 8));
  Motion motion = Motion::released(sheet, scene, mode, 1e-3);
  double link = 0;
  double writhe = 0;
  double change = 0;
  motion.watch(0.1, 4, [&](double t, const Pose& pose) {
    const RodPose& ring = pose.rods.front();
    if (writhe > 0.8) return;  // near 1 it meets itself, and passes through
    if (t == 0) link = ring.turns + ring.writhe;
    writhe = std::max(writhe, std::abs(ring.writhe));
    change = std::max(change, std::abs(ring.turns + ring.writhe - link));
  });
  setting.tell(1);
  sheet.at_least("largest writhe", writhe, 0.3, "the ring has left its plane");
  sheet.at_most("largest change of turns + writhe", change, 1e-6, "Lk = Tw + Wr, exact for polygons");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace many_turns_case

Case many_turns() {
  return {.name = "many-turns",
          .shows = "Fifty turns in are fifty turns counted, at steps of up to five sixths of a turn",
          .source = "Saint-Venant: M = GJΦ/L",
          .run = many_turns_case::turn_rows};
}

Case link_number() {
  return {.name = "link-number",
          .shows = "A twisted ring that writhes trades turns for writhe and keeps their sum",
          .source = "Călugăreanu 1961; White 1969: Lk = Tw + Wr",
          .run = many_turns_case::link_rows};
}

}  // namespace filum::validation
