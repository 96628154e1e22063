// The mesh of a rod: nodes exactly where something acts, even spans in between, and the quadrature of its joints.
#include "formulations/discrete/rod_mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace filum::test_mesh {

using namespace filum::discrete;

namespace {

double sum(const std::vector<Reach>& reach) {
  return std::accumulate(reach.begin(), reach.end(), 0.0,
                         [](double total, const Reach& r) { return total + r.before + r.after; });
}

// ∫ f ds by the joints' shares of the rod.
template <class F>
double integrate(const RodMesh& mesh, F f) {
  const std::vector<Reach> reach = bending_reach(mesh);
  double total = 0;
  for (std::size_t i = 0; i < reach.size(); ++i) total += (reach[i].before + reach[i].after) * f(mesh.s[i]);
  return total;
}

// The mesh's own invariants: ascending, breaks marked, even within a span.
void check_spans(const RodMesh& mesh) {
  double first = -1;
  for (int edge = 0; edge < mesh.edges(); ++edge) {
    const double h = mesh.edge_length(edge);
    CHECK(h > 0);
    if (mesh.is_break[static_cast<std::size_t>(edge)] || first < 0) first = h;
    CHECK(h == doctest::Approx(first).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("a rod without breaks is divided evenly") {
  const RodMesh mesh = make_mesh(2.0, false, 4, {}, {});
  CHECK(mesh.s == std::vector<double>{0, 0.5, 1, 1.5, 2});
  CHECK(mesh.is_break == std::vector<bool>{true, false, false, false, true});
  CHECK(mesh.edges() == 4);
  CHECK(make_mesh(3.0, false, 1, {}, {}).s == std::vector<double>{0, 3});
}

TEST_CASE("breaks get nodes at exactly their arc length, and the count of segments is kept") {
  const std::vector<double> breaks{0.37, 0.1234567890123, 0.37, 0.9};
  const RodMesh mesh = make_mesh(1.0, false, 50, breaks, {});
  CHECK(mesh.edges() == 50);
  for (const double s : breaks) {
    const int node = mesh.node_at(s);
    CHECK(mesh.s[static_cast<std::size_t>(node)] == s);
    CHECK(mesh.is_break[static_cast<std::size_t>(node)]);
  }
  check_spans(mesh);
  CHECK(mesh.s.front() == 0);
  CHECK(mesh.s.back() == 1.0);
}

TEST_CASE("more breaks than segments: one edge to each span") {
  const RodMesh mesh = make_mesh(1.0, false, 1, {0.25, 0.5, 0.75}, {});
  CHECK(mesh.s == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
}

TEST_CASE("places nearer than round-off are one place, others stay apart") {
  const RodMesh one = make_mesh(1.0, false, 10, {0.3, 0.3 + 1e-12, 1 - 1e-12, 1e-12}, {});
  CHECK(one.edges() == 10);
  CHECK(one.node_at(0.3) == one.node_at(0.3 + 1e-12));
  CHECK(one.s.back() == 1.0);
  const RodMesh two = make_mesh(1.0, false, 10, {0.3, 0.3 + 1e-5}, {});
  CHECK(two.node_at(0.3) + 1 == two.node_at(0.3 + 1e-5));
  // the ends of the rod win over what lies next to them
  const RodMesh ends = make_mesh(5.0, false, 3, {-0.2, 5.4}, {});
  CHECK(ends.s.front() == 0);
  CHECK(ends.s.back() == 5.0);
  CHECK(ends.edges() == 3);
}

TEST_CASE("closed rods") {
  const RodMesh ring = make_mesh(1.0, true, 8, {}, {});
  CHECK(ring.nodes() == 8);
  CHECK(ring.edges() == 8);
  CHECK(ring.edge_length(7) == doctest::Approx(0.125));
  for (const bool is_break : ring.is_break) CHECK_FALSE(is_break);
  CHECK(ring.node_at(1.0) == 0);
  CHECK(ring.node_at(1.25) == 2);
  CHECK(ring.node_at(-0.125) == 7);

  const RodMesh held = make_mesh(1.0, true, 8, {1.3, 1.0}, {});
  CHECK(held.edges() == 8);
  CHECK(held.is_break[0]);
  CHECK(held.s[static_cast<std::size_t>(held.node_at(0.3))] == doctest::Approx(0.3).epsilon(1e-14));
  CHECK(held.is_break[static_cast<std::size_t>(held.node_at(0.3))]);
  CHECK(make_mesh(1.0, true, 1, {}, {}).edges() == 3);
}

TEST_CASE("given nodes are taken as they stand if the breaks are among them") {
  const std::vector<double> given{0, 0.1, 0.3, 0.6, 1.0};
  CHECK(make_mesh(1.0, false, 4, {0.3}, given).s == given);
  // a break elsewhere: even spans instead
  const RodMesh other = make_mesh(1.0, false, 4, {0.5}, given);
  CHECK(other.s == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  // nodes that do not reach the end, or that fall together, are no mesh
  const std::vector<double> unfinished{0, 0.1, 0.3, 0.6, 0.9};
  CHECK(make_mesh(1.0, false, 4, {}, unfinished).s[1] == 0.25);
  const std::vector<double> doubled{0, 0.3, 0.3, 0.6, 1.0};
  CHECK(make_mesh(1.0, false, 4, {}, doubled).s[1] == 0.25);
}

TEST_CASE("the joints' reaches add up to the rod, whatever its breaks") {
  for (const bool closed : {false, true})
    for (const int segments : {1, 2, 3, 4, 5, 7, 50})
      for (const std::vector<double>& breaks : std::vector<std::vector<double>>{{}, {0}, {0.4}, {0.1, 0.15, 0.8}}) {
        const RodMesh mesh = make_mesh(2.5, closed, segments, breaks, {});
        CAPTURE(closed);
        CAPTURE(segments);
        CHECK(sum(bending_reach(mesh)) == doctest::Approx(2.5).epsilon(1e-13));
        CHECK(sum(half_cells(mesh)) == doctest::Approx(2.5).epsilon(1e-13));
        for (const Reach& r : bending_reach(mesh)) CHECK(r.before + r.after > 0);
      }
}

TEST_CASE("two edges are Simpson's rule: cubics are integrated exactly") {
  const RodMesh mesh = make_mesh(2.0, false, 2, {}, {});
  CHECK(integrate(mesh, [](double s) { return s * s * s; }) == doctest::Approx(4).epsilon(1e-14));
}

TEST_CASE("Gregory's weights integrate quadratics exactly on every span, half cells only lines") {
  const RodMesh mesh = make_mesh(1.0, false, 20, {0.3, 0.8}, {});
  CHECK(integrate(mesh, [](double s) { return s * s; }) == doctest::Approx(1.0 / 3).epsilon(1e-14));
  // 3/8, 7/6, 23/24, 1 on a span of many edges
  const RodMesh plain = make_mesh(10.0, false, 10, {}, {});
  const std::vector<Reach> reach = bending_reach(plain);
  CHECK(reach[0].after == doctest::Approx(3.0 / 8));
  CHECK(reach[1].before + reach[1].after == doctest::Approx(7.0 / 6));
  CHECK(reach[2].before + reach[2].after == doctest::Approx(23.0 / 24));
  CHECK(reach[4].before + reach[4].after == doctest::Approx(1));
  CHECK(reach[0].before == 0);
  CHECK(reach[10].after == 0);
}

}  // namespace filum::test_mesh
