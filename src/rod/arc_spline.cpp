#include "rod/arc_spline.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace filum::rod {
namespace {

// Gauss-Legendre, ten points on [−1, 1]: positive nodes and their weights (Abramowitz & Stegun, table 25.4).
constexpr std::array<std::pair<double, double>, 5> kGauss{{
    {0.1488743389816312108848260, 0.2955242247147528701738930},
    {0.4333953941292471907992659, 0.2692667193099963550912269},
    {0.6794095682990244062343274, 0.2190863625159820439955349},
    {0.8650633666889845107320967, 0.1494513491505805931457763},
    {0.9739065285171717200779640, 0.0666713443086881375935688},
}};

// A cell is split until both halves agree with the whole to this share of it; a cusp stops the splitting at kMaxDepth.
constexpr double kCellTolerance = 1e-14;
constexpr int kMaxDepth = 30;
// Inversion: error in s as a share of the cell; Newton needs three or four rounds, bisection at a cusp up to fifty.
constexpr double kInversionTolerance = 2e-15;
constexpr int kMaxNewton = 60;

// Thomas algorithm for a diagonally dominant tridiagonal system; `rhs` becomes the solution. lower[0], upper.back()
// unused.
template <class Value>
void solve_tridiagonal(std::span<const double> lower, std::span<const double> diagonal, std::span<const double> upper,
                       std::vector<Value>& rhs) {
  const std::size_t n = rhs.size();
  std::vector<double> ratio(n);
  double pivot = diagonal[0];
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) {
      pivot = diagonal[i] - lower[i] * ratio[i - 1];
      rhs[i] -= lower[i] * rhs[i - 1];
    }
    rhs[i] /= pivot;
    ratio[i] = upper[i] / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) rhs[i] -= ratio[i] * rhs[i + 1];
}

}  // namespace

ArcSpline::ArcSpline(std::vector<Vec3> points, bool periodic) : points_(std::move(points)) {
  FILUM_ASSERT(points_.size() >= 2);
  // chord-length parameter
  for (std::size_t i = 1; i < points_.size(); ++i) chord_.push_back((points_[i] - points_[i - 1]).norm());

  // second derivatives that make dp/du continuous
  second_.assign(points_.size(), Vec3::Zero());
  if (periodic) {
    FILUM_ASSERT(points_.size() >= 4);
    solve_periodic();
  } else if (points_.size() > 2) {
    solve_natural();
  }

  measure();
}

ArcSpline::ArcSpline(const CubicBasis& basis, std::vector<Vec3> control)
    : basis_(basis), breaks_(basis.breaks()), control_(std::move(control)) {
  FILUM_ASSERT(static_cast<int>(control_.size()) == basis.points());
  for (std::size_t k = 1; k < breaks_.size(); ++k) chord_.push_back(breaks_[k] - breaks_[k - 1]);
  for (std::size_t k = 0; k < chord_.size(); ++k) points_.push_back(blended(k, 0, 0));
  points_.push_back(blended(chord_.size() - 1, 1, 0));
  measure();
}

// The table of arc lengths.
void ArcSpline::measure() {
  cell_arc_.assign(1, 0.0);
  for (std::size_t span = 0; span < chord_.size(); ++span) {
    const double arc = arc_between(span, 0, 1);
    const double chord = basis_ ? (points_[span + 1] - points_[span]).norm() : chord_[span];
    add_cells(span, 0, 1, arc, kCellTolerance * std::max(arc, chord), 0);
  }
}

// Row i: h_{i−1} m_{i−1} + 2(h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 (d_i − d_{i−1}), d the chord slopes [de Boor, ch.
// IV].
void ArcSpline::solve_natural() {
  const std::size_t n = points_.size() - 2;
  std::vector<double> lower(n), diagonal(n), upper(n);
  std::vector<Vec3> rhs(n);
  for (std::size_t row = 0; row < n; ++row) {
    const std::size_t i = row + 1;
    const double before = chord_[i - 1];
    const double after = chord_[i];
    lower[row] = before;
    diagonal[row] = 2 * (before + after);
    upper[row] = after;
    rhs[row] = 6 * ((points_[i + 1] - points_[i]) / after - (points_[i] - points_[i - 1]) / before);
  }
  solve_tridiagonal(lower, diagonal, upper, rhs);
  std::copy(rhs.begin(), rhs.end(), second_.begin() + 1);
}

