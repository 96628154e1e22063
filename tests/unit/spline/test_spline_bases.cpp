// The bases that spline rods may have besides B-splines: NURBS, which are as accurate and take knots that leave the curve
// as it is, and Catmull-Rom's, which are not; and control points with roll, in every formulation.
#include "formulations/spline/spline.hpp"
#include "sim/drivers.hpp"
#include "unit/spline/spline_rig.hpp"

#include <array>

namespace filum::test::test_spline_bases {

namespace {

// The shape of a straight rod from the origin to (1, 0, 0) by control points, run along evenly, with uneven weights.
Curve weighted_line(const std::vector<double>& weights) {
  Curve curve;
  curve.kind = CurveKind::Control;
  curve.basis = CurveBasis::Nurbs;
  const int n = static_cast<int>(weights.size());
  // abscissae of clamped even knots
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = i + 1; k <= i + 3; ++k) sum += std::clamp(k - 3, 0, n - 3);
    curve.points.emplace_back(sum / 3 / (n - 3), 0, 0);
  }
  curve.weights = weights;
  return curve;
}

const std::vector<double> kWeights{1, 1.5, 0.7, 1.2, 2, 1, 1};  // four spans

Scene in_basis(Scene scene, CurveBasis basis) {
  scene.simulation.spline.basis = basis;
  if (basis == CurveBasis::Nurbs) scene.rods[0].shape = weighted_line(kWeights);
  return scene;
}

// p = 10 at the tip of the inextensible elastica (test_cantilever)
const Vec3 kTip(1 - 0.5549956, 0, -0.8106090);

double tip_error(CurveBasis basis, double slenderness, int segments) {
  Scene scene = in_basis(cantilever(slenderness, segments), basis);
  scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(0, 0, -10), false});
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  return (tip(outcome) - kTip).norm();
}

}  // namespace

TEST_CASE("NURBS: weights that are all the same are those of a B-spline") {
  for (const double weight : {1.0, 3.5}) {
    Scene plain = cantilever(100, 8);
    plain.rods[0].shape = weighted_line(std::vector<double>(7, weight));
    plain.forces.push_back({{"rod", {1, 0}}, "", Vec3(0, 1, -10), false});
    Scene weighted = plain;
    weighted.simulation.spline.basis = CurveBasis::Nurbs;
    const RodPose a = last(solved(plain)).rods[0];
    const RodPose b = last(solved(weighted)).rods[0];
    REQUIRE(a.s == b.s);
    for (std::size_t i = 0; i < a.s.size(); ++i) CHECK((a.position[i] - b.position[i]).norm() < 1e-10);
  }
}

TEST_CASE("NURBS: a straight rod with weights is free of stress, and stretched and twisted exactly") {
  Scene scene = in_basis(cantilever(100, 8), CurveBasis::Nurbs);
  CHECK(last(solved(scene)).energy.elastic < 1e-18);
  scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(80, 0, 0), false});
  CHECK(tip(solved(scene))[0] == doctest::Approx(1 + 80.0 / 160000).epsilon(1e-12));
  scene.forces.clear();
  scene.torques.push_back({{"rod", {1, 0}}, "", Vec3(2, 0, 0), false});
  CHECK(last(solved(scene)).rods[0].turns * 2 * M_PI == doctest::Approx(2 / 0.8).epsilon(1e-12));
}

TEST_CASE("NURBS: no locking, and of fourth order whatever the weights") {
  for (const double slenderness : {1e2, 1e4}) {
    CAPTURE(slenderness);
    // at 100 the rod also stretches, by 6e-5: the order is that against a fine one
    const double coarse = tip_error(CurveBasis::Nurbs, slenderness, 16);
    CHECK(coarse < 1e-3);
    CHECK(tip_error(CurveBasis::Nurbs, slenderness, 32) < 1e-4);
  }
  const double a = tip_error(CurveBasis::Nurbs, 1e4, 32);
  const double b = tip_error(CurveBasis::Nurbs, 1e4, 64);
  CAPTURE(a);
  CAPTURE(b);
  CHECK(std::log2(a / b) > 3.8);
}

TEST_CASE("Catmull-Rom: of second order, and a hundred times less accurate than a B-spline") {
  // sampled where r' has unknowns it does not lock: as far off at both, but for the stretch at 100, 5e-5
  for (const double slenderness : {1e2, 1e4}) {
    CAPTURE(slenderness);
    const double a = tip_error(CurveBasis::CatmullRom, slenderness, 16);
    const double b = tip_error(CurveBasis::CatmullRom, slenderness, 32);
    CHECK(a > 2e-3);
    CHECK(a < 5e-3);
    CHECK(std::log2(a / b) == doctest::Approx(2).epsilon(0.15));
  }
  CHECK(tip_error(CurveBasis::CatmullRom, 1e4, 16) > 100 * tip_error(CurveBasis::BSpline, 1e4, 16));
}

