#include "formulations/discrete/free_end.hpp"

#include "base/index.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "math/rotation.hpp"
#include "rod/joint.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <optional>

namespace filum::discrete {

namespace {

using Vec4 = Eigen::Vector4d;
using Mat34 = Eigen::Matrix<double, 3, 4>;

constexpr double kDifference = 1e-7;  // rad, and share of the loads: for derivatives
constexpr double kClosed = 1e-8;      // rad: the march ends where it should
constexpr int kMostCorrections = 6;
constexpr double kFirstStep = 0.05;  // along the curve: rad, and share of the loads
constexpr double kLongestStep = 0.3;
constexpr double kShortestStep = 1e-7;
constexpr int kMostSteps = 1500;  // one march in some hundred that ends well takes more than 160

// The left frame of a joint with which it has the moment `moment`, given its right one. Nothing if there is none near by.
struct LeftFrame {
  Mat3 frame;
  double twist = 0;
};
std::optional<LeftFrame> left_of(const rod::JointElasticity& elasticity, const Mat3& right, const Vec3& moment) {
  const Vec3 near = elasticity.rest + (right.transpose() * moment).cwiseQuotient(elasticity.stiffness);
  LeftFrame left{right * math::exp_so3(-near), near[2]};
  const double scale = moment.norm() + 1e-6 * elasticity.stiffness.minCoeff();
  for (int k = 0; k < 30; ++k) {
    const rod::JointStrain strain = rod::joint_strain(left.frame, right, left.twist);
    left.twist = strain.twist;
    const Vec3 components = rod::joint_moment_components(strain, elasticity);
    const Vec3 found = rod::joint_moment(strain, components);
    const Vec3 off = found - moment;
    if (off.norm() <= 1e-13 * scale) return left;
    const Mat3 slope = rod::joint_stiffness(strain, elasticity, components) + 0.5 * math::skew(found);
    Vec3 turn = slope.partialPivLu().solve(off);
    if (!turn.allFinite()) return std::nullopt;
    if (k > 8 && turn.norm() < 1e-13) return left;
    if (turn.norm() > 0.5) turn *= 0.5 / turn.norm();
    left.frame = math::exp_so3(turn) * left.frame;
  }
  return std::nullopt;
}

// A march from the free end to the start.
class March {
 public:
  March(const ModelData& model, const Targets& targets, RodState& state)
      : model_(model), targets_(targets), state_(state), factor_(state.length_factor.front()) {
    const Joint& first = model.joints.front();
    wanted_ = side_frame(model, state, first.left, 0);
    last_ = model.joints.back().right.section;
  }

  // With the rotation `end` of the outermost cross-section and that share of the loads that do not turn with the rod:
  // by how much the rod would have to be turned at its start, rad.
  std::optional<Vec3> go(const Mat3& end, double share) {
    share_ = share;
    Vec3 force = Vec3::Zero();
    Vec3 moment = Vec3::Zero();
    Mat3 frame = end * model_.sections[at(last_)].base;  // of what lies to the right
    int node = model_.joints.back().node;
    pass_section(last_, end, node, force, moment);
    for (std::size_t k = model_.joints.size(); k-- > 0;) {
      const Joint& joint = model_.joints[k];
      if (joint.node != node) {
        node = joint.node;
        if (joint.right.is_edge() && joint.left.is_edge()) force += load_at(node);
      }
      rod::JointElasticity elasticity = joint.elasticity;
      elasticity.stiffness /= factor_;
      elasticity.rest *= factor_;
      const std::optional<LeftFrame> left = left_of(elasticity, frame, moment);
      if (!left) return std::nullopt;
      state_.twist[k] = left->twist;
      frame = left->frame;
      if (!joint.left.is_edge()) {
        if (k == 0) break;
        const Mat3 rotation = frame * model_.sections[at(joint.left.section)].base.transpose();
        pass_section(joint.left.section, rotation, node, force, moment);
        continue;
      }
      const auto j = at(joint.left.edge);
      const Vec3 t = frame.col(2);
      state_.tension[j] = force.dot(t);
      state_.edge[j] =
          (1 + state_.tension[j] / model_.edges[j].axial_stiffness) * model_.edges[j].rest_length * factor_ * t;
      state_.frame[j] = frame;
      moment += state_.edge[j].cross(force);
    }
    return math::log_so3(frame * wanted_.transpose());
  }

