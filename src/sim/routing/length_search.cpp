#include "sim/routing/length_search.hpp"

#include "base/index.hpp"
#include "math/dense.hpp"
#include "sim/routing/part_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace filum::sim {

namespace {

using Vector = Eigen::VectorXd;

constexpr double kMostChange = 0.35;      // of ln ℓ in one step
constexpr double kFirstChange = 1e-3;     // of ln ℓ where nothing is known yet
constexpr double kWholeTolerance = 1e-7;  // of the residual, where the rod changes evenly as a whole
constexpr double kPartTolerance = 1e-4;   // in parts: segments are shared anew, and the residual leaps a little
constexpr double kSameLength = 1e-9;      // in ln ℓ
constexpr double kTaut = 10;              // a residual above this is that of a taut part
constexpr int kMostTrials = 60;

double measured(const PartForce& force, PartMeasure measure) {
  switch (measure) {
    case PartMeasure::Configurational:
      return force.configurational;
    case PartMeasure::MeanTension:
      return force.tension;
    case PartMeasure::LargestTension:
      return force.largest_tension;
    case PartMeasure::StraightTension:
      break;
  }
  return force.straight_tension;
}

// The lengths as they stand and what they lead to.
class Search {
 public:
  Search(LivingScene& living, const Targets& next, std::vector<SoughtPart>& parts, const Progress& progress)
      : living_(living), next_(next), parts_(parts), progress_(progress) {}

  // At the present lengths. False: no equilibrium.
  bool begin() {
    if (!settle()) return false;
    read();
    return true;
  }

  // At other lengths; false: there is no equilibrium there, and everything is as it was.
  bool move(const Vector& wanted) {
    const Vector before = x_;
    std::unique_ptr<State> kept = living_.keep();
    ++trials_;
    apply(wanted);
    if (settle()) {
      read();
      return true;
    }
    apply(before);
    // unless rods have changed in parts, and the model with them, the old state is the one to go back to
    if (!in_parts()) living_.go_back_to(std::move(kept));
    settle();
    return false;
  }

  [[nodiscard]] const Vector& x() const { return x_; }
  [[nodiscard]] const Vector& f() const { return f_; }
  // What turns f dx into energy.
  [[nodiscard]] const Vector& weight() const { return weight_; }
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(parts_.size()); }
  [[nodiscard]] bool may_go_on() const { return trials_ < kMostTrials && !report_.stopped; }
  [[nodiscard]] SoughtPart& part(Eigen::Index k) const { return parts_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] double low(Eigen::Index k) const { return std::log(part(k).shortest); }
  [[nodiscard]] double high(Eigen::Index k) const { return std::log(std::max(part(k).longest, part(k).shortest)); }
  [[nodiscard]] double tolerance(Eigen::Index k) const {
    return scene::is_whole(living_.scene().rods[at(part(k).rod)], part(k).part) ? kWholeTolerance : kPartTolerance;
  }
  // A bound keeps it from changing as it would.
  [[nodiscard]] bool at_bound(Eigen::Index k) const {
    return (f_[k] < 0 && x_[k] <= low(k) + kSameLength) || (f_[k] > 0 && x_[k] >= high(k) - kSameLength);
  }
  // Change of ln ℓ that a taut part asks for.
  [[nodiscard]] double taut_change(Eigen::Index k) const {
    const SoughtPart& sought = part(k);
    const double EA = part_stiffness(living_.scene(), living_.scene().rods[at(sought.rod)], sought.part).EA;
    return std::log1p(std::max(sought.force - sought.pull, 0.0) / EA);
  }
  SolveReport& report() { return report_; }

 private:
  [[nodiscard]] bool in_parts() const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const SoughtPart& each) {
      return !scene::is_whole(living_.scene().rods[at(each.rod)], each.part);
    });
  }

  bool settle() {
    const SolveReport found = living_.settle(next_, progress_);
    const int iterations = report_.iterations + found.iterations;
    const int steps = report_.load_steps + found.load_steps;
    const bool stopped = report_.stopped;
    report_ = found;
    report_.iterations = iterations;
    report_.load_steps = steps;
    if (!stopped) return found.converged;
    // whatever the way back has found: the search was stopped
    report_.stopped = true;
    report_.converged = false;
    report_.why = kStopped;
    return false;
  }

  void apply(const Vector& wanted) {
    std::vector<PartLength> lengths;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      lengths.push_back({parts_[k].rod, parts_[k].part, std::exp(wanted[static_cast<Eigen::Index>(k)])});
    if (!living_.set_lengths(lengths)) return;
    for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k].part = lengths[k].part;
  }

  void read() {
    const Pose pose = living_.pose();
    x_.resize(size());
    f_.resize(size());
    weight_.resize(size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      SoughtPart& sought = part(k);
      const Rod& rod = living_.scene().rods[at(sought.rod)];
      const PartForce force = part_force(living_.scene(), rod, pose.rods[at(sought.rod)], sought.part);
      sought.force = measured(force, sought.measure);
      const double length = sought.part.length();
      const double EI = part_stiffness(living_.scene(), rod, sought.part).EI;
      x_[k] = std::log(length);
      weight_[k] = (sought.pull + EI / (length * length)) * length;
      f_[k] = (sought.force - sought.pull) * length / weight_[k];
    }
  }

  LivingScene& living_;
  const Targets& next_;
  std::vector<SoughtPart>& parts_;
  const Progress& progress_;
  SolveReport report_;
  Vector x_;
  Vector f_;
  Vector weight_;
  int trials_ = 0;
};

