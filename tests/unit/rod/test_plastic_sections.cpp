// Sections that yield: their moment curves against fibres that are summed up, elements against the curves, first yield
// and fully plastic moments, hardening, slip; and joints that do.
#include <doctest/doctest.h>

#include "base/index.hpp"
#include "rod/backbone.hpp"
#include "rod/plastic_joint.hpp"
#include "rod/plastic_memory.hpp"
#include "rod/section_plasticity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace filum::test_plastic_sections {

using namespace filum::rod;

namespace {

const Material kCopper{120e9, 0.34, 8930, 200e6, 0, 0};

Section circle(double r) {
  Section s;
  s.shape = SectionShape::Circle;
  s.radius = r;
  return s;
}
Section tube(double outer, double inner) {
  Section s;
  s.shape = SectionShape::Tube;
  s.outer_radius = outer;
  s.inner_radius = inner;
  return s;
}
Section rectangle(double width, double height) {
  Section s;
  s.shape = SectionShape::Rectangle;
  s.width = width;
  s.height = height;
  return s;
}
Section ellipse(double a, double b) {
  Section s;
  s.shape = SectionShape::Ellipse;
  s.radii = {a, b};
  return s;
}

// Width of a section across the direction in which it is bent, at height z of half-extent h.
using Width = std::function<double(double z)>;

// The moment of fibres of stress clamp(E κ z, ±σ_y) (1 − t) + t E κ z, by the midpoint rule.
double fibre_moment(const Width& width, double h, double curvature, const Material& m) {
  const double t = m.hardening / (m.young + m.hardening);
  constexpr int kFibres = 200000;
  double sum = 0;
  for (int i = 0; i < kFibres; ++i) {
    const double z = h * (2 * (i + 0.5) / kFibres - 1);
    const double elastic = m.young * curvature * z;
    sum += ((1 - t) * std::clamp(elastic, -*m.yield, *m.yield) + t * elastic) * z * width(z) * 2 * h / kFibres;
  }
  return sum;
}

double monotone(const ParallelElements& e, double x) {
  double sum = x;
  for (std::size_t i = 0; i < e.share.size(); ++i) sum -= e.share[i] * std::max(0.0, x - e.corner[i]);
  return sum;
}

}  // namespace

TEST_CASE("bent sections follow the moment of their fibres within 1 %, at first yield and in full exactly") {
  struct Case {
    Section section;
    Width about_d1;
    Vec2 half;
  };
  const double r = 1e-3, inner = 0.8e-3;
  const auto disc = [](double radius, double z) { return 2 * std::sqrt(std::max(0.0, radius * radius - z * z)); };
  const Case cases[] = {
      {circle(r), [&](double z) { return disc(r, z); }, {r, r}},
      {tube(r, inner), [&](double z) { return disc(r, z) - disc(inner, z); }, {r, r}},
      {rectangle(6e-3, 2e-3), [](double) { return 6e-3; }, {3e-3, 1e-3}},
      {ellipse(3e-3, 1e-3), [](double z) { return 6e-3 * std::sqrt(std::max(0.0, 1 - z * z * 1e6)); }, {3e-3, 1e-3}}};
  for (const Case& c : cases)
    for (const double hardening : {0.0, 6e9}) {
      Material material = kCopper;
      material.hardening = hardening;
      const SectionPlasticity law = *section_plasticity(c.section, material);
      CHECK(law.joined);
      const double yield = law.bend_yield[0];
      CHECK(yield == doctest::Approx(200e6 / 120e9 / c.half[1]).epsilon(1e-12));
      CHECK(law.bend_yield[1] == doctest::Approx(200e6 / 120e9 / c.half[0]).epsilon(1e-12));
      const double EI = stiffness(c.section, material).EI[0];
      for (double x = 0.5; x < 40; x *= 1.07) {
        const double exact = fibre_moment(c.about_d1, c.half[1], x * yield, material);
        const double found = EI * yield * monotone(law.bend, x);
        CAPTURE(x);
        // fibres by the midpoint rule are good to 1e-5
        CHECK(found / exact - 1 > -2e-5);
        CHECK(found / exact - 1 < 0.004);
      }
    }
}

