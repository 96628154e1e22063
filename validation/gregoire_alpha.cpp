// Grégoire's study of integral forces: how the share α by which they grow decides how a cable finds its length.
//
// The scheme is the source's own (src/published), not one that Filum solves scenes with. An iteration is an
// equilibrium under the present integral forces; then each force grows by α times what its spring carries. The thesis
// shows curves of the length error over iterations; here what it says of them is turned into numbers.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "published/gregoire_solve.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::validation {

namespace gregoire_alpha_case {
namespace {

using published::Cable;
using published::CableDescription;
using published::CableState;
using published::HandleOn;

constexpr double kWeight = 0.981;  // of the cable, N
constexpr int kPoints = 20;
constexpr int kIterations = 50;

// One metre; springs of twenty weights, so that it is first too long by a percent or so.
CableDescription description() {
  CableDescription cable;
  cable.points = kPoints;
  cable.length = 1;
  cable.line_density = 0.1;
  cable.stiffness.setConstant(1e-2);
  cable.length_penalty = cable.norm_penalty = cable.coherence_penalty = 20 * kWeight;
  cable.handle_position = 1e6 * kWeight;
  return cable;
}

struct Start {
  Cable cable;
  CableState state;
};

// Straight down from its first point.
Start hung_straight() {
  const CableDescription cable = description();
  return {{cable, {{HandleOn::Point, 0, Vec3::Zero(), std::nullopt}}},
          published::start_straight(cable, Vec3::Zero(), -Vec3::UnitZ())};
}

// Between two points of one height, 0.6 m apart, drawn as a parabola.
Start hung_between() {
  std::vector<Vec3> points;
  for (int i = 0; i < kPoints; ++i) {
    const double t = static_cast<double>(i) / (kPoints - 1);
    points.emplace_back(0.6 * t, 0, -1.6 * t * (1 - t));
  }
  return {{description(),
           {{HandleOn::Point, 0, points.front(), std::nullopt},
            {HandleOn::Point, kPoints - 1, points.back(), std::nullopt}}},
          published::start_along(points)};
}

// The error of the whole length after each iteration, as a share of the first.
struct Course {
  std::vector<double> share;

  [[nodiscard]] double after(int iterations) const { return share[static_cast<std::size_t>(iterations)]; }
  [[nodiscard]] double lowest() const { return *std::min_element(share.begin(), share.end()); }
  [[nodiscard]] int until(double level) const {
    int i = 0;
    while (i < kIterations && std::abs(after(i)) > level) ++i;
    return i;
  }
  [[nodiscard]] int sign_changes(int iterations) const {
    int changes = 0;
    for (int i = 0; i < iterations; ++i) changes += after(i) * after(i + 1) < 0 ? 1 : 0;
    return changes;
  }
};

Course follow(Sheet& sheet, Start start, const published::IntegralShares& shares) {
  Course course;
  double first = 0;
  for (int i = 0; i <= kIterations; ++i) {
    if (!published::solve_inner(start.cable, {}, start.state).converged) sheet.fail("no equilibrium of the cable");
    const double error = published::constraint_errors(start.cable, start.state).whole_length;
    if (i == 0) first = error;
    course.share.push_back(error / first);
    published::grow_integral_forces(start.cable, shares, start.state);
  }
  return course;
}

Course follow(Sheet& sheet, const Start& start, double alpha) {
  return follow(sheet, start, {alpha, alpha, 0});
}

// A spring with a weight on it, many times over: the law is exact.
void add_straight(Sheet& sheet) {
  for (const double alpha : {0.1, 0.5, 1.0, 1.5, 2.0}) {
    const Course course = follow(sheet, hung_straight(), alpha);
    double worst = 0;
    for (int i = 0; i <= kIterations; ++i) worst = std::max(worst, std::abs(course.after(i) - std::pow(1 - alpha, i)));
    sheet.absolute(fmt::format("hung straight, α = {}: largest departure from (1 − α)ⁱ", alpha), worst, 0, 1e-7,
                   "exact; equilibria leave forces of 1e-9 of a newton");
  }
}

// What the thesis reads off its curves, one by one.
void add_between(Sheet& sheet) {
  const Start start = hung_between();
  const Course tenth = follow(sheet, start, 0.1);
  sheet.absolute("α = 0.1, «slow»: iterations to a hundredth", tenth.until(0.01), 44, 2,
                 "the law of one spring says 44; the cable has many");
  sheet.at_least("α = 0.1, «just short of zero»: lowest error", tenth.lowest(), 0, "never beyond");

  const Course half = follow(sheet, start, 0.5);
  sheet.absolute("α = 0.5, «faster»: iterations to a hundredth", half.until(0.01), 7, 1, "the law says 7");

  const Course one = follow(sheet, start, 1);
  sheet.absolute("α = 1, «faster»: iterations to a hundredth", one.until(0.01), 1, 0.5, "the law says 1");
  sheet.at_most("α = 1, «with overshoot»: lowest error", one.lowest(), -1e-3, "below zero");
  sheet.at_least("α = 1, «slight»: lowest error", one.lowest(), -0.05, "by little");
  const Course length_alone = follow(sheet, start, {1, 0, 0});
  sheet.at_least("α = 1 for lengths alone: lowest error", length_alone.lowest(), -1e-6,
                 "the overshoot comes from the coherence that catches up");

  const Course more = follow(sheet, start, 1.5);
  sheet.absolute("α = 1.5, «oscillates»: changes of sign in 10 iterations", more.sign_changes(10), 10, 0.5,
                 "1 − α is negative");
  sheet.at_most("α = 1.5, «then converges»: error after 20 iterations", std::abs(more.after(20)), 1e-5,
                "the law says 1e-6");

  const Course two = follow(sheet, start, 2);
  sheet.absolute("α = 2, «unstable»: changes of sign in 40 iterations", two.sign_changes(40), 40, 0.5, "1 − α is −1");
  sheet.at_least("α = 2, «unstable»: error after 40 iterations", std::abs(two.after(40)), 1.05, "it grows");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_straight(sheet);
  setting.tell(0.3);
  add_between(sheet);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace gregoire_alpha_case

Case gregoire_alpha() {
  return {.name = "gregoire-alpha",
          .shows = "Integral forces find a cable's length slowly, fast, swinging or never, as their share α says",
          .source = "Grégoire 2007, figs 4.4 to 4.8, with the law (1 − α)ⁱ of one spring",
          .run = gregoire_alpha_case::run};
}

}  // namespace filum::validation
