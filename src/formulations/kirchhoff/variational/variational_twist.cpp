// Tangents, held cross-sections, total twist and frames of the variational stepper.
#include "formulations/kirchhoff/variational/variational_step.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"

#include <algorithm>
#include <cmath>

namespace filum::kirchhoff {

using namespace discrete;

// Unit vectors along the edges, whose lengths are right to some 1e-12: one step of Newton's for 1/√ does.
void VariationalStepper::find_tangents(const RodState& state) {
  double worst = 0;
  for (std::size_t j = 0; j < setup_.length.size(); ++j) {
    const Vec3 t = setup_.inverse_length[j] * state.edge[j];
    const double square = t.squaredNorm();
    tangent_[j] = (1.5 - 0.5 * square) * t;
    worst = std::max(worst, std::abs(square - 1));
  }
  worst_strain_ = 0.5 * worst;
}

void VariationalStepper::find_sections(const RodState& state) {
  for (std::size_t s = 0; s < section_.size(); ++s) {
    const discrete::Section& section = model_.sections[s];
    section_[s] = state.rotor[at(section.rotor)] * section.base;
    tangent_[setup_.length.size() + s] = section_[s].col(2);
  }
}

// Where the rotors are to go, and by which rotation. False if one would turn by half a turn or more.
bool VariationalStepper::plan_turns(const RodState& state, const Targets& targets) {
  for (std::size_t r = 0; r < rotor_goal_.size(); ++r) {
    const Rotor& rotor = model_.rotors[r];
    const HoldTarget& target = targets.holds[at(rotor.hold)];
    const Mat3 spin = Eigen::AngleAxisd(2 * math::kPi * target.turns, Vec3::UnitZ()).toRotationMatrix();
    const Mat3& base = model_.sections[at(rotor.hold_section)].base;
    rotor_goal_[r] = target.orientation.toRotationMatrix() * spin * base.transpose();
    rotor_move_[r] = Vec3::Zero();
    if (rotor_goal_[r] == state.rotor[r]) continue;
    rotor_move_[r] = math::log_so3(rotor_goal_[r] * state.rotor[r].transpose());
    // the turns of the hold and the way its orientation goes besides, each by the shorter way
    const double turned = 2 * math::kPi * (target.turns - state.rotor_turns[r]);
    const Mat3 back = Eigen::AngleAxisd(-turned, Vec3::UnitZ()).toRotationMatrix();
    const Mat3 without = rotor_goal_[r] * base * back * (state.rotor[r] * base).transpose();
    if (std::abs(turned) + math::log_so3(without).norm() >= math::kPi) return false;
  }
  return true;
}

void VariationalStepper::turn_rotors(RodState& state, const Targets& targets, double dt) const {
  for (std::size_t r = 0; r < rotor_goal_.size(); ++r) {
    state.rotor[r] = state.rotor_target[r] = rotor_goal_[r];
    state.rotor_spin[r] = rotor_goal_[r].transpose() * rotor_move_[r] / dt;
    state.rotor_turns[r] = targets.holds[at(model_.rotors[r].hold)].turns;
  }
}

// The director at the far end, carried there without twist, against the one held there. Which turn is meant follows
// from the twist before and from how far the two sections turned about themselves since.
void VariationalStepper::find_twist(RodState& state, std::size_t index, const Vec3& carried) {
  const TwistSpan& span = setup_.layout.spans[index];
  double total = 0;
  if (span.ends != SpanEnds::Loose) {
    const auto spun = [&](int side) {
      const int rotor = model_.sections[at(side - setup_.layout.edges)].rotor;
      return tangent_[at(side)].dot(rotor_move_[at(rotor)]);
    };
    const bool held = span.ends == SpanEnds::Held;
    const double near = total_twist_[index] + (held ? spun(span.far) - spun(span.anchor) : 0);
    const Vec3 director = held ? Vec3(section_[at(span.far - setup_.layout.edges)].col(0)) : rail_[at(span.anchor)];
    total = math::unwrap(math::signed_angle(carried, director, tangent_[at(span.far)]) - span.offset, near);
  }
  total_twist_[index] = total;
  const double torque = span.compliance > 0 ? total / span.compliance : 0;
  for (int k = span.first; k < span.first + span.count; ++k)
    state.twist[at(setup_.layout.model_joint[at(k)])] = torque * setup_.layout.joints[at(k)].twist_compliance;
}

// Directors turned by the twist passed so far, cosines and sines by their addition theorem.
void VariationalStepper::write_frames(RodState& state, std::size_t index) const {
  const TwistSpan& span = setup_.layout.spans[index];
  const auto write = [&](int edge, const Vec2& turn) {
    Mat3& frame = state.frame[at(edge)];
    const Vec3& t = tangent_[at(edge)];
    const Vec3& r = rail_[at(edge)];
    frame.col(0) = turn[0] * r + turn[1] * t.cross(r);
    frame.col(1) = t.cross(frame.col(0));
    frame.col(2) = t;
  };
  Vec2 turn(1, 0);
  if (!setup_.layout.is_section(span.anchor)) write(span.anchor, turn);
  for (int k = span.first; k < span.first + span.count; ++k) {
    const int side = setup_.layout.joints[at(k)].to;
    if (side == span.far) break;
    const Vec2& by = turn_[at(setup_.layout.turn_class[at(k)])];
    turn = {turn[0] * by[0] - turn[1] * by[1], turn[0] * by[1] + turn[1] * by[0]};
    write(side, turn);
  }
}

// From tangents, sections and the total twist before to the total twist and the frames now.
void VariationalStepper::carry_frames(RodState& state) {
  for (std::size_t s = 0; s < setup_.layout.spans.size(); ++s) {
    const TwistSpan& span = setup_.layout.spans[s];
    const auto anchor = at(span.anchor);
    if (setup_.layout.is_section(span.anchor)) {
      rail_[anchor] = section_[at(span.anchor - setup_.layout.edges)].col(0);
    } else {
      // nothing holds the first edge: its frame follows it through time without twist
      rail_[anchor] = rod::carried_frame(state.frame[anchor], tangent_[anchor], 0).col(0);
    }
    const Vec3 first = rail_[anchor];
    const Vec3 carried = rod::carry_rail(setup_.layout.joints_of(span), tangent_, rail_);
    // a ring comes back to its first edge, whose own director stays
    rail_[anchor] = first;
    find_twist(state, s, carried);
  }
  for (std::size_t c = 0; c < turn_.size(); ++c) {
    const TurnClass& turn = setup_.layout.turn_classes[c];
    const TwistSpan& span = setup_.layout.spans[at(turn.span)];
    const double angle = turn.offset + total_twist_[at(turn.span)] / span.compliance * turn.compliance;
    turn_[c] = angle == 0 ? Vec2(1, 0) : Vec2(std::cos(angle), std::sin(angle));
  }
  for (std::size_t s = 0; s < setup_.layout.spans.size(); ++s) write_frames(state, s);
}

}  // namespace filum::kirchhoff
