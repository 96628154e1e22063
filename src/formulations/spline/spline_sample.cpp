#include "formulations/spline/spline_sample.hpp"

#include "base/index.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/spline/segment_frames.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "math/rotation.hpp"
#include "rod/spline_strain.hpp"
#include "rod/writhe.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::spline {

namespace {

// A rod of few segments is shown by more points, so many at least.
constexpr int kLeastSamples = 96;

class RodSampler {
 public:
  RodSampler(const SplineModel& model, const System& system, const SplineState& state, int rod)
      : model_(model),
        state_(state),
        spline_(model.rods[at(rod)]),
        // of a moving rod, the force that acted during the last step: at a single instant it is full of axial waves
        axial_(state.moving ? state.tension : system.axial_force()),
        factor_(state.length_factor[at(rod)]),
        remembers_(std::any_of(model.nodes.rods[at(rod)].edge_law.begin(), model.nodes.rods[at(rod)].edge_law.end(),
                               [](int law) { return law >= 0; })),
        may_yield_(remembers_ && discrete::may_yield(model.nodes, rod)) {}

  RodPose run() {
    pose_.min_bend_radius = {std::numeric_limits<double>::infinity(), 0};
    const int segments = spline_.knots.segments();
    for (const ShownPlace& place : shown_places(spline_.knots)) add(place.segment, place.share);
    for (int g = spline_.first_stretch; g < spline_.first_stretch + spline_.stretches; ++g) {
      const StretchPoint& point = model_.stretches[at(g)];
      pose_.length += point.weight * leg_sum(state_.leg, model_.segments[at(point.segment)].first, point.slope).norm();
    }
    for (int k = spline_.first_segment; k < spline_.first_segment + segments; ++k)
      pose_.turns += state_.twist[at(k)] / (2 * math::kPi);
    pose_.closed = spline_.knots.closed();
    pose_.writhe = rod::writhe(pose_.position, pose_.closed);
    return std::move(pose_);
  }

 private:
  void add(int k, double share) {
    const int index = spline_.first_segment + k;
    const Segment& segment = model_.segments[at(index)];
    const rod::SplineBasis basis = spline_.knots.at(k, share);
    Vec3 position = Vec3::Zero();
    Vec3 velocity = Vec3::Zero();
    for (int p = 0; p < 4; ++p) {
      position += basis.value[at(p)] * state_.control[at(segment.first + p)];
      velocity += basis.value[at(p)] * state_.velocity[at(segment.first + p)];
    }
    const Vec3 v = leg_sum(state_.leg, segment.first, basis.slope);
    const Vec3 a = leg_sum(state_.leg, segment.first, basis.bend);
    const Mat3& from = state_.node_frame[at(segment.node[0])];
    const Mat3 frame = share == 0 ? from
                       : share == 1
                           ? end_frame(segment, state_)
                           : frame_within(segment_slopes(state_.leg, segment), from, state_.twist[at(index)], share);
    Section here = section(index, share, v, a, frame);
    // a hold or junction may make the moment jump: the larger side is shown
    if (share == 0 && k > 0) {
      const Segment& before = model_.segments[at(index - 1)];
      const rod::SplineBasis end = spline_.knots.at(k - 1, 1);
      const Section other = section(index - 1, 1, leg_sum(state_.leg, before.first, end.slope),
                                    leg_sum(state_.leg, before.first, end.bend), frame);
      if (!spline_.knots.is_break(k)) {
        here.twist = 0.5 * (here.twist + other.twist);
        here.moment = 0.5 * (here.moment + other.moment);
        here.axial = 0.5 * (here.axial + other.axial);
        here.set.strain = 0.5 * (here.set.strain + other.set.strain);
        here.plastic_stretch = 0.5 * (here.plastic_stretch + other.plastic_stretch);
      } else {
        if (other.set.furthest > here.set.furthest) here.set.strain = other.set.strain;
        if (other.moment.norm() > here.moment.norm())
          here.curvature = other.curvature, here.twist = other.twist, here.moment = other.moment;
        if (std::abs(other.axial) > std::abs(here.axial)) here.axial = other.axial;
      }
      here.set.furthest = std::max(here.set.furthest, other.set.furthest);
    }
    const double s = factor_ * (spline_.knots.start(k) + share * spline_.knots.width(k));
    pose_.s.push_back(s);
    pose_.position.push_back(position);
    pose_.velocity.push_back(velocity);
    pose_.frame.emplace_back(frame);
    pose_.curvature.push_back(here.curvature);
    pose_.twist.push_back(here.twist);
    pose_.moment.push_back(here.moment);
    pose_.axial_force.push_back(here.axial);
    if (remembers_) pose_.plastic.push_back(here.set.strain), pose_.plastic_stretch.push_back(here.plastic_stretch);
    if (may_yield_) pose_.yield.push_back(here.set.furthest);
    pose_.outline.push_back(segment.stiffness.outline);
    if (const double bent = here.curvature.norm(); bent > 0 && 1 / bent < pose_.min_bend_radius.value)
      pose_.min_bend_radius = {1 / bent, s};
  }

