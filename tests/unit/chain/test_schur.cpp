// The system of a step against the same in dense matrices, down to rigid, redundant and bounded rows.
#include "unit/chain/schur_bench.hpp"

namespace filum::test_schur {

using namespace filum::chain;

namespace {

using Bench = test::SchurBench;
using test::Vector;

void check_against_dense(Bench bench) {
  bench.analyse();
  REQUIRE(bench.solve());
  const Vector expected = bench.dense().partialPivLu().solve(bench.collect(&Constraint::right));
  CHECK((bench.collect(&Constraint::impulse) - expected).norm() < 1e-10 * expected.norm());
  // what the impulses do to the velocities answers every row
  Vector answer = bench.collect(&Constraint::softness).cwiseProduct(bench.collect(&Constraint::impulse));
  for (const Incidence& incidence : bench.set.incidences) {
    const int count = bench.set.constraints[at(incidence.constraint)].rows;
    if (incidence.moves)
      answer.segment(bench.first_row(incidence.constraint), count) +=
          incidence.rows.topRows(count) * bench.set.changes[at(incidence.part)];
  }
  CHECK((answer - bench.collect(&Constraint::right)).norm() < 1e-9 * answer.norm());
}

Bench chain_of(int joints, double softness) {
  Bench bench(joints + 1);
  for (int k = 0; k < joints; ++k) bench.add(6, {k, k + 1}, softness);
  return bench;
}

}  // namespace

TEST_CASE("a chain's impulses are those of a dense solve, soft and rigid") {
  for (const double softness : {0.3, 1e-6, 0.0}) {
    CAPTURE(softness);
    // every part but the held one has six freedoms: six rows a joint leave rigid rows independent
    check_against_dense(chain_of(20, softness));
  }
}

TEST_CASE("graphs with branches, loops and rows over many parts are solved alike") {
  Bench bench(12);
  for (int k = 0; k < 8; ++k) bench.add(k % 3 == 0 ? 3 : 6, {k, k + 1}, 0.2);
  bench.add(6, {3, 9}, 0.1);      // a branch
  bench.add(3, {9, 10}, 0);       //
  bench.add(3, {8, 1}, 0.01);     // a loop
  bench.add(1, {0, 4, 11}, 0);    // a rope
  bench.add(1, {11, 5, 5}, 0.4);  // one that passes the same part twice
  check_against_dense(bench);
}

TEST_CASE("rows that depend on others are noticed, and the rest is answered") {
  Bench bench = chain_of(4, 0);
  // the same joint once more
  Constraint twin = bench.set.constraints[2];
  const int first = static_cast<int>(bench.set.incidences.size());
  for (int i = twin.first; i < twin.last; ++i) {
    Incidence copy = bench.set.incidences[at(i)];
    copy.constraint = 4;
    bench.set.incidences.push_back(copy);
  }
  twin.first = first;
  twin.last = first + 2;
  bench.set.constraints.push_back(twin);
  bench.analyse();
  REQUIRE(bench.solve());
  CHECK(bench.schur.redundant() == 6);
  const Vector answer = bench.dense() * bench.collect(&Constraint::impulse);
  // half of the digits: a pivot counts as zero there
  CHECK((answer - bench.collect(&Constraint::right)).norm() < 1e-7 * answer.norm());
}

TEST_CASE("bounded rows end between their bounds or on them, each on the right side") {
  for (int trial = 0; trial < 30; ++trial) {
    CAPTURE(trial);
    Bench bench(12);
    for (int k = 0; k < trial; ++k) bench.number();
    for (int k = 0; k < 8; ++k) bench.add(6, {k, k + 1}, 0.5);
    std::vector<int> bounded;
    for (int k = 0; k < 4; ++k) {
      bounded.push_back(bench.add(1, {2 * k + 1, 9, 10}, 0.05));
      Constraint& row = bench.set.constraints[at(bounded.back())];
      row.lowest = k % 2 == 0 ? -std::numeric_limits<double>::infinity() : -0.2;
      row.highest = k % 2 == 0 ? 0 : 0.1;
      row.right[0] *= 5;
    }
    bench.analyse();
    int rounds = 0;
    do REQUIRE(bench.solve());
    while (bench.revise() && ++rounds < 20);
    REQUIRE(rounds < 20);

    const Vector impulse = bench.collect(&Constraint::impulse);
    const Vector missing = bench.collect(&Constraint::right) - bench.dense() * impulse;
    for (std::size_t c = 0; c < bench.set.constraints.size(); ++c) {
      const Constraint& row = bench.set.constraints[c];
      const int k = bench.first_row(static_cast<int>(c));
      for (int r = 0; r < row.rows; ++r)
        if (row.bound == Bound::Free) CHECK(std::abs(missing[k + r]) < 1e-9);
      if (row.bound == Bound::High) CHECK((impulse[k] == row.highest && missing[k] >= 0));
      if (row.bound == Bound::Low) CHECK((impulse[k] == row.lowest && missing[k] <= 0));
      if (row.rows == 1) CHECK((impulse[k] >= row.lowest && impulse[k] <= row.highest));
    }
  }
}

}  // namespace filum::test_schur
