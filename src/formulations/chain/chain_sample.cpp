#include "formulations/chain/chain_sample.hpp"

#include "base/index.hpp"
#include "formulations/chain/chain_energy.hpp"
#include "formulations/chain/chain_transfer.hpp"
#include "formulations/chain/mechanism/joint_residual.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/chain/reeving/ropes.hpp"
#include "formulations/chain/reeving/wheels.hpp"
#include "formulations/chain/touch/touch_sample.hpp"
#include "rod/writhe.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::chain {

namespace {

// One end of an element, in space.
struct End {
  Vec3 position;
  Vec3 velocity;
};
End end_of(const Mechanism& mechanism, const ChainState& state, int element, int side) {
  const PartState& part = state.parts[at(element)];
  const Vec3 arm = part.orientation * Vec3(0, 0, side * mechanism.half_length[at(element)]);
  return {part.position + arm, part.velocity + part.spin.cross(arm)};
}

// The section at that end of an element, where a link grips it: half an element's stretch beyond the rigid element.
End gripped_end(const ModelData& model, const Mechanism& mechanism, const ChainState& state, int k, bool as_a) {
  const Link& link = mechanism.links[at(k)];
  const int element = as_a ? link.a : link.b;
  if (element >= mechanism.first_body) {
    const PartState& knot = state.parts[at(element)];
    const Vec3 arm = knot.orientation * link.arm_a;
    return {knot.position + arm, knot.velocity + knot.spin.cross(arm)};
  }
  End end = end_of(mechanism, state, element, as_a ? link.side_a : link.side_b);
  if (!(link.gap_compliance > 0) || state.links[at(k)].broken) return end;
  const PartState& a = state.parts[at(link.a)];
  const PartState& b = state.parts[at(link.b)];
  const LinkRows rows = link_rows(link, model.variant.joint, a, b, state.links[at(k)].twist);
  const bool laid = model.rods[at(state.elements[at(element)].rod)].torque_factor != 0;
  const double give = laid ? link.gap_compliance * mechanism.half_length[at(element)] / link.cell
                           : mechanism.half_length[at(element)] / stiffness_of(model, state.elements[at(element)]).EA;
  const double share = give / link.gap_compliance * (as_a ? 1 : -1);
  const Vec3 lengthened = link.lay * rows.value[5] * (a.orientation * link.base_a.col(2));
  end.position += share * (rows.value.head<3>() - lengthened);
  end.velocity += share * rows.gap_rate(a, b);
  return end;
}

// Builds the pose of one rod, boundary by boundary.
class RodSampler {
 public:
  RodSampler(const ModelData& model, const Mechanism& mechanism, const ChainState& state, int rod)
      : model_(model), mechanism_(mechanism), state_(state), rod_(rod), factor_(state.length_factor[at(rod)]) {
    first_ = 0;
    while (state.elements[at(first_)].rod != rod) ++first_;
    last_ = first_;
    while (at(last_) + 1 < state.elements.size() && state.elements[at(last_) + 1].rod == rod) ++last_;
    // links that carry the rod's own force and moment, by the boundary they stand at
    joints_.assign(at(last_ - first_) + 2, {-1, -1});
    if (!model.laws.empty())
      for (const int law : model.rods[at(rod)].law) {
        yields_ = yields_ || law >= 0;
        may_yield_ = may_yield_ || (law >= 0 && !model.laws[at(law)].slips);
      }
    for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
      note(static_cast<int>(k));
      if (grips_end(mechanism.links[k])) grips_.push_back(static_cast<int>(k));
    }
  }

  RodPose run() {
    pose_.closed = model_.rods[at(rod_)].closed;
    pose_.min_bend_radius = {std::numeric_limits<double>::infinity(), 0};
    for (int i = 0; i <= last_ - first_ + 1; ++i) {
      const int wheel = i > 0 ? state_.elements[at(first_ + i) - 1].wheel : -1;
      if (wheel >= 0)
        add_wheel(i, wheel);
      else
        add_boundary(i);
    }
    // along the curve that the elements are chords of
    for (std::size_t i = 1; i < pose_.position.size(); ++i)
      pose_.length += (pose_.position[i] - pose_.position[i - 1]).norm() / chord(0.5 * (pose_.s[i - 1] + pose_.s[i]));
    pose_.writhe = rod::writhe(pose_.position, pose_.closed);
    const PeakPull& peak = state_.peaks[at(rod_)];
    pose_.peak_tension = {peak.tension, factor_ * (peak.arc - state_.elements[at(first_)].begin)};
    return std::move(pose_);
  }