  struct Section {
    Vec2 curvature{0, 0};
    double twist = 0;
    Vec3 moment = Vec3::Zero();
    double axial = 0;
    double plastic_stretch = 0;
    discrete::PlasticSet set;
  };

  Section section(int index, double share, const Vec3& v, const Vec3& a, const Mat3& frame) {
    const Segment& segment = model_.segments[at(index)];
    const BendPoint* bend = model_.bends.data() + kBendPoints * index;
    // what is known at the Gauss points alone, by the parabola through them
    const double x = (share - 0.5) / (bend[2].share - 0.5);
    const auto between = [&](auto first, auto middle, auto last) {
      return 0.5 * x * (x - 1) * first + (1 - x * x) * middle + 0.5 * x * (x + 1) * last;
    };
    Vec2 rest = between(Vec2(bend[0].rest), Vec2(bend[1].rest), Vec2(bend[2].rest));
    const double rest_speed = factor_ * between(bend[0].rest_speed, bend[1].rest_speed, bend[2].rest_speed);
    Section here;
    here.curvature = rod::spline_strain(v, a, frame, rest_speed).curvature;
    here.twist = state_.twist[at(index)] / (factor_ * segment.width);
    double torque = segment.stiffness.GJ * (here.twist - segment.rest_twist / segment.width);
    if (segment.lay != 0) torque += segment.lay * segment.stiffness.GJ * lengthening(segment);
    here.moment << segment.stiffness.EI.cwiseProduct(here.curvature - rest), torque;
    if (segment.law >= 0) add_set(index, share, between, here);
    here.axial = axial_at(index, share);
    return here;
  }

  // By how much a segment is longer, over its length at rest, by the weights of its stretch points.
  [[nodiscard]] double lengthening(const Segment& segment) const {
    double longer = 0;
    for (int g = segment.stretch[0]; g < segment.stretch[1]; ++g) {
      const StretchPoint& point = model_.stretches[at(g)];
      longer += point.weight * (leg_sum(state_.leg, segment.first, point.slope).norm() - factor_ * point.rest_speed);
    }
    return longer / (factor_ * segment.width);
  }

