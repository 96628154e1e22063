// A wire wrapped round a former by its taut end and let go: what lay on the former springs back by its section's curve.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "rod/backbone.hpp"

#include <filum/session.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace filum::validation {

namespace former_case {
namespace {

constexpr double kHalf = 1e-3;     // radius of the wire, m
constexpr double kLength = 0.6;    // m
constexpr double kFirst = 1;       // curvature at first yield, 1/m: 120 MPa/(120 GPa · 1 mm)
constexpr double kPull = 4e-4;     // strain of the wire as it is wrapped: of 1e-3 at yield
constexpr double kWrapped = 0.47;  // of it, m
constexpr int kSteps = 40;
constexpr int kSlackening = 8;
constexpr double kUnwrapped = 0.75;  // of the angle: so far the hand leads it back, less far than it springs

// Clamped where it touches the former first, along x; the former lies above it.
Scene wire(double former) {
  Section round;
  round.shape = SectionShape::Circle;
  round.radius = kHalf;
  Scene scene = straight_rod(round, Vec3::Zero(), Vec3(kLength, 0, 0), 120);
  scene.materials = {{"copper", {120e9, 0.34, 8930, 120e6, 0, 0}}};
  scene.rods[0].material = "copper";
  scene.holds = {clamp(kStart), pin(kEnd)};
  scene.holds[0].name = "vice";
  scene.holds[1].name = "hand";
  Obstacle cylinder;
  cylinder.name = "former";
  cylinder.shape = ObstacleShape::Cylinder;
  cylinder.from = Vec3(0, -0.05, former + kHalf);
  cylinder.to = Vec3(0, 0.05, former + kHalf);
  cylinder.radius = former;
  scene.obstacles.push_back(cylinder);
  return scene;
}

// Where the hand has led the taut wire once it lies on so much of the former, rad: the involute.
Vec3 hand(double former, double angle, double pull) {
  const double radius = former + kHalf;
  const double free = (1 + pull) * kLength - radius * angle;
  return {radius * std::sin(angle) + free * std::cos(angle), 0,
          radius * (1 - std::cos(angle)) + free * std::sin(angle)};
}

// Curvatures in the middle of what lay on the former: before it is let go, and after.
struct Bent {
  double on = std::nan("");
  double left = std::nan("");
};

Bent bend(double former, double angle) {
  Bent bent;
  auto session = Session::begin(wire(former));
  if (!session.ok()) return bent;
  for (int k = 1; k <= kSteps; ++k)
    if (!session->move_hold("hand", hand(former, angle * k / kSteps, kPull)).ok() || !session->settle().converged)
      return bent;
  const auto middle = [&] {
    const RodPose rod = session->pose().rods[0];
    const double s = 0.5 * angle * (former + kHalf);
    const auto place = std::lower_bound(rod.s.begin(), rod.s.end(), s) - rod.s.begin();
    return rod.curvature[static_cast<std::size_t>(place)].norm();
  };
  bent.on = middle();
  // slackened, led back while it still presses on the hand, then let go: all at once would be a leap
  for (int k = kSlackening - 1; k >= 0; --k)
    if (!session->move_hold("hand", hand(former, angle, kPull * k / kSlackening)).ok() || !session->settle().converged)
      return bent;
  for (int k = kSteps - 1; k >= kUnwrapped * kSteps; --k)
    if (!session->move_hold("hand", hand(former, angle * k / kSteps, 0)).ok() || !session->settle().converged)
      return bent;
  if (!session->fix_hold("hand", Fix{{false, false, false}, {false, false, false}}).ok()) return bent;
  if (session->settle().converged) bent.left = middle();
  return bent;
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  const rod::Backbone curve{rod::Backbone::Form::Round, 0, 0};
  double done = 0;
  for (const double former : {0.25, 0.3, 0.4, 0.5, 0.6}) {
    const Bent bent = bend(former, kWrapped / former);
    const double on = 1 / (former + kHalf);
    sheet.relative(fmt::format("former of {} mm: curvature on it", 1e3 * former), bent.on, on, 2e-3,
                   "segments of a sixtieth of its radius; contact gives way a little");
    sheet.relative(fmt::format("former of {} mm: springback", 1e3 * former), on - bent.left,
                   kFirst * curve.value(on / kFirst), 0.01, "twelve elements for the moment curve");
    setting.tell(done += 1.0 / 5);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace former_case

Case former() {
  return {.name = "former",
          .shows = "A wire wrapped round a former by its taut end and let go keeps κ − M(κ)/EI where it lay on it",
          .source = "elastic-plastic bending, closed forms of docs/theory/plasticity.md",
          .run = former_case::run};
}

}  // namespace filum::validation