// The same rows for all points but the last, with indices around the ring; the two corner entries are a rank-one change
// of a tridiagonal matrix (Sherman-Morrison; Press et al., «Numerical Recipes», cyclic tridiagonal systems).
void ArcSpline::solve_periodic() {
  const std::size_t n = points_.size() - 1;
  std::vector<double> lower(n), diagonal(n), upper(n), border(n, 0.0);
  std::vector<Vec3> rhs(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t previous = i == 0 ? n - 1 : i - 1;
    const double before = chord_[previous];
    const double after = chord_[i];
    lower[i] = before;
    diagonal[i] = 2 * (before + after);
    upper[i] = after;
    rhs[i] = 6 * ((points_[i + 1] - points_[i]) / after - (points_[i] - points_[previous]) / before);
  }

  // split off the corners: matrix = tridiagonal + border ⊗ (1, 0, …, 0, corner/gamma)
  const double corner = lower[0];
  const double gamma = -diagonal[0];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= corner * corner / gamma;
  border[0] = gamma;
  border[n - 1] = corner;
  solve_tridiagonal<Vec3>(lower, diagonal, upper, rhs);
  solve_tridiagonal<double>(lower, diagonal, upper, border);
  const Vec3 amount = (rhs[0] + corner / gamma * rhs[n - 1]) / (1 + border[0] + corner / gamma * border[n - 1]);
  for (std::size_t i = 0; i < n; ++i) second_[i] = rhs[i] - border[i] * amount;
  second_[n] = second_[0];
}

BasisAt ArcSpline::basis_at(std::size_t span, double b) const {
  // the end of a span still belongs to it
  const double u = breaks_[span] + b * chord_[span];
  return basis_->at(b < 1 ? u : std::nextafter(breaks_[span + 1], breaks_[span]));
}

Vec3 ArcSpline::blended(std::size_t span, double b, std::size_t order) const {
  const BasisAt basis = basis_at(span, b);
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < 4; ++i)
    sum += basis.derivative[order][i] * control_[static_cast<std::size_t>(basis.first) + i];
  return sum;
}

Vec3 ArcSpline::value(std::size_t span, double b) const {
  if (basis_) return blended(span, b, 0);
  const double h = chord_[span];
  const double a = 1 - b;
  return a * points_[span] + b * points_[span + 1] +
         h * h / 6 * ((a * a * a - a) * second_[span] + (b * b * b - b) * second_[span + 1]);
}

Vec3 ArcSpline::slope(std::size_t span, double b) const {
  if (basis_) return blended(span, b, 1);
  const double h = chord_[span];
  const double a = 1 - b;
  return (points_[span + 1] - points_[span]) / h +
         h / 6 * ((3 * b * b - 1) * second_[span + 1] - (3 * a * a - 1) * second_[span]);
}

double ArcSpline::arc_between(std::size_t span, double b0, double b1) const {
  const double middle = (b0 + b1) / 2;
  const double half = (b1 - b0) / 2;
  double sum = 0;
  for (const auto& [node, weight] : kGauss)
    sum += weight * (slope(span, middle - half * node).norm() + slope(span, middle + half * node).norm());
  return half * sum * chord_[span];
}

// Halves [b0, b1] until one Gauss rule, `arc`, agrees with two.
void ArcSpline::add_cells(std::size_t span, double b0, double b1, double arc, double tolerance, int depth) {
  const double middle = (b0 + b1) / 2;
  const double first = arc_between(span, b0, middle);
  const double second = arc_between(span, middle, b1);
  if (depth < kMaxDepth && std::abs(first + second - arc) > tolerance) {
    add_cells(span, b0, middle, first, tolerance, depth + 1);
    add_cells(span, middle, b1, second, tolerance, depth + 1);
    return;
  }
  cells_.push_back({span, b0, b1});
  cell_arc_.push_back(cell_arc_.back() + arc);
}

ArcSpline::Place ArcSpline::place(double s) const {
  // the cell that holds s
  const auto above = std::upper_bound(cell_arc_.begin() + 1, cell_arc_.end() - 1, s);
  const auto index = static_cast<std::size_t>(above - cell_arc_.begin()) - 1;
  const auto [span, b0, b1] = cells_[index];
  const double arc = cell_arc_[index + 1] - cell_arc_[index];
  const double wanted = std::clamp(s - cell_arc_[index], 0.0, arc);

  // Newton on arc(b0, b) = wanted from the proportional guess, bisection where it leaves the bracket
  double low = b0;
  double high = b1;
  double b = arc > 0 ? b0 + (b1 - b0) * (wanted / arc) : b0;
  for (int iteration = 0; iteration < kMaxNewton; ++iteration) {
    const double error = arc_between(span, b0, b) - wanted;
    if (std::abs(error) <= kInversionTolerance * arc) break;
    (error > 0 ? high : low) = b;
    const double speed = slope(span, b).norm() * chord_[span];
    const double next = speed > 0 ? b - error / speed : low;
    b = next > low && next < high ? next : (low + high) / 2;
  }
  return {span, b};
}

double ArcSpline::blend(const std::vector<double>& values, double s) const {
  const auto [span, b] = place(s);
  const BasisAt basis = basis_at(span, b);
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += basis.derivative[0][i] * values[static_cast<std::size_t>(basis.first) + i];
  return sum;
}

CurveSample ArcSpline::at(double s) const {
  const auto [span, b] = place(s);
  // at a cusp the slope vanishes: the chord stands in for it
  const Vec3 direction = slope(span, b);
  const Vec3 chord = points_[span + 1] - points_[span];
  return {value(span, b), direction.norm() > 1e-12 ? direction.normalized() : chord.normalized()};
}

}  // namespace filum::rod