  // What stays, and what it takes from the moments.
  template <class Between>
  void add_set(int index, double share, const Between& between, Section& here) {
    const Segment& segment = model_.segments[at(index)];
    std::array<discrete::PlasticSet, kBendPoints> bends;
    for (int g = 0; g < kBendPoints; ++g)
      bends[at(g)] = site_set(bend_site(model_, state_, kBendPoints * index + g), state_);
    const discrete::PlasticSet twist = site_set(twist_site(model_, state_, index), state_);
    here.set.strain.head<2>() =
        between(Vec2(bends[0].strain.head<2>()), Vec2(bends[1].strain.head<2>()), Vec2(bends[2].strain.head<2>()));
    here.set.strain[2] = twist.strain[2] / (factor_ * segment.width);
    here.moment.head<2>() -= segment.stiffness.EI.cwiseProduct(here.set.strain.head<2>());
    here.moment[2] -= segment.stiffness.GJ * here.set.strain[2];
    const int nearest = share < 1.0 / 3 ? 0 : share > 2.0 / 3 ? 2 : 1;
    here.set.furthest = std::max(bends[at(nearest)].furthest, twist.furthest);
    for (int g = spline_.first_stretch; g < spline_.first_stretch + spline_.stretches; ++g)
      if (model_.stretches[at(g)].segment == index) {
        const discrete::PlasticSet stretch = site_set(stretch_site(model_, state_, g), state_);
        here.set.furthest = std::max(here.set.furthest, stretch.furthest);
        if (std::abs(stretch.strain[2]) > std::abs(here.plastic_stretch)) here.plastic_stretch = stretch.strain[2];
      }
  }

  // Strain is right at the stretch points; between them, and beyond the last ones of a part between two breaks, its
  // force goes on in straight lines.
  [[nodiscard]] double axial_at(int index, double share) {
    const int k = index - spline_.first_segment;
    find_part(k);
    const auto place = [&](int g) {
      const StretchPoint& point = model_.stretches[at(g)];
      const int segment = point.segment - spline_.first_segment;
      return spline_.knots.start(segment) + point.share * spline_.knots.width(segment);
    };
    const double s = spline_.knots.start(k) + share * spline_.knots.width(k);
    const auto begin = model_.stretches.begin() + spline_.first_stretch;
    const auto end = begin + spline_.stretches;
    const auto of = [&](int segment) {
      return static_cast<int>(std::lower_bound(begin, end, spline_.first_segment + segment,
                                               [](const StretchPoint& p, int wanted) { return p.segment < wanted; }) -
                              model_.stretches.begin());
    };
    const int from = of(part_first_);
    const int to = of(part_last_ + 1) - 1;
    if (to <= from) return axial_[at(from)];
    int after = std::min(std::max(from + 1, of(k - 1)), to);
    while (after < to && place(after) < s) ++after;
    const double part = (s - place(after - 1)) / (place(after) - place(after - 1));
    return axial_[at(after - 1)] + part * (axial_[at(after)] - axial_[at(after - 1)]);
  }

  // The part between two breaks that a segment is of; segments come one after the other.
  void find_part(int k) {
    if (k >= part_first_ && k <= part_last_) return;
    part_first_ = part_last_ = k;
    // a ring is cut at its seam
    while (part_first_ > 0 && !spline_.knots.is_break(part_first_)) --part_first_;
    while (part_last_ + 1 < spline_.knots.segments() && !spline_.knots.is_break(part_last_ + 1)) ++part_last_;
  }