 private:
  // By something else than the rod itself: a hold, a drum, another rod that it is tied to.
  bool grips_end(const Link& link) const {
    const bool own = link.a >= first_ && link.a <= last_ && link.b >= first_ && link.b <= last_;
    return link.rod == rod_ && link.has_gap() && !own;
  }

  double chord(double s) const {
    const RodData& data = model_.rods[at(rod_)];
    return data.chord[at(data.element_at(s / factor_ + state_.elements[at(first_)].begin))];
  }

  // Where the rod runs over a sheave: the end of one element, the way round, the beginning of the next.
  void add_wheel(int i, int wheel) {
    const WheelPlace place = place_of(model_, state_, wheel);
    const WheelState& memory = state_.wheels[at(wheel)];
    const int before = first_ + i - 1;
    const End from = end_of(mechanism_, state_, before, 1);
    const double start = state_.elements[at(before)].end;
    const double beyond = state_.elements[at(before) + 1].begin;
    const double angle = wrap_angle(state_.parts[at(before)].orientation * Vec3::UnitZ(),
                                    state_.parts[at(before) + 1].orientation * Vec3::UnitZ(), place.axis);
    const Vec2 outline = model_.rods[at(rod_)].stiffness.front().outline;
    const double radius = model_.wheels[at(wheel)].radius;
    const double speed = from.velocity.dot(state_.parts[at(before)].orientation * Vec3::UnitZ());
    const int steps = 1 + static_cast<int>(std::abs(angle) / 0.2);
    for (int k = 0; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      const Quat turned = Quat(Eigen::AngleAxisd(share * angle, place.axis)) * state_.parts[at(before)].orientation;
      pose_.s.push_back(start + share * (beyond - start) - state_.elements[at(first_)].begin);
      pose_.position.push_back(place.centre +
                               Eigen::AngleAxisd(share * angle, place.axis) * Vec3(from.position - place.centre));
      pose_.velocity.push_back(speed * (turned * Vec3::UnitZ()));
      pose_.frame.push_back(turned);
      const Vec3 bend = turned.conjugate() * (place.axis / radius);
      pose_.curvature.push_back(bend.head<2>());
      pose_.twist.push_back(beyond > start ? memory.twist / (beyond - start) : 0);
      pose_.axial_force.push_back(memory.tension + share * memory.friction);
      pose_.moment.push_back({bend[0] * model_.rods[at(rod_)].stiffness.front().EI[0],
                              bend[1] * model_.rods[at(rod_)].stiffness.front().EI[1], -memory.force[5]});
      pose_.outline.push_back(outline);
    }
    pose_.turns += memory.twist / (2 * std::numbers::pi);
    if (radius < pose_.min_bend_radius.value) pose_.min_bend_radius = {radius, pose_.s.back()};
  }

  // A link belongs to the boundary at which it grips an element of this rod.
  void note(int k) {
    const Link& link = mechanism_.links[at(k)];
    int boundary = -1;
    if (link.b >= first_ && link.b <= last_ && link.side_b < 0) boundary = link.b - first_;
    if (link.a >= first_ && link.a <= last_ && link.side_a > 0) boundary = link.a - first_ + 1;
    // the seam of a ring is its first boundary
    if (model_.rods[at(rod_)].closed && link.a == last_ && link.b == first_) boundary = 0;
    if (boundary < 0 || (!link.has_gap() && !link.turn)) return;
    auto& here = joints_[at(boundary)];
    (here[0] < 0 ? here[0] : here[1]) = k;
    if (!link.turn || link.rod != rod_) return;
    // the twist that is remembered is that of before the last step
    const LinkRows rows = link_rows(link, model_.variant.joint, state_.parts[at(link.a)], state_.parts[at(link.b)],
                                    state_.links[at(k)].twist);
    pose_.turns += rows.twist / (2 * std::numbers::pi);
  }

  // Where the rod is broken its two ends are shown one after the other.
  void add_boundary(int i) {
    const int before = i > 0 ? first_ + i - 1 : -1;
    const int after = first_ + i <= last_ ? first_ + i : -1;
    bool broken = false;
    for (const int k : joints_[at(i)]) broken = broken || (k >= 0 && state_.links[at(k)].broken);
    if (broken && before >= 0 && after >= 0) {
      add_place(i, before, -1);
      add_place(i, -1, after);
    } else {
      add_place(i, before, after);
    }
  }

