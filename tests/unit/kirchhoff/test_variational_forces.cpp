// The kernels of the variational stepper against differences: forces, total twist, dissipation, lengths.
#include "rod/inextensible_edges.hpp"
#include "rod/span_damping.hpp"
#include "rod/uniform_twist.hpp"
#include "unit/kirchhoff/test_variational_rig.hpp"

#include "math/frame.hpp"
#include "math/rotation.hpp"

namespace filum::test_variational_forces {

using namespace filum::test::threads;

namespace {

// A span between two held sections, or without them, of uneven edges and stiffnesses.
struct Span {
  std::vector<Vec3> x;
  std::vector<rod::SpanJoint> joints;
  Mat3 first = Mat3::Identity();  // frames of the sections at the ends
  Mat3 last = Mat3::Identity();
  bool held = false;
  double compliance = 0;

  [[nodiscard]] int edges() const { return static_cast<int>(x.size()) - 1; }
  // Of the edges, then of the two sections.
  [[nodiscard]] std::vector<Vec3> tangents() const {
    std::vector<Vec3> t;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) t.push_back((x[i + 1] - x[i]).normalized());
    t.emplace_back(first.col(2));
    t.emplace_back(last.col(2));
    return t;
  }
  // From the first section's director, carried along, to the last's.
  [[nodiscard]] double total_twist(double near) const {
    const std::vector<Vec3> t = tangents();
    std::vector<Vec3> rail(t.size(), Vec3::Zero());
    rail[at(edges())] = first.col(0);
    const Vec3 end = rod::carry_rail(joints, t, rail);
    return math::unwrap(math::signed_angle(end, last.col(0), last.col(2)), near);
  }
  [[nodiscard]] double energy(double near) const {
    const double bend = rod::bending_energy(joints, tangents());
    if (!held) return bend;
    const double twist = total_twist(near);
    return bend + 0.5 * twist * twist / compliance;
  }
  // −∂E/∂x of every node.
  [[nodiscard]] std::vector<Vec3> forces(double torque) const {
    const std::vector<Vec3> t = tangents();
    std::vector<Vec3> gradient(t.size(), Vec3::Zero());
    rod::add_gradient(joints, t, std::vector<double>(joints.size(), torque), gradient);
    return on_nodes(gradient);
  }
  [[nodiscard]] std::vector<Vec3> on_nodes(const std::vector<Vec3>& gradient) const {
    std::vector<Vec3> f(x.size(), Vec3::Zero());
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      f[i] += gradient[i];
      f[i + 1] -= gradient[i];
    }
    return f;
  }
  // 1/l of the edges as they are.
  void measure() {
    for (rod::SpanJoint& joint : joints) {
      joint.inverse_from = joint.from < edges() ? 1 / (x[at(joint.from) + 1] - x[at(joint.from)]).norm() : 0;
      joint.inverse_to = joint.to < edges() ? 1 / (x[at(joint.to) + 1] - x[at(joint.to)]).norm() : 0;
    }
  }
};

Span random_span(std::mt19937& random, int nodes, bool held) {
  std::uniform_real_distribution<double> any(-1, 1);
  Span span;
  span.held = held;
  span.x = random_curve(random, nodes, 0.1, 0.8);
  // uneven edges
  for (Vec3& x : span.x) x += 0.02 * Vec3(any(random), any(random), any(random));
  const int edges = span.edges();
  const Vec3 tilt(0.2 * any(random), 0.2 * any(random), 0.2 * any(random));
  span.first = math::frame_from((span.x[1] - span.x[0]).normalized() + tilt, Vec3::UnitY());
  span.last = math::frame_from((span.x[at(edges)] - span.x[at(edges - 1)]).normalized() - tilt, Vec3::UnitZ());
  const auto add = [&](int from, int to) {
    span.joints.push_back({from, to, 0.02 + 0.01 * any(random), 1 / (0.03 + 0.01 * any(random)), 0, 0});
    span.compliance += span.joints.back().twist_compliance;
  };
  if (held) add(edges, 0);
  for (int i = 0; i + 1 < edges; ++i) add(i, i + 1);
  if (held) add(edges - 1, edges + 1);
  span.measure();
  return span;
}

