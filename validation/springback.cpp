// A wire bent to an arc and let go: it springs back by M(κ)/EI, M its section's own moment curve.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"
#include "rod/backbone.hpp"

#include <filum/session.hpp>

#include <fmt/format.h>
#include <array>
#include <cmath>

namespace filum::validation {

namespace springback_case {
namespace {

constexpr double kHalf = 1e-3;             // half-extent towards where it bends, m
constexpr double kStrain = 150e6 / 120e9;  // at first yield
constexpr double kCurvature = kStrain / kHalf;

struct Wire {
  const char* name;
  Section section;
  rod::Backbone curve;
};

std::array<Wire, 4> wires() {
  Section circle, tube, rectangle, ellipse;
  circle.shape = SectionShape::Circle;
  circle.radius = kHalf;
  tube.shape = SectionShape::Tube;
  tube.outer_radius = kHalf;
  tube.inner_radius = 0.8 * kHalf;
  rectangle.shape = SectionShape::Rectangle;
  rectangle.width = 6 * kHalf;
  rectangle.height = 2 * kHalf;
  ellipse.shape = SectionShape::Ellipse;
  ellipse.radii = {3 * kHalf, kHalf};
  using Form = rod::Backbone::Form;
  return {Wire{"circle", circle, {Form::Round, 0, 0}}, Wire{"tube", tube, {Form::Round, 0, 0.8}},
          Wire{"rectangle", rectangle, {Form::Power, 1.5, 0}}, Wire{"ellipse", ellipse, {Form::Round, 0, 0}}};
}

// Along x, clamped at its start; the end is led so that the wire lies on an arc, which turns up to z.
Scene made(const Wire& wire, const std::string& formulation, double hardening) {
  Scene scene = straight_rod(wire.section, Vec3::Zero(), Vec3::UnitX(), 60);
  scene.materials = {{"copper", {120e9, 0.34, 8930, 150e6, hardening, 0}}};
  scene.rods[0].material = "copper";
  scene.holds = {clamp(kStart), clamp(kEnd)};
  scene.holds[0].name = "vice";
  scene.holds[1].name = "hand";
  scene.simulation.formulation = formulation;
  return scene;
}

bool bend(Session& session, double curvature) {
  const Vec3 end(std::sin(curvature) / curvature, 0, (1 - std::cos(curvature)) / curvature);
  const Mat3 straight = session.pose().rods[0].frame.front().toRotationMatrix();
  const Mat3 turned = math::exp_so3(Vec3(0, -curvature, 0)) * straight;
  return session.move_hold("hand", end).ok() && session.turn_hold("hand", Quat(turned)).ok() &&
         session.settle().converged;
}

// The curvature that stays in the middle of the wire, 1/m, after it was bent to so many times first yield; −1: it could
// not be.
double left_over(const Wire& wire, const std::string& formulation, double hardening, double times) {
  auto session = Session::begin(made(wire, formulation, hardening));
  if (!session.ok()) return -1;
  for (int k = 1; k <= 6; ++k)
    if (!bend(*session, times * kCurvature * k / 6)) return -1;
  if (!session->fix_hold("hand", Fix{{false, false, false}, {false, false, false}}).ok()) return -1;
  if (!session->settle().converged) return -1;
  const RodPose rod = session->pose().rods[0];
  return rod.curvature[rod.curvature.size() / 2].norm();
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  double done = 0;
  for (const Wire& wire : wires()) {
    for (const std::string formulation : {"kirchhoff", "cosserat", "spline"})
      for (const double times : {1.5, 4.0})
        sheet.relative(fmt::format("{}, bent to {} times first yield: springback, {}", wire.name, times, formulation),
                       times - left_over(wire, formulation, 0, times) / kCurvature, wire.curve.value(times), 0.01,
                       "twelve elements for the moment curve");
    // with hardening of a fifth of E: t = 1/6 of the stiffness stays
    const double share = 1.0 / 6;
    sheet.relative(fmt::format("{}, hardening E/5, to 4 times: springback", wire.name),
                   4 - left_over(wire, "kirchhoff", 24e9, 4) / kCurvature,
                   (1 - share) * wire.curve.value(4) + share * 4, 0.01, "likewise");
    setting.tell(done += 0.25);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace springback_case

Case springback() {
  return {.name = "springback",
          .shows = "A wire bent beyond yield and let go keeps κ − M(κ)/EI, M the moment of its section's fibres",
          .source = "elastic-plastic bending, closed forms of docs/theory/plasticity.md",
          .run = springback_case::run};
}

}  // namespace filum::validation
