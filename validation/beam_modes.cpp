// Natural modes of straight beams, bars and strings, whose frequencies are in every textbook.
#include "validation/cases.hpp"
#include "validation/modes_kit.hpp"

#include "math/rotation.hpp"

#include <cmath>

namespace filum::validation {

namespace beam_modes_case {
namespace {

constexpr double kPi = math::kPi;
// EI = ρA = L = 1. So stiff along itself that no axial mode is near.
constexpr double kStretch = 1e7;

Scene beam(int segments, const std::vector<Hold>& holds) {
  Scene scene = straight_rod(given_section(kStretch, Vec2::Ones(), 0.8, 1), Vec3::Zero(), Vec3::UnitX(), segments);
  scene.holds = holds;
  return scene;
}

std::vector<double> squared(std::vector<double> list) {
  for (double& value : list) value *= value;
  return list;
}

void add_bending(Sheet& sheet) {
  // cos βL cosh βL = −1, and = 1
  add_frequency_rows(sheet, "cantilever ω√(ρAL⁴/EI)", squared({1.8751040687, 4.6940911330, 7.8547574382}),
                     [](int n) { return beam(n, {clamp(kStart)}); });
  add_frequency_rows(sheet, "free-free", squared({4.7300407449, 7.8532046241}), [](int n) { return beam(n, {}); });
  add_frequency_rows(sheet, "clamped-clamped", squared({4.7300407449, 7.8532046241}), [](int n) {
    return beam(n, {clamp(kStart), clamp(kEnd)});
  });
  add_frequency_rows(sheet, "pinned-pinned", squared({kPi, 2 * kPi}), [](int n) {
    return beam(n, {pin(kStart), pin(kEnd)});
  });
}

// Pinned at both ends under tension T: ω² = k⁴ + T k², k = nπ; T large: a string.
void add_tension(Sheet& sheet, double tension) {
  std::vector<double> reference;
  for (const double k : {kPi, 2 * kPi, 3 * kPi}) reference.push_back(std::sqrt(k * k * k * k + tension * k * k));
  add_frequency_rows(sheet, tension > 100 ? "string, TL²/EI = 1e4" : "beam in tension, TL²/EI = 10", reference,
                     [&](int n) {
                       Scene scene = beam(n, {pin(kStart), pin(kEnd)});
                       scene.holds[1].fix.position = {false, true, true};
                       scene.forces.push_back({{"rod", kEnd}, "", Vec3(tension, 0, 0), false});
                       // the mass stays what it was over a length that grows: T/EA must be small
                       scene.sections[0].section.EA = 1e9;
                       return scene;
                     });
}

// A bar so stiff across that its first modes are along itself: ω = (2n − 1)π/2 √(EA/ρA)/L.
void add_axial(Sheet& sheet) {
  add_frequency_rows(sheet, "bar along itself ωL√(ρ/E)", {kPi / 2, 3 * kPi / 2, 5 * kPi / 2}, [](int n) {
    Scene scene = straight_rod(given_section(1, Vec2(1e4, 1e4), 1e4, 1), Vec3::Zero(), Vec3::UnitX(), n);
    scene.holds = {clamp(kStart)};
    return scene;
  });
}

// A round shaft clamped at its start: ω = (2n − 1)π/2 √(G/ρ)/L. The slender one's bending lies below; it is left out by
// what turns.
void add_torsional(Sheet& sheet) {
  const double young = 1e6;
  const double poisson = 0.25;
  const double density = 1000;
  const double wave_speed = std::sqrt(young / (2 * (1 + poisson)) / density);
  const auto first = [&](int segments) {
    Section section;
    section.shape = SectionShape::Circle;
    section.radius = 0.01;
    Scene scene = straight_rod(section, Vec3::Zero(), Vec3::UnitX(), segments);
    scene.materials.push_back({"stuff", {}});
    scene.materials[0].material.young = young;
    scene.materials[0].material.poisson = poisson;
    scene.materials[0].material.density = density;
    scene.rods[0].material = "stuff";
    scene.holds = {clamp(kStart)};
    scene.simulation.rotary_inertia = true;
    ModesOptions options;
    options.count = 40;
    const auto outcome = modes(scene, options);
    if (outcome)
      for (const NaturalMode& mode : outcome->modes) {
        double across = 0;
        for (const Vec3& u : mode.rods[0].displacement) across = std::max(across, u.norm());
        if (across < 1e-3) return std::sqrt(mode.eigenvalue) / wave_speed;
      }
    return std::nan("");
  };
  const double coarse = first(50);
  const double fine = first(100);
  sheet.relative("shaft about itself ωL√(ρ/G), mode 1, N = 50", coarse, kPi / 2, 0.004, "second order: (kl)²/24");
  sheet.relative("shaft about itself, mode 1, extrapolated", (4 * fine - coarse) / 3, kPi / 2, 2e-4,
                 "what remains is of fourth order");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_bending(sheet);
  setting.tell(0.4);
  add_tension(sheet, 10);
  add_tension(sheet, 1e4);
  setting.tell(0.7);
  add_axial(sheet);
  add_torsional(sheet);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace beam_modes_case

Case beam_modes() {
  return {
      .name = "beam-modes",
      .shows = "Beams, strings, bars and shafts swing at their textbook frequencies",
      .source = "Rayleigh, The Theory of Sound, chapters VI to VIII; roots of the frequency equations to all digits",
      .run = beam_modes_case::run};
}

}  // namespace filum::validation
