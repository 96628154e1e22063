// The elastica under a dead load at its tip.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include <fmt/format.h>
#include <array>
#include <cmath>

namespace filum::validation {

namespace tip_load_case {
namespace {

// p = PL²/EI, vertical drop w/L, shortening u/L, tip angle: θ'' = −p cos θ integrated until all digits stood; the first
// two agree with Mattiasson's table to all of its digits.
struct Entry {
  double p, w, u, angle;
};
constexpr std::array<Entry, 11> kTable{{{0.5, 0.1621436, 0.0159190, 0.2445336},
                                        {1, 0.3017208, 0.0564332, 0.4613519},
                                        {2, 0.4934575, 0.1606417, 0.7817498},
                                        {3, 0.6032534, 0.2544202, 0.9860169},
                                        {4, 0.6699642, 0.3289412, 1.1212393},
                                        {5, 0.7137915, 0.3876284, 1.2153681},
                                        {6, 0.7445711, 0.4345888, 1.2836973},
                                        {8, 0.7849824, 0.5048277, 1.3744315},
                                        {10, 0.8106090, 0.5549956, 1.4302855},
                                        {15, 0.8477157, 0.6352858, 1.5018402},
                                        {20, 0.8686959, 0.6838856, 1.5329350}}};

// The table is inextensible: at p = 20 this rod stretches by 2e-7 of its length.
constexpr double kStretchStiffness = 1e8;

Scene loaded(double p, int segments) {
  Scene scene =
      straight_rod(given_section(kStretchStiffness, Vec2::Ones(), 1, 1), Vec3::Zero(), Vec3::UnitX(), segments);
  scene.holds = {clamp(kStart)};
  scene.forces.push_back({{"rod", kEnd}, "", Vec3(0, 0, -p), false});
  return scene;
}

double tip_error(const Outcome& outcome, const Entry& entry) {
  return (tip(outcome) - Vec3(1 - entry.u, 0, -entry.w)).norm();
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  for (const Entry& entry : kTable) {
    const Outcome coarse = sheet.solve(loaded(entry.p, 50));
    const double tolerance = entry.p > 10 ? 2e-4 : 6e-5;
    sheet.absolute(fmt::format("tip error, share of L, p = {}, N = 50", entry.p), tip_error(coarse, entry), 0,
                   tolerance, "second order, as for the heavy cantilever");
    const Vec3 tangent = rod_pose(coarse).frame.back() * Vec3::UnitZ();
    sheet.absolute(fmt::format("tip angle, rad, p = {}, N = 50", entry.p), std::atan2(-tangent[2], tangent[0]),
                   entry.angle, 2 * tolerance, "second order; an angle is a derivative of the shape");
    setting.tell(entry.p / 40);
  }
  // order where the error stands well above the seven digits of the table
  for (const Entry& entry : {kTable[4], kTable[8], kTable[10]}) {
    std::vector<double> errors;
    for (const int segments : {25, 50, 100}) errors.push_back(tip_error(sheet.solve(loaded(entry.p, segments)), entry));
    sheet.at_least(fmt::format("observed order, p = {}, N = 25…100", entry.p), observed_order(errors, {25, 50, 100}),
                   1.9, "the scheme is of second order; beyond N = 100 the table's digits end");
  }
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace tip_load_case

Case tip_load() {
  return {.name = "tip-load",
          .shows = "A cantilever with a dead load at its tip bends as the elastica does",
          .source = "Bisshopp & Drucker 1945; Mattiasson 1981; the figures by integrating the elastica",
          .equilibria = true,
          .run = tip_load_case::run};
}

}  // namespace filum::validation
