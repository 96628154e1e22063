// The law of a contact: its stiffness by differences, stick and slip on a mass of one point, nothing that depends on k.
#include "contact/contact_law.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_contact_law {

using namespace filum::contact;

namespace {

// A point at x, held off a sphere about the origin of radius 1; its anchor is `from`.
Gap at_sphere(const Vec3& x, const Vec3& from) {
  const double r = x.norm();
  const Vec3 n = x / r;
  return {r - 1, n, (Mat3::Identity() - n * n.transpose()) / r, x - from};
}

// A mass on a plane z = 0, pushed by a force, one step of implicit Euler after the other until each is in balance.
struct Block {
  double mass = 2;
  Stiffness law;
  double step = 1.0 / 240;
  Vec3 x = Vec3::Zero();
  Vec3 v = Vec3::Zero();
  Memory memory;
  int iterations = 0;

  void move(const Vec3& push) {
    const Vec3 start = x;
    const double inertia = mass / (step * step);
    const Vec3 foreseen = start + step * v;
    if (memory.touch == Touch::Open) memory.anchor = start;
    const auto gap = [&] { return Gap{x.z(), Vec3::UnitZ(), Mat3::Zero(), x - memory.anchor}; };
    bool changed = true;
    for (int i = 0; i < 50; ++i) {
      changed = close(law, gap(), 1e-9, 0, memory) || changed;
      const Reaction reaction = react(law, gap(), memory);
      const Vec3 residual = push + reaction.force - inertia * (x - foreseen);
      if (!changed && residual.norm() < 1e-9 && std::abs(memory.touch == Touch::Open ? 0 : x.z()) < 1e-12) break;
      const Mat3 matrix = inertia * Mat3::Identity() + reaction.stiffness;
      const Vec3 moved = matrix.inverse() * residual;
      changed = update(law, gap(), moved, 1, true, memory);
      x += moved;
      ++iterations;
      REQUIRE(i < 49);
    }
    v = (x - start) / step;
    if (memory.touch != Touch::Open) memory.anchor = x + friction_force(law, gap(), memory) / law.stick;
  }
};

}  // namespace

TEST_CASE("stiffness is what the force loses as the point moves") {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> dice(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = Vec3(dice(engine), dice(engine), dice(engine) + 2).normalized();
    // along the sphere, by as much as makes the spring stronger than friction
    const Vec3 way(dice(engine), dice(engine), dice(engine));
    const Vec3 anchor = x + 0.02 * (way - x.dot(way) * x).normalized();
    const Stiffness law{1000, 300, 0.4};
    Memory memory{i % 2 == 0 ? Touch::Stick : Touch::Slip, 5, anchor, Vec3::Zero()};
    memory.slip = (Mat3::Identity() - x * x.transpose()) * (anchor - x);
    memory.slip.normalize();
    // with the gap nil, as the law takes the turning of the normal with the force λ alone
    const Reaction here = react(law, at_sphere(x, anchor), memory);
    Mat3 difference;
    constexpr double kStep = 1e-7;
    for (int k = 0; k < 3; ++k)
      difference.col(k) = -(react(law, at_sphere(x + kStep * Vec3::Unit(k), anchor), memory).force -
                            react(law, at_sphere(x - kStep * Vec3::Unit(k), anchor), memory).force) /
                          (2 * kStep);
    // the turning of the tangent plane is left out: it is as small as the friction against the normal force's own
    const double left_out = 3 * (law.stick * 0.02 + law.friction * memory.force) + 0.01 * here.stiffness.norm();
    CHECK((difference - here.stiffness).norm() < left_out);
  }
}

TEST_CASE("a block on a plane holds for ever, slides by Coulomb's law, and comes to rest") {
  for (const double firmness : {1e6, 1e7, 1e8, 1e9}) {
    CAPTURE(firmness);
    Block block;
    block.law = {firmness, 1e6, 0.5};
    const double weight = block.mass * 9.81;
    // pushed by less than friction: it gives way by f/k_t and by nothing more
    const Vec3 little(0.4 * weight, 0, -weight);
    for (int i = 0; i < 240; ++i) block.move(little);
    const double gave = block.x.x();
    CHECK(gave == doctest::Approx(0.4 * weight / 1e6).epsilon(1e-6));
    for (int i = 0; i < 2400; ++i) block.move(little);
    CHECK(block.x.x() == doctest::Approx(gave).epsilon(1e-9));
    CHECK(block.memory.force == doctest::Approx(weight).epsilon(1e-9));
    // by more: it slides with what is left over
    const Vec3 much(0.8 * weight, 0, -weight);
    for (int i = 0; i < 240; ++i) block.move(much);
    CHECK(block.memory.touch == Touch::Slip);
    CHECK(block.v.x() == doctest::Approx((0.8 - 0.5) * 9.81).epsilon(1e-6));
    // let go of, it stops, and stays
    for (int i = 0; i < 400; ++i) block.move(Vec3(0, 0, -weight));
    CHECK(block.memory.touch == Touch::Stick);
    const Vec3 stopped = block.x;
    for (int i = 0; i < 400; ++i) block.move(Vec3(0, 0, -weight));
    CHECK((block.x - stopped).norm() < 1e-12);
    // and is lifted
    block.move(Vec3(0, 0, weight));
    CHECK(block.memory.touch == Touch::Open);
    CHECK(block.x.z() > 0);
  }
}

}  // namespace filum::test_contact_law
