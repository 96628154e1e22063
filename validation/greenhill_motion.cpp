// Greenhill's shaft in motion: twisted to a held twist near the onset, displaced a little and let go.
//
// As in michell_ring.cpp the squared rate s² of the motion passes through zero at the onset. A twist that is slowly
// raised would read far too late: growth takes its time.
#include "validation/cases.hpp"
#include "validation/motion.hpp"
#include "validation/shaft.hpp"

#include <fmt/format.h>
#include <array>
#include <cmath>

namespace filum::validation {

namespace greenhill_motion_case {
namespace {

struct Entry {
  double tension, moment;
};
constexpr std::array<Entry, 3> kTable{{{0, 8.9868189}, {5, 9.7177477}, {20, 11.8003295}}};
constexpr std::array<double, 4> kTwists{0.98, 0.99, 1.01, 1.02};
constexpr int kSegments = 100;
constexpr double kStep = 0.004;      // s; the shaft sways in some seconds near the onset
constexpr double kDuration = 0.8;    // s
constexpr double kAmplitude = 1e-5;  // of the shaft's length

double squared_rate_at(Sheet& sheet, double tension, double moment) {
  Scene scene = greenhill_shaft(tension, moment * kShaftBendOverTwist, kSegments);
  scene.simulation.step = kStep;
  const ModesOutcome found = modes_of(sheet, scene, 2);
  const NaturalMode& mode = softest(found);
  Motion motion = Motion::released(sheet, scene, mode, kAmplitude);
  const RodPose& rest = found.pose.rods.empty() ? motion.pose().rods.front() : found.pose.rods.front();
  const std::vector<double> masses = node_masses(1, rest);
  std::vector<double> y;
  motion.watch(kDuration, 4,
               [&](double, const Pose& pose) { y.push_back(share_of_mode(mode, masses, pose.rods.front(), rest)); });
  return squared_rate(y, 4 * kStep, 8);
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  for (const Entry& entry : kTable) {
    std::vector<double> moments;
    std::vector<double> rates;
    for (const double share : kTwists) {
      moments.push_back(share * entry.moment);
      rates.push_back(squared_rate_at(sheet, entry.tension, moments.back()));
    }
    sheet.relative(fmt::format("m_c = M_c L/EI from the motion, tension TL²/EI = {}, N = 100", entry.tension),
                   root_of_line(moments, rates), entry.moment, 0.003, "second order in the mesh; s² nearly a line");
    sheet.at_most(fmt::format("s² at 0.98 m_c, 1/s², tension TL²/EI = {}", entry.tension), rates.front(), 0,
                  "stable: it sways");
    sheet.at_least(fmt::format("s² at 1.02 m_c, 1/s², tension TL²/EI = {}", entry.tension), rates.back(), 0,
                   "unstable: it grows");
    setting.tell(entry.tension / 20);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace greenhill_motion_case

Case greenhill_motion() {
  return {
      .name = "greenhill-motion",
      .shows = "A clamped shaft under tension, displaced and let go, sways below Greenhill's twist and bows out above",
      .source = "Greenhill 1883; Timoshenko & Gere 1961, chapter 2; roots of the determinant to all digits",
      .run = greenhill_motion_case::rows};
}

}  // namespace filum::validation