TEST_CASE("twisted sections yield where their shear stress says, and end at the heap of sand") {
  const double shear = 200e6 / std::sqrt(3.0);
  const double G = 120e9 / (2 * 1.34);
  // circle: τ_y J/r at first, 4/3 of it in full
  const SectionPlasticity round = *section_plasticity(circle(1e-3), kCopper);
  CHECK(round.twist_yield == doctest::Approx(shear / (G * 1e-3)).epsilon(1e-12));
  CHECK(monotone(round.twist, 1e6) == doctest::Approx(4.0 / 3).epsilon(1e-9));
  // a thin tube yields all at once
  const SectionPlasticity thin = *section_plasticity(tube(1e-3, 0.99e-3), kCopper);
  CHECK(monotone(thin.twist, 1e6) == doctest::Approx(1).epsilon(0.006));
  // square of side k: first yield at T = 0.20816 k³ τ_y [Timoshenko & Goodier, table 7], in full k³ τ_y/3
  const SectionPlasticity square = *section_plasticity(rectangle(2e-3, 2e-3), kCopper);
  const double GJ = stiffness(rectangle(2e-3, 2e-3), kCopper).GJ;
  CHECK(GJ * square.twist_yield == doctest::Approx(0.2082 * 8e-9 * shear).epsilon(1e-3));
  CHECK(GJ * square.twist_yield * monotone(square.twist, 1e6) == doctest::Approx(8e-9 / 3 * shear).epsilon(1e-4));
  // an ellipse that is a circle is one
  CHECK(ellipse_torsion_ratio(1, 1) == doctest::Approx(4.0 / 3).epsilon(1e-12));
  // a flat one: heap of slope 1 over 2 b sqrt(1 − x²/a²): volume ∫ b² (1 − x²/a²) dx = 4 a b²/3
  CHECK(ellipse_torsion_ratio(1000, 1) == doctest::Approx(2 * 4.0 / 3 / (std::numbers::pi / 2)).epsilon(1e-4));
}

TEST_CASE("given yield moments: a circle where both bends are alike, else each for itself") {
  Section s;
  s.shape = SectionShape::Given;
  s.EA = 1e5;
  s.EI = {2, 2};
  s.GJ = 1;
  s.mass_per_length = 0.1;
  CHECK_FALSE(section_plasticity(s, Material{}));
  s.yield_moment = Vec2(0.4, 0.4);
  s.hardening = 0.1;
  const SectionPlasticity alike = *section_plasticity(s, Material{});
  CHECK(alike.joined);
  CHECK(alike.bend_yield[0] == doctest::Approx(0.2));
  CHECK(alike.twist.empty());
  CHECK(alike.stretch.empty());
  CHECK(monotone(alike.bend, 3) == doctest::Approx(1 + 0.1 * 2));
  s.yield_moment = Vec2(0.4, 0.8);
  s.yield_torque = 0.3;
  s.yield_force = 500;
  const SectionPlasticity unlike = *section_plasticity(s, Material{});
  CHECK_FALSE(unlike.joined);
  CHECK(unlike.joint_memory() == 6);
  CHECK(unlike.stretch_yield == doctest::Approx(5e-3));

  // wires that slide: from the stiffness to a share of it
  Section slips = s;
  slips.yield_moment.reset();
  slips.yield_torque.reset();
  slips.yield_force.reset();
  slips.hardening = 0;
  slips.slip_curvature = 0.5;
  slips.slipping = 0.2;
  const SectionPlasticity slip = *section_plasticity(slips, Material{});
  CHECK(slip.slips);
  CHECK(monotone(slip.bend, 100) - monotone(slip.bend, 99) == doctest::Approx(0.2));
  CHECK(furthest_yield(slip, std::vector<double>(static_cast<std::size_t>(slip.joint_memory()), 1.0).data()) == 0);
}

