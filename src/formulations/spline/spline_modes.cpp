#include "formulations/spline/spline_modes.hpp"

#include "base/index.hpp"
#include "formulations/discrete/mode_search.hpp"
#include "formulations/discrete/mode_shape.hpp"
#include "formulations/spline/spline_sample.hpp"
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

class SplinePencil final : public discrete::ModePencil {
 public:
  SplinePencil(const SplineModel& model, System& system, const SplineState& state, const Targets& targets)
      : ModePencil(static_cast<int>(system.step().size())),
        model_(model),
        system_(system),
        state_(state),
        targets_(targets) {
    system.set_mass(state, model.nodes.scene->simulation.rotary_inertia);
    for (const double mass : model.control_mass) scales_.mass += mass;
    scales_.soft = std::numeric_limits<double>::infinity();
    for (const RodSpline& rod : model.rods) {
      const double length = rod.knots.start(rod.knots.segments());
      for (int k = 0; k < rod.knots.segments(); ++k) {
        const double EI = model.segments[at(rod.first_segment + k)].stiffness.EI.minCoeff();
        scales_.soft = std::min(scales_.soft, discrete::bending_spring(EI, length));
      }
    }
    scales_.noise = std::numeric_limits<double>::epsilon() * system.typical_stiffness() *
                    static_cast<double>(model.segments.size());
    // a spline's lightest motion has a hundredth of the mass of a control point at least
    const double lightest = *std::min_element(model.control_mass.begin(), model.control_mass.end());
    scales_.above_all = 1e5 * system.typical_stiffness() / lightest;
  }

  std::vector<NaturalMode> run(int count, const Progress& progress) {
    const discrete::Modes found = search(count, progress);
    std::vector<NaturalMode> modes;
    for (Eigen::Index k = 0; k < found.eigenvalue.size(); ++k)
      modes.push_back(shape(found.eigenvalue[k], found.vectors.col(k)));
    return modes;
  }

 private:
  Scales scales() const override { return scales_; }

  Factored factor(double shift) override {
    system_.evaluate(state_, targets_, System::Want::TrueTangent);
    system_.add_mass(shift);
    const bool done = system_.factor();
    return {done, system_.excess_negative()};
  }

  void resolve(Eigen::VectorXd& x) override {
    system_.resolve(x.data());
    for (int row = 0; row < rows(); ++row)
      if (!system_.is_primal(row)) x[row] = 0;
  }

  void weigh(const Eigen::VectorXd& x, Eigen::VectorXd& y) override { system_.weigh(x, y); }

  // All of them at once, by the inverse: splines have few unknowns.
  void sort_out(double shift, discrete::Modes& modes) override {
    const Eigen::Index count = modes.vectors.cols();
    Eigen::MatrixXd inverse(count, count);
    Eigen::VectorXd weighed(rows());
    for (Eigen::Index k = 0; k < count; ++k) {
      Eigen::VectorXd x = modes.vectors.col(k);
      apply(x);
      weigh(x, weighed);
      inverse.col(k) = -modes.vectors.transpose() * weighed;
    }
    const math::SymmetricEigen ritz = math::symmetric_eigen(Eigen::MatrixXd(0.5 * (inverse + inverse.transpose())));
    modes.vectors = (modes.vectors * ritz.vectors).eval();
    modes.eigenvalue = -ritz.values.cwiseInverse();
    modes.eigenvalue.array() -= shift;
    for (double& value : modes.eigenvalue)
      if (std::abs(value) * scales_.mass < std::max(kMovesFreely * scales_.soft, kRoundOff * scales_.noise)) value = 0;
    discrete::turn_towards_axes(modes.eigenvalue, modes.vectors, [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) {
      Eigen::VectorXd along = Eigen::VectorXd::Zero(x.size());
      for (int i = 0; i < model_.controls; ++i)
        for (int axis = 0; axis < 3; ++axis)
          along[system_.control_row(i) + axis] = (3 - axis) * x[system_.control_row(i) + axis];
      weigh(along, y);
    });
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
  Scales scales_;
};

}  // namespace

std::vector<NaturalMode> natural_modes(const SplineModel& model, System& system, const SplineState& state,
                                       const Targets& targets, int count, const Progress& progress) {
  return SplinePencil(model, system, state, targets).run(count, progress);
}

}  // namespace filum::spline
