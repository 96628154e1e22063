#include "formulations/spline/spline_modes.hpp"

#include "base/index.hpp"
#include "formulations/discrete/mode_shape.hpp"
#include "formulations/spline/spline_sample.hpp"
#include "math/block_lanczos.hpp"
#include "math/dense.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::spline {

namespace {

// A motion whose stiffness is below this share of the softest bending of a rod, or within round-off, moves freely.
constexpr double kMovesFreely = 1e-7;
constexpr double kRoundOff = 1e3;
constexpr double kShiftGrowth = 8;
constexpr int kMostShifts = 60;
constexpr int kMostSearches = 3;  // for what the first one missed
// Dimensions of the search: several times what usually suffices.
constexpr int kSearchSpace = 4;
constexpr int kSmallestSpace = 400;

// K x = λ M x, by the largest eigenvalues 1/(λ + σ) of (K + σM)⁻¹ M.
class ModeSearch {
 public:
  ModeSearch(const SplineModel& model, System& system, const SplineState& state, const Targets& targets)
      : model_(model),
        system_(system),
        state_(state),
        targets_(targets),
        rows_(static_cast<int>(system.step().size())) {
    system.set_mass(state, model.nodes.scene->simulation.rotary_inertia);
    for (const double mass : model.control_mass) total_ += mass;
    for (const RodSpline& rod : model.rods) {
      const double length = rod.knots.start(rod.knots.segments());
      const double wave = std::numbers::pi / length;
      for (int k = 0; k < rod.knots.segments(); ++k)
        soft_ = std::min(
            soft_, model.segments[at(rod.first_segment + k)].stiffness.EI.minCoeff() * std::pow(wave, 4) * length);
    }
    noise_ = std::numeric_limits<double>::epsilon() * system.typical_stiffness() *
             static_cast<double>(model.segments.size());
  }

  std::vector<NaturalMode> run(int count, const Progress& progress) {
    if (count <= 0 || !choose_shift()) return {};
    math::BlockLanczos lanczos({rows_, [&](Eigen::VectorXd& x) { apply(x); },
                                [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) { system_.weigh(x, y); }});
    for (int search = 0; search < kMostSearches; ++search) {
      const bool stopped = lanczos.run(count, std::min(rows_, kSearchSpace * count + kSmallestSpace),
                                       [&] { return stops(progress, 0.1 + 0.3 * search, "looking for modes"); });
      if (stopped) return {};
      take(lanczos, count);
      if (complete()) break;
      factor(shift_);
      lanczos.refresh();
    }
    std::vector<NaturalMode> modes;
    for (Eigen::Index k = 0; k < eigenvalue_.size(); ++k) modes.push_back(shape(eigenvalue_[k], vectors_.col(k)));
    return modes;
  }

 private:
  // K + σM, factored; negative directions beyond those of the constraints.
  int factor(double shift) {
    system_.evaluate(state_, targets_, System::Want::TrueTangent);
    system_.add_mass(shift);
    factored_ = system_.factor();
    return system_.excess_negative();
  }

  // x := (K + σM)⁻¹ M x
  void apply(Eigen::VectorXd& x) const {
    Eigen::VectorXd y(x.size());
    system_.weigh(x, y);
    system_.resolve(y.data());
    x = y;
    // multipliers have served their turn
    for (int row = 0; row < rows_; ++row)
      if (!system_.is_primal(row)) x[row] = 0;
  }

  // σ as small as keeps K + σM positive: the frequency at which the whole mass would swing on the softest rod, or so
  // much more that the most unstable motion is among the positive ones.
  bool choose_shift() {
    if (!(total_ > 0)) return false;
    shift_ = std::max(soft_, kRoundOff * noise_) / total_;
    // angles without inertia may have negative directions of their own, which no shift takes away
    massless_negative_ = std::max(0, factor(shift_));
    if (massless_negative_ > 0) {
      // far above the stiffest motion: a spline's lightest has a hundredth of the mass of a control point at least
      const double lightest = *std::min_element(model_.control_mass.begin(), model_.control_mass.end());
      massless_negative_ = std::max(0, factor(1e5 * system_.typical_stiffness() / lightest));
    }
    for (int k = 0; k < kMostShifts; ++k, shift_ *= kShiftGrowth)
      if (factor(shift_) <= massless_negative_ && factored_) return true;
    return false;
  }

