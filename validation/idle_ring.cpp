// A twisted ring below its threshold that nothing disturbs stays at rest.
#include "validation/cases.hpp"
#include "validation/motion.hpp"
#include "validation/ring.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <cmath>

namespace filum::validation {

namespace idle_ring_case {
namespace {

Result<std::vector<Row>> idle(long steps, int segments, const Setting& setting) {
  Sheet sheet(setting);
  Scene scene = twisted_ring_scene(1, 0.9 * 2 * math::kPi * std::sqrt(3.0), segments);
  scene.simulation.start = StartKind::Equilibrium;
  Motion motion(sheet, scene);
  if (!motion.fine()) return std::move(sheet).result();
  const RodPose rest = motion.pose().rods.front();
  double fastest = 0;
  double farthest = 0;
  for (long k = 1; k <= steps && motion.step(); ++k) {
    if (k % (steps / 100) != 0) continue;
    const RodPose now = motion.pose().rods.front();
    for (std::size_t i = 0; i < now.position.size(); ++i) {
      fastest = std::max(fastest, now.velocity[i].norm());
      farthest = std::max(farthest, (now.position[i] - rest.position[i]).norm());
    }
    setting.tell(static_cast<double>(k) / static_cast<double>(steps));
  }
  // its own waves run at some 40 m/s
  sheet.at_most(fmt::format("largest speed in {} steps, m/s", steps), fastest, 1e-8,
                "round-off against waves of 40 m/s");
  sheet.at_most(fmt::format("largest displacement in {} steps, share of L", steps), farthest, 1e-6, "round-off");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace idle_ring_case

Case idle_ring() {
  return {.name = "idle-ring",
          .shows = "A twisted ring below its threshold stays at rest",
          .source = "Equilibrium",
          .run = [](const Setting& setting) { return idle_ring_case::idle(10000, 50, setting); }};
}

Case idle_ring_long() {
  return {.name = "idle-ring-long",
          .shows = "The same for a million steps",
          .source = "Equilibrium",
          .takes_long = true,
          .run = [](const Setting& setting) { return idle_ring_case::idle(1000000, 20, setting); }};
}

}  // namespace filum::validation