TEST_CASE("a joint that yields: moments are the derivative of the increment's energy, their softening theirs") {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Section unlike;
  unlike.shape = SectionShape::Given;
  unlike.EA = 1e5;
  unlike.EI = {2, 1};
  unlike.GJ = 1;
  unlike.yield_moment = Vec2(0.4, 0.8);
  unlike.yield_torque = 0.3;
  for (const Section& section : {rectangle(6e-3, 2e-3), circle(1e-3), unlike}) {
    Material material = kCopper;
    material.hardening = 10e9;
    material.isotropic = 0.5;
    const SectionPlasticity law = *section_plasticity(section, material);
    const Stiffness stiff = stiffness(section, material);
    PlasticJoint joint{&law, 0.01 * Vec3(law.bend_yield[0], law.bend_yield[1], law.twist_yield),
                       100 * Vec3(stiff.EI[0], stiff.EI[1], stiff.GJ)};
    std::vector<double> memory(static_cast<std::size_t>(law.joint_memory())), after(memory.size());
    Vec3 last = Vec3::Zero();
    int corners = 0;
    for (int step = 0; step < 60; ++step) {
      const Vec3 excess = last + 2 * joint.yield.cwiseProduct(Vec3(uniform(rng), uniform(rng), uniform(rng)));
      const JointYield y = joint_yield(joint, excess, memory.data());
      after = memory;
      const double heat = keep_joint(joint, last, excess, after.data()).heat;
      const auto energy = [&](const Vec3& x) {
        const JointYield at = joint_yield(joint, x, memory.data());
        return 0.5 * x.dot(joint.stiffness.cwiseProduct(x)) + at.energy + at.spent;
      };
      const auto moment = [&](const Vec3& x) {
        return Vec3(joint.stiffness.cwiseProduct(x) - joint_yield(joint, x, memory.data()).relief);
      };
      for (int c = 0; c < 3; ++c) {
        const double h = 1e-5 * joint.yield[c];
        const Vec3 d = h * Vec3::Unit(c);
        const double size = joint.stiffness[c] * joint.yield[c];
        CHECK(std::abs((energy(excess + d) - energy(excess - d)) / (2 * h) - moment(excess)[c]) < 1e-5 * size);
        // a corner within the difference is no fault of the tangent
        const auto softening = [&](const Vec3& x) { return joint_yield(joint, x, memory.data()).softening; };
        const Mat3 jump = softening(excess + d) - softening(excess - d);
        if (jump.norm() > 1e-3 * joint.stiffness.maxCoeff()) {
          ++corners;
          continue;
        }
        const Vec3 slope = (moment(excess + d) - moment(excess - d)) / (2 * h);
        const Vec3 tangent = joint.stiffness[c] * Vec3::Unit(c) - y.softening.col(c);
        CHECK((slope - tangent).norm() < 1e-4 * joint.stiffness.maxCoeff());
      }
      CHECK((y.softening - y.softening.transpose()).norm() < 1e-12 * joint.stiffness.maxCoeff());
      CHECK(heat >= 0);
      CHECK(has_yielded(law, after.data()) == (furthest_yield(law, after.data()) > 0));
      // the memory alone takes as much, and stores as much
      CHECK((kept_relief(joint, after.data()) - y.relief).norm() < 1e-12 * y.relief.norm() + 1e-18);
      CHECK(kept_energy(joint, excess, after.data()) == doctest::Approx(y.energy).epsilon(1e-10));
      memory = after;
      last = excess;
    }
    CHECK(corners <= 3);
    CHECK(furthest_yield(law, memory.data()) > 1.5);
  }
}

