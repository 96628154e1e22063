// Greenhill's problem: how far can a clamped shaft under tension be twisted before it bows into a helix.
#include "validation/cases.hpp"
#include "validation/shaft.hpp"

#include <fmt/format.h>
#include <array>

namespace filum::validation {

namespace greenhill_case {
namespace {

// B w'''' − i M w''' − T w'' = 0 with clamped ends, one free to slide: m = ML/B against τ = TL²/B. Smallest root of the
// determinant of the boundary conditions.
struct Entry {
  double tension, moment;
};
constexpr std::array<Entry, 3> kTable{{{0, 8.9868189}, {10, 10.4288564}, {50, 15.5893239}}};
constexpr int kSegments = 100;

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  for (const Entry& entry : kTable) {
    // the straight shaft has the moment M = Cθ/L
    const double moment = onset(0.9 * entry.moment, 1.1 * entry.moment, [&](double m) {
      return sheet.stable(greenhill_shaft(entry.tension, m * kShaftBendOverTwist, kSegments));
    });
    sheet.relative(fmt::format("m_c = M_c L/EI, tension TL²/EI = {}, N = 100", entry.tension), moment, entry.moment,
                   0.003, "second order in the mesh, below the 0.5 % asked for");
    setting.tell(entry.tension / 50);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace greenhill_case

Case greenhill() {
  return {.name = "greenhill",
          .shows = "A clamped shaft under tension buckles at the twist that Greenhill's equation gives",
          .source = "Greenhill 1883; Timoshenko & Gere 1961, chapter 2; roots of the determinant to all digits",
          .equilibria = true,
          .run = greenhill_case::run};
}

}  // namespace filum::validation
