#include "formulations/spline/spline_explicit.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_system.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::spline {

namespace {

constexpr double kLimit = 2.785;  // of ω h, of the classical rule on the imaginary axis 2.83; the source's figure
constexpr double kMargin = 0.9;   // ω_max is found from below
constexpr int kPowers = 30;       // iterations that look for it
constexpr double kProbe = 1e-6;   // of a segment's width: how far they move the rods

}  // namespace

// What moves: not the multipliers, nor what is fixed.
void ExplicitSteps::keep_primal(Eigen::VectorXd& rows) const {
  for (int row = 0; row < static_cast<int>(rows.size()); ++row)
    if (!system_.is_primal(row) || !system_.is_free(row)) rows[row] = 0;
}
void ExplicitSteps::keep_multipliers(Eigen::VectorXd& rows) const {
  for (int row = 0; row < static_cast<int>(rows.size()); ++row)
    if (system_.is_primal(row)) rows[row] = 0;
}

void ExplicitSteps::shift(SplineState& state, const Eigen::VectorXd& move) {
  std::copy(move.begin(), move.end(), system_.step().begin());
  system_.advance(state, 1);
}

// Forces on what moves and, beside them, how far the grips are open, both with the sign of a right-hand side.
Eigen::VectorXd ExplicitSteps::pulls(const SplineState& state, const Targets& targets) {
  system_.evaluate(state, targets, System::Want::Residual);
  const std::vector<double>& step = system_.step();
  return Eigen::Map<const Eigen::VectorXd>(step.data(), static_cast<Eigen::Index>(step.size()));
}

Eigen::VectorXd ExplicitSteps::speeds(const SplineState& state) const {
  Eigen::VectorXd v = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system_.step().size()));
  for (int i = 0; i < model_.controls; ++i) v.segment<3>(system_.control_row(i)) = state.velocity[at(i)];
  for (int node = 0; node < static_cast<int>(state.node_spin.size()); ++node)
    v[system_.angle_row(node)] = system_.arm() * state.node_spin[at(node)];
  return v;
}

// Near the fastest oscillation: neighbouring control points against each other, along the rod and across it.
Eigen::VectorXd ExplicitSteps::zigzag(const SplineState& state) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system_.step().size()));
  for (const RodSpline& rod : model_.rods)
    for (int i = 0; i < rod.knots.controls(); ++i) {
      const int leg = rod.first_control + std::min(i, rod.knots.controls() - 2);
      const Vec3 along = state.leg[at(leg)].normalized();
      const double sign = (i % 2 == 0 ? 1 : -1) * (1 + 0.3 * std::sin(i));
      x.segment<3>(system_.control_row(rod.first_control + i)) = sign * (along + 0.5 * along.unitOrthogonal());
    }
  for (int node = 0; node < static_cast<int>(state.node_spin.size()); ++node)
    x[system_.angle_row(node)] = node % 2 == 0 ? 0.5 : -0.5;
  keep_primal(x);
  return x;
}

// Powers of M⁻¹K among the motions that the grips leave, K by differences of the forces.
double ExplicitSteps::longest(const SplineState& state, const Targets& targets) {
  system_.set_motion(nullptr);
  SplineState here = state;
  for (Vec3& force : here.grip) force.setZero();
  double mass = 0;
  for (const double each : model_.control_mass) mass += each;
  const double factor = system_.typical_stiffness() * model_.controls / mass;
  if (!system_.factor_mass(here, targets, factor)) return 0;
  Eigen::VectorXd x = zigzag(here);
  double square = 0;
  for (int k = 0; k < kPowers; ++k) {
    const double most = x.cwiseAbs().maxCoeff();
    if (!(most > 0) || !std::isfinite(most)) return 0;
    x *= kProbe * system_.arm() / most;
    SplineState ahead = here;
    SplineState behind = here;
    shift(ahead, x);
    shift(behind, -x);
    Eigen::VectorXd y = 0.5 * (pulls(behind, targets) - pulls(ahead, targets));
    keep_primal(y);
    system_.resolve(y.data());
    keep_primal(y);
    y *= factor;
    const auto norm = [&](const Eigen::VectorXd& of) {
      system_.weigh(of, weighed_);
      return std::sqrt(of.dot(weighed_));
    };
    square = norm(y) / norm(x);
    x = y;
  }
  return square > 0 && std::isfinite(square) ? kMargin * kLimit / std::sqrt(square) : 0;
}