Vec3 sum(const std::vector<Vec3>& f) {
  Vec3 s = Vec3::Zero();
  for (const Vec3& v : f) s += v;
  return s;
}
Vec3 moment(const std::vector<Vec3>& x, const std::vector<Vec3>& f) {
  Vec3 s = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) s += x[i].cross(f[i]);
  return s;
}
double largest(const std::vector<Vec3>& f) {
  double l = 0;
  for (const Vec3& v : f) l = std::max(l, v.norm());
  return l;
}

}  // namespace

TEST_CASE("forces are minus the gradient of bending and twist energy") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Span span = random_span(random, 8, trial % 2 == 0);
    const double twist = span.held ? span.total_twist(4.0) : 0;
    const std::vector<Vec3> f = span.forces(span.held ? twist / span.compliance : 0);
    constexpr double kStep = 1e-6;
    for (std::size_t i = 0; i < span.x.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        Span low = span;
        Span high = span;
        low.x[i][axis] -= kStep;
        high.x[i][axis] += kStep;
        const double slope = (high.energy(twist) - low.energy(twist)) / (2 * kStep);
        // central differences: 1e-6² of third derivatives (1e3) and round-off 1e-16/1e-6
        CHECK(std::abs(f[i][axis] + slope) < 1e-6 * largest(f));
      }
  }
}

TEST_CASE("forces of a free span sum to nothing; those of twist have the torque of the ends") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Span span = random_span(random, 9, false);
    const std::vector<Vec3> t = span.tangents();
    const std::vector<Vec3> bend = span.forces(0);
    // sums of a few numbers of that size, by round-off
    CHECK(sum(bend).norm() < 1e-12 * largest(bend));
    CHECK(moment(span.x, bend).norm() < 1e-12 * largest(bend));
    const double torque = 0.7;
    std::vector<Vec3> both = span.forces(torque);
    for (std::size_t i = 0; i < both.size(); ++i) both[i] -= bend[i];
    CHECK(sum(both).norm() < 1e-12 * largest(bend));
    const Vec3 ends = torque * (t[at(span.edges() - 1)] - t[0]);
    CHECK((moment(span.x, both) - ends).norm() < 1e-12 * (torque + largest(bend)));
  }
}

TEST_CASE("Wang's force for even edges, with the factor 8, is the same up to pulls along the edges") {
  std::mt19937 random(3);
  Span span;
  constexpr double l = 0.1;
  constexpr double kb = 0.02;
  span.x = random_curve(random, 9, l, 0.5);
  for (int i = 0; i + 1 < span.edges(); ++i) span.joints.push_back({i, i + 1, kb / l, 1, 1 / l, 1 / l});
  const std::vector<Vec3> mine = span.forces(0);
  const std::vector<Vec3> t = span.tangents();
  const auto cosine = [&](int joint) { return t[at(joint - 1)].dot(t[at(joint)]); };
  const auto term = [&](int joint) { return 1 / std::pow(1 + cosine(joint), 2); };
  // F_i = (4 k_b/l³) [e_{i−2}/(1+c_{i−1})² + (e_i − e_{i−1})/(1+c_i)² − e_{i+1}/(1+c_{i+1})²]
  Vec3 passed = Vec3::Zero();
  for (int i = 0; i <= span.edges(); ++i) {
    Vec3 f = Vec3::Zero();
    const auto inside = [&](int joint) { return joint >= 1 && joint < span.edges(); };
    if (inside(i - 1)) f += term(i - 1) * t[at(i - 2)];
    if (inside(i)) f += term(i) * (t[at(i)] - t[at(i - 1)]);
    if (inside(i + 1)) f -= term(i + 1) * t[at(i + 1)];
    f *= 4 * kb / (l * l);
    // what the edges before this node carry must differ by a pull along the last of them
    passed += f - mine[at(i)];
    if (i < span.edges()) CHECK(passed.cross(t[at(i)]).norm() < 1e-12 * largest(mine));
  }
  CHECK(passed.norm() < 1e-12 * largest(mine));
}

