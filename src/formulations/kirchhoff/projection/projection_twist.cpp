#include "formulations/kirchhoff/projection/projection_twist.hpp"

#include "base/index.hpp"
#include "math/small_angle.hpp"
#include "rod/binormal_bending.hpp"
#include "rod/edge.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

constexpr int kMostTwistIterations = 200;
// Newton stops when no edge is asked to turn by more than this, or the torques left are this share of the stiffness.
constexpr double kSmallTurn = 1e-11;
// Newton's error after a whole step is about the square of it.
constexpr double kLastTurn = 1e-6;
constexpr double kSmallTorque = 1e-13;
constexpr double kLongestTurn = 0.5;
// Largest shift, as a share of the twist stiffness, for angles that nothing but bending determines.
constexpr double kLargestShift = 1e-6;

double nearest(double angle, double to) {
  return angle + 2 * std::numbers::pi * std::round((to - angle) / (2 * std::numbers::pi));
}

// v, square to the unit tangent t0, carried to t1 without twist, its length kept at 1.
Vec3 carried(const Vec3& v, const Vec3& t0, const Vec3& t1) {
  const Vec3 moved = v - (v.dot(t1) / rod::fold(t0, t1)) * (t0 + t1);
  const Vec3 square = moved - moved.dot(t1) * t1;
  return square * (1.5 - 0.5 * square.squaredNorm());
}

// From a to b about t, all three unit vectors, a and b square to t.
double angle_about(const Vec3& t, const Vec3& a, const Vec3& b) {
  return std::atan2(t.dot(a.cross(b)), a.dot(b));
}

}  // namespace

bool is_round(const Joint& joint) {
  const Vec3& k = joint.elasticity.stiffness;
  return k[0] == k[1] && joint.elasticity.rest[0] == 0 && joint.elasticity.rest[1] == 0;
}

QuasiStaticTwist::QuasiStaticTwist(const ModelData& model) : model_(model) {
  for (const Joint& joint : model.joints) elasticity_.push_back(rod::binormal_elasticity(joint.elasticity));
  for (std::size_t r = 0; r < model.rods.size(); ++r) add_spans(static_cast<int>(r));
  std::size_t longest = 0;
  for (const Span& span : spans_) longest = std::max(longest, span.edges.size() + 1);
  director_.resize(longest);
  tangent_.resize(longest);
  bend_.resize(longest);
  twist_.resize(longest);
  twisting_.resize(longest);
  angle_.resize(longest);
  residual_.resize(longest);
}

// Cuts a rod at its gripped cross-sections. A ring with none is one closed span, a ring with some begins at the first.
void QuasiStaticTwist::add_spans(int rod) {
  const RodRange& range = model_.rods[at(rod)];
  const int edges = range.mesh.edges();
  // the joints before and after each edge, and where the first section is
  std::vector<int> before(at(edges), -1);
  std::vector<int> after(at(edges), -1);
  int begin = 0;
  bool gripped = false;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const Joint& joint = model_.joints[at(k)];
    if (joint.right.is_edge()) before[at(joint.right.edge - range.first_edge)] = k;
    if (joint.left.is_edge()) after[at(joint.left.edge - range.first_edge)] = k;
    if (!gripped && !joint.left.is_edge()) {
      gripped = true;
      begin = range.mesh.closed ? joint.right.edge - range.first_edge : 0;
    }
  }

  Span span;
  for (int i = 0; i < edges; ++i) {
    const int j = (begin + i) % edges;
    const int k = before[at(j)];
    const bool opens = k >= 0 && !model_.joints[at(k)].left.is_edge();
    if (opens) {
      span.left_section = model_.joints[at(k)].left.section;
      span.joints.push_back(k);
    }
    span.edges.push_back(range.first_edge + j);
    // the joint after this edge belongs to the span whatever is beyond it
    const int next = after[at(j)];
    if (next >= 0) span.joints.push_back(next);
    const bool gripped_after = next >= 0 && !model_.joints[at(next)].right.is_edge();
    if (gripped_after) span.right_section = model_.joints[at(next)].right.section;
    if (!gripped_after && i + 1 < edges) continue;
    span.closed = range.mesh.closed && !gripped;
    finish_span(std::exchange(span, Span{}));
  }
}

