#include "formulations/discrete/discrete_transfer.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_frame.hpp"
#include "formulations/discrete/obstacle_contact.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/rod_contact.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/discrete/slider.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

namespace filum::discrete {

namespace {

// Shares of a rod that are the same place.
constexpr double kSameNode = 1e-9;

Mat3 about_tangent(double angle) {
  return Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
}

// The edge that holds s.
int edge_at(const RodMesh& mesh, double s) {
  const auto above = std::upper_bound(mesh.s.begin(), mesh.s.end(), s);
  return std::clamp(static_cast<int>(above - mesh.s.begin()) - 1, 0, mesh.edges() - 1);
}

// Twist rate of a rod at each of its nodes, rad/m; 0 at a free end.
std::vector<double> twist_rates(const ModelData& model, const RodRange& range, const RodState& state) {
  std::vector<double> rate(at(range.mesh.nodes()), 0);
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
    rate[at(model.joints[at(k)].node - range.first_node)] = state.twist[at(k)] / model.joints[at(k)].cell;
  return rate;
}

// The frame at s: from the middle of the edge there, turned by the twist rate of the nearer node.
Mat3 frame_at(const RodRange& range, const RodState& state, const std::vector<double>& rate, double s) {
  const RodMesh& mesh = range.mesh;
  const int edge = edge_at(mesh, s);
  const double offset = s - (mesh.s[at(edge)] + 0.5 * mesh.edge_length(edge));
  return state.frame[at(range.first_edge + edge)] * about_tangent(offset * rate[at(mesh.node_at(s))]);
}

Mat3 left_frame(const ModelData& model, const RodState& state, const Joint& joint) {
  return side_frame(model, state, joint.left, joint.offset);
}

// The joints at a node: none at a free end, two where something grips the section between two edges.
struct JointsAt {
  int count = 0;
  std::array<int, 2> joint{};
};
JointsAt joints_at(const ModelData& model, const RodRange& range, int node) {
  JointsAt found;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
    if (model.joints[at(k)].node == node && found.count < 2) found.joint[at(found.count++)] = k;
  return found;
}

int section_of(const Joint& joint) {
  return std::max(joint.left.section, joint.right.section);
}

// The frame of the section at a joint's node.
Mat3 dividing_frame(const ModelData& model, const RodState& state, int k) {
  const Joint& joint = model.joints[at(k)];
  const Mat3 left = left_frame(model, state, joint);
  const rod::JointStrain strain = rod::joint_strain(left, side_frame(model, state, joint.right, 0), state.twist[at(k)]);
  return joint_frame(joint, strain, left, joint.elasticity.rest.head<2>() * state.length_factor[at(joint.rod)]);
}

// The section at a free end: beyond the last edge by the rest strain alone.
Mat3 end_frame(const ModelData& model, const RodRange& range, const RodState& state, bool start) {
  const int edge = start ? 0 : range.mesh.edges() - 1;
  const Mat3& frame = state.frame[at(range.first_edge + edge)];
  const JointsAt next = joints_at(model, range, range.first_node + (start ? 1 : range.mesh.nodes() - 2));
  if (next.count == 0) return frame;
  const Joint& joint = model.joints[at(next.joint[start ? 0 : at(next.count - 1)])];
  const Vec3 rest = (start ? -0.5 : 0.5) * range.mesh.edge_length(edge) / joint.cell * joint.elasticity.rest;
  return frame * about_tangent(0.5 * rest[2]) * math::exp_so3(Vec3(rest[0], rest[1], 0)) * about_tangent(0.5 * rest[2]);
}

// The frame of the cross-section at arc length s of a rod.
Mat3 section_frame(const ModelData& model, const RodRange& range, const RodState& state, double s) {
  const int i = range.mesh.node_at(s);
  if (std::abs(range.mesh.s[at(i)] - s) > 1e-9 * range.mesh.length)
    return frame_at(range, state, twist_rates(model, range, state), s);
  const JointsAt here = joints_at(model, range, range.first_node + i);
  if (here.count == 0) return end_frame(model, range, state, i == 0);
  const Joint& joint = model.joints[at(here.joint[0])];
  if (const int section = section_of(joint); section >= 0) return side_frame(model, state, {-1, section}, 0);
  return dividing_frame(model, state, here.joint[0]);
}

// Carries one state over, thing by thing.
class Transfer {
 public:
  Transfer(const ModelData& from, const RodState& old, const ModelData& to, RodState& now)
      : from_(from), old_(old), to_(to), now_(now) {
    for (std::size_t r = 0; r < to.rods.size(); ++r) rod_.push_back(origin_of(from, to, static_cast<int>(r)));
  }