TEST_CASE("the rate of total twist is that of the director carried to the far end") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const Span span = random_span(random, 8, true);
    std::vector<Vec3> v;
    for (std::size_t i = 0; i < span.x.size(); ++i) v.emplace_back(any(random), any(random), any(random));
    // the part of ė along the edge does not turn it
    std::vector<Vec3> rate(span.tangents().size(), Vec3::Zero());
    for (std::size_t i = 0; i + 1 < span.x.size(); ++i) rate[i] = v[i + 1] - v[i];
    const double got = rod::twist_rate(span.joints, span.tangents(), rate);
    constexpr double kStep = 1e-6;
    Span low = span;
    Span high = span;
    for (std::size_t i = 0; i < v.size(); ++i) {
      low.x[i] -= kStep * v[i];
      high.x[i] += kStep * v[i];
    }
    const double want = (high.total_twist(0) - low.total_twist(0)) / (2 * kStep);
    CHECK(got == doctest::Approx(want).epsilon(1e-6));
  }
}

TEST_CASE("twist summed up over time drifts by its step, twist measured returns after a closed loop of shapes") {
  std::mt19937 random(5);
  const Span start = random_span(random, 8, true);
  std::vector<Vec3> a;
  std::vector<Vec3> b;
  std::uniform_real_distribution<double> any(-1, 1);
  for (std::size_t i = 0; i < start.x.size(); ++i) {
    a.push_back(0.05 * Vec3(any(random), any(random), any(random)));
    b.push_back(0.05 * Vec3(any(random), any(random), any(random)));
  }
  const auto loop = [&](int steps) {
    double summed = 0;
    double measured = start.total_twist(0);
    const double begun = measured;
    Span span = start;
    for (int k = 1; k <= steps; ++k) {
      const double angle = 2 * math::kPi * k / steps;
      Span next = start;
      for (std::size_t i = 0; i < a.size(); ++i) next.x[i] += std::sin(angle) * a[i] + (1 - std::cos(angle)) * b[i];
      next.measure();
      std::vector<Vec3> rate(next.tangents().size(), Vec3::Zero());
      for (std::size_t i = 0; i + 1 < next.x.size(); ++i)
        rate[i] = (next.x[i + 1] - next.x[i]) - (span.x[i + 1] - span.x[i]);
      // the source's explicit sum, from the shape at the start of each step
      summed += rod::twist_rate(span.joints, span.tangents(), rate);
      measured = next.total_twist(measured);
      span = next;
    }
    // angles add up from some ten joints: round-off
    CHECK(std::abs(measured - begun) < 1e-12);
    return std::abs(summed);
  };
  const double coarse = loop(100);
  const double fine = loop(1000);
  MESSAGE("drift of the summed twist over one loop: " << coarse << " rad in 100 steps, " << fine << " in 1000");
  CHECK(coarse > 1e-6);
  // first order in the step: a tenth, give or take
  CHECK(fine < 0.2 * coarse);
}

TEST_CASE("viscous forces are minus the gradient of the dissipation, never drive, and know no rigid motion") {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 30; ++trial) {
    // held at both ends, at the start alone, or loose
    const int kind = trial % 3;
    Span span = random_span(random, 8, kind < 2);
    if (kind == 1) span.joints.pop_back();
    const rod::SpinTies ties{kind < 2, kind == 0};
    std::vector<rod::JointViscosity> viscosity;
    for (std::size_t k = 0; k < span.joints.size(); ++k)
      viscosity.push_back({0.02 + 0.01 * any(random), 0.03 + 0.01 * any(random)});
    const std::vector<Vec3> t = span.tangents();
    rod::SpanDamping damping;
    damping.resize(span.joints.size());
    const auto power = [&](const std::vector<Vec3>& v, const Vec3& ends) {
      std::vector<Vec3> turning(t.size(), ends);
      for (int i = 0; i < span.edges(); ++i) {
        const Vec3 e = span.x[at(i) + 1] - span.x[at(i)];
        turning[at(i)] = t[at(i)].cross(v[at(i) + 1] - v[at(i)]) / e.norm();
      }
      return damping.rates(span.joints, viscosity, t, turning, ties);
    };
    std::vector<Vec3> v;
    for (std::size_t i = 0; i < span.x.size(); ++i) v.emplace_back(any(random), any(random), any(random));
    const double taken = power(v, Vec3::Zero());
    CHECK(taken > 0);
    std::vector<Vec3> gradient(t.size(), Vec3::Zero());
    damping.add_gradient(span.joints, t, gradient);
    const std::vector<Vec3> f = span.on_nodes(gradient);
    // a quadratic form: F·v = −2P, and central differences of P are exact but for round-off
    double work = 0;
    for (std::size_t i = 0; i < v.size(); ++i) work += f[i].dot(v[i]);
    CHECK(work == doctest::Approx(-taken).epsilon(1e-10));
    for (std::size_t i = 0; i < v.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<Vec3> low = v;
        std::vector<Vec3> high = v;
        low[i][axis] -= 0.5;
        high[i][axis] += 0.5;
        CHECK(f[i][axis] == doctest::Approx(-0.5 * (power(high, Vec3::Zero()) - power(low, Vec3::Zero())))
                                .epsilon(1e-9)
                                .scale(largest(f)));
      }
    // a rigid motion, sections and all
    const Vec3 omega(any(random), any(random), any(random));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = omega.cross(span.x[i]) + Vec3(1, 2, 3);
    CHECK(power(v, omega) < 1e-20);
  }
}