  void add_place(int i, int before, int after) {
    const bool closed = model_.rods[at(rod_)].closed;
    if (closed && before < 0) before = last_;
    if (closed && after < 0) after = first_;
    const int any = after >= 0 ? after : before;
    // counted from the present start of the rod
    const double s = first_ + i <= last_ ? state_.elements[at(first_ + i)].begin : state_.elements[at(last_)].end;
    pose_.s.push_back(factor_ * (s - state_.elements[at(first_)].begin));
    const RodData& data = model_.rods[at(rod_)];
    const Element& element = state_.elements[at(any)];
    pose_.outline.push_back(data.stiffness[at(data.element_at(0.5 * (element.begin + element.end)))].outline);

    // half way between the two elements that meet here
    End place = section_at(any, after >= 0 ? -1 : 1, before < 0 || after < 0);
    Quat frame = state_.parts[at(any)].orientation;
    if (before >= 0 && after >= 0) {
      const End other = section_at(before, 1, false);
      place = {0.5 * (place.position + other.position), 0.5 * (place.velocity + other.velocity)};
      frame = state_.parts[at(before)].orientation.slerp(0.5, state_.parts[at(after)].orientation);
    }
    pose_.position.push_back(place.position);
    pose_.velocity.push_back(place.velocity);
    pose_.frame.push_back(frame);
    add_strain(closed && first_ + i > last_ ? 0 : i);
  }

  // The end of an element as the rod's section: gripped, or at the rod's own end pulled by what acts there.
  End section_at(int element, int side, bool outer) const {
    for (const int k : grips_) {
      const Link& link = mechanism_.links[at(k)];
      if (link.a == element && link.side_a == side) return gripped_end(model_, mechanism_, state_, k, true);
      if (link.b == element && link.side_b == side) return gripped_end(model_, mechanism_, state_, k, false);
    }
    End end = end_of(mechanism_, state_, element, side);
    if (!outer) return end;
    const double give = mechanism_.half_length[at(element)] / stiffness_of(model_, state_.elements[at(element)]).EA;
    for (const PartLoad& load : mechanism_.forces)
      if (load.part == element && load.side == side)
        end.position += give * state_.load * state_.force_scale[at(load.index)] * load.share *
                        (load.follow ? Vec3(state_.parts[at(element)].orientation * load.value) : load.value);
    return end;
  }

  // Of two links at one place (a hold between two elements) the more loaded one is shown.
  void add_strain(int i) {
    Vec2 curvature = Vec2::Zero();
    double twist = 0;
    double axial = 0;
    Vec3 moment = Vec3::Zero();
    for (const int k : joints_[at(i)]) {
      if (k < 0) continue;
      const Link& link = mechanism_.links[at(k)];
      const Vec6& force = state_.links[at(k)].force;
      if (link.has_gap()) {
        const double pull = -force.head<3>().dot(pose_.frame.back() * Vec3::UnitZ());
        if (std::abs(pull) > std::abs(axial)) axial = pull;
      }
      if (link.turn && force.tail<3>().norm() >= moment.norm()) {
        moment = -force.tail<3>();
        const Vec3 strain = link.rest + link.turn_compliance.cwiseProduct(moment + given_way(k));
        // of a laid rope the tension has a torque too
        if (link.lay != 0)
          moment[2] -= link.lay * force.head<3>().dot(state_.parts[at(link.a)].orientation * link.base_a.col(2));
        curvature = strain.head<2>() / link.cell;
        twist = strain[2] / link.cell;
      }
    }
    if (curvature.norm() > 0 && 1 / curvature.norm() < pose_.min_bend_radius.value)
      pose_.min_bend_radius = {1 / curvature.norm(), pose_.s.back()};
    pose_.curvature.push_back(curvature);
    pose_.twist.push_back(twist);
    pose_.axial_force.push_back(axial);
    pose_.moment.push_back(moment);
    add_set(i);
  }

  // What stays and how far it has been strained: of two links the one that went further.
  void add_set(int i) {
    if (!yields_) return;
    LinkSet shown;
    for (const int k : joints_[at(i)]) {
      if (k < 0 || mechanism_.links[at(k)].law < 0) continue;
      const Link& link = mechanism_.links[at(k)];
      const LinkSet set = link_set(model_, link, link_tangent(link, state_), state_.links[at(k)]);
      if (set.turn.furthest >= shown.turn.furthest) shown = set;
    }
    pose_.plastic.push_back(shown.turn.strain);
    pose_.plastic_stretch.push_back(shown.stretch);
    if (may_yield_) pose_.yield.push_back(shown.turn.furthest);
  }

  // The moment that it would bear more if it had never given way.
  Vec3 given_way(int k) const {
    const Link& link = mechanism_.links[at(k)];
    if (link.law < 0) return Vec3::Zero();
    return link_yield(model_, link, link_tangent(link, state_), Vec6::Zero(), state_.links[at(k)].plastic, false)
        .relief.tail<3>();
  }

