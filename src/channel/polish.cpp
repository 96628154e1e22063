#include "channel/polish.hpp"

#include "base/index.hpp"
#include "channel/heading_derivatives.hpp"
#include "math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace filum::channel {
namespace {

constexpr double kBreach = 1e-11;     // of walls and tip, in the beam's length: far below what is promised (1e-9)
constexpr double kLargestTurn = 0.2;  // of a link in one iteration, rad
constexpr double kTie = 1e5;          // stiffness of the first ties, EI/L³
constexpr int kMaxInner = 80;
constexpr int kMaxOuter = 40;

class Polisher {
 public:
  Polisher(const Passage& passage, const Beam& beam) : passage_(passage), beam_(beam) {
    // what counts as balanced: round-off of the largest moments around
    tolerance_ = 1e-10 * (1 + beam.force.norm() + 2 * beam.joint_stiffness());
  }

  Polished run(const std::vector<double>& angles, const std::vector<Vec2>& ties) {
    Polished result;
    ties_ = &ties;
    now_ = configure(passage_, beam_, angles);
    rows_ = make_rows(passage_, beam_, now_);
    force_.assign(rows_.size(), 0.0);
    descend();
    finish(result);
    result.iterations = iterations_;
    return result;
  }

 private:
  [[nodiscard]] int unknowns() const { return beam_.links; }

  // ---- augmented Lagrangian ----

  // Force of a row in the augmented Lagrangian: λ − ρ c, never pulling at a wall.
  [[nodiscard]] double augmented(std::size_t r, const std::vector<Row>& rows) const {
    const double value = force_[r] - penalty_ * rows[r].value;
    return rows[r].wall() ? std::max(0.0, value) : value;
  }

  [[nodiscard]] double merit(const Configuration& configuration, const std::vector<Row>& rows) const {
    double sum = energy(beam_, configuration.angles).total();
    if (tie_ > 0)
      for (std::size_t i = 0; i < ties_->size(); ++i)
        sum += 0.5 * tie_ * (configuration.nodes[i] - (*ties_)[i]).squaredNorm();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double value = augmented(r, rows);
      sum += (value * value - force_[r] * force_[r]) / (2 * penalty_);
    }
    return sum;
  }

  // From far away the linkage is tied to where it should be; the ties are let go step by step.
  void untie() {
    for (tie_ = kTie; tie_ > kTie * 1e-4; tie_ *= 0.1) minimise(1e-2);
    tie_ = 0;
  }

