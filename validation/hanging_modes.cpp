// What hangs swings: the heavy chain, the flexible pendulum, the weight on a spring.
#include "validation/cases.hpp"
#include "validation/modes_kit.hpp"

#include "math/rotation.hpp"

#include <cmath>

namespace filum::validation {

namespace hanging_modes_case {
namespace {

Scene hanging(const Section& section, int segments) {
  Scene scene = straight_rod(section, Vec3::Zero(), Vec3(0, 0, -1), segments);
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.holds = {pin(kStart)};
  return scene;
}

// ω = j₀ₙ/2 √(g/L): zeros of the Bessel function J₀. So soft that bending adds 1e-6.
void add_chain(Sheet& sheet) {
  const double root = std::sqrt(kGravity);
  add_frequency_rows(sheet, "hanging chain ω", {1.2024127788 * root, 2.7600390546 * root},
                     [](int n) { return hanging(given_section(1e7, Vec2(1e-6, 1e-6), 1e-6, 1), n); });
}

// A round rod 1 m long of 2 mm radius, E = 10 MPa, ρ = 1000 kg/m³: ρA s w'' … with bending, by shooting.
void add_pendulum(Sheet& sheet) {
  const auto scene = [](int n) {
    Section section;
    section.shape = SectionShape::Circle;
    section.radius = 0.002;
    Scene made = hanging(section, n);
    made.materials.push_back({"soft", {}});
    made.materials[0].material.young = 1e7;
    made.materials[0].material.density = 1000;
    made.rods[0].material = "soft";
    return made;
  };
  add_frequency_rows(sheet, "flexible pendulum ω", {2 * math::kPi / 1.66767230}, scene);
}

// A long helical spring that carries its own mass alone, clamped at its top: a bar of stiffness k and mass m along its
// axis has ω = π/2 √(k/m). The wire's slope and its bending are left out of k.
void add_spring(Sheet& sheet) {
  constexpr double kTurns = 12;
  constexpr double kTwist = 0.77;
  const double slope = 0.05;
  Curve helix;
  helix.kind = CurveKind::Helix;
  helix.axis = Vec3::UnitZ();
  helix.start = Vec3(1, 0, 0);
  helix.angle = 2 * math::kPi * kTurns;
  helix.pitch = 2 * math::kPi * std::tan(slope);
  Scene scene;
  scene.gravity = Vec3::Zero();
  Rod& rod = add_rod(scene, "rod", given_section(1e6, Vec2::Ones(), kTwist, 1), helix, 480);
  rod.normal = Vec3::UnitX();
  rod.rest.kind = RestKind::AsShaped;
  scene.holds = {clamp(kStart)};
  const double length = 2 * math::kPi * kTurns / std::cos(slope);
  const double stiffness = kTwist / length;

  ModesOptions options;
  options.count = 12;
  const auto outcome = modes(scene, options);
  double found = std::nan("");
  if (outcome)
    for (const NaturalMode& mode : outcome->modes) {
      // the mode that moves along the axis all round the end
      Vec3 mean = Vec3::Zero();
      const auto& u = mode.rods[0].displacement;
      for (std::size_t i = u.size() - 40; i < u.size(); ++i) mean += u[i] / 40;
      if (std::abs(mean[2]) < 0.8 * mean.norm() || mean.norm() < 0.5) continue;
      found = std::sqrt(mode.eigenvalue);
      break;
    }
  sheet.relative("helical spring along its axis ω", found, math::kPi / 2 * std::sqrt(stiffness / length), 0.02,
                 "the spring as a bar: slope² and the free end's overhang left out");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_chain(sheet);
  setting.tell(0.3);
  add_pendulum(sheet);
  setting.tell(0.6);
  add_spring(sheet);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace hanging_modes_case

Case hanging_modes() {
  return {.name = "hanging-modes",
          .shows = "The hanging chain, the flexible pendulum and the helical spring swing as they should",
          .source = "Bernoulli 1732 (zeros of J₀); shooting on the hanging beam's equation; Wahl 1963 for the spring",
          .run = hanging_modes_case::run};
}

}  // namespace filum::validation