  const ModelData& model_;
  const Mechanism& mechanism_;
  const ChainState& state_;
  int rod_;
  double factor_;
  int first_ = 0;  // its elements
  int last_ = 0;
  std::vector<std::array<int, 2>> joints_;  // per boundary: the links there
  std::vector<int> grips_;                  // links that tie it to something else
  bool yields_ = false;                     // some of it may, or slip
  bool may_yield_ = false;
  RodPose pose_;
};

// What a hold does to its rod: on one element, or on the two that it stands between.
void add_holds(const ModelData& model, const Mechanism& mechanism, const ChainState& state, const Targets& targets,
               Pose& pose) {
  // one that holds nothing is where its rod is
  const Targets present = present_targets(model, state, targets);
  pose.holds.resize(model.scene->holds.size());
  for (std::size_t h = 0; h < pose.holds.size(); ++h) {
    const Grip& grip = model.grips[h];
    pose.holds[h].position = present.holds[h].position;
    // counted from the present start of the rod, which a winch moves
    std::size_t first = 0;
    while (state.elements[first].rod != grip.rod) ++first;
    pose.holds[h].s = (grip.s - state.elements[first].begin) * state.length_factor[at(grip.rod)];
  }
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (link.hold < 0) continue;
    HoldPose& hold = pose.holds[at(link.hold)];
    const bool rod_is_a = link.rod_is_a();
    const LinkRows rows =
        link_rows(link, model.variant.joint, state.parts[at(link.a)], state.parts[at(link.b)], state.links[k].twist);
    const Vec6& force = state.links[k].force;
    const Mat3 turn = (rod_is_a ? rows.by_a : rows.by_b).bottomRightCorner<3, 3>();
    hold.force += (rod_is_a ? -1 : 1) * force.head<3>();
    hold.moment += turn.transpose() * force.tail<3>();
    if (link.lay != 0) {
      const Vec3 tangent = state.parts[at(link.a)].orientation * link.base_a.col(2);
      hold.moment += link.lay * tangent.dot(force.head<3>()) * turn.row(2).transpose();
    }
    hold.position = gripped_end(model, mechanism, state, static_cast<int>(k), rod_is_a).position;
  }
}

}  // namespace

Pose sample_pose(const ModelData& model, const Mechanism& mechanism, const ChainState& state, const Targets& targets) {
  Pose pose;
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    pose.rods.push_back(RodSampler(model, mechanism, state, static_cast<int>(r)).run());
  pose.bodies = targets.bodies;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (!model.bodies[b].moves) continue;
    const PartState& part = state.parts[at(mechanism.first_body) + b];
    pose.bodies[b] = {part.position, part.orientation, part.velocity, part.spin};
  }
  add_holds(model, mechanism, state, targets, pose);
  Ropes::sample(mechanism, *model.scene, state, pose);
  for (const WheelState& wheel : state.wheels)
    pose.sheaves.push_back({wheel.tension, wheel.tension + wheel.friction, wheel.angle, wheel.slip});
  for (std::size_t w = 0; w < state.winches.size(); ++w) {
    const WinchState& winch = state.winches[w];
    pose.winches.push_back(
        {winch.force, winch.force * model.scene->winches[w].drum_radius, winch.paid_out, winch.speed});
  }
  pose.contacts = sample_touches(model, mechanism, state);
  pose.energy = energy_of(model, mechanism, state);
  return pose;
}

void set_elastic_forces(const ModelData& model, const Mechanism& mechanism, ChainState& state) {
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    const LinkRows rows =
        link_rows(link, model.variant.joint, state.parts[at(link.a)], state.parts[at(link.b)], state.links[k].twist);
    state.links[k].twist = rows.twist;
    Vec6& force = state.links[k].force;
    force.setZero();
    if (link.law >= 0) {
      force = link_yield(model, link, link_tangent(link, state), rows.value, state.links[k].plastic, false).relief;
      state.links[k].strain = rows.value;
    }
    for (int r = 0; r < 3; ++r) {
      if (link.gap_compliance > 0) force[r] -= rows.value[r] / link.gap_compliance;
      if (link.turn && link.turn_compliance[r] > 0) force[r + 3] -= rows.value[r + 3] / link.turn_compliance[r];
    }
  }
  for (std::size_t e = 0; e < state.elements.size(); ++e)
    if (const int index = state.elements[e].wheel; index >= 0) {
      WheelState& wheel = state.wheels[at(index)];
      wheel.tension = std::max(0.0, tension_on(model, mechanism, state, static_cast<int>(e)));
      wheel.force[4] = -wheel.tension;
      wheel.angle = wrap_angle(state.parts[e].orientation * Vec3::UnitZ(),
                               state.parts[e + 1].orientation * Vec3::UnitZ(), place_of(model, state, index).axis);
    }
}

}  // namespace filum::chain
