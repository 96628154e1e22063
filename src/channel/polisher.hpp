// From a linkage near an equilibrium to the equilibrium between the exact walls: one method for the plane and for space.
//
// Unknowns are the directions of the links, so links keep their length. First an augmented Lagrangian (Powell,
// Hestenes, Rockafellar) with a damped Newton's method goes downhill and finds which nodes press on which wall; then
// Newton's method on the equations with just these contacts ends quadratically, taking up nodes that cross a wall and
// letting go nodes that a wall would have to hold. Multipliers of the rows are the forces of walls and tip.
//
// A wall that gives has the stiffness 1/give: its force is no multiplier but −c/give. Friction has no energy to go down:
// the equilibrium without it is found first and followed as the coefficient grows to its value.
//
// A Model has the types Configuration, Row, Vector, Matrix and the functions used here: rows, energy, gradient, hessian,
// pulled_back (a force on a node as moments of the links), move, forward.
#pragma once

#include "base/index.hpp"
#include "channel/wall_row.hpp"
#include "math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filum::channel {

template <class Model>
struct PolishedIn {
  bool converged = false;
  bool stable = false;  // a minimum to second order with the pressing contacts kept
  std::string why;
  typename Model::Configuration configuration;
  std::vector<typename Model::Row> rows;
  std::vector<double> force;  // multiplier of each row, scaled by EI/L²
  double kkt = 0;             // largest unbalanced moment of a link, EI/L
  double breach = 0;          // of rigid walls, scaled
  double off_tip = 0;         // of a pushed tip
  int iterations = 0;
};

inline constexpr double kBreach = 1e-11;     // of walls and tip, in the beam's length: far below what is promised (1e-9)
inline constexpr double kLargestTurn = 0.2;  // of a link in one iteration, rad
inline constexpr double kTie = 1e5;          // stiffness of the first ties, EI/L³
inline constexpr int kMaxInner = 80;
inline constexpr int kMaxOuter = 40;
inline constexpr double kLeastFrictionStep = 1e-3;  // of the way from none to all of it

template <class Model>
class Polisher {
 public:
  using Configuration = typename Model::Configuration;
  using Row = typename Model::Row;
  using Vector = typename Model::Vector;
  using Matrix = typename Model::Matrix;
  using Result = PolishedIn<Model>;

  explicit Polisher(const Model& model) : model_(model) {
    // what counts as balanced: round-off of the largest moments around
    tolerance_ = 1e-10 * (1 + model.load() + model.joint_moment());
  }

  // From anywhere near. Ties may be given for all nodes, as of a lattice whose links are not quite of equal length: the
  // linkage is first tied to them and then let go.
  Result run(const Configuration& start, const std::vector<Vector>& ties) {
    Result result;
    ties_ = &ties;
    now_ = start;
    friction_ = 0;
    rows_ = model_.rows(now_, friction_);
    force_.assign(rows_.size(), 0.0);
    descend();
    finish(result);
    if (result.converged && model_.friction() > 0) rub(result);
    result.iterations = iterations_;
    return result;
  }

  // From an equilibrium at a load hardly different, its contacts kept until they have to change: stays on its branch or
  // does not converge.
  Result follow(const Result& from) {
    Result result;
    ties_ = nullptr;
    now_ = model_.moved(from.configuration, Eigen::VectorXd::Zero(model_.unknowns()));
    force_ = from.force;
    friction_ = 1;
    rows_ = model_.rows(now_, friction_);
    active_ = pressing();
    result.converged = balance(result, 40) && model_.forward(now_);
    result.stable = result.converged && stable();
    result.iterations = iterations_;
    return result;
  }

 private:
  // ---- augmented Lagrangian ----

  // Force of a row in the augmented Lagrangian: λ − ρ c, never pulling at a wall.
  [[nodiscard]] double augmented(std::size_t r, const std::vector<Row>& rows) const {
    const Row& row = rows[r];
    const double value = row.give > 0 ? -row.value / row.give : force_[r] - penalty_ * row.value;
    return row.wall() ? std::max(0.0, value) : value;
  }

