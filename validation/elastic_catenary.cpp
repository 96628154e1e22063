// The elastic catenary: a cable so limp that its bending does not show.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include <fmt/format.h>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace filum::validation {

namespace elastic_catenary_case {
namespace {

constexpr double kWeight = 1;            // per unstretched length, N/m
constexpr double kBendStiffness = 1e-7;  // EI, N·m²: bends within √(EI/H), a thousandth of the span, of its ends
constexpr int kSegments = 200;

struct Span {
  const char* name;
  double length;        // unstretched, m
  Vec2 end;             // of the far support: across and up, m
  double axial = 1000;  // EA, N
};

// Irvine's closed form, by the pull H and the lift V of the first support [Irvine1981].
struct Catenary {
  double pull, lift, axial;

  [[nodiscard]] Vec2 at(double s) const {
    const double below = kWeight * s - lift;  // vertical part of the tension at s
    const double x = pull * s / axial + pull / kWeight * (std::asinh(below / pull) + std::asinh(lift / pull));
    const double z =
        (kWeight * s * s / 2 - lift * s) / axial + (std::hypot(pull, below) - std::hypot(pull, lift)) / kWeight;
    return {x, z};
  }
};

// Newton's method on (H, V) until the far end meets its support.
Catenary find_catenary(const Span& span) {
  // Irvine's start: a parabola of the given length
  const double across = span.end[0];
  const double up = span.end[1];
  const double excess = (span.length * span.length - up * up) / (across * across) - 1;
  const double lambda = excess > 0.01 ? std::sqrt(3 * excess) : 0.2;
  Catenary cable{kWeight * across / (2 * lambda), kWeight / 2 * (span.length - up / std::tanh(lambda)), span.axial};
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vec2 miss = cable.at(span.length) - span.end;
    const double step = 1e-6 * kWeight * span.length;
    const Catenary more_pull{cable.pull + step, cable.lift, cable.axial};
    const Catenary more_lift{cable.pull, cable.lift + step, cable.axial};
    Eigen::Matrix2d slope;
    slope.col(0) = (more_pull.at(span.length) - cable.at(span.length)) / step;
    slope.col(1) = (more_lift.at(span.length) - cable.at(span.length)) / step;
    const Vec2 change = slope.partialPivLu().solve(miss);
    // the pull stays positive
    cable.pull = std::max(0.2 * cable.pull, cable.pull - change[0]);
    cable.lift -= change[1];
  }
  return cable;
}

Scene hung(const Span& span, int segments) {
  const Section section =
      given_section(span.axial, Vec2(kBendStiffness, kBendStiffness), kBendStiffness, kWeight / 9.81);
  Scene scene = straight_rod(section, Vec3::Zero(), Vec3(span.end[0], 0, span.end[1]), segments);
  scene.rods[0].length = span.length;
  scene.gravity = Vec3(0, 0, -9.81);
  scene.holds = {pin(kStart), pin(kEnd)};
  return scene;
}

// The largest distance from the catenary, share of the cable's length.
double distance(const RodPose& rod, const Catenary& cable, double length) {
  double worst = 0;
  for (std::size_t i = 0; i < rod.s.size(); ++i) {
    const Vec2 point = cable.at(rod.s[i]);
    worst = std::max(worst, (rod.position[i] - Vec3(point[0], 0, point[1])).norm() / length);
  }
  return worst;
}

void add_span(Sheet& sheet, const Span& span) {
  const Catenary cable = find_catenary(span);
  const Outcome outcome = sheet.solve(hung(span, kSegments));
  const std::vector<HoldPose>& holds = outcome.states.back().pose.holds;
  sheet.absolute(fmt::format("{}: largest distance from it, share of the length", span.name),
                 distance(rod_pose(outcome), cable, span.length), 0, 2e-5,
                 "mesh of second order, some (1/N)²/4; bending EI/(H L²) of 1e-6");
  const std::string reason = "as the shape; forces are its derivative";
  sheet.relative(fmt::format("{}: pull on the first support, N", span.name), -holds[0].force[0], cable.pull, 1e-4,
                 reason);
  sheet.relative(fmt::format("{}: lift of the first support, N", span.name), holds[0].force[2], cable.lift, 1e-4,
                 reason);
  sheet.absolute(fmt::format("{}: lift of the second support, share of the weight", span.name),
                 holds[1].force[2] / (kWeight * span.length),
                 (kWeight * span.length - cable.lift) / (kWeight * span.length), 1e-4, reason);
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_span(sheet, {"slack, level", 1.3, Vec2(1, 0)});
  setting.tell(0.25);
  add_span(sheet, {"slack, inclined", 1.3, Vec2(0.8, 0.5)});
  setting.tell(0.5);
  add_span(sheet, {"taut, level", 0.99, Vec2(1, 0), 100});
  setting.tell(0.75);
  add_span(sheet, {"taut, inclined", 0.93, Vec2(0.8, -0.5), 100});
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace elastic_catenary_case

Case elastic_catenary() {
  return {.name = "elastic-catenary",
          .shows = "A limp cable between two pins, slack and taut, level and inclined, hangs in the elastic catenary",
          .source = "Irvine 1981, Cable Structures",
          .equilibria = true,
          .run = elastic_catenary_case::run};
}

}  // namespace filum::validation
