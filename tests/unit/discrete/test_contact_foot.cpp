// Where an edge touches a solid at rest: the foot is the nearest place, and the gap's second derivative that of
// differences. And rods drawn through solids: which way they leave them.
#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/contact_foot.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/push_out.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace filum::test_contact_foot {

using namespace filum::discrete;

namespace {

// Distance of a whole edge, and its gradient by both ends.
Eigen::Matrix<double, 6, 1> gradient(const geometry::Shape& shape, const geometry::Segment& edge) {
  const Foot foot = find_foot(shape, edge, {0, 1});
  const Vec3 n = geometry::distance_from(shape, edge.at(foot.share)).normal;
  Eigen::Matrix<double, 6, 1> out;
  out << (1 - foot.share) * n, foot.share * n;
  return out;
}

struct Drawn {
  explicit Drawn(const std::string& text)
      : model(compiled(text)), targets(sim::resting_targets(*model.scene)), state(start_state(model, targets)) {
    before = state.position;
    pushed = push_out(model, targets, state);
  }
  static ModelData compiled(const std::string& text) {
    ModelData model = compile_model(test::scene_of(text));
    compile_contact(model);
    return model;
  }
  // How deep the centre line is in the first solid, nodes and between.
  [[nodiscard]] double deepest() const {
    double least = 1;
    for (const Edge& edge : model.edges)
      for (double share = 0; share <= 1; share += 0.125) {
        const Vec3 a = state.position[static_cast<std::size_t>(edge.a)];
        const Vec3 b = state.position[static_cast<std::size_t>(edge.b)];
        least = std::min(least, geometry::distance_from(model.solids[0].shape, Vec3(a + share * (b - a))).value);
      }
    return least;
  }
  ModelData model;
  Targets targets;
  RodState state;
  std::vector<Vec3> before;
  std::vector<PushedOut> pushed;
};

const std::string kHeld = R"(
holds:
  - {rod: a, at: start, fix: [position]}
  - {rod: a, at: end, fix: [position]}
)";

}  // namespace

TEST_CASE("the foot of an edge that lies along a face and goes out over its end is where the face ends") {
  // to round-off the distance is the same all along the face: neither end of the edge may take the foot by it
  const geometry::Shape block = geometry::Block{Vec3(2, 2, 2)};
  for (const double tilt : {-1e-9, -1e-13, 0.0, 1e-13, 1e-9}) {
    CAPTURE(tilt);
    const geometry::Segment out{Vec3(-1.5, 0, 1.1), Vec3(-0.5, 0, 1.1 + tilt)};
    const Foot foot = find_foot(block, out, {0, 1});
    CHECK(foot.beyond == 0);
    CHECK(foot.share == doctest::Approx(0.5).epsilon(1e-6));
    const Foot back = find_foot(block, {out.to, out.from}, {0, 1});
    CHECK(back.beyond == 0);
    CHECK(back.share == doctest::Approx(0.5).epsilon(1e-6));
  }
  // what falls along the face has its foot at the end
  CHECK(find_foot(block, {Vec3(-1.5, 0, 1.1), Vec3(-0.5, 0, 1.1 - 1e-5)}, {0, 1}).beyond == 1);
}