// What became of a part.
void judge(const Search& search, Eigen::Index k, bool found) {
  LengthVerdict verdict = found ? LengthVerdict::Found : LengthVerdict::Failed;
  if (search.at_bound(k)) verdict = search.f()[k] < 0 ? LengthVerdict::Shortest : LengthVerdict::Longest;
  search.part(k).verdict = verdict;
}

// A place on the curve of one part.
struct Point {
  double x = 0;
  double f = 0;
};

// Where a straight line through two of them meets zero, if it falls. Of a part that is too short f is convex, and such
// a line never leads beyond the root; across the root asinh f tames the step from slack to taut.
std::optional<double> root_through(const Point& a, const Point& b) {
  const bool short_of_it = a.f > 0 && b.f > 0;
  const double before = short_of_it ? a.f : std::asinh(a.f);
  const double after = short_of_it ? b.f : std::asinh(b.f);
  const double slope = (after - before) / (b.x - a.x);
  if (!(slope < 0)) return std::nullopt;
  return b.x - after / slope;
}

// All parts that change by one factor, as one: the mean of ln ℓ and of the residuals.
class Common {
 public:
  explicit Common(Search& search) : search_(search) {}
  [[nodiscard]] Point now() const { return {search_.x().mean(), search_.f().mean()}; }
  bool move(double x) { return search_.move((search_.x().array() + (x - search_.x().mean())).matrix()); }
  // As far as every part may go.
  [[nodiscard]] double low() const {
    double room = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < search_.size(); ++k) room = std::min(room, search_.x()[k] - search_.low(k));
    return search_.x().mean() - room;
  }
  [[nodiscard]] double high() const {
    double room = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < search_.size(); ++k) room = std::min(room, search_.high(k) - search_.x()[k]);
    return search_.x().mean() + room;
  }
  [[nodiscard]] bool at_bound() const {
    const auto [x, f] = now();
    return (f < 0 && x <= low() + kSameLength) || (f > 0 && x >= high() - kSameLength);
  }
  [[nodiscard]] double tolerance() const {
    double least = kPartTolerance;
    for (Eigen::Index k = 0; k < search_.size(); ++k) least = std::min(least, search_.tolerance(k));
    return least;
  }
  [[nodiscard]] double taut_change() const {
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < search_.size(); ++k) least = std::min(least, search_.taut_change(k));
    return least;
  }

 private:
  Search& search_;
};

// A factor for all parts at which their residuals vanish on average, within their bounds. `slope`: that of before, or
// zero. True: found.
bool find_factor(Search& search, double& slope) {
  Common common(search);
  std::optional<Point> above;  // f > 0: too short
  std::optional<Point> below;
  std::optional<Point> last;
  double step = kFirstChange;
  double limit = kMostChange;
  while (true) {
    const Point now = common.now();
    (now.f > 0 ? above : below) = now;
    if (std::abs(now.f) <= common.tolerance()) return true;
    if (above && below && below->x - above->x < kSameLength) return true;
    if (last && std::abs(now.f) < kSameLength * std::abs(slope)) return true;
    if (common.at_bound() || !search.may_go_on()) return false;

    // the next one: by the slope of before, by the last two, or a step the right way
    double wanted = now.x + (now.f > 0 ? std::max(step, common.taut_change()) : -step);
    if (last) wanted = root_through(*last, now).value_or(wanted);
    if (!last && now.f > kTaut) wanted = now.x + common.taut_change();
    if (!last && now.f <= kTaut && slope < 0) wanted = now.x - now.f / slope;
    wanted = std::clamp(wanted, now.x - limit, now.x + limit);
    if ((wanted - now.x) * now.f <= 0) wanted = now.x + (now.f > 0 ? step : -step);
    const bool slow = last && std::abs(now.f) > 0.5 * std::abs(last->f);
    if (above && below && (slow || wanted <= above->x || wanted >= below->x)) wanted = 0.5 * (above->x + below->x);
    wanted = std::clamp(wanted, common.low(), common.high());
    if (common.move(wanted)) {
      const Point then = common.now();
      if (then.x != now.x) slope = (then.f - now.f) / (then.x - now.x);
      last = now;
      step = std::min(4 * std::abs(wanted - now.x), kMostChange);
    } else if ((limit = 0.25 * std::abs(wanted - now.x)) < kSameLength) {
      return false;
    }
  }
}