void QuasiStaticTwist::finish_span(Span span) {
  span.round =
      std::all_of(span.joints.begin(), span.joints.end(), [&](int k) { return is_round(model_.joints[at(k)]); });
  if (!span.round) span.matrix.resize(span.edges.size(), span.closed);
  spans_.push_back(std::move(span));
}

QuasiStaticTwist::TwistElasticity QuasiStaticTwist::elasticity(const RodState& state, int joint, double dt) const {
  const rod::JointElasticity& e = elasticity_[at(joint)];
  const double drag = model_.joints[at(joint)].viscosity[2] / dt;
  if (drag == 0) return {e.stiffness[2], e.rest[2]};
  const double whole = e.stiffness[2] + drag;
  return {whole, (e.stiffness[2] * e.rest[2] + drag * state.twist[at(joint)]) / whole};
}

// How the turning of the sections it touches changes a joint's twist in this step.
double QuasiStaticTwist::foreseen(const RodState& state, const Joint& joint, std::span<const Vec3> rotor_turn) const {
  auto turn = [&](const Side& side) {
    if (side.is_edge()) return 0.0;
    const discrete::Section& section = model_.sections[at(side.section)];
    return rotor_turn[at(section.rotor)].dot(state.rotor[at(section.rotor)] * section.base.col(2));
  };
  return turn(joint.right) - turn(joint.left);
}

bool QuasiStaticTwist::settle(RodState& state, std::span<const Vec3> rotor_turn, double dt) {
  dissipated_ = 0;
  for (Span& span : spans_) {
    if (span.round)
      settle_round(span, state, rotor_turn, dt);
    else if (!settle_by_newton(span, state, rotor_turn, dt))
      return false;
  }
  return true;
}

// The twisting moment T is uniform: τ_j = τ̄_j + T/K_j, and the τ_j sum up to Θ; with a free end T = 0.
void QuasiStaticTwist::settle_round(const Span& span, RodState& state, std::span<const Vec3> rotor_turn, double dt) {
  const double around = carry_director(span, state);
  double before = 0;
  double rest = 0;
  double compliance = 0;
  double offsets = 0;
  for (const int k : span.joints) {
    const TwistElasticity e = elasticity(state, k, dt);
    before += state.twist[at(k)];
    rest += e.rest;
    compliance += 1 / e.stiffness;
    offsets += model_.joints[at(k)].offset;
  }

  // the total twist, nearest to where the turning of the two sections takes it
  const bool both = (span.left_section >= 0 && span.right_section >= 0) || span.closed;
  double torque = 0;
  if (both) {
    double expected = before;
    if (!span.closed)
      expected += foreseen(state, model_.joints[at(span.joints.front())], rotor_turn) +
                  foreseen(state, model_.joints[at(span.joints.back())], rotor_turn);
    torque = (nearest(around - offsets, expected) - rest) / compliance;
  }
  double sum = offsets;
  for (const int k : span.joints) {
    const TwistElasticity e = elasticity(state, k, dt);
    const double twist = e.rest + torque / e.stiffness;
    const double change = twist - state.twist[at(k)];
    dissipated_ += model_.joints[at(k)].viscosity[2] * change * change / dt;
    state.twist[at(k)] = twist;
    sum += twist;
  }
  // with a section at the end alone, the frames are turned to meet it
  const bool from_end = span.left_section < 0 && span.right_section >= 0;
  lay_frames(span, state, from_end ? around - sum : 0);
}

