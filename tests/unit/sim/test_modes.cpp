// Natural modes end to end, against what is known of them.
#include "unit/rod_rig.hpp"

#include <filum/modes.hpp>

#include <numbers>
#include <sstream>

namespace filum::test_modes {

using namespace filum::test;

namespace {

constexpr double kPi = std::numbers::pi;

// Unit stiffnesses and a mass of 1 kg/m; the rest of the scene follows.
const std::string kRound =
    "sections: {s: {shape: given, EA: 1e6, EI: [1, 1], GJ: 0.8, mass_per_length: 1, radius: 1 mm}}\n";

Scene plain(const std::string& text) {
  const Result<Scene> scene = parse_scene("filum: 1\ngravity: [0, 0, 0]\n" + text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

ModesOutcome modes_of(const Scene& scene, int count) {
  ModesOptions options;
  options.count = count;
  const Result<ModesOutcome> outcome = modes(scene, options);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  CHECK_MESSAGE(outcome->solve.converged, outcome->solve.why);
  return *outcome;
}

std::string digits(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

std::string straight(int segments) {
  return kRound + "rods: {r: {section: s, segments: " + std::to_string(segments) +
         ", shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n";
}

// ∫ φᵢ·φⱼ dm of one rod of 1 kg/m with equal edges, by the lumped masses.
double overlap(const NaturalMode& a, const NaturalMode& b) {
  const auto& u = a.rods[0].displacement;
  const auto& v = b.rods[0].displacement;
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += (i == 0 || i + 1 == u.size() ? 0.5 : 1.0) * u[i].dot(v[i]);
  return sum / static_cast<double>(u.size() - 1);
}

}  // namespace

TEST_SUITE("modes") {
  TEST_CASE("a round cantilever has its modes in pairs, orthogonal and along the axes") {
    const ModesOutcome outcome =
        modes_of(plain(straight(60) + "holds: [{rod: r, at: start, fix: [position, orientation]}]\n"), 8);
    REQUIRE(outcome.modes.size() == 8);
    for (std::size_t k = 0; k < 8; k += 2) {
      const NaturalMode& a = outcome.modes[k];
      const NaturalMode& b = outcome.modes[k + 1];
      // sums over elements leave N² round-offs, 1e-12
      CHECK(a.eigenvalue == doctest::Approx(b.eigenvalue).epsilon(1e-10));
      CHECK(a.frequency == doctest::Approx(std::sqrt(a.eigenvalue) / (2 * kPi)));
      CHECK(std::abs(a.rods[0].displacement.back()[2]) + std::abs(a.rods[0].displacement.back()[1]) ==
            doctest::Approx(1).epsilon(1e-6));
    }
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < i; ++j)
        CHECK(std::abs(overlap(outcome.modes[i], outcome.modes[j])) <
              1e-9 * overlap(outcome.modes[i], outcome.modes[i]));
    // Euler-Bernoulli: β = 1.8751041; second order in the mesh, (βl)²/12 = 8e-5
    CHECK(outcome.modes[0].eigenvalue == doctest::Approx(std::pow(1.8751041, 4)).epsilon(3e-4));
  }

  TEST_CASE("a free rod has six motions without stiffness, one of them its spin") {
    const std::string spin = "simulation: {rotary_inertia: true}\n";
    for (const int segments : {1, 2, 30}) {
      const ModesOutcome outcome = modes_of(plain(R"(
materials: {m: {young: 1e6, poisson: 0.3, density: 1000}}
sections: {s: {shape: circle, radius: 10 mm}}
rods: {r: {material: m, section: s, segments: )" + std::to_string(segments) +
                                                  ", shape: {line: [[0, 0, 0], [1, 0.2, 0.1]]}}}\n" + spin),
                                            7);
      REQUIRE(outcome.modes.size() == 7);
      for (std::size_t k = 0; k < 6; ++k) CHECK(outcome.modes[k].eigenvalue == 0);
      CHECK(outcome.modes[6].eigenvalue > 0);
    }
    // without rotary inertia the spin has no mass and is no mode
    const ModesOutcome still = modes_of(plain(straight(30)), 6);
    CHECK(still.modes[4].eigenvalue == 0);
    CHECK(still.modes[5].eigenvalue > 400);
  }

  TEST_CASE("cross-sections that tilt lower the frequencies of a thick beam as Rayleigh says") {
    // pinned at both ends: ω² = EI k⁴/(μ + i k²), k = nπ/L, i the rotary inertia per length
    const std::string text = R"(
sections: {s: {shape: given, EA: 1e6, EI: [1, 1], GJ: 1, mass_per_length: 1, inertia: [4e-3, 4e-3, 8e-3]}}
rods: {r: {section: s, segments: 80, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
holds: [{rod: r, at: start, fix: {position: [x, y, z]}}, {rod: r, at: end, fix: {position: [y, z]}}]
simulation: {rotary_inertia: true}
)";
    const ModesOutcome outcome = modes_of(plain(text), 8);
    for (const int n : {1, 2}) {
      const double k = n * kPi;
      const double known = k * k * k * k / (1 + 4e-3 * k * k);
      // two planes each; lumped masses, (k l)²/12 = 5e-4 of the second
      const auto here = [&](const NaturalMode& mode) { return std::abs(mode.eigenvalue / known - 1) < 1e-3; };
      CHECK(std::count_if(outcome.modes.begin(), outcome.modes.end(), here) == 2);
    }
  }

  TEST_CASE("a curved free rod has six as well, two free rods twice as many") {
    const std::string arc = "shape: {arc: {centre: [0, 0, 0], start: [0.4, 0, 0], angle: 2}}, rest: as-shaped";
    const ModesOutcome one = modes_of(plain(kRound + "rods: {r: {section: s, segments: 40, " + arc + "}}\n"), 8);
    for (std::size_t k = 0; k < 6; ++k) CHECK(one.modes[k].eigenvalue == 0);
    CHECK(one.modes[6].eigenvalue > 0);
    const ModesOutcome two = modes_of(plain(kRound + "rods: {q: {section: s, segments: 40, " + arc +
                                            "}, r: {section: s, segments: 30, " + arc + "}}\n"),
                                      14);
    for (std::size_t k = 0; k < 12; ++k) CHECK(two.modes[k].eigenvalue == 0);
    CHECK(two.modes[12].eigenvalue > 0);
  }

  TEST_CASE("a column beyond Euler's load has a negative eigenvalue, and as many as it has unstable directions") {
    const std::string pressed =
        straight(40) +
        "holds: [{rod: r, at: start, fix: [position, orientation]}]\nforces: [{rod: r, at: end, force: [";
    // π²/4 = 2.47 is the first load, 22.2 the second, 61.7 the third
    for (const auto& [force, unstable] : {std::pair{2.0, 0}, {3.0, 2}, {30.0, 4}, {70.0, 6}}) {
      const ModesOutcome outcome = modes_of(plain(pressed + digits(-force) + ", 0, 0]}]\n"), 8);
      int negative = 0;
      for (const NaturalMode& mode : outcome.modes) {
        negative += mode.eigenvalue < 0 ? 1 : 0;
        if (mode.eigenvalue < 0) CHECK(mode.frequency == 0);
      }
      CHECK(negative == unstable);
      CHECK(std::is_sorted(outcome.modes.begin(), outcome.modes.end(), [](const auto& a, const auto& b) {
        return a.eigenvalue < b.eigenvalue - 1e-9 * std::abs(b.eigenvalue);
      }));
    }
  }

  TEST_CASE("a ring that is round at rest swings as Hoppe's") {
    const double radius = 1 / (2 * kPi);
    // thin: EA so large that the ring does not stretch
    const ModesOutcome outcome =
        modes_of(plain("sections: {s: {shape: given, EA: 1e9, EI: [1, 40], GJ: 30, mass_per_length: 1, radius: 1 "
                       "mm}}\nrods: {r: {section: s, segments: 120, closed: true, "
                       "normal: [0, 0, 1], rest: as-shaped, shape: {arc: {centre: [0, 0, 0], start: [" +
                       digits(radius) + ", 0, 0], angle: 1 turn}}}}\n"),
                 12);
    REQUIRE(outcome.modes.size() == 12);
    for (std::size_t k = 0; k < 6; ++k) CHECK(outcome.modes[k].eigenvalue == 0);
    // in the plane: ω² = EI n²(n² − 1)²/(ρA R⁴ (n² + 1)), twice each
    const auto in_plane = [&](int n) { return std::pow(n * (n * n - 1), 2) / (std::pow(radius, 4) * (n * n + 1)); };
    std::vector<double> found;
    for (const NaturalMode& mode : outcome.modes) {
      double out = 0;
      for (const Vec3& u : mode.rods[0].displacement) out = std::max(out, std::abs(u[2]));
      if (mode.eigenvalue > 0 && out < 1e-3) found.push_back(mode.eigenvalue);
    }
    REQUIRE(found.size() >= 4);
    // second order: (n 2π/120)² for n = 2, 3
    CHECK(found[0] == doctest::Approx(in_plane(2)).epsilon(0.004));
    CHECK(found[1] == doctest::Approx(found[0]).epsilon(1e-8));
    CHECK(found[2] == doctest::Approx(in_plane(3)).epsilon(0.008));
    CHECK(found[3] == doctest::Approx(found[2]).epsilon(1e-8));
  }

  TEST_CASE("the place does not matter") {
    const std::string text = straight(20) + "holds: [{rod: r, at: start, fix: [position, orientation]}]\n";
    Scene scene = plain(text);
    const ModesOutcome a = modes_of(scene, 6);
    for (Vec3& p : scene.rods[0].shape.points) p += Vec3(100, -50, 3);
    const ModesOutcome b = modes_of(scene, 6);
    // positions lose two digits so far out, edges not
    for (std::size_t k = 0; k < 6; ++k)
      CHECK(a.modes[k].eigenvalue == doctest::Approx(b.modes[k].eigenvalue).epsilon(1e-8));
  }

  TEST_CASE("more modes than there are: all of them") {
    // three edges, clamped: three nodes that move in space
    CHECK(modes_of(plain(straight(3) + "holds: [{rod: r, at: start, fix: [position, orientation]}]\n"), 50)
              .modes.size() == 9);
  }

  TEST_CASE("a slider and a junction take part") {
    // two halves joined end to end swing as the whole
    const std::string joined = kRound + R"(rods:
  a: {section: s, segments: 20, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}
  b: {section: s, segments: 20, shape: {line: [[0.5, 0, 0], [1, 0, 0]]}}
junctions: [{rods: [{rod: a, at: end}, {rod: b, at: start}]}]
holds: [{rod: a, at: start, fix: [position, orientation]}]
)";
    const ModesOutcome two = modes_of(plain(joined), 4);
    const ModesOutcome one =
        modes_of(plain(straight(40) + "holds: [{rod: r, at: start, fix: [position, orientation]}]\n"), 4);
    // the junction's own joint differs at second order, over one edge of forty
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(two.modes[k].eigenvalue == doctest::Approx(one.modes[k].eigenvalue).epsilon(2e-3));

    // through a sliding eye a rod swings without moving there across
    const std::string eye = straight(40) +
                            "holds: [{rod: r, at: start, fix: [position, orientation]}, {rod: r, at: middle, fix: "
                            "[position], slide: true}]\n";
    const ModesOutcome slid = modes_of(plain(eye), 2);
    const Vec3 there = slid.modes[0].rods[0].displacement[20];
    CHECK(std::hypot(there[1], there[2]) < 1e-9);
    // clamped, propped half way: stiffer than the rod alone, softer than the outer half clamped, 16 times as stiff
    CHECK(slid.modes[0].eigenvalue > 4 * one.modes[0].eigenvalue);
    CHECK(slid.modes[0].eigenvalue < 16 * one.modes[0].eigenvalue);
  }

  TEST_CASE("a body on the end of a cantilever swings, nods and turns") {
    const auto loaded = [](double mass) {
      return plain(straight(50) + "bodies: {b: {mass: " + digits(mass) +
                   R"(, inertia: 0.01, position: [1, 0, 0], motion: free}}
holds:
  - {rod: r, at: start, fix: [position, orientation]}
  - {rod: r, at: end, fix: [position, orientation], body: b}
)");
    };
    // sideways: Rayleigh's 3EI/((M + 33/140 m) L³), whose error falls as m/M; the body's own rotation adds 9/4 I/L²
    for (const double mass : {100.0, 1e6}) {
      const ModesOutcome outcome = modes_of(loaded(mass), 2);
      for (const NaturalMode& mode : outcome.modes) {
        CHECK(mode.eigenvalue == doctest::Approx(3 / (mass + 33.0 / 140 + 2.25 * 0.01)).epsilon(2e-4));
        CHECK(mode.body_displacement[0].norm() == doctest::Approx(1));
        // a cantilever's tip slope is 3/2 of its deflection over its length
        CHECK(mode.body_rotation[0].norm() == doctest::Approx(1.5).epsilon(1e-2));
      }
    }
    // about the rod: GJ/(L I), exact for any mesh, because twist is even
    const ModesOutcome outcome = modes_of(loaded(1), 8);
    bool turns = false;
    for (const NaturalMode& mode : outcome.modes) {
      if (mode.body_displacement[0].norm() > 1e-6) continue;
      turns = true;
      CHECK(mode.eigenvalue == doctest::Approx(0.8 / 0.01).epsilon(1e-9));
      CHECK(std::abs(mode.body_rotation[0][0]) == doctest::Approx(1));
      CHECK(std::abs(mode.rods[0].turn[25]) == doctest::Approx(0.5).epsilon(1e-9));
    }
    CHECK(turns);
  }

  TEST_CASE("a body that hangs on a long thread is a pendulum, one that is free is free") {
    Scene hung = plain(kRound + R"(rods: {r: {section: s, segments: 20, shape: {line: [[0, 0, 0], [0, 0, -1]]}}}
bodies: {b: {mass: 1e4, inertia: 1e-3, position: [0, 0, -1], motion: free}}
holds: [{rod: r, at: start, fix: [position]}, {rod: r, at: end, fix: [position], body: b}]
)");
    hung.gravity = Vec3(0, 0, -9.81);
    const ModesOutcome outcome = modes_of(hung, 6);
    // the body may turn on its pin in three ways
    for (std::size_t k = 0; k < 3; ++k) CHECK(outcome.modes[k].eigenvalue == 0);
    // g/L, the rod stretched by mg/EA = 0.098 and of 1e-4 of the mass
    CHECK(outcome.modes[3].eigenvalue == doctest::Approx(9.81 / (1 + 0.0981)).epsilon(2e-4));
    CHECK(outcome.modes[4].eigenvalue == doctest::Approx(outcome.modes[3].eigenvalue).epsilon(1e-9));

    const ModesOutcome loose =
        modes_of(plain(straight(10) + "holds: [{rod: r, at: start, fix: [position, orientation]}]\nbodies: {b: {mass: "
                                      "1, inertia: 1, motion: free}}\n"),
                 8);
    for (std::size_t k = 0; k < 6; ++k) CHECK(loose.modes[k].eigenvalue == 0);
    CHECK(loose.modes[6].eigenvalue > 10);
  }

  TEST_CASE("a soft swing beside a stiff rod is none that moves freely") {
    // a body on a pin at the end of a strut: m g d/(I + m d²) either way, and about the pin's own axis nothing
    for (const char* stiff : {"EA: 1e5, EI: [0.01, 0.01], GJ: 0.01", "EA: 1e8, EI: [1e6, 1e6], GJ: 1e6"}) {
      CAPTURE(stiff);
      Scene hung =
          plain("sections: {s: {shape: given, " + std::string(stiff) + R"(, mass_per_length: 1e-3, radius: 2 mm}}
rods: {r: {section: s, segments: 4, shape: {line: [[0, 0, 0.1], [0, 0, 0]]}}}
bodies: {b: {mass: 1, inertia: 0.05, position: [0, 0, -0.4], motion: free}}
holds: [{rod: r, at: start, fix: [position, orientation]}, {rod: r, at: end, fix: [position], body: b, position: [0, 0, 0]}]
)");
      hung.gravity = Vec3(0, 0, -9.81);
      const ModesOutcome outcome = modes_of(hung, 4);
      CHECK(outcome.modes[0].eigenvalue == 0);
      CHECK(std::abs(outcome.modes[0].body_rotation[0].z()) == doctest::Approx(1));
      // the soft strut yields a little: its end by W L³/3EI per weight at most, which is 0.33 m of a radian's 0.4 m
      if (stiff[4] == '8')
        for (const std::size_t k : {1U, 2U})
          CHECK(outcome.modes[k].eigenvalue == doctest::Approx(9.81 * 0.4 / (0.05 + 0.16)).epsilon(1e-4));
    }
  }

  TEST_CASE("a ring under twist moves freely as a whole, however stiff it is along itself") {
    for (const char* axial : {"1e3", "1e6", "1e10"}) {
      CAPTURE(axial);
      const ModesOutcome outcome = modes_of(plain("sections: {s: {shape: given, EA: " + std::string(axial) +
                                                  R"(, EI: [1, 1], GJ: 0.8, mass_per_length: 1, radius: 1 mm}}
rods: {r: {section: s, segments: 60, closed: true, twist: 1 turns, rest: straight,
           shape: {arc: {centre: [0, 0, 0], axis: [0, 0, 1], start: [1, 0, 0], angle: 360 deg}}}}
)"),
                                            9);
      // six of a rigid body, and the turning of the round section about itself has no mass
      for (std::size_t k = 0; k < 6; ++k) CHECK(outcome.modes[k].eigenvalue == 0);
      CHECK(outcome.modes[6].eigenvalue > 0.1);
    }
  }

  TEST_CASE("loads without a potential are refused in words") {
    const auto refused = [](const std::string& load) {
      const Result<ModesOutcome> outcome = modes(
          plain(straight(10) + "holds: [{rod: r, at: start, fix: [position, orientation]}]\n" + load), ModesOptions{});
      REQUIRE_FALSE(outcome.ok());
      return outcome.error().message;
    };
    CHECK(refused("torques: [{rod: r, at: end, torque: [1, 0, 0]}]\n").find("a torque has none") != std::string::npos);
    CHECK(refused("forces: [{rod: r, at: end, force: [0, 1, 0], follow: true}]\n").find("follows") !=
          std::string::npos);
  }

  TEST_CASE("without an equilibrium there are no modes") {
    Scene scene = plain(straight(10));
    scene.gravity = Vec3(0, 0, -9.81);
    const Result<ModesOutcome> outcome = modes(scene);
    REQUIRE(outcome.ok());
    CHECK_FALSE(outcome->solve.converged);
    CHECK(outcome->modes.empty());
    CHECK_FALSE(outcome->solve.why.empty());
  }
}

}  // namespace filum::test_modes