// M a + Cᵀ λ = f − α M v, C a = 0. The matrix has `factor` times the mass, so that its rows compare.
void ExplicitSteps::accelerate(const SplineState& state, const Targets& targets, const Eigen::VectorXd& speed,
                               double factor) {
  rows_ = pulls(state, targets);
  keep_primal(rows_);
  system_.weigh(speed, weighed_);
  for (const RodSpline& rod : model_.rods) {
    const double drag = model_.nodes.scene->rods[at(static_cast<int>(&rod - model_.rods.data()))].damping.mass;
    if (drag == 0) continue;
    // of a ring's control points some are ghosts of others
    for (int i = rod.first_control; i < rod.first_control + rod.knots.controls(); ++i)
      if (model_.own[at(i)] == i)
        rows_.segment<3>(system_.control_row(i)) -= drag * weighed_.segment<3>(system_.control_row(i));
  }
  for (int node = 0; node < static_cast<int>(state.node_spin.size()); ++node) {
    const int row = system_.angle_row(node);
    rows_[row] -= model_.nodes.scene->rods[at(model_.curve[at(node)].rod)].damping.mass * weighed_[row];
  }
  system_.resolve(rows_.data());
  for (int row = 0; row < static_cast<int>(rows_.size()); ++row)
    if (system_.is_primal(row)) rows_[row] *= system_.is_free(row) ? factor : 0;
}

// What stands open, closed by the smallest motion.
void ExplicitSteps::close(SplineState& state, const Targets& targets) {
  Eigen::VectorXd rows = pulls(state, targets);
  keep_multipliers(rows);
  system_.resolve(rows.data());
  keep_primal(rows);
  shift(state, rows);
}

bool ExplicitSteps::step(SplineState& state, const Targets& targets, double h) {
  system_.set_motion(nullptr);
  for (Vec3& force : state.grip) force.setZero();
  const double factor = 1 / (h * h);
  if (!system_.factor_mass(state, targets, factor)) return false;

  // speeds with which the grips are closed at the end
  Eigen::VectorXd speed = pulls(state, targets) / h;
  keep_multipliers(speed);
  system_.weigh(speeds(state), weighed_);
  speed += factor * weighed_;
  system_.resolve(speed.data());
  keep_primal(speed);

  const SplineState start = state;
  const Eigen::VectorXd first = speed;
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(speed.size());
  Eigen::VectorXd gained = moved;
  Eigen::VectorXd forces = moved;
  constexpr std::array<double, 4> kShare{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  constexpr std::array<double, 4> kReach{0.5, 0.5, 1, 0};
  for (std::size_t stage = 0; stage < 4; ++stage) {
    accelerate(state, targets, speed, factor);
    moved += kShare[stage] * h * speed;
    Eigen::VectorXd part = rows_;
    keep_multipliers(part);
    forces += kShare[stage] * part;
    keep_primal(rows_);
    gained += kShare[stage] * h * rows_;
    if (stage == 3) break;
    state = start;
    shift(state, kReach[stage] * h * speed);
    speed = first + kReach[stage] * h * rows_;
  }
  state = start;
  shift(state, moved + forces);
  close(state, targets);

  // with the forces that act there
  const Eigen::VectorXd end = first + gained;
  for (int i = 0; i < model_.controls; ++i) state.velocity[at(i)] = end.segment<3>(system_.control_row(i));
  for (int node = 0; node < static_cast<int>(state.node_spin.size()); ++node)
    state.node_spin[at(node)] = end[system_.angle_row(node)] / system_.arm();
  resynchronise(model_, state);
  const Balance balance = system_.evaluate(state, targets, System::Want::Residual);
  state.tension = system_.axial_force();
  return balance.finite && end.allFinite();
}

}  // namespace filum::spline