TEST_CASE("NURBS: more knots leave the curve as it is") {
  const auto scene_with = [](int segments) {
    Scene scene = in_basis(cantilever(1000, segments), CurveBasis::Nurbs);
    scene.rods[0].twist = 1;
    scene.forces.push_back({{"rod", {1, 0}}, "", Vec3(0, 2, -5), false});
    return scene;
  };
  const Scene rough = scene_with(8);
  const auto model = spline::SplineFormulation().compile(rough);
  const Targets targets = sim::resting_targets(rough);
  const auto work = model->workspace();
  const auto state = model->start(targets);
  REQUIRE(model->solve(*work, *state, targets).converged);
  const RodPose was = model->sample(*work, *state, targets).rods[0];
  const auto fine = spline::SplineFormulation().compile(scene_with(64));
  const auto taken = fine->carry_over(*model, *state, targets);
  const auto back = model->carry_over(*fine, *taken, targets);
  const RodPose is = model->sample(*work, *back, targets).rods[0];
  REQUIRE(was.s == is.s);
  for (std::size_t i = 0; i < was.s.size(); ++i) CHECK((was.position[i] - is.position[i]).norm() < 1e-12);
  const auto fine_work = fine->workspace();
  const RodPose dense = fine->sample(*fine_work, *taken, targets).rods[0];
  // at the places of the rough one that the dense one shows too
  std::size_t shared = 0;
  for (std::size_t i = 0; i < was.s.size(); ++i)
    for (std::size_t k = 0; k < dense.s.size(); ++k)
      if (std::abs(dense.s[k] - was.s[i]) < 1e-12) {
        CHECK((dense.position[k] - was.position[i]).norm() < 1e-12);
        ++shared;
      }
  CHECK(shared >= 9);
}

TEST_CASE("Catmull-Rom and NURBS: closed rods, motion, and what they cannot do is refused by name") {
  Scene ring = scene_of(R"(rods: {ring: {section: hose, material: rubber, segments: 24, closed: true, rest: as-shaped,
  shape: {control: {basis: catmull-rom, points: [[0.2, 0, 0], [0, 0.2, 0], [-0.2, 0, 0], [0, -0.2, 0]]}}}}
)");
  ring.gravity.setZero();
  ring.simulation.spline.basis = CurveBasis::CatmullRom;
  CHECK(last(solved(in_spline(ring))).energy.elastic < 1e-18);

  Scene swing = in_basis(cantilever(50, 8), CurveBasis::CatmullRom);
  CHECK(spline::SplineFormulation().check(swing).empty());
  swing.simulation.spline.detail = 1e-5;
  REQUIRE_FALSE(spline::SplineFormulation().check(swing).empty());
  CHECK(spline::SplineFormulation().check(swing)[0].message.find("catmull-rom") != std::string::npos);

  Scene breaking = in_basis(cantilever(50, 8), CurveBasis::Nurbs);
  breaking.rods[0].limits.breaking_tension = 10;
  REQUIRE_FALSE(spline::SplineFormulation().check(breaking).empty());
  CHECK(spline::SplineFormulation().check(breaking)[0].message.find("'rod'") != std::string::npos);
}

TEST_CASE("roll of control points is twist of a rod that rests straight, and none of one that rests as shaped") {
  const std::string rod = R"(rods: {rod: {section: wire, material: metal, segments: 24, REST
  shape: {control: {points: [[0, 0, 0, 0], [0.1, 0, 0, 2], [0.3, 0, 0, 6], [0.6, 0, 0, 12],
    [0.8, 0, 0, 16], [0.9, 0, 0, 18]]}}}}
holds:
  - {name: left, rod: rod, at: start, fix: [position, orientation]}
  - {name: right, rod: rod, at: end, fix: [position, orientation]}
)";
  const auto with = [&](const std::string& rest) {
    std::string text = rod;
    text.replace(text.find("REST"), 4, rest);
    Scene scene = scene_of(text);
    scene.gravity.setZero();
    return scene;
  };
  const double GJ = 70e9 / 2.6 * M_PI * 1e-12 / 2;
  for (const std::string formulation : {"kirchhoff", "cosserat", "chain", "spline"}) {
    CAPTURE(formulation);
    Scene straight = with("");
    straight.simulation.formulation = formulation;
    const Outcome twisted = solved(straight);
    CHECK_MESSAGE(twisted.solve.converged, twisted.solve.why);
    // 18 rad on 0.9 m, evenly once it is in balance; chain's joints leave out half an element at the holds
    const double epsilon = formulation == "chain" ? 0.05 : 1e-6;
    CHECK(last(twisted).rods[0].turns == doctest::Approx(18 / (2 * M_PI)).epsilon(epsilon));
    CHECK(std::abs(last(twisted).holds[1].moment[0]) == doctest::Approx(GJ * 20).epsilon(epsilon));
    Scene shaped = with("rest: as-shaped,");
    shaped.simulation.formulation = formulation;
    const Outcome at_rest = solved(shaped);
    CHECK_MESSAGE(at_rest.solve.converged, at_rest.solve.why);
    CHECK(std::abs(last(at_rest).holds[1].moment[0]) < 1e-6 * GJ * 20);
  }
}

}  // namespace filum::test::test_spline_bases
