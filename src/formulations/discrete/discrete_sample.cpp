#include "formulations/discrete/discrete_sample.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_sample.hpp"
#include "formulations/discrete/joint_frame.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/discrete/slider.hpp"
#include "math/rotation.hpp"
#include "rod/writhe.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::discrete {

namespace {

// Strains and moments at a node, on the node's own frame.
struct NodeStrain {
  Mat3 frame = Mat3::Identity();
  Vec2 curvature = Vec2::Zero();
  double twist = 0;
  Vec3 moment = Vec3::Zero();
  PlasticSet set;
};

class RodSampler {
 public:
  RodSampler(const ModelData& model, const Internals& internals, const RodState& state, const Targets& targets, int rod)
      : model_(model),
        internals_(internals),
        state_(state),
        load_(targets.load),
        range_(model.rods[at(rod)]),
        factor_(state.length_factor[at(rod)]),
        yields_(std::any_of(range_.edge_law.begin(), range_.edge_law.end(), [](int law) { return law >= 0; })),
        may_yield_(may_yield(model, rod)) {
    first_.assign(at(range_.mesh.nodes()), -1);
    second_.assign(at(range_.mesh.nodes()), -1);
    for (int k = range_.first_joint; k < range_.first_joint + range_.joints; ++k) {
      const int node = model.joints[at(k)].node - range_.first_node;
      (first_[at(node)] < 0 ? first_ : second_)[at(node)] = k;
    }
  }

  RodPose run() {
    const RodMesh& mesh = range_.mesh;
    pose_.closed = mesh.closed;
    pose_.min_bend_radius = {std::numeric_limits<double>::infinity(), 0};
    reserve(at(mesh.nodes() + (mesh.closed ? 1 : 0)));
    for (int i = 0; i < mesh.nodes(); ++i) add_node(i);
    // along the curve that the edges are chords of: by their stretch
    for (int j = 0; j < mesh.edges(); ++j) {
      const auto edge = at(range_.first_edge + j);
      pose_.length += state_.edge[edge].norm() / model_.edges[edge].rest_length * mesh.edge_length(j);
    }
    for (int k = range_.first_joint; k < range_.first_joint + range_.joints; ++k)
      pose_.turns += state_.twist[at(k)] / (2 * std::numbers::pi);
    // the writhe of a ring counts the segment that closes it
    if (mesh.closed) repeat_first();
    pose_.writhe = rod::writhe(pose_.position, mesh.closed);
    return std::move(pose_);
  }

 private:
  void reserve(std::size_t points) {
    for (auto* list : {&pose_.s, &pose_.twist, &pose_.axial_force}) list->reserve(points);
    for (auto* list : {&pose_.position, &pose_.velocity, &pose_.moment}) list->reserve(points);
    for (auto* list : {&pose_.curvature, &pose_.outline}) list->reserve(points);
    pose_.frame.reserve(points);
  }

  // On the node's own frame. The joint's moment is one vector in space, in balance with what acts on the node;
  // curvature at rest turns with the rod.
  NodeStrain joint_strain(int k) const {
    const Joint& joint = model_.joints[at(k)];
    const rod::JointStrain& strain = internals_.strain[at(k)];
    const rod::JointElasticity e = joint_elasticity(model_, state_, nullptr, k);
    const Vec3 moment = joint_moment(model_, state_, e, strain, k);
    NodeStrain node;
    const Mat3 left = side_frame(model_, state_, joint.left, joint.offset);
    node.frame = joint_frame(joint, strain, left, e.rest.head<2>());
    node.moment = node.frame.transpose() * moment;
    node.twist = strain.twist / (joint.cell * factor_);
    const Vec2 stiffness = e.stiffness.head<2>() * joint.length * factor_;
    node.curvature = e.rest.head<2>() / (joint.cell * factor_) + node.moment.head<2>().cwiseQuotient(stiffness);
    if (!yields_) return node;
    node.set = plastic_set(model_, state_, strain.vector(), k);
    node.curvature += node.set.strain.head<2>();
    return node;
  }