TEST_CASE("joints side by side yield and remember bit by bit as one by one does, and a gauge tells which rest") {
  std::mt19937 rng(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const Section& section : {rectangle(6e-3, 2e-3), circle(1e-3)}) {
    Material material = kCopper;
    material.hardening = 10e9;
    material.isotropic = 0.5;
    const SectionPlasticity law = *section_plasticity(section, material);
    const PlasticJoint one{&law, 0.01 * Vec3(law.bend_yield[0], law.bend_yield[1], law.twist_yield), Vec3(2, 3, 5)};
    YieldGauge gauge{Vec3(0.1, -0.2, 0.3), Vec3::Zero()};
    each_group(law, [&]<int N>(int first, const ParallelElements& elements, int) {
      for (int i = first; i < first + N; ++i) gauge.per[i] = 1 / (elements.corner[0] * one.yield[i]);
    });
    constexpr int kJoints = 8;
    std::vector<double> apart(at(kJoints * law.joint_memory())), together(apart.size());
    std::array<Vec3, kJoints> last;
    last.fill(Vec3::Zero());
    int resting = 0;
    for (int step = 0; step < 30; ++step) {
      std::array<Vec3, kJoints> excess;
      std::array<double, kJoints> heat{};
      // the first ones never go beyond yield
      for (int k = 0; k < kJoints; ++k)
        excess[at(k)] = (k < 3 ? 0.5 : 4) * one.yield.cwiseProduct(Vec3(uniform(rng), uniform(rng), uniform(rng)));
      math::in_lanes([&]<class T>() {
        for (int k = 0; k < kJoints; k += math::kLanesOf<T>) {
          MemoryOf<T> from;
          MemoryToWriteOf<T> to;
          for (int lane = 0; lane < math::kLanesOf<T>; ++lane)
            from[at(lane)] = to[at(lane)] = together.data() + (k + lane) * law.joint_memory();
          const auto vector = [&](const std::array<Vec3, kJoints>& list) {
            return math::gathered<math::Vec3Of, T>([&](int lane) -> const Vec3& { return list[at(k + lane)]; });
          };
          const PlasticJointOf<T> joints{
              &law, math::gathered<math::Vec3Of, T>([&](int) -> const Vec3& { return one.yield; }),
              math::gathered<math::Vec3Of, T>([&](int) -> const Vec3& { return one.stiffness; })};
          const JointYieldOf<T> y = joint_yield<T>(joints, vector(excess), from);
          std::array<Vec3, kJoints> relief;
          std::array<Mat3, kJoints> softening;
          math::scatter<math::Vec3Of, T>(y.relief, kJoints, [&](int lane) -> Vec3& { return relief[at(lane)]; });
          math::scatter<math::Mat3Of, T>(y.softening, kJoints, [&](int lane) -> Mat3& { return softening[at(lane)]; });
          for (int lane = 0; lane < math::kLanesOf<T>; ++lane) {
            const JointYield alone =
                joint_yield(one, excess[at(k + lane)], apart.data() + (k + lane) * law.joint_memory());
            REQUIRE(relief[at(lane)] == alone.relief);
            REQUIRE(softening[at(lane)] == alone.softening);
          }
          const PlasticKeptOf<T> kept = keep_joint<T>(joints, vector(last), vector(excess), to);
          math::scatter<math::NumberOf, T>(kept.heat, kJoints, [&](int lane) -> double& { return heat[at(k + lane)]; });
        }
      });
      for (int k = 0; k < kJoints; ++k) {
        double* memory = apart.data() + k * law.joint_memory();
        const bool never = !has_yielded(law, memory);
        const bool rests = never && yield_reach<double>(gauge, excess[at(k)] + gauge.rest) <= kRests;
        const PlasticKeptOf<double> kept = keep_joint(one, last[at(k)], excess[at(k)], memory);
        CHECK(heat[at(k)] == kept.heat);
        if (rests) CHECK_FALSE(kept.yields);
        resting += rests;
      }
      REQUIRE(together == apart);
      last = excess;
    }
    CHECK(resting > 0);
    CHECK(resting < 30 * kJoints);
  }
}

TEST_CASE("a memory of which nothing has been written is copied as if it had been") {
  PlasticMemory full({1.0, 0.0, 2.0});
  PlasticMemory blank(std::vector<double>(3, 0.0));
  CHECK_FALSE(full.blank());
  CHECK(blank.blank());
  PlasticMemory other = full;
  other = blank;
  CHECK(other.blank());
  CHECK(other.numbers() == std::vector<double>(3, 0.0));
  other = blank;
  *other.at(1) = 5;
  other.written();
  blank = other;
  CHECK(blank.numbers() == std::vector<double>{0.0, 5.0, 0.0});
  CHECK_FALSE(blank.blank());
}

}  // namespace filum::test_plastic_sections
