// Natural modes of spline rods against closed forms and against kirchhoff.
#include "unit/spline/spline_rig.hpp"

#include <filum/modes.hpp>
#include <filum/scene.hpp>

namespace filum::test::test_spline_modes {

namespace {

std::vector<NaturalMode> modes_of(const Scene& scene, int count) {
  ModesOptions options;
  options.count = count;
  const Result<ModesOutcome> outcome = modes(scene, options);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  CHECK_MESSAGE(outcome->solve.converged, outcome->solve.why);
  REQUIRE(static_cast<int>(outcome->modes.size()) == count);
  for (const NaturalMode& mode : outcome->modes)
    for (std::size_t r = 0; r < mode.rods.size(); ++r)
      CHECK(mode.rods[r].displacement.size() == outcome->pose.rods[r].position.size());
  return outcome->modes;
}

double omega(const NaturalMode& mode) {
  return 2 * M_PI * mode.frequency;
}

}  // namespace

TEST_CASE("A cantilever's first frequencies, in pairs, with thirteen segments") {
  // Euler-Bernoulli: (βL)² of cos βL cosh βL = −1
  const std::vector<NaturalMode> found = modes_of(cantilever(1000, 13), 6);
  const double exact[] = {3.516015269, 22.03449156, 61.69721444};
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(omega(found[k]) == doctest::Approx(exact[k / 2]).epsilon(k < 4 ? 1e-4 : 1e-3));
  // of a pair the one along z comes first or last, but each along an axis
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec3 tip = found[k].rods[0].displacement.back();
    CHECK(std::max(std::abs(tip[1]), std::abs(tip[2])) == doctest::Approx(1).epsilon(1e-6));
    CHECK(std::min(std::abs(tip[1]), std::abs(tip[2])) < 1e-6);
  }
}

TEST_CASE("A free rod moves freely in six ways, then bends") {
  Scene scene = cantilever(1000, 15);
  scene.holds.clear();
  const std::vector<NaturalMode> found = modes_of(scene, 8);
  // five: nothing but its own inertia, which is none here, would tell a spin about itself
  for (std::size_t k = 0; k < 5; ++k) CHECK(found[k].eigenvalue == 0);
  CHECK(omega(found[5]) == doctest::Approx(22.37328544).epsilon(1e-4));
  CHECK(omega(found[6]) == doctest::Approx(22.37328544).epsilon(1e-4));
}

TEST_CASE("Stretch and torsion of a bar held at one end") {
  Scene scene = scene_of(R"(rods: {bar: {section: wire, material: metal, segments: 13,
  shape: {line: [[0, 0, 0], [0.02, 0, 0]]}}}
holds: [{rod: bar, at: start, fix: [position, orientation]}]
simulation: {rotary_inertia: true}
)");
  scene.gravity.setZero();
  const std::vector<NaturalMode> found = modes_of(in_spline(scene), 12);
  // π c/2L with c² = E/ρ, and π/2L √(G/ρ)
  const double stretch = M_PI / 0.04 * std::sqrt(70e9 / 2700);
  const double torsion = M_PI / 0.04 * std::sqrt(70e9 / 2.6 / 2700);
  const auto nearest = [&](double wanted) {
    double best = 0;
    for (const NaturalMode& mode : found)
      if (std::abs(omega(mode) - wanted) < std::abs(best - wanted)) best = omega(mode);
    return best;
  };
  CHECK(nearest(stretch) == doctest::Approx(stretch).epsilon(1e-5));
  CHECK(nearest(torsion) == doctest::Approx(torsion).epsilon(2e-3));
}

TEST_CASE("A sagging, branched harness with a body swings as fine discrete rods do") {
  const std::string text = R"(rods:
  trunk: {section: hose, material: rubber, segments: 16, shape: {line: [[0, 0, 0], [0.2, 0, 0]]}}
  left: {section: hose, material: rubber, segments: 16, shape: {line: [[0.2, 0, 0], [0.4, 0.1, 0]]}}
  right: {section: hose, material: rubber, segments: 16, shape: {line: [[0.2, 0, 0], [0.4, -0.15, 0]]}}
bodies: {weight: {box: [0.02, 0.03, 0.04], mass: 0.02, position: [0.41, -0.15, 0], motion: free}}
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}]
holds:
  - {rod: trunk, at: start, fix: [position, orientation]}
  - {rod: left, at: end, fix: [position]}
  - {rod: right, at: end, fix: [position, orientation], body: weight}
)";
  const std::vector<NaturalMode> spline = modes_of(in_spline(scene_of(text)), 8);
  Scene fine = scene_of(text);
  for (Rod& rod : fine.rods) rod.segments = 120;
  const std::vector<NaturalMode> nodes = modes_of(fine, 8);
  for (std::size_t k = 0; k < 8; ++k) CHECK(spline[k].frequency == doctest::Approx(nodes[k].frequency).epsilon(3e-3));
}

TEST_CASE("Beyond its Euler load a column is unstable in two ways") {
  Scene scene = cantilever(1000, 12);
  PointForce force;
  force.point = {"rod", {1, 0}};
  force.force = Vec3(-1.5 * M_PI * M_PI / 4, 0, 0);
  scene.forces.push_back(force);
  const std::vector<NaturalMode> found = modes_of(scene, 3);
  CHECK(found[0].eigenvalue < 0);
  CHECK(found[1].eigenvalue < 0);
  CHECK(found[2].eigenvalue > 0);
}

}  // namespace filum::test::test_spline_modes