  void add_node(int i) {
    const RodMesh& mesh = range_.mesh;
    pose_.s.push_back(mesh.s[at(i)] * factor_);
    pose_.position.push_back(state_.position[at(range_.first_node + i)]);
    pose_.velocity.push_back(state_.velocity[at(range_.first_node + i)]);
    const int edge = std::min(i, mesh.edges() - 1);
    pose_.outline.push_back(range_.edge_stiffness[at(edge)].outline);

    NodeStrain node;
    if (first_[at(i)] >= 0) {
      node = joint_strain(first_[at(i)]);
      pose_.frame.emplace_back(node.frame);
      note_radius(node, i);
      if (second_[at(i)] >= 0) {
        // a hold or junction may make the moment jump: the larger side is shown
        const NodeStrain other = joint_strain(second_[at(i)]);
        note_radius(other, i);
        const PlasticSet shown = node.set.furthest > other.set.furthest ? node.set : other.set;
        if (other.moment.norm() > node.moment.norm()) node = other;
        node.set = shown;
      }
    } else {
      node = free_end(i);
      note_radius(node, i);
    }
    if (yields_) add_set(node.set, i);
    pose_.curvature.push_back(node.curvature);
    pose_.twist.push_back(node.twist);
    pose_.moment.push_back(node.moment);
    pose_.axial_force.push_back(axial_force(i, pose_.frame.back() * Vec3::UnitZ()));
  }

  // What stays, and how far a node or the edges beside it have been strained.
  void add_set(const PlasticSet& set, int i) {
    const RodMesh& mesh = range_.mesh;
    double furthest = set.furthest;
    double stretch = 0;
    int beside = 0;
    for (const int edge : {i - 1, i}) {
      if (edge < 0 || edge >= mesh.edges()) continue;
      const int index = range_.first_edge + edge;
      furthest = std::max(furthest, furthest_stretch(model_, state_, index));
      stretch += edge_yield(model_, state_, 0, false, index).kept / model_.edges[at(index)].axial_stiffness;
      ++beside;
    }
    pose_.plastic.push_back(set.strain);
    pose_.plastic_stretch.push_back(stretch / beside);
    if (may_yield_) pose_.yield.push_back(furthest);
  }

  // A free end carries no moment: it has its rest curvature, and its frame follows from the last edge.
  NodeStrain free_end(int i) {
    const RodMesh& mesh = range_.mesh;
    const bool start = i == 0;
    const int edge = range_.first_edge + (start ? 0 : mesh.edges() - 1);
    const int neighbour = start ? 1 : mesh.nodes() - 2;
    NodeStrain end;
    Vec3 average = Vec3::Zero();
    if (mesh.nodes() > 2 && first_[at(neighbour)] >= 0) {
      const int k = start || second_[at(neighbour)] < 0 ? first_[at(neighbour)] : second_[at(neighbour)];
      const Vec3 rest = model_.joints[at(k)].elasticity.rest / model_.joints[at(k)].cell;
      const NodeStrain inner = joint_strain(k);
      end.curvature = rest.head<2>();
      end.twist = rest[2];
      // curvature varies linearly from the neighbour to the end: this is its mean over the outer half edge
      average << 0.25 * inner.curvature + 0.75 * end.curvature, 0.25 * inner.twist + 0.75 * end.twist;
    }
    const double half = 0.5 * factor_ * mesh.edge_length(edge - range_.first_edge) * (start ? -1 : 1);
    pose_.turns += std::abs(half) * end.twist / (2 * std::numbers::pi);
    pose_.frame.emplace_back(Mat3(state_.frame[at(edge)] * math::exp_so3(half * average)));
    return end;
  }