  // The vectors that were found, cleaned of what has no mass and sorted out among themselves (Rayleigh and Ritz).
  void take(const math::BlockLanczos& lanczos, int count) {
    const Eigen::MatrixXd raw = lanczos.vectors(count);
    vectors_.resize(rows_, raw.cols());
    Eigen::Index kept = 0;
    for (Eigen::Index k = 0; k < raw.cols(); ++k) {
      Eigen::VectorXd x = raw.col(k);
      apply(x);
      if (lanczos.orthonormalise(x, vectors_, static_cast<int>(kept))) vectors_.col(kept++) = x;
    }
    vectors_.conservativeResize(rows_, kept);
    Eigen::MatrixXd inverse(kept, kept);
    Eigen::VectorXd weighed(rows_);
    for (Eigen::Index k = 0; k < kept; ++k) {
      Eigen::VectorXd x = vectors_.col(k);
      apply(x);
      system_.weigh(x, weighed);
      inverse.col(k) = -vectors_.transpose() * weighed;
    }
    const math::SymmetricEigen ritz = math::symmetric_eigen(Eigen::MatrixXd(0.5 * (inverse + inverse.transpose())));
    vectors_ = (vectors_ * ritz.vectors).eval();
    eigenvalue_ = -ritz.values.cwiseInverse();
    eigenvalue_.array() -= shift_;
    for (double& value : eigenvalue_)
      if (std::abs(value) * total_ < std::max(kMovesFreely * soft_, kRoundOff * noise_)) value = 0;
    discrete::turn_towards_axes(eigenvalue_, vectors_, [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) {
      Eigen::VectorXd along = Eigen::VectorXd::Zero(x.size());
      for (int i = 0; i < model_.controls; ++i)
        for (int axis = 0; axis < 3; ++axis)
          along[system_.control_row(i) + axis] = (3 - axis) * x[system_.control_row(i) + axis];
      system_.weigh(along, y);
    });
  }

  // By Sylvester's law of inertia: as many eigenvalues lie below the last one found as have been found there.
  bool complete() {
    const Eigen::Index found = eigenvalue_.size();
    if (found == 0) return true;
    const double last = eigenvalue_[found - 1];
    const double below = last - 1e-5 * (last + shift_);
    Eigen::Index known = 0;
    while (known < found && eigenvalue_[known] < below) ++known;
    return factor(-below) - massless_negative_ <= known;
  }

  [[nodiscard]] NaturalMode shape(double eigenvalue, const Eigen::VectorXd& x) const {
    NaturalMode mode;
    mode.eigenvalue = eigenvalue;
    mode.frequency = eigenvalue > 0 ? std::sqrt(eigenvalue) / (2 * std::numbers::pi) : 0;
    for (const RodSpline& rod : model_.rods) add_rod(rod, x, mode.rods.emplace_back());
    mode.body_displacement.assign(targets_.bodies.size(), Vec3::Zero());
    mode.body_rotation.assign(targets_.bodies.size(), Vec3::Zero());
    for (const discrete::FreeBody& body : model_.nodes.bodies) {
      const int control = model_.curve[at(body.node)].first;
      mode.body_displacement[at(body.body)] = x.segment<3>(system_.control_row(control));
      if (const int row = system_.rotor_row(body.rotor); row >= 0)
        mode.body_rotation[at(body.body)] = x.segment<3>(row) / system_.arm();
    }
    discrete::normalise(mode, model_.nodes.size);
    return mode;
  }

  // As the rod is shown.
  void add_rod(const RodSpline& rod, const Eigen::VectorXd& x, NaturalMode::RodShape& shape) const {
    for (const ShownPlace& place : shown_places(rod.knots)) {
      const Segment& segment = model_.segments[at(rod.first_segment + place.segment)];
      const rod::SplineBasis basis = rod.knots.at(place.segment, place.share);
      Vec3& moved = shape.displacement.emplace_back(Vec3::Zero());
      for (int p = 0; p < 4; ++p) moved += basis.value[at(p)] * x.segment<3>(system_.control_row(segment.first + p));
      const auto turn = [&](int end) { return x[system_.angle_row(segment.node[at(end)])] / system_.arm(); };
      shape.turn.push_back((1 - place.share) * turn(0) + place.share * turn(1));
    }
  }

  const SplineModel& model_;
  System& system_;
  const SplineState& state_;
  const Targets& targets_;
  int rows_ = 0;
  double total_ = 0;                                       // mass
  double soft_ = std::numeric_limits<double>::infinity();  // stiffness of the softest rod, as one spring: EI (π/L)⁴ L
  double noise_ = 0;                                       // of the stiffness matrix
  double shift_ = 0;                                       // σ
  int massless_negative_ = 0;
  bool factored_ = false;
  Eigen::VectorXd eigenvalue_;
  Eigen::MatrixXd vectors_;
};

}  // namespace

std::vector<NaturalMode> natural_modes(const SplineModel& model, System& system, const SplineState& state,
                                       const Targets& targets, int count, const Progress& progress) {
  return ModeSearch(model, system, state, targets).run(count, progress);
}

}  // namespace filum::spline
