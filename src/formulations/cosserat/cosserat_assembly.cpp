#include "formulations/cosserat/cosserat_assembly.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::cosserat {

Assembly::Assembly(const discrete::ModelData& model) : model_(model) {
  double bending = 0;
  double whole = 0;
  for (const discrete::Joint& joint : model.joints)
    bending = std::max(bending, joint.elasticity.stiffness.head<2>().maxCoeff() * joint.length);
  for (const discrete::Edge& edge : model.edges) whole += edge.rest_length;
  segment_ = model.edges.empty() ? 1 : whole / static_cast<double>(model.edges.size());
  // a lone segment on a pin has no joint: its weight gives a measure
  if (bending == 0)
    for (const discrete::Edge& edge : model.edges)
      bending = std::max(bending, edge.mass * model.gravity.norm() * edge.rest_length * model.size);
  moment_unit_ = bending > 0 ? bending / model.size : 1;
  force_unit_ = moment_unit_ / model.size;
  strain_.resize(model.joints.size());
  segments_.resize(model.edges.size());
  rotor_moment_.assign(model.rotors.size(), Vec3::Zero());
  node_force_.resize(at(model.nodes));
  slide_pull_.assign(model.sliders.size(), 0);
}

int Assembly::block_of(const discrete::Side& side) const {
  return side.is_edge() ? edge_block_[at(side.edge)] : rotor_block_[at(model_.sections[at(side.section)].rotor)];
}

void Assembly::find_rotations() {
  edge_row_.clear();
  rotor_row_.clear();
  for (const int block : edge_block_) edge_row_.push_back(tangent_.rows_before(block));
  for (const int block : rotor_block_) rotor_row_.push_back(block < 0 ? -1 : tangent_.rows_before(block));
  joint_slots_.resize(model_.joints.size());
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const int left = block_of(model_.joints[k].left);
    const int right = block_of(model_.joints[k].right);
    if (left >= 0 && right >= 0) joint_slots_[k] = tangent_.pair(left, right);
  }
}

void Assembly::begin(bool want_tangent) {
  want_tangent_ = want_tangent;
  if (want_tangent_) tangent_.set_zero();
  std::fill(step_.begin(), step_.end(), 0.0);
  for (Vec3& m : rotor_moment_) m.setZero();
  moment_scale_ = 0;
  force_scale_ = 0;
}

void Assembly::add_joint(int index, const rod::JointStrain& strain, const rod::JointElasticity& elasticity,
                         const rod::JointYield& yield) {
  const discrete::Joint& joint = model_.joints[at(index)];
  const Vec3 components = rod::joint_moment_components(strain, elasticity) - yield.relief;
  const Vec3 moment = rod::joint_moment(strain, components);
  moment_scale_ = std::max(moment_scale_, moment.norm());
  const auto add_moment = [&](const discrete::Side& side, double sign) {
    if (side.is_edge())
      add_to_step(edge_row_[at(side.edge)], sign * moment);
    else
      rotor_moment_[at(model_.sections[at(side.section)].rotor)] += sign * moment;
  };
  add_moment(joint.left, -1);
  add_moment(joint.right, 1);
  if (!want_tangent_) return;

  Mat3 c = rod::joint_stiffness(strain, elasticity, components) / moment_unit_;
  if (yield.yields && !elastic_tangent_) {
    const Mat3 gradient = rod::strain_gradient(strain);
    c -= gradient * yield.softening * gradient.transpose() / moment_unit_;
  }
  const int left = block_of(joint.left);
  const int right = block_of(joint.right);
  if (left >= 0) tangent_.add_diagonal(tangent_.pair(left, left), c);
  if (right >= 0) tangent_.add_diagonal(tangent_.pair(right, right), c);
  if (left >= 0 && right >= 0)
    tangent_.add(joint_slots_[at(index)], Mat3(-c + 0.5 / moment_unit_ * math::skew(moment)));
}

void Assembly::add_torques(const discrete::RodState& state, const Targets& targets) {
  for (const discrete::PointLoad& load : model_.torques) {
    Vec3 torque = targets.load * targets.torque_scale[at(load.index)] * load.value;
    if (load.follow) torque = state.rotor[at(load.rotor)] * torque;
    rotor_moment_[at(load.rotor)] -= torque;
    moment_scale_ = std::max(moment_scale_, torque.norm());
    const double half = load.follow ? 0.5 : -0.5;
    if (const int block = rotor_block_[at(load.rotor)]; want_tangent_ && block >= 0)
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(half / moment_unit_ * math::skew(torque)));
  }
}

double Assembly::largest_rotation() const {
  double largest = 0;
  for (const int row : edge_row_) largest = std::max(largest, step_at(row).norm());
  for (const int row : rotor_row_)
    if (row >= 0) largest = std::max(largest, step_at(row).norm());
  return largest;
}

bool Assembly::step_is_finite() const {
  return std::all_of(step_.begin(), step_.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace filum::cosserat