  [[nodiscard]] const Mat3& wanted() const { return wanted_; }

 private:
  // Loads of fixed direction at a node.
  [[nodiscard]] Vec3 load_at(int node) const {
    const double load = share_ * targets_.load;
    Vec3 sum = load * factor_ * model_.node_mass[at(node)] * model_.gravity;
    for (const LoadedNode& loaded : model_.loaded)
      if (loaded.node == node) sum += load * factor_ * loaded.force;
    for (const PointLoad& force : model_.forces)
      if (force.node == node && !force.follow) sum += load * targets_.force_scale[at(force.index)] * force.value;
    return sum;
  }

  // A cross-section with a rotor of its own, and all that acts there.
  void pass_section(int section, const Mat3& rotation, int node, Vec3& force, Vec3& moment) {
    const int rotor = model_.sections[at(section)].rotor;
    state_.rotor[at(rotor)] = rotation;
    force += load_at(node);
    for (const PointLoad& load : model_.forces)
      if (load.follow && load.rotor == rotor)
        force += targets_.load * targets_.force_scale[at(load.index)] * (rotation * load.value);
    for (const PointLoad& load : model_.torques) {
      if (load.rotor != rotor) continue;
      const double scale = targets_.load * targets_.torque_scale[at(load.index)];
      moment += load.follow ? Vec3(scale * (rotation * load.value)) : Vec3(share_ * scale * load.value);
    }
  }

  const ModelData& model_;
  const Targets& targets_;
  RodState& state_;
  double factor_;
  double share_ = 0;
  Mat3 wanted_;
  int last_ = 0;
};

// The curve of marches that end well, in the rotation of the free end and the share of the loads.
class Curve {
 public:
  explicit Curve(March& march) : march_(march) {}

  bool follow_to_the_end() {
    // nothing else acting, the whole is turned to fit
    const std::optional<Vec3> off = march_.go(here_.end, 0);
    if (!off) return false;
    here_.end = math::exp_so3(-*off) * here_.end;
    Vec4 along = Vec4::UnitW();
    double step = kFirstStep;
    for (int k = 0; k < kMostSteps && step > kShortestStep; ++k) {
      const std::optional<Vec4> next_way = way_on(along);
      if (!next_way) return false;
      const std::optional<Place> next = corrected(moved(here_, step * *next_way), *next_way);
      if (!next || !goes_on(*next, *next_way)) {
        step *= 0.4;
        continue;
      }
      along = *next_way;
      if (next->share >= 1) {
        Place last = *next;
        last.share = 1;
        if (const std::optional<Place> closed = corrected(last, Vec4::UnitW()))
          return march_.go(closed->end, 1).has_value();
        step *= 0.4;
        continue;
      }
      here_ = *next;
      step = std::min(kLongestStep, 1.5 * step);
    }
    return false;
  }

 private:
  struct Place {
    Mat3 end = Mat3::Identity();
    double share = 0;
  };

  static Place moved(const Place& from, const Vec4& by) {
    return {math::exp_so3(by.head<3>()) * from.end, from.share + by[3]};
  }

  std::optional<Mat34> derivative(const Place& place, const Vec3& off) {
    Mat34 slope;
    for (int i = 0; i < 4; ++i) {
      const Place beside = moved(place, kDifference * Vec4::Unit(i));
      const std::optional<Vec3> there = march_.go(beside.end, beside.share);
      if (!there) return std::nullopt;
      slope.col(i) = (*there - off) / kDifference;
    }
    return slope;
  }