TEST_CASE("Picard finds the lengths of open and closed chains with uneven masses and held nodes") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const bool closed : {false, true}) {
    constexpr std::size_t kEdges = 12;
    // a polygon with its ends apart or together
    std::vector<Vec3> x;
    for (std::size_t i = 0; i <= kEdges; ++i) {
      const double angle = (closed ? 2 : 1) * math::kPi * static_cast<double>(i) / kEdges;
      x.emplace_back(std::cos(angle), std::sin(angle), closed ? 0.0 : 0.1 * static_cast<double>(i));
    }
    std::vector<Vec3> direction;
    std::vector<Vec3> moved;
    std::vector<double> length;
    std::vector<Vec3> inverse_mass;
    for (std::size_t i = 0; i < kEdges; ++i) {
      const Vec3 e = x[i + 1] - x[i];
      length.push_back(e.norm());
      direction.push_back(e.normalized());
    }
    for (std::size_t i = 0; i < (closed ? kEdges : kEdges + 1); ++i)
      inverse_mass.push_back(Vec3::Constant(1 / (1 + 0.5 * any(random))));
    inverse_mass[0] = Vec3::Zero();
    inverse_mass[5] = {0, inverse_mass[5][1], inverse_mass[5][2]};
    // moved nodes: held axes stay
    std::vector<Vec3> y = x;
    for (std::size_t i = 0; i < inverse_mass.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        if (inverse_mass[i][axis] > 0) y[i][axis] += 0.01 * any(random);
    if (closed) y[kEdges] = y[0];
    for (std::size_t i = 0; i < kEdges; ++i) moved.emplace_back(y[i + 1] - y[i]);
    rod::InextensibleChain chain;
    chain.resize(kEdges, closed);
    std::vector<double> tension(kEdges, 0);
    std::vector<Vec3> edge(kEdges);
    const auto outcome = chain.solve({direction, moved, length, inverse_mass, 0.01}, tension, edge);
    CHECK(outcome.converged);
    CHECK(outcome.iterations < 12);
    Vec3 end = Vec3::Zero();
    for (std::size_t i = 0; i < kEdges; ++i) {
      CHECK(edge[i].norm() == doctest::Approx(length[i]).epsilon(1e-11));
      end += edge[i];
    }
    // the tensions move the nodes that the edges say they do
    for (std::size_t i = 0; i < kEdges; ++i) {
      const std::size_t j = closed ? (i + 1) % kEdges : i + 1;
      y[i] += 0.01 * inverse_mass[i].cwiseProduct(tension[i] * direction[i]);
      y[j] -= 0.01 * inverse_mass[j].cwiseProduct(tension[i] * direction[i]);
    }
    if (closed) y[kEdges] = y[0];
    for (std::size_t i = 0; i < kEdges; ++i) CHECK((y[i + 1] - y[i] - edge[i]).norm() < 1e-12);
    if (closed) CHECK(end.norm() < 1e-12);
  }
}

}  // namespace filum::test_variational_forces
