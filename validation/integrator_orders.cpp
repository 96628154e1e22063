// The integrators of the implicit stepper: their orders, and what they keep of the momentum of a free rod.
#include "validation/cases.hpp"
#include "validation/heavy_rod.hpp"
#include "validation/motion.hpp"

#include <fmt/format.h>
#include <array>
#include <cmath>

namespace filum::validation {

namespace integrator_orders_case {
namespace {

struct Entry {
  Integrator integrator;
  const char* name;
  double order;
  double momentum;  // largest relative change allowed in the tumble
};
// Implicit Euler and BDF2 keep the linear momentum, but the angular one only in the limit of short steps.
constexpr std::array<Entry, 4> kEntries{{{Integrator::EnergyMomentum, "energy-momentum", 2, 1e-6},
                                         {Integrator::ImplicitEuler, "implicit-euler", 1, 1},
                                         {Integrator::Bdf2, "bdf2", 2, 1},
                                         {Integrator::GeneralisedAlpha, "generalised-alpha", 2, 1}}};

// The tip of a soft cantilever that falls from the horizontal for 0.25 s. Ten elements: the shortest bending waves
// are slow against the finest step, so that orders show.
Vec3 tip_of_fall(Sheet& sheet, Integrator integrator, double step) {
  Scene scene = heavy_scene(100, 10);
  scene.sections.front().section.EA = 30;  // soft: stretch waves too
  scene.simulation.integrator = integrator;
  scene.simulation.step = step;
  Motion motion(sheet, scene);
  motion.watch(0.25, 100000, [](double, const Pose&) {});
  return motion.fine() ? motion.pose().rods.front().position.back() : Vec3::Constant(std::nan(""));
}

void add_order(Sheet& sheet, const Entry& entry, const Vec3& exact) {
  std::vector<double> errors;
  const std::vector<double> steps = {100, 200, 400};
  for (const double n : steps) errors.push_back((tip_of_fall(sheet, entry.integrator, 0.25 / n) - exact).norm());
  sheet.absolute(fmt::format("order of {}, steps of 2.5 to 0.63 ms", entry.name), observed_order(errors, steps),
                 entry.order, 0.15, "measured where the error still has a next term");
}

// A free rod that flies and tumbles, hard enough to bend.
void add_tumble(Sheet& sheet, const Entry& entry) {
  Scene scene = straight_rod(heavy_section(10), Vec3::Zero(), Vec3::UnitX(), 40);
  scene.rods.front().velocity = Vec3(1, 0.5, 0);
  scene.rods.front().spin = Vec3(0, 0.5, 9);
  scene.simulation.integrator = entry.integrator;
  scene.simulation.step = 1.0 / 240;
  Motion motion(sheet, scene);
  const std::vector<double> masses = node_masses(1, motion.pose().rods.front());
  Momentum start;
  double linear = 0;
  double angular = 0;
  motion.watch(1, 1, [&](double t, const Pose& pose) {
    const Momentum now = momentum(masses, pose.rods.front());
    if (t == 0) start = now;
    linear = std::max(linear, (now.linear - start.linear).norm() / start.linear.norm());
    angular = std::max(angular, (now.angular - start.angular).norm() / start.angular.norm());
  });
  sheet.at_most(fmt::format("relative change of linear momentum in 1 s, {}", entry.name), linear, 1e-6,
                "inner forces come in pairs: what Newton's tolerance leaves");
  sheet.at_most(fmt::format("relative change of angular momentum in 1 s, {}", entry.name), angular, entry.momentum,
                entry.momentum < 1 ? "kept exactly: what Newton's tolerance leaves" : "stated, not promised");
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  const Vec3 exact = tip_of_fall(sheet, Integrator::EnergyMomentum, 0.25 / 3200);
  setting.tell(0.5);
  for (const Entry& entry : kEntries) {
    add_order(sheet, entry, exact);
    add_tumble(sheet, entry);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace integrator_orders_case

Case integrator_orders() {
  return {.name = "integrator-orders",
          .shows = "Every integrator has the order it claims, and the momentum of a tumbling rod is kept",
          .source = "Hairer, Lubich & Wanner 2006; a reference with a step eight times finer",
          .run = integrator_orders_case::rows};
}

}  // namespace filum::validation