  // The internal force at a node along its tangent: from the middles of the two edges there, each with the load on the
  // half edge between. At a hold or point load it jumps; the larger side is shown.
  double axial_force(int i, const Vec3& tangent) const {
    const RodMesh& mesh = range_.mesh;
    const int before = i > 0 ? i - 1 : (mesh.closed ? mesh.edges() - 1 : -1);
    const int after = i < mesh.edges() ? i : -1;
    auto towards_node = [&](int edge, double sign) {
      const int index = range_.first_edge + edge;
      const Edge& e = model_.edges[at(index)];
      const Vec3 load = load_ * factor_ * (e.mass * model_.gravity + e.distributed);
      Vec3 force = internals_.edge_force[at(index)];
      // of a moving rod, the tension that acted during the last step: at a single instant it is full of axial waves
      if (state_.moving)
        force += (state_.tension[at(index)] - internals_.axial_force[at(index)]) * state_.frame[at(index)].col(2);
      return tangent.dot(force + sign * 0.5 * load);
    };
    const double left = before >= 0 ? towards_node(before, -1) : 0;
    const double right = after >= 0 ? towards_node(after, 1) : 0;
    if (before < 0) return right;
    if (after < 0) return left;
    if (!mesh.is_break[at(i)]) return 0.5 * (left + right);
    return std::abs(left) > std::abs(right) ? left : right;
  }

  void note_radius(const NodeStrain& node, int i) {
    const double curvature = node.curvature.norm();
    if (curvature > 0 && 1 / curvature < pose_.min_bend_radius.value)
      pose_.min_bend_radius = {1 / curvature, range_.mesh.s[at(i)] * factor_};
  }

  void repeat_first() {
    pose_.s.push_back(range_.mesh.length * factor_);
    pose_.position.push_back(pose_.position.front());
    pose_.velocity.push_back(pose_.velocity.front());
    pose_.frame.push_back(pose_.frame.front());
    pose_.curvature.push_back(pose_.curvature.front());
    pose_.twist.push_back(pose_.twist.front());
    pose_.axial_force.push_back(pose_.axial_force.front());
    pose_.moment.push_back(pose_.moment.front());
    pose_.outline.push_back(pose_.outline.front());
    if (!yields_) return;
    pose_.plastic.push_back(pose_.plastic.front());
    pose_.plastic_stretch.push_back(pose_.plastic_stretch.front());
    if (may_yield_) pose_.yield.push_back(pose_.yield.front());
  }

  const ModelData& model_;
  const Internals& internals_;
  const RodState& state_;
  double load_;
  const RodRange& range_;
  double factor_;
  bool yields_;  // some of it may, or slip
  bool may_yield_;
  std::vector<int> first_;   // per node: its joint
  std::vector<int> second_;  // per node: the joint on the far side of a section
  RodPose pose_;
};

HoldPose sample_hold(const ModelData& model, const Internals& internals, const RodState& state, const Targets& targets,
                     int index) {
  const Hold& hold = model.scene->holds[at(index)];
  HoldPose pose;
  const int node = model.hold_node[at(index)];
  if (node >= 0) {
    pose.position = state.position[at(node)];
    for (std::size_t r = 0; r < model.rods.size(); ++r)
      if (model.scene->rods[r].name == hold.rod)
        pose.s = hold.at.at(model.rods[r].mesh.length) * state.length_factor[r];
    if (state.moving) {
      pose.force = state.hold_force[at(index)];
      pose.moment = state.hold_moment[at(index)];
      return pose;
    }
    const Vec3 force = internals.node_force[at(node)];
    for (int axis = 0; axis < 3; ++axis)
      if (model.position_hold[at(node)][at(axis)] == index) pose.force[axis] = force[axis];
    if (const int tie = model.hold_tie[at(index)]; tie >= 0) pose.force = -state.tie_force[at(tie)];
    if (model.hold_carried[at(index)] != 0) pose.force = carried_hold(model, state, index).force;
    if (const int section = model.hold_section[at(index)]; section >= 0 && model.hold_rotor[at(index)] < 0)
      for (std::size_t k = 0; k < model.joints.size(); ++k) {
        const Joint& joint = model.joints[k];
        if (joint.left.section == section)
          pose.moment -= joint_moment(model, state, nullptr, internals.strain[k], static_cast<int>(k));
        if (joint.right.section == section)
          pose.moment += joint_moment(model, state, nullptr, internals.strain[k], static_cast<int>(k));
      }
    // of several holds on one junction the leading one reports
    if (const int rotor = model.hold_rotor[at(index)]; rotor >= 0 && model.rotors[at(rotor)].hold == index) {
      const Vec3 moment = internals.rotor_moment[at(rotor)];
      for (int axis = 0; axis < 3; ++axis)
        if (hold.fix.orientation[at(axis)]) pose.moment[axis] = moment[axis];
    }
    return pose;
  }
  if (model.hold_carried[at(index)] != 0) return carried_hold(model, state, index);
  return slider_hold(model, state, state.length_factor, targets, index);
}

}  // namespace

