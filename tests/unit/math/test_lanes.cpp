// Lanes do to each of their numbers what is done to a double, to the last bit, however many there are; and the block
// solvers give the same bits in two lanes, in four and in eight.
#include <doctest/doctest.h>

#include "block_samples.hpp"
#include "math/block_ldlt.hpp"
#include "math/block_lu.hpp"
#include "math/lane_table.hpp"
#include "math/small_angle.hpp"

#include <array>
#include <cstring>
#include <random>
#include <vector>

namespace filum::test_lanes {

using namespace filum::math;

namespace {

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// A bit of everything, with branches that some lanes take and others do not.
template <class T>
T mixture(const T& a, const T& b) {
  using std::sqrt;
  const T root = sqrt(a * a + b * b);
  const T angle = angle_of(T(b / root), T(a / root));
  const auto [s, c] = sin_cos(angle);
  return select(a > b, T(larger(s, c) - root), T(magnitude(a) / (1.0 + c * c))) + angle;
}

// Of all numbers, as many side by side as T has lanes.
template <class T>
void mix(const std::vector<double>& a, const std::vector<double>& b, std::vector<double>& out) {
  for (std::size_t i = 0; i < a.size(); i += kLanesOf<T>)
    LaneMemory<T>::store(&out[i], mixture(LaneMemory<T>::load(&a[i]), LaneMemory<T>::load(&b[i])));
}

// The solution of a system in no more than so many lanes.
template <class Solver>
Eigen::VectorXd solved(const samples::Sample& s, const Eigen::MatrixXd& a, Eigen::VectorXd x, int lanes) {
  use_lanes(lanes);
  Solver solver;
  solver.analyse(s.graph);
  samples::assemble(solver, s, a);
  const bool finite = solver.factor_and_solve(x.data());
  use_lanes(kMostLanes);
  REQUIRE(finite);
  return x;
}

}  // namespace

TEST_CASE("each lane has the bits of a double") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<double> a(400), b(400);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = any(random);
    // small angles, for which series are taken, and large ones
    b[i] = any(random) * (i % 3 == 0 ? 1 : 0.05);
  }
  std::vector<double> one(400), two(400), widest(400);
  mix<double>(a, b, one);
  mix<Lanes<2>>(a, b, two);
  in_lanes([&]<class T>() { mix<T>(a, b, widest); });
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(same_bits(one[i], two[i]));
    CHECK(same_bits(one[i], widest[i]));
  }
}

TEST_CASE("tables give back what was stored, and lanes are added where they belong") {
  LaneTable<Vec3Of, 6> table;
  for (int row = 0; row < 6; ++row) table.store<double>(row, Vec3Of<double>(row, 10 + row, 20 + row));
  const Vec3Of<Lanes<2>> two = table.load<Lanes<2>>(3);
  CHECK(two[1][0] == 13);
  CHECK(two[2][1] == 24);
  table.copy(5, 0);
  CHECK(table.load<double>(0)[2] == 25);
  table.clear(0);
  CHECK(table.load<double>(0).isZero(0));

  std::array<std::array<double, 4>, kMostLanes> sums{};
  const auto add = [&]<class T>() {
    std::array<double*, kLanesOf<T>> to;
    Vec4Of<T> four;
    for (int k = 0; k < kLanesOf<T>; ++k) {
      to[static_cast<std::size_t>(k)] = sums[static_cast<std::size_t>(k)].data();
      for (int r = 0; r < 4; ++r) four[r].v[k] = 10 * k + r;
    }
    add_transposed(four, to);
  };
  add.operator()<Lanes<2>>();
  in_lanes(add);
  for (int k = 0; k < lanes_in_use(); ++k)
    for (int r = 0; r < 4; ++r)
      CHECK(sums[static_cast<std::size_t>(k)][static_cast<std::size_t>(r)] == (k < 2 ? 2 : 1) * (10 * k + r));
}

namespace {

// More than two rows of four.
template <class T>
struct Ten {
  T number[10];
};

}  // namespace

TEST_CASE("structs are gathered into lanes and scattered from them, as many as are meant") {
  std::array<Ten<double>, kMostLanes> all{}, copies{};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t c = 0; c < 10; ++c) all[i].number[c] = static_cast<double>(100 * i + c);
  const auto copy = [&]<class T>() {
    const auto at = [](int lane) { return static_cast<std::size_t>(lane); };
    const Ten<T> lanes = gathered<Ten, T>([&](int i) -> const Ten<double>& { return all[at(i)]; });
    for (int i = 0; i < kLanesOf<T>; ++i)
      for (int c = 0; c < 10; ++c) CHECK(lanes.number[c][i] == 100 * i + c);
    for (int count = 0; count <= kLanesOf<T>; ++count) {
      for (Ten<double>& one : copies) one = {};
      scatter<Ten, T>(lanes, count, [&](int i) -> Ten<double>& { return copies[at(i)]; });
      for (int i = 0; i < kMostLanes; ++i)
        for (int c = 0; c < 10; ++c) CHECK(copies[at(i)].number[c] == (i < count ? 100 * i + c : 0));
    }
  };
  copy.operator()<Lanes<2>>();
  for (const int most : {4, 8}) {
    use_lanes(most);
    in_lanes(copy);
  }
}

TEST_CASE("block solvers give the same bits in two lanes, in four and in eight") {
  std::mt19937 engine(9);
  std::vector<samples::Sample> all = samples::shapes(engine);
  all.push_back(samples::chain(40, 4, 2));
  for (const samples::Sample& s : all) {
    CAPTURE(s.name);
    const Eigen::VectorXd b = samples::random_vector(s.graph.rows(), engine);
    const Eigen::MatrixXd unsymmetric = samples::random_matrix(s, false, 60, engine);
    CHECK(solved<BlockLu>(s, unsymmetric, b, 2) == solved<BlockLu>(s, unsymmetric, b, 4));
    CHECK(solved<BlockLu>(s, unsymmetric, b, 2) == solved<BlockLu>(s, unsymmetric, b, 8));
    const Eigen::MatrixXd symmetric = samples::random_matrix(s, true, 60, engine);
    CHECK(solved<BlockLdlt>(s, symmetric, b, 2) == solved<BlockLdlt>(s, symmetric, b, 4));
    CHECK(solved<BlockLdlt>(s, symmetric, b, 2) == solved<BlockLdlt>(s, symmetric, b, 8));
  }
}

}  // namespace filum::test_lanes
