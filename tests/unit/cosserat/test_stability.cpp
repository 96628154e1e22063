// Whether an equilibrium is stable is told by the stiffness matrix, in cosserat's unknowns as in kirchhoff's: both change
// their mind at the same load.
#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <tuple>

namespace filum::test_stability {

namespace {

bool stable(const std::string& text, const char* formulation) {
  const Result<Scene> scene = parse_scene("filum: 1\ngravity: [0, 0, 0]\n" + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  Scene made = *scene;
  made.simulation.formulation = formulation;
  const Result<Outcome> outcome = solve(made);
  REQUIRE(outcome.ok());
  REQUIRE_MESSAGE(outcome->solve.converged, outcome->solve.why);
  REQUIRE(outcome->solve.stable.has_value());
  return *outcome->solve.stable;
}

double onset(const std::function<std::string(double)>& scene, const char* formulation, double low, double high) {
  REQUIRE(stable(scene(low), formulation));
  REQUIRE_FALSE(stable(scene(high), formulation));
  while (high - low > 1e-5 * high) (stable(scene(0.5 * (low + high)), formulation) ? low : high) = 0.5 * (low + high);
  return 0.5 * (low + high);
}

const std::string kSections = R"(
sections:
  round: {shape: given, EA: 1e6, EI: [1, 1], GJ: 0.8, mass_per_length: 0.1}
  strip: {shape: given, EA: 1e6, EI: [1, 20], GJ: 0.8, mass_per_length: 0.1}
)";

std::string column(double load) {
  return kSections + "rods: {a: {section: round, segments: 40, shape: {line: [[0,0,0],[0,0,1]]}, normal: [1,0,0]}}\n" +
         "holds: [{rod: a, at: start, fix: [position, orientation]}]\n" + "forces: [{rod: a, at: end, force: [0, 0, " +
         std::to_string(-load) + "]}]\n";
}

// A cantilever that bends over its broad side, and tips over.
std::string strip(double load) {
  return kSections + "rods: {a: {section: strip, segments: 40, shape: {line: [[0,0,0],[1,0,0]]}, normal: [0,0,1]}}\n" +
         "holds: [{rod: a, at: start, fix: [position, orientation]}]\n" + "forces: [{rod: a, at: end, force: [0, 0, " +
         std::to_string(-load) + "]}]\n";
}

}  // namespace

TEST_CASE("a column and a strip become unstable at the same load in cosserat and in kirchhoff") {
  for (const auto& [scene, low, high] : {std::tuple{&column, 2.4, 2.53}, std::tuple{&strip, 3.6, 4.0}}) {
    const double one = onset(scene, "kirchhoff", low, high);
    CHECK(onset(scene, "cosserat", low, high) == doctest::Approx(one).epsilon(1e-4));
  }
}

}  // namespace filum::test_stability
