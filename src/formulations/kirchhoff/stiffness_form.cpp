#include "formulations/kirchhoff/stiffness_form.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/laid_rods.hpp"

#include <cmath>

namespace filum::kirchhoff {

using namespace discrete;

StiffnessForm::StiffnessForm(const ModelData& model, const RodSystem& system, const RodState& state)
    : model_(model), system_(system), state_(state) {
  // joints, and the moments that edges gather from them
  std::vector<Vec3> edge_moment(model.edges.size(), Vec3::Zero());
  std::vector<double> lay_pull(model.edges.size(), 0);
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    const rod::JointElasticity elasticity = joint_elasticity(model, state, nullptr, static_cast<int>(k));
    const rod::JointStrain& strain = system.strain(static_cast<int>(k));
    const Vec3 components = rod::joint_moment_components(strain, elasticity);
    const Vec3 moment = rod::joint_moment(strain, components);
    JointTerms& terms = joints_.emplace_back();
    terms = {joint.left, joint.right, rod::joint_stiffness(strain, elasticity, components), moment};
    if (!joint.lay.isZero(0)) {
      terms.twist_stiffness = elasticity.stiffness[2];
      terms.twist_gradient = strain.twist_gradient();
      for (const bool right : {false, true}) {
        const int edge = right ? joint.right.edge : joint.left.edge;
        if (edge < 0) continue;
        terms.per_length[right ? 1 : 0] = lay_per_length(model, joint, right);
        lay_pull[at(edge)] += components[2] * lay_per_length(model, joint, right);
      }
    }
    if (joint.left.is_edge()) edge_moment[at(joint.left.edge)] -= moment;
    if (joint.right.is_edge()) edge_moment[at(joint.right.edge)] += moment;
  }
  // edges
  for (std::size_t j = 0; j < model.edges.size(); ++j) {
    const Edge& edge = model.edges[j];
    const double rest = edge.rest_length * state.length_factor[at(edge.rod)];
    const double length = state.edge[j].norm();
    const Vec3 t = state.frame[j].col(2);
    const double tension = rod::stretch(length, rest, edge.axial_stiffness).force + lay_pull[j];
    rod::Mat4 h = rod::turning_stiffness(t, length, edge_moment[j]);
    h.topLeftCorner<3, 3>() += rod::stretch_stiffness(t, length, rest, edge.axial_stiffness, tension);
    edges_.push_back(h);
    turning_.push_back(rod::turning(t, length));
  }
  // −½ λ·(w × (w × arm)), twice
  for (std::size_t k = 0; k < model.ties.size(); ++k) {
    const Vec3 arm = state.rotor[at(model.ties[k].rotor)] * model.ties[k].arm;
    const Vec3& lambda = state.tie_force[k];
    ties_.push_back(lambda.dot(arm) * Mat3::Identity() - 0.5 * (lambda * arm.transpose() + arm * lambda.transpose()));
  }
  for (std::size_t k = 0; k < model.sliders.size(); ++k) {
    const RodRange& range = model.rods[at(model.sliders[k].rod)];
    const SliderSupport support = slider_support(range.mesh, state.slide[k]);
    const SliderWeights w = slider_weights(range.mesh, state.slide[k]);
    Vec3 bend = Vec3::Zero();
    for (int i = 0; i < support.count; ++i)
      bend += w.curvature[at(i)] * state.position[at(range.first_node + support.node[at(i)])];
    Vec3 force = state.slide_force[k];
    Mat3 by_turn = Mat3::Zero();
    if (model.sliders[k].carried()) {
      const GripPoint point = grip_point(model, static_cast<int>(k), state.slide[k], state.position, state.rotor);
      const CarriedGrip grip = carried_grip(point.place, model.sliders[k].arm, force);
      force = grip.force;
      by_turn = grip.moment_by_turn;
    }
    slider_force_.push_back(force);
    slider_bend_.push_back(force.dot(bend));
    carried_.push_back(by_turn);
  }
}

StiffnessForm::Motion StiffnessForm::motion(const Eigen::VectorXd& x) const {
  Motion m;
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const int a = system_.node_row(edge.a);
    const int b = system_.node_row(edge.b);
    Eigen::Vector4d& y = m.edge.emplace_back();
    y.head<3>() = x.segment<3>(b) - x.segment<3>(a);
    y[3] = x[a + 3] / (edge.rest_length * state_.length_factor[at(edge.rod)]);
  }
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    const int row = system_.rotor_row(static_cast<int>(r));
    m.rotor.push_back(row < 0 ? Vec3::Zero() : Vec3(x.segment<3>(row) / system_.rotor_arm()));
  }
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const RodRange& range = model_.rods[at(model_.sliders[k].rod)];
    const SliderSupport support = slider_support(range.mesh, state_.slide[k]);
    const SliderWeights w = slider_weights(range.mesh, state_.slide[k]);
    Vec3 slope = Vec3::Zero(), moved = Vec3::Zero(), tangent = Vec3::Zero();
    for (int i = 0; i < support.count; ++i) {
      const int node = range.first_node + support.node[at(i)];
      slope += w.slope[at(i)] * x.segment<3>(system_.node_row(node));
      moved += w.value[at(i)] * x.segment<3>(system_.node_row(node));
      tangent += w.slope[at(i)] * state_.position[at(node)];
    }
    const bool stays = !model_.sliders[k].slides || state_.slide_stop[k] != 0;
    m.slope.push_back(slope);
    m.slide.push_back(stays ? 0 : x[system_.slider_row(static_cast<int>(k)) + 3]);
    m.apart.push_back(Vec3::Zero());
    if (!model_.sliders[k].carried()) continue;
    const int body = system_.node_row(model_.bodies[at(model_.sliders[k].body)].node);
    m.apart.back() = moved + m.slide.back() * tangent - x.segment<3>(body);
  }
  return m;
}