// Carries a director along the new centre line without twist. Returns the angle that it lacks at the end: to the right
// section, or to where it began in a ring.
double QuasiStaticTwist::carry_director(const Span& span, const RodState& state) {
  Vec3 t;
  Vec3 r;
  if (span.left_section >= 0) {
    const discrete::Section& section = model_.sections[at(span.left_section)];
    const Mat3 frame = state.rotor[at(section.rotor)] * section.base;
    t = frame.col(2);
    r = frame.col(0);
  } else {
    // nothing grips the beginning: its first edge's director goes with the edge in time
    const int first = span.edges.front();
    t = state.frame[at(first)].col(2);
    r = state.frame[at(first)].col(0);
  }
  for (std::size_t i = 0; i < span.edges.size(); ++i) {
    const Vec3 next = state.edge[at(span.edges[i])].normalized();
    r = carried(r, t, next);
    t = next;
    director_[i] = r;
    tangent_[i] = t;
  }
  if (span.right_section >= 0) {
    const discrete::Section& section = model_.sections[at(span.right_section)];
    const Mat3 frame = state.rotor[at(section.rotor)] * section.base;
    return angle_about(frame.col(2), carried(r, t, frame.col(2)), frame.col(0));
  }
  return span.closed ? angle_about(tangent_[0], carried(r, t, tangent_[0]), director_[0]) : 0;
}

// Frames from the carried directors and the twists. Turning by the same angle again and again takes no trigonometry.
void QuasiStaticTwist::lay_frames(const Span& span, RodState& state, double first_angle) const {
  double c = std::cos(first_angle);
  double s = std::sin(first_angle);
  double last_turn = 0;
  double turn_c = 1;
  double turn_s = 0;
  const std::size_t first_joint = span.left_section >= 0 ? 0 : 1;
  for (std::size_t i = 0; i < span.edges.size(); ++i) {
    if (i + 1 > first_joint) {
      const int k = span.joints[i - first_joint];
      const double turn = state.twist[at(k)] + model_.joints[at(k)].offset;
      if (turn != last_turn) {
        last_turn = turn;
        turn_c = std::cos(turn);
        turn_s = std::sin(turn);
      }
      const double next = c * turn_c - s * turn_s;
      s = s * turn_c + c * turn_s;
      c = next;
    }
    Mat3& frame = state.frame[at(span.edges[i])];
    const Vec3& r = director_[i];
    const Vec3& t = tangent_[i];
    const Vec3 d1 = c * r + s * t.cross(r);
    frame.col(0) = d1;
    frame.col(1) = t.cross(d1);
    frame.col(2) = t;
  }
}

// Frames go with their edges in time; strains of the joints before any angle is changed.
void QuasiStaticTwist::begin_newton(const Span& span, RodState& state, std::span<const Vec3> rotor_turn, double dt) {
  for (std::size_t i = 0; i < span.edges.size(); ++i) {
    const int edge = span.edges[i];
    state.frame[at(edge)] = rod::carried_frame(state.frame[at(edge)], state.edge[at(edge)], 0);
    angle_[i] = 0;
  }
  stiffest_ = 0;
  for (std::size_t i = 0; i < span.joints.size(); ++i) {
    const int k = span.joints[i];
    const Joint& joint = model_.joints[at(k)];
    const Mat3 left = side_frame(model_, state, joint.left, joint.offset);
    const Mat3 right = side_frame(model_, state, joint.right, 0);
    const double expected = state.twist[at(k)] + foreseen(state, joint, rotor_turn);
    twist_[i] = rod::joint_strain(left, right, expected).twist;
    bend_[i] = rod::binormal_strain(left, right, twist_[i]).value.head<2>();
    twisting_[i] = elasticity(state, k, dt);
    stiffest_ = std::max(stiffest_, twisting_[i].stiffness);
  }
}

