#include "formulations/cosserat/lift.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"
#include "math/small_angle.hpp"

#include <cmath>

namespace filum::cosserat {

namespace {

Quat about_own_axis(double angle) {
  return Quat(std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle));
}

Quat side_lift(const discrete::ModelData& model, const CableState& state, const discrete::Side& side) {
  if (side.is_edge()) return state.edge_lift[at(side.edge)];
  const discrete::Section& section = model.sections[at(side.section)];
  return state.rotor_lift[at(section.rotor)] * Quat(section.base);
}

// cos(φ/2) cos((τ − τ')/2) with τ' the twist of the lifts: positive if τ is one that they allow.
double agreement(const discrete::ModelData& model, const CableState& state, int index, double twist) {
  const discrete::Joint& joint = model.joints[at(index)];
  Quat left = side_lift(model, state, joint.left);
  if (joint.offset != 0) left = left * about_own_axis(joint.offset);
  const Quat right = side_lift(model, state, joint.right);
  // scalar part and third component of conj(left) · right
  const double w = left.dot(right);
  const double z = left.w() * right.z() - left.z() * right.w() - left.x() * right.y() + left.y() * right.x();
  const auto [s, c] = math::sin_cos(0.5 * twist);
  return w * c + z * s;
}

}  // namespace

Quat lifted(const Mat3& rotation, const Quat& guess) {
  Quat q(rotation);
  if (q.dot(guess) < 0) q.coeffs() *= -1;
  return q;
}

void turn(Mat3& frame, Quat& lift, const Vec3& w, double spin) {
  frame = math::exp_so3(w) * frame;
  Quat guess = math::exp_quat(w) * lift;
  if (spin != 0) {
    frame = frame * Eigen::AngleAxisd(spin, Vec3::UnitZ()).toRotationMatrix();
    guess = guess * about_own_axis(spin);
  }
  // made square again, the tangent first
  frame.col(2).normalize();
  frame.col(0) -= frame.col(0).dot(frame.col(2)) * frame.col(2);
  frame.col(0).normalize();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  lift = guess.normalized();
}

void begin_lifts(const discrete::ModelData& model, CableState& state) {
  state.edge_lift.clear();
  state.rotor_lift.clear();
  for (const Mat3& frame : state.rods.frame) state.edge_lift.emplace_back(frame);
  for (const Mat3& rotor : state.rods.rotor) state.rotor_lift.emplace_back(rotor);
  state.joint_sign.assign(model.joints.size(), 1);
  for (std::size_t k = 0; k < model.joints.size(); ++k)
    if (agreement(model, state, static_cast<int>(k), state.rods.twist[k]) < 0) state.joint_sign[k] = -1;
}

double counted_twist(const discrete::ModelData& model, const CableState& state, int joint, double measured,
                     double near) {
  if (state.joint_sign[at(joint)] * agreement(model, state, joint, measured) >= 0)
    return measured + 4 * math::kPi * std::round((near - measured) / (4 * math::kPi));
  const double other = measured + 2 * math::kPi;
  return other + 4 * math::kPi * std::round((near - other) / (4 * math::kPi));
}

}  // namespace filum::cosserat
