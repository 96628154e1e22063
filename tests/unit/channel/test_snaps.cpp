// Snaps of a load path against a relaxation that shares nothing with it: stiff springs for walls and tip, small steps.
#include "unit/channel/channel_kit.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

namespace filum::test_snaps {

using namespace filum::channel::test;

namespace {

// A linkage in a straight channel, its tip led along the centreline; L = EI = 1.
class Relaxed {
 public:
  Relaxed(std::vector<double> angles, double half_width)
      : angles_(Eigen::Map<Eigen::VectorXd>(angles.data(), static_cast<Eigen::Index>(angles.size()))),
        half_(half_width),
        step_(1.0 / static_cast<double>(angles.size())) {}

  // Downhill by damped Newton's method with differences; returns how far the nodes have moved at most.
  double relax(double push) {
    const Eigen::VectorXd before = nodes(angles_);
    double damping = 0;
    for (int i = 0; i < 300; ++i) {
      const Eigen::VectorXd gradient = slope(angles_, push);
      if (gradient.norm() < 1e-6) break;
      Eigen::MatrixXd hessian(angles_.size(), angles_.size());
      for (int j = 0; j < angles_.size(); ++j) {
        const Eigen::VectorXd h = 1e-7 * Eigen::VectorXd::Unit(angles_.size(), j);
        hessian.col(j) = (slope(angles_ + h, push) - slope(angles_ - h, push)) / 2e-7;
      }
      hessian = (0.5 * (hessian + hessian.transpose())).eval();
      const double least = hessian.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
      const double shift = std::max(damping, least < 1e-3 ? 1e-2 - least : 0.0);
      hessian.diagonal().array() += shift;
      Eigen::VectorXd way = -hessian.ldlt().solve(gradient);
      way *= std::min(1.0, 0.05 / way.lpNorm<Eigen::Infinity>());
      if (energy(angles_ + way, push) <= energy(angles_, push) + 1e-12) {
        angles_ += way;
        damping *= 0.1;
      } else {
        damping = std::max(1.0, 10 * damping);
      }
    }
    return (nodes(angles_) - before).lpNorm<Eigen::Infinity>();
  }

 private:
  static constexpr double kSpring = 1e8;

  // x of all nodes, then y
  [[nodiscard]] Eigen::VectorXd nodes(const Eigen::VectorXd& angles) const {
    const auto n = angles.size();
    Eigen::VectorXd all(2 * n);
    double x = 0, y = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      all[i] = x += step_ * std::cos(angles[i]);
      all[n + i] = y += step_ * std::sin(angles[i]);
    }
    return all;
  }
  [[nodiscard]] double beyond(double y) const {
    return y > half_ ? y - half_ : y < -half_ ? y + half_ : 0;
  }
  [[nodiscard]] double energy(const Eigen::VectorXd& angles, double push) const {
    const auto n = angles.size();
    const Eigen::VectorXd at = nodes(angles);
    double sum = angles[0] * angles[0] / step_;
    for (Eigen::Index i = 1; i < n; ++i) sum += std::pow(angles[i] - angles[i - 1], 2) / (2 * step_);
    for (Eigen::Index i = 0; i < n; ++i) sum += 0.5 * kSpring * std::pow(beyond(at[n + i]), 2);
    return sum + 0.5 * kSpring * (std::pow(at[n - 1] - 1 + push, 2) + std::pow(at[2 * n - 1], 2));
  }
  [[nodiscard]] Eigen::VectorXd slope(const Eigen::VectorXd& angles, double push) const {
    const auto n = angles.size();
    const Eigen::VectorXd at = nodes(angles);
    Eigen::VectorXd out(n);
    double fx = kSpring * (at[n - 1] - 1 + push), fy = kSpring * at[2 * n - 1];
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      fy += kSpring * beyond(at[n + i]);
      out[i] = step_ * (fy * std::cos(angles[i]) - fx * std::sin(angles[i]));
      out[i] += i > 0 ? (angles[i] - angles[i - 1]) / step_ : 2 * angles[0] / step_;
      if (i + 1 < n) out[i] -= (angles[i + 1] - angles[i]) / step_;
    }
    return out;
  }

  Eigen::VectorXd angles_;
  double half_, step_;
};

}  // namespace

TEST_CASE("a snap's load is that of a slow relaxation with springs") {
  struct Case {
    int links;
    double half, to;
  };
  for (const Case& each : {Case{12, 0.03, 0.02}, Case{16, 0.03, 0.02}, Case{10, 0.05, 0.05}}) {
    ChannelProblem problem = wang(straight_channel(1.2, each.half, each.half), Vec2::Zero(), each.links);
    problem.beam = {1, 1, {}};
    problem.loads.clear();
    for (int i = 0; i <= 20; ++i) problem.loads.push_back({Vec2::Zero(), 0.0005 + (each.to - 0.0005) / 20 * i});
    problem.search.k = 1;
    const ChannelOutcome found = solve_channel(problem);
    REQUIRE(found.converged);
    double snap = 0;
    for (const ChannelStep& step : found.path) {
      // the energy after is that before and the work, less what snaps set free
      if (&step != &found.path.front()) {
        const double change = step.state.energy - (&step - 1)->state.energy;
        CHECK(step.work - step.snap_release == doctest::Approx(change).epsilon(1.5e-3));
      }
      for (const ChannelSnap& each_snap : step.snaps) {
        CHECK(each_snap.within <= 1e-3 * *each_snap.load.push);
        CHECK(each_snap.release > 0);
        if (snap == 0) snap = *each_snap.load.push;
      }
    }
    REQUIRE(snap > 0);
    Relaxed slow(found.path.front().state.angles, each.half);
    double push = 0.0005;
    // quickly to near the snap, then in steps of 1e-4 of it
    for (; push < 0.97 * snap; push += 0.002 * snap) slow.relax(push);
    double jumped = 0;
    for (; push < 1.03 * snap && jumped == 0; push += 1e-4 * snap)
      if (slow.relax(push) > 2e-3) jumped = push;
    MESSAGE(each.links, " links: snap at ", snap, ", relaxed ", jumped);
    CHECK(snap == doctest::Approx(jumped).epsilon(1.5e-3));
  }
}

}  // namespace filum::test_snaps