TEST_CASE("the foot of an edge over a block is its nearest place, and the gap turns as differences say") {
  const geometry::Shape block = geometry::Block{Vec3(0.2, 0.1, 0.04), Vec3::Zero(), Quat::Identity()};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  int crossings = 0;
  for (int k = 0; k < 200; ++k) {
    // over the edge y = 50 mm, z = 20 mm, askew
    const Vec3 over(0.05 * any(random), 0.05 + 0.004 * (1 + any(random)), 0.02 + 0.004 * (1 + any(random)));
    const Vec3 along = Vec3(0.3 * any(random), 1, -1 + 0.3 * any(random)).normalized();
    const geometry::Segment edge{over - 0.02 * (1.5 + any(random)) * along, over + 0.02 * (1.5 + any(random)) * along};
    const Foot foot = find_foot(block, edge, {0, 1});
    if (foot.beyond != 0) continue;
    ++crossings;
    const geometry::Distance there = geometry::distance_from(block, edge.at(foot.share));
    for (double share = 0; share <= 1; share += 0.01)
      CHECK(there.value <= geometry::distance_from(block, edge.at(share)).value + 1e-15);
    const Vec3 e = edge.to - edge.from;
    const FootSlide slide = foot_slide(there, e, foot.share);
    Eigen::Matrix<double, 6, 6> wanted, found;
    for (int q = 0; q < 6; ++q) {
      constexpr double kStep = 1e-7;
      geometry::Segment up = edge, down = edge;
      (q < 3 ? up.from : up.to)[q % 3] += kStep;
      (q < 3 ? down.from : down.to)[q % 3] -= kStep;
      wanted.col(q) = (gradient(block, up) - gradient(block, down)) / (2 * kStep);
    }
    const double weight[] = {1 - foot.share, foot.share};
    for (int p = 0; p < 2; ++p)
      for (int q = 0; q < 2; ++q)
        found.block<3, 3>(3 * p, 3 * q) = weight[p] * weight[q] * there.hessian -
                                          slide.along[static_cast<std::size_t>(p)] *
                                              slide.along[static_cast<std::size_t>(q)].transpose() / slide.bend;
    // a step of 1e-7 m against distances of a millimetre
    CHECK((found - wanted).norm() < 1e-5 * wanted.norm());
  }
  CHECK(crossings > 100);
}

TEST_CASE("a rod drawn through a block leaves it as one, by the shortest way across itself") {
  const Drawn drawn(
      "rods: {a: {material: rubber, section: hose, segments: 40, shape: {line: [[-0.2, 0, 0], [0.2, 0, 0]]}}}" + kHeld +
      "obstacles: [{name: b, box: {size: [0.1, 0.1, 60 mm], position: [3 mm, 0, -20 mm]}}]\n");
  REQUIRE(drawn.pushed.size() == 1);
  CHECK((drawn.pushed[0].direction - Vec3::UnitZ()).norm() < 1e-12);
  CHECK(drawn.pushed[0].way == doctest::Approx(0.015).epsilon(1e-3));
  CHECK(drawn.deepest() > 0);
  CHECK(drawn.state.position.front() == drawn.before.front());
  CHECK(drawn.state.position.back() == drawn.before.back());
  // in slopes, not in a leap
  for (const Vec3& edge : drawn.state.edge) CHECK(std::abs(edge.z()) < 0.31 * edge.norm());
  CHECK(pushed_event(drawn.model, drawn.pushed[0]).why == "obstacle 'b': it begins on the side of +z");
}

TEST_CASE("a rod drawn through a plate thinner than its edges are long leaves it, however its nodes miss it") {
  const Drawn drawn(
      "rods: {a: {material: rubber, section: wire, segments: 9, shape: {line: [[-0.2, 0, 0], [0.2, 0, 0]]}}}" + kHeld +
      "obstacles: [{name: p, box: {size: [1 mm, 60 mm, 0.2], position: [3 mm, 20 mm, 0]}}]\n");
  REQUIRE(drawn.pushed.size() == 1);
  CHECK(drawn.pushed[0].direction.y() == doctest::Approx(-1));
  CHECK(drawn.deepest() > 0);
}

TEST_CASE("what a hold keeps in a solid, and what is deep inside, is left where it is drawn") {
  const std::string rod =
      "rods: {a: {material: rubber, section: hose, segments: 40, shape: {line: [[-0.2, 0, 0], [0.2, 0, 0]]}}}";
  const Drawn gripped(rod + kHeld + "obstacles: [{name: b, box: {size: [0.1, 0.1, 0.1], position: [-0.2, 0, 0]}}]\n");
  CHECK(gripped.pushed.empty());
  CHECK(gripped.state.position == gripped.before);
  const Drawn deep(rod + kHeld + "obstacles: [{name: b, box: {size: [0.1, 1, 1], position: [0, 0, 0]}}]\n");
  CHECK(deep.pushed.empty());
  CHECK(deep.state.position == deep.before);
}

}  // namespace filum::test_contact_foot