  void run() {
    for (std::size_t r = 0; r < to_.rods.size(); ++r)
      if (rod_[r].rod >= 0) carry_rod(static_cast<int>(r));
    carry_bodies();
    const std::vector<Place> place = places();
    for (std::size_t r = 0; r < to_.rotors.size(); ++r) carry_rotor(static_cast<int>(r), place[r]);
    for (std::size_t r = 0; r < to_.rods.size(); ++r) {
      if (rod_[r].rod < 0) continue;
      carry_twists(static_cast<int>(r));
      transfer_plastic(from_, old_, rod_[r], to_, static_cast<int>(r), now_);
    }
    carry_holds();
    carry_ties();
    now_.moving = old_.moving;
    now_.work = old_.work;
    now_.dissipated = old_.dissipated;
    now_.drained = old_.drained;
  }

 private:
  const RodRange& old_rod(int rod) const { return from_.rods[at(rod_[at(rod)].rod)]; }
  // The place on the old rod.
  double old_s(int rod, double s) const { return rod_[at(rod)].place(s); }

  void carry_rod(int index) {
    const RodRange& was = old_rod(index);
    const RodRange& is = to_.rods[at(index)];
    if (const int skip = rod_[at(index)].first; skip >= 0) {
      const auto copy = [](const auto& list, int first, int count, auto& target, int place) {
        std::copy_n(list.begin() + first, count, target.begin() + place);
      };
      const int nodes = is.mesh.nodes();
      const int edges = is.mesh.edges();
      copy(old_.position, was.first_node + skip, nodes, now_.position, is.first_node);
      copy(old_.velocity, was.first_node + skip, nodes, now_.velocity, is.first_node);
      copy(old_.edge, was.first_edge + skip, edges, now_.edge, is.first_edge);
      copy(old_.frame, was.first_edge + skip, edges, now_.frame, is.first_edge);
      copy(old_.tension, was.first_edge + skip, edges, now_.tension, is.first_edge);
      copy(old_.edge_spin, was.first_edge + skip, edges, now_.edge_spin, is.first_edge);
      copy(old_.edge_tilt, was.first_edge + skip, edges, now_.edge_tilt, is.first_edge);
    } else {
      interpolate_rod(from_, old_, rod_[at(index)], to_, is, now_);
      for (int i = 0; i < is.mesh.nodes(); ++i)
        now_.velocity[at(is.first_node + i)] =
            nodal_at(was.mesh, old_.velocity, was.first_node, old_s(index, is.mesh.s[at(i)]));
      for (int j = 0; j < is.mesh.edges(); ++j) {
        const double middle = is.mesh.s[at(j)] + 0.5 * is.mesh.edge_length(j);
        const int before = was.first_edge + edge_at(was.mesh, old_s(index, middle));
        now_.edge_spin[at(is.first_edge + j)] = old_.edge_spin[at(before)];
        now_.edge_tilt[at(is.first_edge + j)] = old_.edge_tilt[at(before)];
      }
    }
    stop_gripped(index);
  }

  // What a hold newly takes hold of comes to rest.
  void stop_gripped(int index) {
    const RodRange& is = to_.rods[at(index)];
    for (int i = 0; i < is.mesh.nodes(); ++i) {
      const int node = is.first_node + i;
      const int before = old_rod(index).first_node + old_rod(index).mesh.node_at(old_s(index, is.mesh.s[at(i)]));
      for (int axis = 0; axis < 3; ++axis)
        if (to_.position_hold[at(node)][at(axis)] >= 0 && from_.position_hold[at(before)][at(axis)] < 0)
          now_.velocity[at(node)][axis] = 0;
    }
  }

  void carry_bodies() {
    for (const FreeBody& body : to_.bodies) {
      const Body& is = to_.scene->bodies[at(body.body)];
      for (const FreeBody& other : from_.bodies) {
        const Body& was = from_.scene->bodies[at(other.body)];
        if (was.name != is.name) continue;
        now_.position[at(body.node)] = old_.position[at(other.node)];
        now_.velocity[at(body.node)] = old_.velocity[at(other.node)];
        now_.rotor[at(body.rotor)] = old_.rotor[at(other.rotor)];
        now_.rotor_spin[at(body.rotor)] = old_.rotor_spin[at(other.rotor)];
        if (was.orientation.coeffs() == is.orientation.coeffs()) continue;
        // rotations count from where the scene puts the body
        const Mat3 shift = (is.orientation * was.orientation.conjugate()).toRotationMatrix();
        now_.rotor[at(body.rotor)] = math::nearest_rotation(old_.rotor[at(other.rotor)] * shift.transpose());
        now_.rotor_spin[at(body.rotor)] = shift * old_.rotor_spin[at(other.rotor)];
      }
    }
  }

