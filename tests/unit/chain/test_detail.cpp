// Level of detail: elements come and go with the shape, and nothing else notices.
#include "formulations/chain/mechanism/chain_compile.hpp"
#include "formulations/chain/mechanism/chain_start.hpp"
#include "formulations/chain/mechanism/recut.hpp"
#include "formulations/chain/solve/chain_step.hpp"
#include "unit/chain/chain_rig.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace filum::test_detail {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;
constexpr double kLength = 20;

Section rope() {
  return wire(1e11, 0.01, 7850, 0.1);
}

Scene with_detail(Scene scene, double detail = 1e-3) {
  scene.simulation.chain.detail = detail;
  return scene;
}

// A rope that hangs in a bow between two points.
Scene bow(int segments) {
  Scene scene = one_rod(rope(), Vec3::Zero(), Vec3(15, 0, 0), segments);
  scene.rods[0].shape.points = {Vec3::Zero(), Vec3(7.5, 0, -6.6), Vec3(15, 0, 0)};
  scene.rods[0].length = kLength;
  scene.gravity = {0, 0, -kGravity};
  scene.holds = {grip(0, false), grip(1, false)};
  return scene;
}

Vec3 place(const Pose& pose, double s) {
  const RodPose& rod = pose.rods[0];
  const auto after = std::lower_bound(rod.s.begin() + 1, rod.s.end() - 1, s) - rod.s.begin();
  const auto i = static_cast<std::size_t>(after);
  const double share = (s - rod.s[i - 1]) / (rod.s[i] - rod.s[i - 1]);
  return (1 - share) * rod.position[i - 1] + share * rod.position[i];
}

double mechanical(const Pose& pose) {
  return pose.energy.elastic + pose.energy.gravity + pose.energy.kinetic - pose.energy.work;
}

struct Difference {
  double shape = 0;   // of the length
  double energy = 0;  // J
  std::size_t fewest = 100000;
  std::size_t most = 0;
};

// The same motion with all elements and with as many as it takes.
Difference compare(const Scene& scene, double seconds, const std::function<Vec3(double)>& anchor = nullptr) {
  ChainRig whole(scene);
  ChainRig adapted(with_detail(scene));
  Difference found;
  const int steps = static_cast<int>(seconds / kFrame);
  for (int i = 1; i <= steps; ++i) {
    if (anchor) whole.targets.holds[0].position = adapted.targets.holds[0].position = anchor(i * kFrame);
    REQUIRE(whole.step());
    REQUIRE(adapted.step());
    if (i % 10 != 0) continue;
    const Pose a = whole.pose();
    const Pose b = adapted.pose();
    for (int k = 0; k <= 50; ++k)
      found.shape = std::max(found.shape, (place(a, kLength * k / 50) - place(b, kLength * k / 50)).norm() / kLength);
    found.energy = std::max(found.energy, std::abs(mechanical(a) - mechanical(b)));
    found.fewest = std::min(found.fewest, b.rods[0].s.size() - 1);
    found.most = std::max(found.most, b.rods[0].s.size() - 1);
  }
  return found;
}

}  // namespace

TEST_CASE("a swinging load needs a few elements of its rope, and swings as with all") {
  const Difference found = compare(pendulum(rope(), kLength, 200, 1000, 1), 8);
  CHECK(found.shape < 1e-3);
  CHECK(found.energy < 1e-3 * 1000 * kGravity * kLength * (1 - std::cos(1.0)));
  CHECK(found.fewest == 4);
  CHECK(found.most < 40);
}

TEST_CASE("a light load dropped from the horizontal: the rope is cut where it bends") {
  const Difference found = compare(pendulum(rope(), kLength, 200, 100, std::numbers::pi / 2), 8);
  CHECK(found.shape < 1e-3);
  CHECK(found.energy < 1e-3 * 100 * kGravity * kLength);
  CHECK(found.fewest < 40);
  CHECK(found.most > 60);
}

TEST_CASE("a bow whose end moves keeps its shape") {
  const Difference found = compare(bow(300), 5, [](double t) { return Vec3(0.3 * std::sin(1.5 * t), 0, 0); });
  CHECK(found.shape < 1e-3);
  CHECK(found.energy < 1e-3 * rope().mass_per_length * kLength * kGravity * kLength);
  CHECK(found.most < 250);
}

TEST_CASE("an anchor that jumps finds short elements") {
  const Difference found = compare(pendulum(rope(), kLength, 200, 200, 0), 4,
                                   [](double t) { return t > 0.999 ? Vec3(0.5, 0, 0) : Vec3(0, 0, 0); });
  // 30 m/s for one step: the wave, which meets long elements beyond the first, differs by a seventh of its height at most
  CHECK(found.shape < 3.6e-3);
  CHECK(found.fewest == 4);
  CHECK(found.most > 60);
}

TEST_CASE("how many elements there are follows the shape, not how finely the rope was cut") {
  auto used = [](int segments) {
    ChainRig rig(with_detail(bow(segments)));
    REQUIRE(rig.run(180));
    return static_cast<double>(rig.pose().rods[0].s.size() - 1);
  };
  const double coarse = used(400);
  CHECK(coarse < 260);
  CHECK(used(1600) == doctest::Approx(coarse).epsilon(0.2));
}

