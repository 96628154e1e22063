// How many equilibria of random scenes are found, and in how many iterations.
#include "validation/cases.hpp"
#include "validation/random_equilibria.hpp"
#include "validation/scenes.hpp"

#include <fmt/format.h>

namespace filum::validation {

namespace equilibria_found {

constexpr std::uint64_t kFirstSeed = 17001;
constexpr int kMostIterations = 200;

struct Tally {
  int lost = 0;  // without an equilibrium
  int slow = 0;  // found, but not within the iterations asked for
};

Tally look(const Setting& setting, RestingKind kind, int scenes) {
  Tally tally;
  for (int k = 0; k < scenes; ++k) {
    Scene scene = resting_scene(kind, kFirstSeed + static_cast<std::uint64_t>(k));
    scene.simulation.formulation = setting.formulation;
    const Result<Outcome> outcome = solve(scene);
    const bool found = outcome.ok() && outcome->solve.converged;
    tally.lost += found ? 0 : 1;
    if (!found) continue;
    tally.slow += outcome->solve.iterations > kMostIterations ? 1 : 0;
  }
  return tally;
}

// `all`: those that took too many iterations count too.
Result<std::vector<Row>> battery(const Setting& setting, int scenes_of_each, bool all) {
  Sheet sheet(setting);
  double done = 0;
  for (const auto& [kind, name] : kRestingKinds) {
    const Tally tally = look(setting, kind, scenes_of_each);
    const std::string what = fmt::format("{} {}: ", scenes_of_each, name);
    sheet.at_most(what + "equilibria not found", tally.lost, scenes_of_each / 1000, "one in a thousand");
    if (all)
      sheet.at_most(what + "found in more than 200 iterations", tally.slow, scenes_of_each / 500,
                    "one in a thousand is wanted");
    setting.tell(done += 1.0 / static_cast<double>(kRestingKinds.size()));
  }
  return std::move(sheet).result();
}

}  // namespace equilibria_found

Case equilibria_found_case() {
  return {.name = "equilibria-found",
          .shows = "Random spans, trees, rings, bodies, strips and others are found in equilibrium",
          .source = "none: an equilibrium is found or it is not; scenes by seeds",
          .equilibria = true,
          .run = [](const Setting& setting) { return equilibria_found::battery(setting, 10, false); }};
}

Case equilibria_found_long() {
  return {.name = "equilibria-found-long",
          .shows = "Of a thousand random scenes of each kind few are lost",
          .source = "none: an equilibrium is found or it is not; scenes by seeds",
          .takes_long = true,
          .equilibria = true,
          .run = [](const Setting& setting) { return equilibria_found::battery(setting, 1000, true); }};
}

}  // namespace filum::validation