  // Where a rotor's section is on a rod: that of its hold, or its first.
  struct Place {
    int section = -1;
    int rod = -1;
    double s = 0;  // on the old rod
  };
  std::vector<Place> places() const {
    std::vector<Place> places(to_.rotors.size());
    for (std::size_t r = 0; r < to_.rods.size(); ++r) {
      const RodRange& range = to_.rods[r];
      if (rod_[r].rod < 0) continue;
      for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
        const Joint& joint = to_.joints[at(k)];
        const int section = section_of(joint);
        const int rotor = section >= 0 ? to_.sections[at(section)].rotor : -1;
        if (rotor < 0) continue;
        Place& place = places[at(rotor)];
        if (place.section >= 0 && section != to_.rotors[at(rotor)].hold_section) continue;
        place = {section, joint.rod, old_s(joint.rod, range.mesh.s[at(joint.node - range.first_node)])};
      }
    }
    return places;
  }

  // The rotor of the old model at that place, if there was one whose section counts its rotation alike.
  std::optional<int> old_rotor(const Place& place) const {
    const RodRange& range = old_rod(place.rod);
    const int i = range.mesh.node_at(place.s);
    if (range.mesh.s[at(i)] != place.s) return std::nullopt;
    const JointsAt here = joints_at(from_, range, range.first_node + i);
    const int section = here.count > 0 ? section_of(from_.joints[at(here.joint[0])]) : -1;
    if (section < 0 || from_.sections[at(section)].base != to_.sections[at(place.section)].base) return std::nullopt;
    return from_.sections[at(section)].rotor;
  }

  void carry_rotor(int index, const Place& place) {
    const Rotor& rotor = to_.rotors[at(index)];
    if (rotor.body >= 0 || place.section < 0) return;
    const std::optional<int> same = old_rotor(place);
    if (same) {
      now_.rotor[at(index)] = old_.rotor[at(*same)];
      now_.rotor_spin[at(index)] = old_.rotor_spin[at(*same)];
    } else {
      const Mat3 frame = section_frame(from_, old_rod(place.rod), old_, place.s);
      now_.rotor[at(index)] = math::nearest_rotation(frame * to_.sections[at(place.section)].base.transpose());
    }
    if (rotor.hold < 0) return;
    // a hold that stays goes on from where it was wanted; a new one from where it is
    const Rotor* was = same ? &from_.rotors[at(*same)] : nullptr;
    const bool stays = was != nullptr && was->hold >= 0 && was->fixed == rotor.fixed &&
                       from_.scene->holds[at(was->hold)].name == to_.scene->holds[at(rotor.hold)].name;
    now_.rotor_target[at(index)] = stays ? old_.rotor_target[at(*same)] : now_.rotor[at(index)];
    if (stays) now_.rotor_turns[at(index)] = old_.rotor_turns[at(*same)];
  }

  // Whole turns come from the old twists, the rest from the frames. Joints that are what they were keep their bits.
  void carry_twists(int index) {
    const RodRange& was = old_rod(index);
    const RodRange& is = to_.rods[at(index)];
    const int skip = rod_[at(index)].first;
    for (int k = is.first_joint; k < is.first_joint + is.joints; ++k) {
      const Joint& joint = to_.joints[at(k)];
      double near = now_.twist[at(k)];
      if (skip >= 0) {
        const JointsAt before = joints_at(from_, was, joint.node - is.first_node + was.first_node + skip);
        const JointsAt after = joints_at(to_, is, joint.node);
        if (before.count == after.count) {
          now_.twist[at(k)] = old_.twist[at(before.joint[k == after.joint[0] ? 0 : 1])];
          continue;
        }
        near = near_twist(before, joint);
      }
      now_.twist[at(k)] =
          rod::joint_strain(left_frame(to_, now_, joint), side_frame(to_, now_, joint.right, 0), near).twist;
    }
  }