TEST_CASE("forces do not notice that elements become fewer") {
  const double stretch = kLength * 1000 * kGravity / rope().EA;
  ChainRig rig(with_detail(pendulum(rope(), kLength, 200, 1000, 0, stretch)));
  REQUIRE(rig.step());
  double least = 1e9;
  double most = 0;
  for (int i = 0; i < 120; ++i) {
    REQUIRE(rig.step());
    const double force = rig.pose().holds[0].force.norm();
    least = std::min(least, force);
    most = std::max(most, force);
  }
  CHECK(rig.pose().rods[0].s.size() == 5);
  const double weight = (1000 + rope().mass_per_length * kLength) * kGravity;
  // half the weight of the rope was left out of the stretch it was drawn with
  CHECK(least > 0.99 * weight);
  CHECK(most < 1.01 * weight);
}

TEST_CASE("an element that is cut in two and joined again is what it was, and keeps mass and momentum") {
  const Scene scene = pendulum(rope(), kLength, 10, 1000, 0.3);
  const chain::ModelData model = chain::compile_model(scene);
  chain::ChainState state = chain::start_state(model, sim::resting_targets(scene));
  chain::PartState whole = state.parts[4];
  whole.velocity = Vec3(1, -2, 0.5);
  whole.spin = Vec3(0.3, 1.2, -0.7);
  const chain::Element element = state.elements[4];
  chain::Vec6 force;
  force << Vec3(-3000, 0, 9000), Vec3(2, -1, 0.5);
  const chain::Halves made =
      chain::halves_of(model, element, whole, 1, 0.4 * element.begin + 0.6 * element.end, force, Vec3::Zero());

  const chain::Part mass_a = chain::element_part(model, made.first_element, 1);
  const chain::Part mass_b = chain::element_part(model, made.second_element, 1);
  const chain::Part mass = chain::element_part(model, element, 1);
  CHECK(mass_a.mass + mass_b.mass == doctest::Approx(mass.mass).epsilon(1e-14));
  CHECK((mass_a.mass * made.first.velocity + mass_b.mass * made.second.velocity - mass.mass * whole.velocity).norm() <
        1e-13);
  // the joint stands as its force asks, the gap to the second order of the bend
  const Vec3 end = made.first.position + made.first.orientation * Vec3(0, 0, 0.5 * made.first_element.length());
  const Vec3 begin = made.second.position - made.second.orientation * Vec3(0, 0, 0.5 * made.second_element.length());
  const double cell = 0.5 * element.length();
  const Vec3 turn = Vec3(-2, 1, -0.5).cwiseQuotient(Vec3(rope().EI[0], rope().EI[1], rope().GJ)) * cell;
  CHECK((begin - end + cell / rope().EA * force.head<3>()).norm() < 0.5 * element.length() * turn.squaredNorm());
  const Quat between = made.first.orientation.conjugate() * made.second.orientation;
  CHECK(between.angularDistance(Quat::Identity()) == doctest::Approx(turn.norm()).epsilon(1e-6));

  const chain::PartState again =
      chain::whole_of(model, made.first_element, made.first, made.second_element, made.second, 1);
  CHECK((again.position - whole.position).norm() < 1e-12);
  CHECK((again.velocity - whole.velocity).norm() < 1e-12);
  // to the second order of the bend between
  CHECK(again.orientation.angularDistance(whole.orientation) < 0.2 * turn.norm());
  CHECK((again.spin - whole.spin).norm() < 0.5 * turn.norm());
}

TEST_CASE("linear momentum is kept to round-off while elements come and go") {
  Scene scene = with_detail(one_rod(wire(1e9, 0.02, 1000), Vec3::Zero(), Vec3(2, 0, 0), 64));
  scene.rods[0].shape.points = {Vec3::Zero(), Vec3(1, 0, 0.1), Vec3(2, 0, 0)};
  scene.rods[0].velocity = Vec3(1, 2, -1);
  scene.rods[0].spin = Vec3(0.4, 1.5, 3);
  const chain::ModelData model = chain::compile_model(scene);
  const Targets targets = sim::resting_targets(scene);
  chain::ChainState state = chain::start_state(model, targets);
  chain::ChainStepper stepper(model);
  auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (std::size_t e = 0; e < state.elements.size(); ++e)
      sum += chain::element_part(model, state.elements[e], 1).mass * state.parts[e].velocity;
    return sum;
  };
  const Vec3 start = momentum();
  int changes = 0;
  std::size_t before = state.elements.size();
  for (int i = 0; i < 300; ++i) {
    REQUIRE(stepper.step(state, targets, kFrame).usable);
    changes += state.elements.size() != before;
    before = state.elements.size();
  }
  CHECK(changes > 5);
  CHECK((momentum() - start).norm() < 1e-11 * start.norm());
}

TEST_CASE("a winch pays out rope that is cut by its shape") {
  Scene scene = with_detail(pendulum(rope(), 10, 100, 1000, 0, 10 * 1000 * kGravity / rope().EA));
  scene.holds.erase(scene.holds.begin());
  scene.winches = {drum()};
  ChainRig rig(scene);
  REQUIRE(rig.run(30));
  for (const double sign : {1.0, -1.0}) {
    for (int i = 1; i <= 60; ++i) {
      rig.targets.winch_speed[0] = sign * 0.5 * i / 60;
      REQUIRE(rig.step());
    }
    REQUIRE(rig.run(60));
    for (int i = 0; i < 240; ++i) {
      REQUIRE(rig.step());
      CHECK(rig.pose().winches[0].force == doctest::Approx(1005 * kGravity).epsilon(0.02));
    }
    rig.targets.winch_speed[0] = 0;
    REQUIRE(rig.run(240));
    // ordinary ones at the drum, longer and longer ones below it
    CHECK(rig.pose().rods[0].s.size() < 20);
  }
}

}  // namespace filum::test_detail
