// Elastic-plastic elements in parallel: the return to their circles against differences, closed loops against Masing's
// rule, hardening, and what they turn into heat.
#include <doctest/doctest.h>

#include "rod/backbone.hpp"
#include "rod/parallel_elements.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace filum::test_parallel_elements {

using namespace filum::rod;
using Eigen::Vector2d;
using One = Eigen::Matrix<double, 1, 1>;

namespace {

// One strain led along a way, remembering.
struct Rig {
  ParallelElements elements;
  std::vector<double> memory;
  explicit Rig(ParallelElements of) : elements(std::move(of)), memory(static_cast<std::size_t>(elements.memory(1))) {}
  double stress(double q) {
    const auto r = plastic_return<1, double>(elements, One::Constant(q), {memory.data()});
    plastic_keep<1, double>(elements, One::Constant(q), One::Constant(q), {memory.data()});
    return q - r.relief[0];
  }
};

double polygon(const ParallelElements& e, double x) {
  double sum = x;
  for (std::size_t i = 0; i < e.share.size(); ++i) sum -= e.share[i] * std::max(0.0, x - e.corner[i]);
  return sum;
}

}  // namespace

TEST_CASE("first loading follows the polygon, and loops follow Masing's rule to round-off") {
  Rig rig(elements_below({Backbone::Form::Slip, 0, 0}, 8, 0.8));
  for (double q = 0.01; q < 2; q += 0.01) REQUIRE(std::abs(rig.stress(q) - polygon(rig.elements, q)) < 1e-12);
  // down from q = 2 and up again: M(q) = M(top) − 2 P((top − q)/2), and the other way round
  const double top = rig.stress(2);
  for (int cycle = 0; cycle < 3; ++cycle) {
    for (double q = 2; q > -2; q -= 0.013)
      REQUIRE(std::abs(rig.stress(q) - (top - 2 * polygon(rig.elements, (2 - q) / 2))) < 1e-12);
    const double bottom = rig.stress(-2);
    CHECK(std::abs(bottom + top) < 1e-12);
    for (double q = -2; q < 2; q += 0.017)
      REQUIRE(std::abs(rig.stress(q) - (bottom + 2 * polygon(rig.elements, (2 + q) / 2))) < 1e-12);
    CHECK(std::abs(rig.stress(2) - top) < 1e-12);
  }
}

TEST_CASE("a smooth curve of slip is met with second order in the number of elements") {
  const Backbone smooth{Backbone::Form::Slip, 0, 0};
  const auto error = [&](int m) {
    const ParallelElements e = elements_below(smooth, m, 1);
    double most = 0;
    for (double x = 0.01; x < 5; x += 0.001) most = std::max(most, std::abs(polygon(e, x) - std::tanh(x)));
    return most;
  };
  CHECK(error(8) < 0.01);
  CHECK(std::log2(error(8) / error(16)) == doctest::Approx(2).epsilon(0.05));
  CHECK(std::log2(error(16) / error(32)) == doctest::Approx(2).epsilon(0.05));
}