  // About the twist of a joint that takes the place of others, or of none.
  double near_twist(const JointsAt& before, const Joint& joint) const {
    if (before.count == 0) return joint.elasticity.rest[2];
    double twist = 0;
    double cell = 0;
    for (int i = 0; i < before.count; ++i) {
      twist += old_.twist[at(before.joint[at(i)])];
      cell += from_.joints[at(before.joint[at(i)])].cell;
    }
    return twist * joint.cell / cell;
  }

  void carry_holds() {
    for (std::size_t h = 0; h < to_.scene->holds.size(); ++h) {
      const int was = index_of(from_.scene->holds, to_.scene->holds[h].name);
      if (was < 0) continue;
      now_.hold_force[h] = old_.hold_force[at(was)];
      now_.hold_moment[h] = old_.hold_moment[at(was)];
      const Hold& hold = to_.scene->holds[h];
      for (int axis = 0; axis < 3; ++axis) {
        if (!hold.fix.position[at(axis)]) now_.hold_force[h][axis] = 0;
        if (!hold.fix.orientation[at(axis)]) now_.hold_moment[h][axis] = 0;
      }
    }
    for (std::size_t k = 0; k < to_.sliders.size(); ++k)
      for (std::size_t j = 0; j < from_.sliders.size(); ++j) {
        const Hold& is = to_.scene->holds[at(to_.sliders[k].hold)];
        if (from_.scene->holds[at(from_.sliders[j].hold)].name != is.name || rod_[at(to_.sliders[k].rod)].rod < 0)
          continue;
        if (to_.sliders[k].offset * from_.sliders[j].offset < 0) continue;  // the other end of a guide
        const int rod = to_.sliders[k].rod;
        now_.slide[k] = rod_[at(rod)].new_place(old_.slide[j]);
        now_.slide_anchor[k] = rod_[at(rod)].new_place(old_.slide_anchor[j]);
        now_.slide_force[k] = old_.slide_force[j];
        now_.slide_stop[k] = old_.slide_stop[j];
      }
  }

  // What ties carry, where they tie the same two nodes.
  void carry_ties() {
    for (std::size_t k = 0; k < to_.ties.size(); ++k)
      for (std::size_t j = 0; j < from_.ties.size(); ++j)
        if (same_node(to_.ties[k].slave, from_.ties[j].slave) && same_node(to_.ties[k].master, from_.ties[j].master))
          now_.tie_force[k] = old_.tie_force[j];
  }

  bool same_node(int node, int old_node) const {
    for (std::size_t r = 0; r < to_.rods.size(); ++r) {
      const int i = node - to_.rods[r].first_node;
      if (i < 0 || i >= to_.rods[r].mesh.nodes() || rod_[r].rod < 0) continue;
      const RodRange& was = old_rod(static_cast<int>(r));
      return old_node == was.first_node + was.mesh.node_at(old_s(static_cast<int>(r), to_.rods[r].mesh.s[at(i)]));
    }
    for (const FreeBody& body : to_.bodies)
      for (const FreeBody& other : from_.bodies)
        if (body.node == node && other.node == old_node)
          return to_.scene->bodies[at(body.body)].name == from_.scene->bodies[at(other.body)].name;
    return false;
  }

  const ModelData& from_;
  const RodState& old_;
  const ModelData& to_;
  RodState& now_;
  std::vector<RodOrigin> rod_;  // per rod
};

// The nodes of a piece as a run of those of the rod that it comes from: the first of them, or −1.
int run_of_nodes(const RodMesh& piece, const RodMesh& whole, const RodOrigin& origin) {
  const int first = whole.node_at(origin.place(0));
  if (first + piece.nodes() > whole.nodes()) return -1;
  for (int i = 0; i < piece.nodes(); ++i)
    if (std::abs(whole.s[at(first + i)] - origin.place(piece.s[at(i)])) > kSameNode * whole.length) return -1;
  return first;
}

}  // namespace

RodOrigin origin_of(const ModelData& from, const ModelData& to, int index) {
  const Rod& rod = to.scene->rods[at(index)];
  const RodMesh& is = to.rods[at(index)].mesh;
  RodOrigin origin;
  const RodPiece whole{rod.name, 0, 1, {}};
  const RodPiece& part = rod.piece ? *rod.piece : whole;
  for (std::size_t r = 0; r < from.rods.size(); ++r) {
    const Rod& other = from.scene->rods[r];
    const RodPiece whole_other{other.name, 0, 1, {}};
    const RodPiece& of = other.piece ? *other.piece : whole_other;
    if (of.of != part.of || other.closed != rod.closed) continue;
    if (of.from > part.from + kSameNode || of.to < part.to - kSameNode) continue;
    const RodMesh& was = from.rods[r].mesh;
    origin.rod = static_cast<int>(r);
    origin.old_length = was.length;
    origin.new_length = is.length;
    if (of.from != part.from || of.to != part.to) {
      origin.begin = (part.from - of.from) / (of.to - of.from) * was.length;
      origin.old_length *= (part.to - part.from) / (of.to - of.from);
    }
    if (was.s == is.s)
      origin.first = 0;
    else if (rod.piece)
      origin.first = run_of_nodes(is, was, origin);
    return origin;
  }
  return origin;
}