namespace {

// The spin of an edge about its own axes.
Vec3 own_spin(const RodState& state, std::size_t edge) {
  return {state.edge_tilt[edge][0], state.edge_tilt[edge][1], state.edge_spin[edge]};
}

}  // namespace

// Nodes, bodies and, where they have inertia, the spin of edges and sections.
double kinetic_energy(const ModelData& model, const RodState& state) {
  double energy = 0;
  for (std::size_t i = 0; i < state.velocity.size(); ++i)
    energy += 0.5 * model.node_mass[i] * state.velocity[i].squaredNorm();
  for (std::size_t r = 0; r < model.rotors.size(); ++r)
    energy += 0.5 * state.rotor_spin[r].dot(model.rotors[r].inertia * state.rotor_spin[r]);
  for (std::size_t j = 0; j < model.edges.size(); ++j)
    energy += 0.5 * model.edges[j].inertia().dot(own_spin(state, j).cwiseAbs2());
  return energy;
}

namespace {

void add_momenta(const ModelData& model, const RodState& state, Pose& pose) {
  for (std::size_t i = 0; i < state.velocity.size(); ++i) {
    const Vec3 momentum = model.node_mass[i] * state.velocity[i];
    pose.momentum += momentum;
    pose.angular_momentum += state.position[i].cross(momentum);
  }
  for (std::size_t r = 0; r < model.rotors.size(); ++r)
    pose.angular_momentum += state.rotor[r] * (model.rotors[r].inertia * state.rotor_spin[r]);
  for (std::size_t j = 0; j < model.edges.size(); ++j)
    pose.angular_momentum += state.frame[j] * model.edges[j].inertia().cwiseProduct(own_spin(state, j));
}

void place_bodies(const ModelData& model, const RodState& state, Pose& pose) {
  for (const FreeBody& free : model.bodies) {
    const auto r = at(free.rotor);
    BodyPose& body = pose.bodies[at(free.body)];
    body.position = state.position[at(free.node)];
    body.orientation = Quat(state.rotor[r]) * model.scene->bodies[at(free.body)].orientation;
    body.velocity = state.velocity[at(free.node)];
    body.spin = state.rotor[r] * state.rotor_spin[r];
  }
}

}  // namespace

Pose sample_pose(const ModelData& model, const Internals& internals, const RodState& state, const Targets& targets) {
  Pose pose;
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    pose.rods.push_back(RodSampler(model, internals, state, targets, static_cast<int>(r)).run());
  pose.bodies = targets.bodies;
  place_bodies(model, state, pose);
  for (std::size_t h = 0; h < model.scene->holds.size(); ++h)
    pose.holds.push_back(sample_hold(model, internals, state, targets, static_cast<int>(h)));
  pose.contacts = sample_contacts(model, state);
  add_momenta(model, state, pose);
  pose.energy.elastic = internals.elastic;
  pose.energy.gravity = internals.gravity;
  pose.energy.kinetic = kinetic_energy(model, state);
  pose.energy.work = state.work;
  pose.energy.dissipated = state.dissipated;
  pose.energy.drained = state.drained;
  return pose;
}

}  // namespace filum::discrete