  // The direction of the curve, on in the sense of `before`.
  std::optional<Vec4> way_on(const Vec4& before) {
    const std::optional<Vec3> off = march_.go(here_.end, here_.share);
    if (!off) return std::nullopt;
    const std::optional<Mat34> slope = derivative(here_, *off);
    if (!slope) return std::nullopt;
    // the kernel of three rows: their minors
    Vec4 way;
    for (int i = 0; i < 4; ++i) {
      Mat3 minor;
      for (int c = 0; c < 3; ++c) minor.col(c) = slope->col(c < i ? c : c + 1);
      way[i] = (i % 2 == 0 ? 1 : -1) * minor.determinant();
    }
    if (!(way.norm() > 0)) return std::nullopt;
    way.normalize();
    return way.dot(before) < 0 ? Vec4(-way) : way;
  }

  // Newton back to the curve, square to `across`.
  std::optional<Place> corrected(Place place, const Vec4& across) {
    for (int k = 0; k <= kMostCorrections; ++k) {
      const std::optional<Vec3> off = march_.go(place.end, place.share);
      if (!off) return std::nullopt;
      if (off->norm() < kClosed) return place;
      const std::optional<Mat34> slope = derivative(place, *off);
      if (!slope) return std::nullopt;
      Eigen::Matrix4d matrix;
      matrix << *slope, across.transpose();
      const Vec4 by = matrix.fullPivLu().solve(Vec4(-(*off)[0], -(*off)[1], -(*off)[2], 0));
      if (!by.allFinite() || by.norm() > 2 * kLongestStep) return std::nullopt;
      place = moved(place, by);
    }
    return std::nullopt;
  }

  // Not a jump to another part of the curve.
  bool goes_on(const Place& next, const Vec4& way) const {
    Vec4 by;
    by << math::log_so3(next.end * here_.end.transpose()), next.share - here_.share;
    return by.norm() < 2 * kLongestStep && by.dot(way) > 0.7 * by.norm();
  }

  March& march_;
  Place here_;
};

}  // namespace

bool is_marched_from_free_end(const ModelData& model) {
  const bool alone = model.rods.size() == 1 && model.ties.empty() && model.bodies.empty() && model.sliders.empty() &&
                     model.solids.empty() && model.spans.empty() && model.plasticity.empty() && !model.laid &&
                     !model.rods.front().mesh.closed && !model.joints.empty();
  if (!alone || model.joints.front().left.is_edge() || model.joints.back().right.is_edge()) return false;
  const auto turning = [](const PointLoad& load) { return load.follow; };
  if (!std::any_of(model.forces.begin(), model.forces.end(), turning) &&
      !std::any_of(model.torques.begin(), model.torques.end(), turning))
    return false;
  // held at its first node, wholly, and nowhere else
  const int first = model.sections[at(model.joints.front().left.section)].rotor;
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    const FixedAxes& fixed = model.rotors[r].fixed;
    if (static_cast<int>(r) == first ? !fixes_all(fixed) : fixed != FixedAxes{}) return false;
  }
  for (std::size_t i = 0; i < model.position_hold.size(); ++i)
    for (const int hold : model.position_hold[i])
      if ((hold >= 0) != (i == 0)) return false;
  return true;
}

bool march_from_free_end(const ModelData& model, const Targets& targets, RodState& state) {
  const RodState before = state;
  March march(model, targets, state);
  if (!Curve(march).follow_to_the_end()) {
    state = before;
    return false;
  }
  state.rotor[at(model.sections[at(model.joints.front().left.section)].rotor)] =
      before.rotor[at(model.sections[at(model.joints.front().left.section)].rotor)];
  for (std::size_t j = 0; j < model.edges.size(); ++j)
    state.position[at(model.edges[j].b)] = state.position[at(model.edges[j].a)] + state.edge[j];
  return true;
}

}  // namespace filum::discrete