// Torques on the edges into `residual_` and their derivatives into the matrix. Returns the largest torque.
double QuasiStaticTwist::assemble(Span& span, bool positive_only) {
  const std::size_t edges = span.edges.size();
  math::Tridiagonal& m = span.matrix;
  for (std::size_t i = 0; i < edges; ++i) m.lower[i] = m.diagonal[i] = m.upper[i] = residual_[i] = 0;
  const std::size_t first = span.left_section >= 0 ? 1 : 0;
  for (std::size_t i = 0; i < span.joints.size(); ++i) {
    // the edges on its two sides; a section does not turn
    const bool has_left = i >= first;
    const bool has_right = span.closed || i + 1 < span.joints.size() || span.right_section < 0;
    const std::size_t left = has_left ? i - first : 0;
    const std::size_t right = has_right ? (has_left ? (left + 1) % edges : 0) : 0;
    const double a0 = has_left ? angle_[left] : 0;
    const double a1 = has_right ? angle_[right] : 0;

    // components turn back by the mean of the two angles
    const auto [s, c] = math::sin_cos(0.5 * (a0 + a1));
    const Vec2 bend(c * bend_[i][0] + s * bend_[i][1], c * bend_[i][1] - s * bend_[i][0]);
    const rod::AngleDerivatives d = rod::angle_derivatives(bend, elasticity_[at(span.joints[i])]);
    const double curvature = 0.25 * (positive_only ? d.positive : d.second);
    const double k = twisting_[i].stiffness;
    const double torque = k * (twist_[i] + a1 - a0 - twisting_[i].rest);
    if (has_left) {
      residual_[left] += 0.5 * d.first - torque;
      m.diagonal[left] += curvature + k;
    }
    if (has_right) {
      residual_[right] += 0.5 * d.first + torque;
      m.diagonal[right] += curvature + k;
    }
    if (has_left && has_right) {
      m.upper[left] += curvature - k;
      m.lower[right] += curvature - k;
    }
  }
  double largest = 0;
  for (std::size_t i = 0; i < edges; ++i) largest = std::max(largest, std::abs(residual_[i]));
  return largest;
}

bool QuasiStaticTwist::settle_by_newton(Span& span, RodState& state, std::span<const Vec3> rotor_turn, double dt) {
  begin_newton(span, state, rotor_turn, dt);
  const std::size_t edges = span.edges.size();
  const bool loose = span.left_section < 0 && span.right_section < 0;
  bool settled = false;
  for (int iteration = 0; iteration < kMostTwistIterations && !settled; ++iteration) {
    const double torque = assemble(span, false);
    if (torque <= kSmallTorque * stiffest_) {
      settled = true;
      break;
    }
    bool whole = !loose;
    span.matrix.factor();
    // downhill; where nothing but bending gives the angles a reference a shift by the torque keeps the turn below a
    // radian, and vanishes with it, so that a rod that is all but straight finds its angle, too
    if (loose || !span.matrix.positive()) {
      whole = false;
      if (!span.matrix.positive()) assemble(span, true);
      for (double& d : span.matrix.diagonal) d += loose ? std::min(torque, kLargestShift * stiffest_) : 0;
      if (!span.matrix.factor()) return false;
    }
    const std::span<double> step(residual_.data(), edges);
    span.matrix.solve(step);
    double longest = 0;
    for (const double turn : step) longest = std::max(longest, std::abs(turn));
    if (!std::isfinite(longest)) return false;
    const double factor = longest > kLongestTurn ? kLongestTurn / longest : 1;
    for (std::size_t i = 0; i < edges; ++i) angle_[i] -= factor * step[i];
    settled = longest <= (whole ? kLastTurn : kSmallTurn);
  }
  if (!settled) return false;

  // turn the frames and take over the twists
  for (std::size_t i = 0; i < edges; ++i) {
    Mat3& frame = state.frame[at(span.edges[i])];
    const auto [s, c] = math::sin_cos(angle_[i]);
    const Vec3 d1 = c * frame.col(0) + s * frame.col(1);
    frame.col(1) = c * frame.col(1) - s * frame.col(0);
    frame.col(0) = d1;
  }
  const std::size_t first = span.left_section >= 0 ? 1 : 0;
  for (std::size_t i = 0; i < span.joints.size(); ++i) {
    const bool has_right = span.closed || i + 1 < span.joints.size() || span.right_section < 0;
    const double a0 = i >= first ? angle_[i - first] : 0;
    const double a1 = has_right ? angle_[i >= first ? (i - first + 1) % edges : 0] : 0;
    double& twist = state.twist[at(span.joints[i])];
    const double change = twist_[i] + a1 - a0 - twist;
    dissipated_ += model_.joints[at(span.joints[i])].viscosity[2] * change * change / dt;
    twist += change;
  }
  return true;
}

}  // namespace filum::kirchhoff