  [[nodiscard]] double merit(const Configuration& configuration, const std::vector<Row>& rows) const {
    double sum = model_.energy(configuration);
    if (tie_ > 0)
      for (std::size_t i = 0; i < ties_->size(); ++i)
        sum += 0.5 * tie_ * (configuration.nodes[i] - (*ties_)[i]).squaredNorm();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double value = augmented(r, rows);
      sum += rows[r].give > 0 ? 0.5 * rows[r].give * value * value
                              : (value * value - force_[r] * force_[r]) / (2 * penalty_);
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
      minimise(outer == 0 ? 1e-3 : giving() ? 1e-9 : 1e-6);
      // the multipliers take over what the penalty carried
      double off = 0;
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r].give == 0) off = std::max(off, rows_[r].wall() ? -rows_[r].value : std::abs(rows_[r].value));
        force_[r] = augmented(r, rows_);
      }
      // walls that give are met by their own energy, the better the lower
      if (off < 1e-8 && (outer > 0 || !giving())) return;
      if (off > 0.25 * before) penalty_ = std::min(1e10, 4 * penalty_);
      before = off;
    }
  }

  [[nodiscard]] bool giving() const { return !rows_.empty() && rows_.front().give > 0; }

  // Damped Newton on the augmented Lagrangian.
  void minimise(double tolerance) {
    for (int inner = 0; inner < kMaxInner; ++inner) {
      ++iterations_;
      std::vector<double> pressed(rows_.size());
      for (std::size_t r = 0; r < rows_.size(); ++r) pressed[r] = augmented(r, rows_);
      const Eigen::VectorXd gradient = model_.gradient(now_, forces_with(pressed));
      if (gradient.lpNorm<Eigen::Infinity>() < tolerance * (1 + model_.load())) return;
      const Eigen::MatrixXd hessian = hessian_with(pressed, Rows::Stiff);
      const Eigen::VectorXd step = newton_step(hessian, gradient);
      if (!line_search(step, gradient)) return;
    }
  }

  // Which rows that press resist being pressed more, in the second derivative.
  enum class Rows { None, Giving, Stiff };

  // Second derivative with these forces on the rows.
  [[nodiscard]] Eigen::MatrixXd hessian_with(const std::vector<double>& pressed, Rows which) const {
    std::vector<Matrix> stiffness(at(model_.nodes()), Matrix(tie_ * Matrix::Identity()));
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (pressed[r] == 0) continue;
      const Row& row = rows_[r];
      double resists = 0;
      if (row.give > 0)
        resists = which != Rows::None ? 1 / row.give : 0;
      else if (which == Rows::Stiff)
        resists = penalty_;
      stiffness[at(row.node)] += resists * row.push * row.gradient.transpose() - pressed[r] * row.turn;
    }
    return model_.hessian(now_, forces_with(pressed), stiffness);
  }

  // On the nodes, ties included.
  [[nodiscard]] std::vector<Vector> forces_with(const std::vector<double>& pressed) const {
    std::vector<Vector> forces = node_forces(model_.nodes(), rows_, pressed);
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
    for (double share = 1; share > 1e-9; share *= 0.5) {
      Configuration trial = model_.moved(now_, share * step);
      // links lead forward: a beam that folds back would leave the set that was searched
      if (!model_.forward(trial)) continue;
      std::vector<Row> rows = model_.rows(trial, friction_);
      // downhill, or as level as round-off
      if (merit(trial, rows) <= start + 1e-4 * share * slope + 1e-13 * std::abs(start)) {
        now_ = std::move(trial);
        rows_ = std::move(rows);
        return true;
      }
    }
    return false;
  }

  // ---- Newton with the contacts found ----

  // Rows that press, and those of the tip.
  [[nodiscard]] std::vector<bool> pressing() const {
    std::vector<bool> active(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) active[r] = !rows_[r].wall() || force_[r] > 0;
    return active;
  }

  // Newton's method until forces balance and no contact has to change.
  bool balance(Result& result, int most) {
    for (int iteration = 0; iteration < most; ++iteration) {
      ++iterations_;
      const double size = newton_with_contacts();
      if (!(size < 1e3)) return false;
      measure(result);
      if (result.kkt > tolerance_ || off() > kBreach) continue;
      if (!change_contacts()) return true;
    }
    return false;
  }

  void finish(Result& result) {
    active_ = pressing();
    const Configuration kept = now_;
    const std::vector<double> kept_force = force_;
    if (balance(result, 100)) {
      result.converged = true;
      result.stable = stable();
      return;
    }
    // it ran away or went round in circles: the descent's own answer
    now_ = kept;
    rows_ = model_.rows(now_, friction_);
    force_ = kept_force;
    active_ = pressing();
    measure(result);
    result.converged = result.kkt <= 1e-6 * (1 + model_.load()) && result.breach <= 1e-9 && result.off_tip <= 1e-9 &&
                       apart() <= 1e-9;
    if (!result.converged) result.why = "the contacts with the walls did not settle";
    result.stable = result.converged && stable();
  }

  // Friction grows from none to its value, and the shape follows.
  void rub(Result& result) {
    double step = 1;
    for (double share = 0; share < 1;) {
      const Configuration kept = now_;
      const std::vector<double> kept_force = force_;
      const std::vector<bool> kept_active = active_;
      const double next = std::min(1.0, share + step);
      friction_ = next;
      rows_ = model_.rows(now_, friction_);
      if (balance(result, 60) && model_.forward(now_)) {
        share = next;
        step *= 2;
        continue;
      }
      now_ = kept;
      force_ = kept_force;
      active_ = kept_active;
      step *= 0.5;
      if (step >= kLeastFrictionStep) continue;
      friction_ = share;
      rows_ = model_.rows(now_, friction_);
      measure(result);
      result.converged = result.stable = false;
      result.why = "no equilibrium near the one without friction: it is lost at " +
                   std::to_string(share * model_.friction()) + " of the coefficient";
      return;
    }
    result.stable = stable();
  }

  // One step of Newton's method on balance and contacts; returns its size.
  double newton_with_contacts() {
    std::vector<std::size_t> held;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (active_[r])
        held.push_back(r);
      else
        force_[r] = 0;
    }
    const int n = model_.unknowns();
    const int m = static_cast<int>(held.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd right(n + m);
    matrix.topLeftCorner(n, n) = hessian_with(force_, Rows::None);
    matrix.diagonal().head(n).array() += model_.shift();
    for (int i = 0; i < m; ++i) {
      const Row& row = rows_[held[at(i)]];
      matrix.block(0, n + i, n, 1) = -model_.pulled_back(now_, row.node, row.push);
      matrix.block(n + i, 0, 1, n) = model_.pulled_back(now_, row.node, row.gradient).transpose();
      matrix(n + i, n + i) = row.give;
      right[n + i] = -row.value;
    }
    right.head(n) = -model_.gradient(now_, std::vector<Vector>(at(model_.nodes()), Vector(Vector::Zero())));
    const Eigen::VectorXd solution = math::solve(matrix, right);
    if (!solution.allFinite()) return 1e9;
    // a long step is shortened, the forces are then those of its end
    const double size = solution.head(n).template lpNorm<Eigen::Infinity>();
    const double share = std::min(1.0, kLargestTurn / std::max(size, 1e-300));
    now_ = model_.moved(now_, share * solution.head(n));
    rows_ = model_.rows(now_, friction_);
    for (int i = 0; i < m; ++i) force_[held[at(i)]] = solution[n + i];
    return size;
  }

  // Largest error of the rows that are held.
  [[nodiscard]] double off() const {
    double most = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (active_[r]) most = std::max(most, std::abs(rows_[r].value + rows_[r].give * force_[r]));
    return most;
  }

  // Largest distance of a rigid wall that presses all the same: a descent that got stuck may leave forces behind.
  [[nodiscard]] double apart() const {
    double most = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (active_[r] && rows_[r].wall() && rows_[r].give == 0) most = std::max(most, rows_[r].value);
    return most;
  }

  // Lets go the wall that pulls most; else takes up the node that is farthest beyond a wall.
  bool change_contacts() {
    if (giving()) return change_giving();
    std::size_t worst = rows_.size();
    double least = -1e-9 * (1 + model_.load());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!active_[r] || !rows_[r].wall() || force_[r] >= least) continue;
      least = force_[r];
      worst = r;
    }
    if (worst < rows_.size()) {
      active_[worst] = false;
      return true;
    }
    double deepest = -kBreach;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (active_[r] || rows_[r].value >= deepest) continue;
      deepest = rows_[r].value;
      worst = r;
    }
    if (worst == rows_.size()) return false;
    active_[worst] = true;
    return true;
  }

  // Of walls that give all at once: what presses is what is beyond them.
  bool change_giving() {
    bool changed = false;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const bool presses = !rows_[r].wall() || rows_[r].value < (active_[r] ? kBreach : -kBreach);
      changed = changed || presses != active_[r];
      active_[r] = presses;
    }
    return changed;
  }

  void measure(Result& result) const {
    result.force = force_;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (!active_[r]) result.force[r] = 0;
    result.kkt = model_.gradient(now_, node_forces(model_.nodes(), rows_, result.force))
                     .template lpNorm<Eigen::Infinity>();
    result.breach = result.off_tip = 0;
    for (const Row& row : rows_) {
      if (!row.wall())
        result.off_tip = std::max(result.off_tip, std::abs(row.value));
      else if (row.give == 0)
        result.breach = std::max(result.breach, -row.value);
    }
    result.configuration = now_;
    result.rows = rows_;
  }

  // The second derivative is positive on all motions that keep the contacts. Friction makes it unsymmetric: then its
  // symmetric part, the second-order work, which is more than is needed [Hill1958].
  [[nodiscard]] bool stable() const {
    std::vector<Eigen::VectorXd> held;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (active_[r] && rows_[r].give == 0) held.push_back(model_.pulled_back(now_, rows_[r].node, rows_[r].gradient));
    Eigen::MatrixXd free = hessian_with(force_, Rows::Giving);
    free = (0.5 * (free + free.transpose())).eval();
    const int n = model_.unknowns();
    const int m = static_cast<int>(held.size());
    if (m >= n) return true;
    if (m > 0) {
      Eigen::MatrixXd columns(n, m);
      for (int i = 0; i < m; ++i) columns.col(i) = held[at(i)];
      const Eigen::MatrixXd z = math::complement(columns);
      free = (z.transpose() * free * z).eval();
    }
    // a motion that costs nothing, as of a beam that may turn about the axis of its tube, is round-off
    free.diagonal().array() += 1e-9 * model_.joint_moment();
    return math::is_definite(free);
  }

  const Model& model_;
  double tolerance_ = 0;
  double penalty_ = 0;
  double tie_ = 0;
  double friction_ = 0;  // share of the coefficient that acts
  const std::vector<Vector>* ties_ = nullptr;
  Configuration now_;
  std::vector<Row> rows_;
  std::vector<double> force_;
  std::vector<bool> active_;
  int iterations_ = 0;
};

}  // namespace filum::channel