// Several parts at once.
class Together {
 public:
  Together(Search& search, Eigen::MatrixXd& slopes) : search_(search), slopes_(slopes) {}

  void run() {
    bool fresh = false;
    if (slopes_.rows() != search_.size()) fresh = differences();
    bool found = arrived();
    while (!found && search_.may_go_on()) {
      if (step()) {
        fresh = false;
      } else if (fresh || !(fresh = differences())) {
        break;
      }
      found = arrived();
    }
    for (Eigen::Index k = 0; k < search_.size(); ++k)
      judge(search_, k, found || std::abs(search_.f()[k]) < 10 * search_.tolerance(k));
  }

 private:
  [[nodiscard]] bool free(Eigen::Index k) const { return !search_.at_bound(k); }

  [[nodiscard]] bool arrived() const {
    for (Eigen::Index k = 0; k < search_.size(); ++k)
      if (free(k) && std::abs(search_.f()[k]) > search_.tolerance(k)) return false;
    return true;
  }

  [[nodiscard]] double merit() const {
    double sum = 0;
    for (Eigen::Index k = 0; k < search_.size(); ++k)
      if (free(k)) sum += std::pow(std::asinh(search_.f()[k]), 2);
    return sum;
  }

  // The matrix anew, one part a little longer at a time.
  bool differences() {
    constexpr double kChange = 3e-3;
    const Vector x = search_.x();
    const Vector f = search_.f();
    slopes_.resize(search_.size(), search_.size());
    for (Eigen::Index k = 0; k < search_.size(); ++k) {
      Vector moved = x;
      moved[k] += kChange;
      if (!search_.move(moved)) return false;
      slopes_.col(k) = (search_.f() - f) / kChange;
    }
    return search_.move(x);
  }

  // Where Newton would go from here, as far as bounds allow.
  [[nodiscard]] Vector newton() const {
    const Eigen::Index n = search_.size();
    Eigen::MatrixXd matrix = slopes_;
    Vector right = -search_.f();
    for (Eigen::Index k = 0; k < n; ++k) {
      if (free(k)) continue;
      matrix.row(k).setZero();
      matrix(k, k) = 1;
      right[k] = 0;
    }
    const Vector change = math::solve_fully_pivoted(matrix, right);
    // energy and pull must fall along it: d(U + Σ pull ℓ) = −Σ (H − pull) ℓ dx
    const bool falls = change.allFinite() && change.dot(search_.f().cwiseProduct(search_.weight())) > 0;
    return falls ? limited(change) : limited(search_.f());
  }

  static Vector limited(const Vector& change) {
    return change * std::min(1.0, kMostChange / change.cwiseAbs().maxCoeff());
  }

  // One step that lowers the residuals, and what it teaches.
  bool step() {
    Vector change = newton();
    const Vector x = search_.x();
    const Vector f = search_.f();
    const double before = merit();
    for (int tries = 0; tries < 5 && search_.may_go_on(); ++tries, change *= 0.3) {
      Vector wanted = x + change;
      for (Eigen::Index k = 0; k < wanted.size(); ++k)
        wanted[k] = std::clamp(wanted[k], search_.low(k), search_.high(k));
      if (!search_.move(wanted)) continue;
      const Vector moved = search_.x() - x;
      if (moved.squaredNorm() > 0)
        slopes_ += (search_.f() - f - slopes_ * moved) * moved.transpose() / moved.squaredNorm();
      if (merit() < 0.99 * before) return true;
      if (!search_.move(x)) return false;
    }
    return false;
  }

  Search& search_;
  Eigen::MatrixXd& slopes_;
};

}  // namespace

SolveReport find_lengths(LivingScene& living, const Targets& next, std::vector<SoughtPart>& parts,
                         Eigen::MatrixXd& slopes, const Progress& progress) {
  Search search(living, next, parts, progress);
  if (!search.begin() || parts.empty()) return search.report();
  if (parts.size() > 1) {
    Together(search, slopes).run();
    return search.report();
  }
  double slope = slopes.size() == 1 ? slopes(0, 0) : 0;
  const bool found = find_factor(search, slope);
  judge(search, 0, found);
  slopes = Eigen::MatrixXd::Constant(1, 1, slope);
  return search.report();
}

SolveReport scale_lengths(LivingScene& living, const Targets& next, std::vector<SoughtPart>& parts, double accuracy,
                          const Progress& progress) {
  Search search(living, next, parts, progress);
  if (!search.begin()) return search.report();
  double slope = 0;
  find_factor(search, slope);
  for (Eigen::Index k = 0; k < search.size(); ++k) judge(search, k, std::abs(search.f()[k]) < accuracy);
  return search.report();
}

}  // namespace filum::sim