Vec3 StiffnessForm::rotation(const Motion& motion, const Side& side) const {
  if (side.is_edge()) return turning_[at(side.edge)] * motion.edge[at(side.edge)];
  return motion.rotor[at(model_.sections[at(side.section)].rotor)];
}

// By how much the lengths of its edges unlay a joint.
double StiffnessForm::unlaid(const Motion& motion, const JointTerms& joint) const {
  double sum = 0;
  for (const bool right : {false, true}) {
    const int edge = right ? joint.right.edge : joint.left.edge;
    if (edge >= 0)
      sum += joint.per_length[right ? 1 : 0] * state_.frame[at(edge)].col(2).dot(motion.edge[at(edge)].head<3>());
  }
  return sum;
}

template <class Add>
void StiffnessForm::each_share(const Motion& a, const Motion& b, const Add& add) const {
  for (const JointTerms& joint : joints_) {
    const Vec3 a0 = rotation(a, joint.left);
    const Vec3 a1 = rotation(a, joint.right);
    const Vec3 b0 = rotation(b, joint.left);
    const Vec3 b1 = rotation(b, joint.right);
    add((a1 - a0).dot(joint.c * (b1 - b0)), 0.5 * (a0.dot(joint.moment.cross(b1)) + b0.dot(joint.moment.cross(a1))),
        joint.c.norm() * a0.norm() * b1.norm());
    if (joint.twist_stiffness == 0) continue;
    const double stretch_a = unlaid(a, joint);
    const double stretch_b = unlaid(b, joint);
    const double twist_a = joint.twist_gradient.dot(a1 - a0);
    const double twist_b = joint.twist_gradient.dot(b1 - b0);
    add(joint.twist_stiffness * (stretch_a * (twist_b + stretch_b) + twist_a * stretch_b), 0, 0);
  }
  for (std::size_t j = 0; j < edges_.size(); ++j) {
    const Vec3 t = state_.frame[j].col(2);
    const Edge& edge = model_.edges[j];
    const double along = edge.axial_stiffness / (edge.rest_length * state_.length_factor[at(edge.rod)]);
    const double stretch = along * t.dot(a.edge[j].head<3>()) * t.dot(b.edge[j].head<3>());
    add(stretch, a.edge[j].dot(edges_[j] * b.edge[j]) - stretch,
        along * a.edge[j].head<3>().norm() * b.edge[j].head<3>().norm());
  }
  for (std::size_t k = 0; k < ties_.size(); ++k) {
    const auto rotor = at(model_.ties[k].rotor);
    const double arm = model_.ties[k].arm.norm();
    add(0, a.rotor[rotor].dot(ties_[k] * b.rotor[rotor]),
        state_.tie_force[k].norm() * arm * a.rotor[rotor].norm() * b.rotor[rotor].norm());
  }
  for (std::size_t k = 0; k < slider_bend_.size(); ++k) {
    const Vec3& lambda = slider_force_[k];
    add(0,
        lambda.dot(a.slope[k]) * b.slide[k] + lambda.dot(b.slope[k]) * a.slide[k] +
            slider_bend_[k] * a.slide[k] * b.slide[k],
        lambda.norm() * (a.slope[k].norm() * std::abs(b.slide[k]) + b.slope[k].norm() * std::abs(a.slide[k])));
    if (!model_.sliders[k].carried()) continue;
    const auto rotor = at(model_.bodies[at(model_.sliders[k].body)].rotor);
    const Vec3& turn_a = a.rotor[rotor];
    const Vec3& turn_b = b.rotor[rotor];
    add(0,
        turn_a.dot(carried_[k] * turn_b) + turn_a.dot(lambda.cross(b.apart[k])) + turn_b.dot(lambda.cross(a.apart[k])),
        lambda.norm() * (turn_a.norm() * b.apart[k].norm() + turn_b.norm() * a.apart[k].norm()));
  }
}

double StiffnessForm::operator()(const Motion& a, const Motion& b) const {
  double sum = 0;
  each_share(a, b, [&](double deforming, double turning, double) { sum += deforming + turning; });
  return sum;
}

StiffnessForm::Parts StiffnessForm::parts(const Motion& a) const {
  Parts parts;
  each_share(a, a, [&](double deforming, double turning, double most) {
    parts.most += most;
    parts.deforming += deforming;
    parts.turning += turning;
    parts.turning_size += std::abs(turning);
  });
  return parts;
}

}  // namespace filum::kirchhoff