  void descend() {
    penalty_ = 1e6;
    if (!ties_->empty()) untie();
    double before = 1e300;
    for (int outer = 0; outer < kMaxOuter; ++outer) {
      minimise(outer == 0 ? 1e-3 : 1e-6);
      // the multipliers take over what the penalty carried
      double off = 0;
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        off = std::max(off, rows_[r].wall() ? -rows_[r].value : std::abs(rows_[r].value));
        force_[r] = augmented(r, rows_);
      }
      if (off < 1e-8) return;
      if (off > 0.25 * before) penalty_ = std::min(1e10, 4 * penalty_);
      before = off;
    }
  }

  // Damped Newton on the augmented Lagrangian.
  void minimise(double tolerance) {
    for (int inner = 0; inner < kMaxInner; ++inner) {
      ++iterations_;
      std::vector<double> pressed(rows_.size());
      for (std::size_t r = 0; r < rows_.size(); ++r) pressed[r] = augmented(r, rows_);
      const Eigen::VectorXd gradient = linkage_gradient(beam_, now_.angles, forces_with(pressed));
      if (gradient.lpNorm<Eigen::Infinity>() < tolerance * (1 + beam_.force.norm())) return;
      const Eigen::MatrixXd hessian = hessian_with(pressed, penalty_);
      const Eigen::VectorXd step = newton_step(hessian, gradient);
      if (!line_search(step, gradient)) return;
    }
  }

  // Second derivative with these forces on the rows; rows that press are as stiff as `penalty`.
  [[nodiscard]] Eigen::MatrixXd hessian_with(const std::vector<double>& pressed, double penalty) const {
    std::vector<Eigen::Matrix2d> stiffness(at(beam_.links + 1), tie_ * Eigen::Matrix2d::Identity());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (pressed[r] == 0) continue;
      const Row& row = rows_[r];
      stiffness[at(row.node)] += penalty * row.gradient * row.gradient.transpose() - pressed[r] * row.hessian;
    }
    return linkage_hessian(beam_, now_.angles, forces_with(pressed), stiffness);
  }

  // On the nodes, ties included.
  [[nodiscard]] std::vector<Vec2> forces_with(const std::vector<double>& pressed) const {
    std::vector<Vec2> forces = node_forces(beam_, rows_, pressed);
    if (tie_ > 0)
      for (std::size_t i = 0; i < ties_->size(); ++i) forces[i] += tie_ * ((*ties_)[i] - now_.nodes[i]);
    return forces;
  }

  // With as large a shift as it takes to go downhill.
  [[nodiscard]] static Eigen::VectorXd newton_step(Eigen::MatrixXd hessian, const Eigen::VectorXd& gradient) {
    if (!hessian.allFinite() || !gradient.allFinite()) return Eigen::VectorXd::Zero(gradient.size());
    const double scale = hessian.diagonal().cwiseAbs().maxCoeff();
    double shift = 0;
    for (;;) {
      if (std::optional<Eigen::VectorXd> step = math::solve_definite(hessian, -gradient)) {
        const double largest = step->lpNorm<Eigen::Infinity>();
        if (largest > kLargestTurn) *step *= kLargestTurn / largest;
        return *step;
      }
      const double more = std::max(1e-6 * scale, 3 * shift);
      hessian.diagonal().array() += more;
      shift += more;
    }
  }

  bool line_search(const Eigen::VectorXd& step, const Eigen::VectorXd& gradient) {
    const double start = merit(now_, rows_);
    const double slope = gradient.dot(step);
    Configuration trial = now_;
    for (double share = 1; share > 1e-9; share *= 0.5) {
      std::vector<double> angles = now_.angles;
      for (int j = 0; j < unknowns(); ++j) angles[at(j)] += share * step[j];
      move_to(passage_, beam_, angles, trial);
      std::vector<Row> rows = make_rows(passage_, beam_, trial);
      // links lead forward: a beam that folds back would leave the set that was searched
      if (!forward(trial.angles, trial.places)) continue;
      // downhill, or as level as round-off
      if (merit(trial, rows) <= start + 1e-4 * share * slope + 1e-13 * std::abs(start)) {
        now_ = trial;
        rows_ = std::move(rows);
        return true;
      }
    }
    return false;
  }

  // ---- Newton with the contacts found ----

  void finish(Polished& result) {
    std::vector<bool> active(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) active[r] = !rows_[r].wall() || force_[r] > 0;
    const Configuration kept = now_;
    const std::vector<double> kept_force = force_;
    for (int iteration = 0; iteration < 100; ++iteration) {
      ++iterations_;
      const double size = newton_with_contacts(active);
      if (!(size < 1e3)) break;
      measure(result, active);
      const bool balanced = result.kkt <= tolerance_ && off(active) <= kBreach;
      if (!balanced) continue;
      if (change_contacts(active)) continue;
      result.converged = true;
      result.stable = stable(active);
      return;
    }
    // it ran away or went round in circles: the descent's own answer
    now_ = kept;
    rows_ = make_rows(passage_, beam_, now_);
    force_ = kept_force;
    for (std::size_t r = 0; r < rows_.size(); ++r) active[r] = !rows_[r].wall() || force_[r] > 0;
    measure(result, active);
    result.converged = result.kkt <= 1e-6 * (1 + beam_.force.norm()) && result.breach <= 1e-9 && result.off_tip <= 1e-9;
    if (!result.converged) result.why = "the contacts with the walls did not settle";
    result.stable = result.converged && stable(active);
  }

  // One step of Newton's method on balance and contacts; returns its size.
  double newton_with_contacts(const std::vector<bool>& active) {
    std::vector<std::size_t> held;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (active[r])
        held.push_back(r);
      else
        force_[r] = 0;
    }
    const int n = unknowns();
    const int m = static_cast<int>(held.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd right(n + m);
    matrix.topLeftCorner(n, n) = hessian_with(force_, 0);
    for (int i = 0; i < m; ++i) {
      const Row& row = rows_[held[at(i)]];
      const Eigen::VectorXd gradient = row_gradient(beam_, now_.angles, row);
      matrix.block(0, n + i, n, 1) = -gradient;
      matrix.block(n + i, 0, 1, n) = gradient.transpose();
      right[n + i] = -row.value;
    }
    const std::vector<Vec2> nothing(at(beam_.links + 1), Vec2::Zero());
    right.head(n) = -linkage_gradient(beam_, now_.angles, nothing);
    const Eigen::VectorXd solution = math::solve(matrix, right);
    if (!solution.allFinite()) return 1e9;
    // a long step is shortened, the forces are then those of its end
    const double size = solution.head(n).lpNorm<Eigen::Infinity>();
    const double share = std::min(1.0, kLargestTurn / std::max(size, 1e-300));
    std::vector<double> angles = now_.angles;
    for (int j = 0; j < n; ++j) angles[at(j)] += share * solution[j];
    move_to(passage_, beam_, angles, now_);
    rows_ = make_rows(passage_, beam_, now_);
    for (int i = 0; i < m; ++i) force_[held[at(i)]] = solution[n + i];
    return size;
  }

  // Largest error of the rows that are held.
  [[nodiscard]] double off(const std::vector<bool>& active) const {
    double most = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (active[r]) most = std::max(most, std::abs(rows_[r].value));
    return most;
  }

  // Lets go the wall that pulls most; else takes up the node that is farthest beyond a wall.
  bool change_contacts(std::vector<bool>& active) const {
    std::size_t worst = rows_.size();
    double least = -1e-9 * (1 + beam_.force.norm());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!active[r] || !rows_[r].wall() || force_[r] >= least) continue;
      least = force_[r];
      worst = r;
    }
    if (worst < rows_.size()) {
      active[worst] = false;
      return true;
    }
    double deepest = -kBreach;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (active[r] || rows_[r].value >= deepest) continue;
      deepest = rows_[r].value;
      worst = r;
    }
    if (worst == rows_.size()) return false;
    active[worst] = true;
    return true;
  }

  void measure(Polished& result, const std::vector<bool>& active) const {
    const Eigen::VectorXd gradient = linkage_gradient(beam_, now_.angles, node_forces(beam_, rows_, force_));
    result.kkt = gradient.lpNorm<Eigen::Infinity>();
    result.breach = result.off_tip = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].wall())
        result.breach = std::max(result.breach, -rows_[r].value);
      else
        result.off_tip = std::max(result.off_tip, std::abs(rows_[r].value));
    }
    result.configuration = now_;
    result.rows = rows_;
    result.force = force_;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (!active[r]) result.force[r] = 0;
  }

  // The second derivative is positive on all motions that keep the contacts.
  [[nodiscard]] bool stable(const std::vector<bool>& active) const {
    std::vector<Eigen::VectorXd> held;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (active[r]) held.push_back(row_gradient(beam_, now_.angles, rows_[r]));
    const Eigen::MatrixXd hessian = hessian_with(force_, 0);
    const int n = unknowns();
    const int m = static_cast<int>(held.size());
    if (m >= n) return true;
    Eigen::MatrixXd free = hessian;
    if (m > 0) {
      Eigen::MatrixXd columns(n, m);
      for (int i = 0; i < m; ++i) columns.col(i) = held[at(i)];
      const Eigen::MatrixXd z = math::complement(columns);
      free = z.transpose() * hessian * z;
    }
    return math::is_definite(free);
  }

  const Passage& passage_;
  const Beam& beam_;
  double tolerance_ = 0;
  double penalty_ = 0;
  double tie_ = 0;
  const std::vector<Vec2>* ties_ = nullptr;
  Configuration now_;
  std::vector<Row> rows_;
  std::vector<double> force_;
  int iterations_ = 0;
};

}  // namespace

Polished polish(const Passage& passage, const Beam& beam, const std::vector<double>& angles,
                const std::vector<Vec2>& ties) {
  return Polisher(passage, beam).run(angles, ties);
}

std::vector<Vec2> node_forces(const Beam& beam, const std::vector<Row>& rows, const std::vector<double>& force) {
  std::vector<Vec2> forces(at(beam.links + 1), Vec2::Zero());
  for (std::size_t r = 0; r < rows.size(); ++r) forces[at(rows[r].node)] += force[r] * rows[r].gradient;
  return forces;
}

}  // namespace filum::channel