void interpolate_rod(const ModelData& from, const RodState& from_state, const RodOrigin& origin, const ModelData& to,
                     const RodRange& to_rod, RodState& to_state) {
  const RodRange& from_rod = from.rods[at(origin.rod)];
  const std::vector<double> rate = twist_rates(from, from_rod, from_state);
  for (int i = 0; i < to_rod.mesh.nodes(); ++i)
    to_state.position[at(to_rod.first_node + i)] =
        nodal_at(from_rod.mesh, from_state.position, from_rod.first_node, origin.place(to_rod.mesh.s[at(i)]));
  for (int j = 0; j < to_rod.mesh.edges(); ++j) {
    const double s = origin.place(to_rod.mesh.s[at(j)] + 0.5 * to_rod.mesh.edge_length(j));
    const auto index = at(to_rod.first_edge + j);
    const Edge& edge = to.edges[index];
    to_state.edge[index] = to_state.position[at(edge.b)] - to_state.position[at(edge.a)];
    to_state.frame[index] = rod::carried_frame(frame_at(from_rod, from_state, rate, s), to_state.edge[index], 0);
    to_state.tension[index] = from_state.tension[at(from_rod.first_edge + edge_at(from_rod.mesh, s))];
  }
  // twists in proportion to the cells; the joints only need them to tell whole turns apart
  for (int k = to_rod.first_joint; k < to_rod.first_joint + to_rod.joints; ++k) {
    const Joint& joint = to.joints[at(k)];
    const double s = origin.place(to_rod.mesh.s[at(joint.node - to_rod.first_node)]);
    to_state.twist[at(k)] = rate[at(from_rod.mesh.node_at(s))] * joint.cell;
  }
}

void transfer(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state) {
  Transfer(from, from_state, to, to_state).run();
  transfer_contacts(from, from_state, to, to_state);
  transfer_rod_touches(from, from_state, to, to_state);
}

void transfer_part(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state) {
  Transfer(from, from_state, to, to_state).run();
  for (std::size_t r = 0; r < from.rods.size(); ++r)
    to_state.length_factor[at(index_of(to.scene->rods, from.scene->rods[r].name))] = from_state.length_factor[r];
}

Targets present_targets(const ModelData& model, const RodState& state, const Targets& targets) {
  Targets now = targets;
  for (std::size_t h = 0; h < model.scene->holds.size(); ++h) {
    const Hold& hold = model.scene->holds[h];
    const RodRange& range = model.rods[at(index_of(model.scene->rods, hold.rod))];
    if (model.hold_node[h] < 0) {
      // the middle of its one or two grips
      Vec3 sum = Vec3::Zero();
      int grips = 0;
      for (std::size_t k = 0; k < model.sliders.size(); ++k)
        if (model.sliders[k].hold == static_cast<int>(h)) {
          sum += nodal_at(range.mesh, state.position, range.first_node, state.slide[k]);
          ++grips;
        }
      now.holds[h].position = sum / grips;
      continue;
    }
    now.holds[h].position = state.position[at(model.hold_node[h])];
    const double s = range.mesh.s[at(model.hold_node[h] - range.first_node)];
    const Mat3 frame = section_frame(model, range, state, s);
    now.holds[h].orientation =
        Quat(Mat3(frame * about_tangent(-2 * std::numbers::pi * targets.holds[h].turns))).normalized();
  }
  for (const FreeBody& free : model.bodies) {
    BodyPose& body = now.bodies[at(free.body)];
    const auto rotor = at(free.rotor);
    body.position = state.position[at(free.node)];
    body.orientation = Quat(state.rotor[rotor]) * model.scene->bodies[at(free.body)].orientation;
    body.velocity = state.velocity[at(free.node)];
    body.spin = state.rotor[rotor] * state.rotor_spin[rotor];
  }
  return now;
}

}  // namespace filum::discrete