  const SplineModel& model_;
  const SplineState& state_;
  const RodSpline& spline_;
  const std::vector<double>& axial_;
  double factor_;
  bool remembers_;  // some of it may yield or slip
  bool may_yield_;
  int part_first_ = 0;
  int part_last_ = -1;
  RodPose pose_;
};

HoldPose sample_hold(const SplineModel& model, const System& system, const SplineState& state, const Targets& targets,
                     int index) {
  const Hold& hold = model.nodes.scene->holds[at(index)];
  const int node = model.nodes.hold_node[at(index)];
  if (node < 0) return discrete::slider_hold(model.nodes, state, state.length_factor, targets, index);
  HoldPose pose;
  pose.position = node_position(model, state, node);
  const int rod = model.curve[at(node)].rod;
  pose.s = hold.at.at(model.nodes.rods[at(rod)].mesh.length) * state.length_factor[at(rod)];
  for (std::size_t k = 0; k < model.grips.size(); ++k) {
    const Grip& grip = model.grips[k];
    if (grip.kind == GripKind::Tie && grip.tie == model.nodes.hold_tie[at(index)]) pose.force = -state.grip[k];
    if (grip.node != node) continue;
    if (grip.kind == GripKind::Place)
      for (int axis = 0; axis < 3; ++axis)
        if (model.nodes.position_hold[at(node)][at(axis)] == index) pose.force[axis] = -state.grip[k][axis];
    // on a free body it is what the gripped section gets
    if (grip.kind == GripKind::Section && model.nodes.hold_section[at(index)] >= 0 &&
        model.nodes.hold_rotor[at(index)] < 0)
      pose.moment = system.section_moment(static_cast<int>(k));
  }
  // of several holds on one junction the leading one reports
  if (const int rotor = model.nodes.hold_rotor[at(index)]; rotor >= 0 && model.nodes.rotors[at(rotor)].hold == index)
    for (int axis = 0; axis < 3; ++axis)
      if (hold.fix.orientation[at(axis)]) pose.moment[axis] = system.rotor_moment(rotor)[axis];
  return pose;
}

// Momentum and moment of momentum of the rods by the mass matrix, Σ m_pq v_q at P_p, of their spins, and of free bodies.
void add_momentum(const SplineModel& model, const SplineState& state, Pose& pose) {
  for (std::size_t k = 0; k < model.segments.size(); ++k) {
    const Segment& segment = model.segments[k];
    const double stock = state.length_factor[at(segment.rod)];
    for (int p = 0; p < 4; ++p) {
      Vec3 momentum = Vec3::Zero();
      for (int q = 0; q < 4; ++q)
        momentum += stock * segment.mass[at(p)][at(q)] * state.velocity[at(segment.first + q)];
      pose.momentum += momentum;
      pose.angular_momentum += state.control[at(segment.first + p)].cross(momentum);
    }
  }
  for (std::size_t node = 0; node < state.node_frame.size(); ++node)
    pose.angular_momentum += model.curve[node].spin_inertia * state.node_spin[node] * state.node_frame[node].col(2);
  for (const discrete::FreeBody& body : model.nodes.bodies) {
    const int control = model.curve[at(body.node)].first;
    const Vec3 momentum = model.control_mass[at(control)] * state.velocity[at(control)];
    const auto rotor = at(body.rotor);
    pose.momentum += momentum;
    pose.angular_momentum += state.control[at(control)].cross(momentum) +
                             state.rotor[rotor] * (model.nodes.rotors[rotor].inertia * state.rotor_spin[rotor]);
  }
}

}  // namespace

std::vector<ShownPlace> shown_places(const rod::SplineKnots& knots) {
  const int segments = knots.segments();
  const int parts = std::max(1, (kLeastSamples + segments - 1) / segments);
  std::vector<ShownPlace> places;
  for (int k = 0; k < segments; ++k)
    for (int i = 0; i < parts; ++i) places.push_back({k, static_cast<double>(i) / parts});
  places.push_back({segments - 1, 1});
  return places;
}

Pose sample_spline(const SplineModel& model, const System& system, const Balance& balance, const SplineState& state,
                   const Targets& targets) {
  Pose pose;
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod)
    pose.rods.push_back(RodSampler(model, system, state, rod).run());
  pose.bodies = targets.bodies;
  for (const discrete::FreeBody& free : model.nodes.bodies) {
    BodyPose& body = pose.bodies[at(free.body)];
    body.position = node_position(model, state, free.node);
    body.orientation = Quat(state.rotor[at(free.rotor)]) * model.nodes.scene->bodies[at(free.body)].orientation;
    body.velocity = state.velocity[at(model.curve[at(free.node)].first)];
    body.spin = state.rotor[at(free.rotor)] * state.rotor_spin[at(free.rotor)];
  }
  for (int hold = 0; hold < static_cast<int>(model.nodes.scene->holds.size()); ++hold)
    pose.holds.push_back(sample_hold(model, system, state, targets, hold));
  add_momentum(model, state, pose);
  pose.energy.elastic = balance.elastic;
  pose.energy.gravity = balance.gravity;
  pose.energy.work = state.work;
  pose.energy.dissipated = state.dissipated;
  pose.energy.drained = state.drained;
  return pose;
}

}  // namespace filum::spline
