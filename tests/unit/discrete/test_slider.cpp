// The C1 cubic through the nodes that a sliding hold grips.
#include "formulations/discrete/slider.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace filum::test_slider {

using namespace filum::discrete;

namespace {

struct Value {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

// The interpolant of f's values at the nodes.
Value interpolate(const RodMesh& mesh, double s, const std::function<double(double)>& f) {
  const SliderSupport support = slider_support(mesh, s);
  const SliderWeights w = slider_weights(mesh, s);
  Value v;
  for (std::size_t i = 0; i < static_cast<std::size_t>(support.count); ++i) {
    const double x = f(mesh.s[static_cast<std::size_t>(support.node[i])]);
    v.value += w.value[i] * x;
    v.slope += w.slope[i] * x;
    v.curvature += w.curvature[i] * x;
  }
  return v;
}

std::vector<RodMesh> meshes() {
  const std::vector<double> uneven{0, 0.1, 0.3, 0.35, 0.7, 1.0};
  return {make_mesh(1.0, false, 10, {}, {}), make_mesh(1.0, false, 5, {}, uneven),
          make_mesh(1.0, false, 7, {0.33, 0.9}, {}), make_mesh(1.0, false, 2, {}, {})};
}

}  // namespace

TEST_CASE("slider weights are exact at the nodes and sum to one between them") {
  std::vector<RodMesh> all = meshes();
  all.push_back(make_mesh(1.0, true, 6, {}, {}));
  all.push_back(make_mesh(1.0, true, 4, {0.1}, {}));
  all.push_back(make_mesh(1.0, true, 3, {}, {}));
  all.push_back(make_mesh(1.0, false, 1, {}, {}));
  for (const RodMesh& mesh : all) {
    for (std::size_t i = 0; i < mesh.s.size(); ++i) {
      const double target = mesh.s[i];
      const Value one = interpolate(mesh, target, [&](double s) { return s == target ? 1.0 : 0.0; });
      CHECK(one.value == doctest::Approx(1).epsilon(1e-14));
    }
    for (double s = 0; s <= 1; s += 0.0371) {
      const Value constant = interpolate(mesh, s, [](double) { return 1.0; });
      CHECK(constant.value == doctest::Approx(1).epsilon(1e-13));
      CHECK(std::abs(constant.slope) < 1e-11);
      CHECK(std::abs(constant.curvature) < 1e-9);
    }
  }
}

TEST_CASE("quadratics are reproduced with slope and curvature on any spacing") {
  auto f = [](double s) { return 1 - 3 * s + 5 * s * s; };
  for (const RodMesh& mesh : meshes())
    for (double s = 0; s <= 1; s += 0.0371) {
      const Value v = interpolate(mesh, s, f);
      CHECK(v.value == doctest::Approx(f(s)).epsilon(1e-12));
      CHECK(v.slope == doctest::Approx(-3 + 10 * s).epsilon(1e-10));
      CHECK(v.curvature == doctest::Approx(10).epsilon(1e-8));
    }
}

TEST_CASE("the interpolant is C1 across every node, also over a ring's seam") {
  auto wild = [](double s) { return std::sin(37 * s) + 0.3 * std::cos(91 * s); };
  std::vector<RodMesh> all = meshes();
  all.push_back(make_mesh(1.0, true, 9, {}, {}));
  constexpr double kStep = 1e-9;
  for (const RodMesh& mesh : all)
    for (std::size_t i = 0; i < mesh.s.size(); ++i) {
      if (!mesh.closed && (i == 0 || i + 1 == mesh.s.size())) continue;
      const double before = i == 0 ? 1 - kStep : mesh.s[i] - kStep;
      const Value left = interpolate(mesh, before, wild);
      const Value right = interpolate(mesh, mesh.s[i] + kStep, wild);
      // slopes of up to 40 and curvatures of up to 1e4, times the step
      CHECK(std::abs(left.value - right.value) < 1e-6);
      CHECK(std::abs(left.slope - right.slope) < 1e-4);
    }
}

TEST_CASE("slope and curvature are the derivatives of the value") {
  auto f = [](double s) { return std::sin(9 * s); };
  constexpr double kStep = 1e-5;
  std::vector<RodMesh> all = meshes();
  all.push_back(make_mesh(1.0, true, 9, {}, {}));
  for (const RodMesh& mesh : all)
    for (const double s : {0.0213, 0.157, 0.312, 0.513, 0.777, 0.9513}) {
      const Value low = interpolate(mesh, s - kStep, f);
      const Value high = interpolate(mesh, s + kStep, f);
      const Value here = interpolate(mesh, s, f);
      // central differences: h² f''' / 6 and round-off / h, both below 1e-7 here
      CHECK(here.slope == doctest::Approx((high.value - low.value) / (2 * kStep)).epsilon(1e-6));
      CHECK(here.curvature == doctest::Approx((high.slope - low.slope) / (2 * kStep)).epsilon(1e-5));
    }
}

}  // namespace filum::test_slider