TEST_CASE("what two bends that share a circle give equals the differences of the increment's energy") {
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  ParallelElements elements = elements_below({Backbone::Form::Round, 0, 0}, 6, 0.9);
  for (const double growth : {0.0, 0.3}) {
    elements.growth = growth;
    std::vector<double> memory(static_cast<std::size_t>(elements.memory(2))), after(memory.size());
    double heat = 0;
    Vector2d last = Vector2d::Zero();
    int yielded = 0;
    for (int step = 0; step < 200; ++step) {
      const Vector2d q = last + 1.5 * Vector2d(uniform(rng), uniform(rng));
      const auto energy = [&](const Vector2d& x) {
        const auto r = plastic_return<2, double>(elements, x, {memory.data()});
        return 0.5 * x.squaredNorm() + r.energy + r.spent;
      };
      const auto stress = [&](const Vector2d& x) {
        return Vector2d(x - plastic_return<2, double>(elements, x, {memory.data()}).relief);
      };
      const auto r = plastic_return<2, double>(elements, q, {memory.data()});
      after = memory;
      const double lost = plastic_keep<2, double>(elements, last, q, {after.data()}).heat;
      yielded += r.yields ? 1 : 0;
      const double h = 1e-5;
      for (int c = 0; c < 2; ++c) {
        const Vector2d d = h * Vector2d::Unit(c);
        // a corner within the difference makes it first-order: h times the jump of the stiffness
        CHECK(std::abs((energy(q + d) - energy(q - d)) / (2 * h) - (q - r.relief)[c]) < 1e-6);
        const Vector2d slope = (stress(q + d) - stress(q - d)) / (2 * h);
        CHECK((slope - (Vector2d::Unit(c) - r.softening.col(c))).norm() < 1e-5);
      }
      // the circles hold
      for (std::size_t i = 0; i < elements.share.size(); ++i) {
        const Vector2d s = q - Eigen::Map<const Vector2d>(after.data() + 3 * i);
        CHECK(s.norm() <= elements.corner[i] + growth * after[3 * i + 2] + 20 * kOnCircle);
      }
      CHECK(lost >= 0);
      // work of the mean stress = what is stored more + heat
      const auto stored = [&](const Vector2d& x, const std::vector<double>& m) {
        double sum = 0.5 * x.squaredNorm();
        for (std::size_t i = 0; i < elements.share.size(); ++i) {
          const Eigen::Map<const Vector2d> p(m.data() + 3 * i);
          sum += elements.share[i] * (0.5 * p.squaredNorm() - x.dot(p));
        }
        return sum;
      };
      const auto stress_of = [&](const Vector2d& x, const std::vector<double>& m) {
        Vector2d sum = x;
        for (std::size_t i = 0; i < elements.share.size(); ++i)
          sum -= elements.share[i] * Eigen::Map<const Vector2d>(m.data() + 3 * i);
        return sum;
      };
      const double work = 0.5 * (stress_of(last, memory) + stress_of(q, after)).dot(q - last);
      CHECK(std::abs(work - (stored(q, after) - stored(last, memory) + lost)) < 1e-12);
      heat += lost;
      memory = after;
      last = q;
    }
    CHECK(yielded > (growth > 0 ? 20 : 100));
    CHECK(heat > 1);
  }
}

TEST_CASE("hardening: kinematic moves the elastic range, isotropic widens it, none keeps it") {
  // one fibre of E = 1, yield 1: H = 1/3, so that the slope beyond yield is 1/4
  const auto fibre = [](double kinematic, double isotropic) {
    ParallelElements e = one_element(1 / (1 + kinematic));
    e.growth = isotropic / (1 + kinematic);
    return e;
  };
  Rig moved(fibre(1.0 / 3, 0)), widened(fibre(0, 1.0 / 3)), perfect(fibre(0, 0));
  for (Rig* rig : {&moved, &widened}) CHECK(rig->stress(5) == doctest::Approx(2).epsilon(1e-14));
  CHECK(perfect.stress(5) == doctest::Approx(1).epsilon(1e-14));
  // unloaded by 2: the moved range is used up, and the slope is 1/4 again; the widened one bears 4
  CHECK(moved.stress(3) == doctest::Approx(0).epsilon(1e-14));
  CHECK(moved.stress(2) == doctest::Approx(-0.25).epsilon(1e-14));
  CHECK(widened.stress(1) == doctest::Approx(-2).epsilon(1e-14));
  CHECK(widened.stress(0) == doctest::Approx(-2.25).epsilon(1e-14));
  CHECK(perfect.stress(3) == doctest::Approx(-1).epsilon(1e-14));
  CHECK(perfect.stress(-7) == doctest::Approx(-1).epsilon(1e-14));
}

TEST_CASE("below the first corner nothing is remembered and nothing taken, to the last bit") {
  Rig rig(elements_below({Backbone::Form::Round, 0, 0}, 12, 1));
  for (double q : {0.3, -0.9, 1.0, -1.0, 0.77}) CHECK(rig.stress(q) == q);
  CHECK(std::all_of(rig.memory.begin(), rig.memory.end(), [](double x) { return x == 0; }));
  rig.stress(1.5);
  CHECK(std::any_of(rig.memory.begin(), rig.memory.end(), [](double x) { return x != 0; }));
}

}  // namespace filum::test_parallel_elements
