#include "formulations/chain/reeving/wheels.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/recut.hpp"
#include "formulations/chain/mechanism/row_weights.hpp"
#include "math/rotation.hpp"
#include "rod/joint.hpp"
#include "rod/rope_lay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::chain {

namespace {

constexpr double kLongestAtWheel = 1.5;   // in ordinary elements: a longer one is cut,
constexpr double kShortestAtWheel = 0.5;  // a shorter one is joined to the next,
constexpr double kLeastPiece = 0.1;       // and one that has no next gets no shorter than this
constexpr double kMostPushed = 0.1;       // strain of a rod that is laid over its wheels
constexpr int kMostWheelCuts = 1000;      // of cutting, in a step

// Sine of the fleet angle, of the rope against the plane of its wheel, from which on no groove holds it: 15°.
constexpr double kFleet = 0.26;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 direction(const PartState& part) {
  return part.orientation * Vec3::UnitZ();
}

double middle(const Element& element) {
  return 0.5 * (element.begin + element.end);
}

// Neighbours along a stretch between wheels; −1 where it ends.
int before_in_stretch(const ChainState& state, int element) {
  if (element == 0 || state.elements[at(element) - 1].rod != state.elements[at(element)].rod) return -1;
  return state.elements[at(element) - 1].wheel < 0 ? element - 1 : -1;
}
int after_in_stretch(const ChainState& state, int element) {
  if (at(element) + 1 >= state.elements.size() || state.elements[at(element)].wheel >= 0) return -1;
  return state.elements[at(element) + 1].rod == state.elements[at(element)].rod ? element + 1 : -1;
}

// Length on the wheel and of the halves beside it: what its stretch and twist are spread over.
double give_length(const Mechanism& mechanism, const Wheel& wheel, int before, double angle) {
  return mechanism.half_length[at(before)] + mechanism.half_length[at(before) + 1] +
         wheel.radius * std::max(0.0, angle);
}

// What runs as one with the rope's arc length there, kg: the rim and, without friction, the rope that lies on it.
double running_mass(const ModelData& model, const Wheel& wheel, double angle) {
  const double rim = wheel.inertia / (wheel.radius * wheel.radius);
  return wheel.friction > 0 ? rim : rim + rope_on(model, wheel, angle);
}

// What an impulse along its rim does to the rim's speed; 0: it does not turn, or without any force.
double rim_mobility(const ModelData& model, const Wheel& wheel, double angle) {
  const double mass = running_mass(model, wheel, angle);
  return mass > 0 ? 1 / mass : 0;
}

}  // namespace

double rope_on(const ModelData& model, const Wheel& wheel, double angle) {
  return model.rods[at(wheel.rod)].stiffness.front().mass_per_length * wheel.radius * std::max(0.0, angle);
}

double tension_on(const ModelData& model, const Mechanism& mechanism, const ChainState& state, int before) {
  const int index = state.elements[at(before)].wheel;
  const Wheel& wheel = model.wheels[at(index)];
  const WheelPlace place = place_of(model, state, index);
  auto reached = [&](int e) {
    const PartState& part = state.parts[at(e)];
    return middle(state.elements[at(e)]) - direction(part).dot(part.position - place.centre);
  };
  const double angle =
      wrap_angle(direction(state.parts[at(before)]), direction(state.parts[at(before) + 1]), place.axis);
  const Stiffness& stiff = model.rods[at(wheel.rod)].stiffness.front();
  const double stretch =
      wheel.radius * angle - (reached(before + 1) - reached(before)) +
      rod::lay_coupling(model.rods[at(wheel.rod)].torque_factor, stiff) / stiff.EA * state.wheels[at(index)].twist;
  return stiff.EA * stretch / give_length(mechanism, wheel, before, angle);
}

void Wheels::add_to(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, const ChainState& state) {
  pairs_.clear();
  for (std::size_t e = 0; e < state.elements.size(); ++e) {
    const int wheel = state.elements[e].wheel;
    if (wheel < 0) continue;
    Pair pair;
    pair.wheel = wheel;
    pair.before = static_cast<int>(e);
    pair.after = pair.before + 1;
    const int body = model.wheels[at(wheel)].body;
    pair.part = body < 0 ? mechanism.world : mechanism.first_body + body;
    pair.constraint = static_cast<int>(set.constraints.size());
    for (const int rows : {6, 1}) {
      set.add(rows, model.wheels[at(wheel)].rod);
      for (const int part : {pair.before, pair.after, pair.part}) set.join(part, mechanism.parts[at(part)].moves);
    }
    set.constraints.back().follows = pair.constraint;
    set.constraints.back().follows_row = 4;
    pairs_.push_back(pair);
  }
}

void Wheels::weigh(const Mechanism& mechanism, const ModelData& model, const ChainState& state, double dt,
                   std::span<const Mobility> mobility, std::span<Vec6> velocity) {
  for (std::size_t w = 0; w < model.wheels.size(); ++w) {
    const Wheel& wheel = model.wheels[w];
    if (wheel.body < 0) continue;
    const auto part = at(mechanism.first_body + wheel.body);
    if (!mechanism.parts[part].moves) continue;
    const Vec3 impulse = dt * state.load * rope_on(model, wheel, state.wheels[w].angle) * model.gravity;
    const Vec3 arm = place_of(model, state, static_cast<int>(w)).centre - state.parts[part].position;
    velocity[part] += mobility[part].times((Vec6() << impulse, arm.cross(impulse)).finished());
  }
}

void Wheels::begin(const ChainState& state) {
  rates_.resize(state.wheels.size());
  twist_rates_.resize(state.wheels.size());
  for (std::size_t w = 0; w < rates_.size(); ++w) {
    rates_[w] = state.wheels[w].rate;
    twist_rates_[w] = state.wheels[w].twist_rate;
  }
}

void Wheels::fill(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
                  const std::vector<Vec6>& velocity, double dt) {
  for (const Pair& pair : pairs_) {
    const Wheel& wheel = model.wheels[at(pair.wheel)];
    WheelState& memory = state.wheels[at(pair.wheel)];
    const WheelPlace place = place_of(model, state, pair.wheel);
    Constraint& six = set.constraints[at(pair.constraint)];
    Constraint& seventh = set.constraints[at(pair.constraint) + 1];
    Mat6& by_before = set.incidences[at(six.first)].rows;
    Mat6& by_after = set.incidences[at(six.first) + 1].rows;
    Mat6& by_wheel = set.incidences[at(six.first) + 2].rows;
    Vec6 value = Vec6::Zero();
    double reached[2] = {0, 0};  // arc lengths at which the rope leaves the lines of A and B
    Eigen::Matrix<double, 1, 6> arc_rows[2];
    Eigen::Matrix<double, 1, 6> turn_rows[2];  // of R times the angle at which they leave it

    // rim and groove of both sides, and where they touch
    const int elements[2] = {pair.before, pair.after};
    for (int k = 0; k < 2; ++k) {
      const PartState& part = state.parts[at(elements[k])];
      Mat6& rows = k == 0 ? by_before : by_after;
      const Vec3 u = direction(part);
      const Vec3 d = part.position - place.centre;
      const double along = -u.dot(d);
      rows.setZero();
      value[2 * k] = u.cross(place.axis).dot(d) - wheel.radius;
      rows.row(2 * k) << u.cross(place.axis).transpose(), u.cross(place.axis.cross(d)).transpose();
      value[2 * k + 1] = place.axis.dot(d) + along * place.axis.dot(u);
      reached[k] = middle(state.elements[at(elements[k])]) + along;
      arc_rows[k] << -u.transpose(), -u.cross(d).transpose();
      rows.row(2 * k + 1) << place.axis.transpose(), along * u.cross(place.axis).transpose();
      rows.row(2 * k + 1) += place.axis.dot(u) * arc_rows[k];
      // of the direction's shadow in the plane of the wheel: no spin about its own axis turns it
      const Vec3 shadow = u - place.axis.dot(u) * place.axis;
      turn_rows[k] << 0, 0, 0, wheel.radius / shadow.squaredNorm() * u.cross(place.axis.cross(shadow)).transpose();
    }
    // the length on the wheel: R β − (s_B − s_A)
    const Vec3 before = direction(state.parts[at(pair.before)]);
    const Vec3 after = direction(state.parts[at(pair.after)]);
    const double seen = wrap_angle(before, after, place.axis);
    const double angle = state.moving ? math::unwrap(seen, memory.angle) : seen;
    value[4] = wheel.radius * angle - (reached[1] - reached[0]);
    by_before.row(4) = arc_rows[0] - turn_rows[0];
    by_after.row(4) = turn_rows[1] - arc_rows[1];
    // twist
    const Mat3 carried =
        math::exp_so3(angle * place.axis) * state.parts[at(pair.before)].orientation.toRotationMatrix();
    memory.twist =
        rod::joint_strain(carried, state.parts[at(pair.after)].orientation.toRotationMatrix(), memory.twist).twist;
    value[5] = memory.twist;
    by_before.row(5) << 0, 0, 0, -before.transpose();
    by_after.row(5) << 0, 0, 0, after.transpose();

    // what a laid rope is longer for its twist (mechanism.hpp)
    const Stiffness& stiff = model.rods[at(wheel.rod)].stiffness.front();
    const double coupling = rod::lay_coupling(model.rods[at(wheel.rod)].torque_factor, stiff);
    if (coupling != 0) {
      value[4] += coupling / stiff.EA * value[5];
      by_before.row(4) += coupling / stiff.EA * by_before.row(5);
      by_after.row(4) += coupling / stiff.EA * by_after.row(5);
    }

    // the wheel's own part: no row changes when all move as one
    const Vec3 carrier = state.parts[at(pair.part)].position;
    auto oppose = [&](const Eigen::Ref<const Eigen::Matrix<double, 1, 6>>& a,
                      const Eigen::Ref<const Eigen::Matrix<double, 1, 6>>& b) {
      Eigen::Matrix<double, 1, 6> sum = -(a + b);
      sum.tail<3>() -=
          (state.parts[at(pair.before)].position - carrier).cross(Vec3(a.head<3>().transpose())).transpose();
      sum.tail<3>() -=
          (state.parts[at(pair.after)].position - carrier).cross(Vec3(b.head<3>().transpose())).transpose();
      return sum;
    };
    for (int r = 0; r < 6; ++r) by_wheel.row(r) = oppose(by_before.row(r), by_after.row(r));
    for (const Constraint* rows : {&six, &seventh}) set.incidences[at(rows->first) + 2].arm = place.centre - carrier;

    const double give = give_length(mechanism, wheel, pair.before, angle);
    six.softness.setZero();
    six.softness[4] = give / (stiff.EA * dt * dt);
    six.right = -value / dt - by_before * velocity[at(pair.before)] - by_after * velocity[at(pair.after)] -
                by_wheel * velocity[at(pair.part)];
    // the twist as everywhere else along the rod
    const double twist_rate = by_before.row(5).tail<3>().dot(state.parts[at(pair.before)].spin) +
                              by_after.row(5).tail<3>().dot(state.parts[at(pair.after)].spin) +
                              by_wheel.row(5).tail<3>().dot(state.parts[at(pair.part)].spin);
    const RowWeights weights = model.variant.plain ? RowWeights{} : kTwistWeights;
    const double back = weights.before * twist_rate + weights.older * twist_rates_[at(pair.wheel)];
    memory.twist_rate = twist_rate;
    six.softness[5] = give / ((stiff.GJ - coupling * coupling / stiff.EA) * dt * dt * weights.now);
    six.right[5] += value[5] / dt - (value[5] - dt * back) / (weights.now * dt);

    // the seventh row
    Mat6& slip_before = set.incidences[at(seventh.first)].rows;
    Mat6& slip_after = set.incidences[at(seventh.first) + 1].rows;
    Mat6& slip_wheel = set.incidences[at(seventh.first) + 2].rows;
    slip_before.setZero();
    slip_after.row(0) = arc_rows[1] - turn_rows[1];
    slip_wheel.row(0) = oppose(slip_before.row(0), slip_after.row(0));
    memory.angle = angle;
    memory.jumped = angle < 0 || std::max(std::abs(place.axis.dot(before)), std::abs(place.axis.dot(after))) > kFleet;
    memory.reached = reached[1];
    // the material that lies on a mark of the wheel, past which B leaves it by an angle
    memory.leaves = math::unwrap(math::signed_angle(place.mark, after - place.axis.dot(after) * place.axis, place.axis),
                                 memory.leaves);
    const double marked = reached[1] - wheel.radius * memory.leaves;
    if (!memory.sticks) memory.stuck = marked;
    const bool stands = wheel.friction > 0 && wheel.inertia <= 0;
    seventh.softness[0] = rim_mobility(model, wheel, angle);
    seventh.right[0] =
        -slip_after.row(0).dot(velocity[at(pair.after)]) - slip_wheel.row(0).dot(velocity[at(pair.part)]);
    seventh.right[0] += stands ? -(marked - memory.stuck) / dt : rates_[at(pair.wheel)];
    // what lies on it runs to the side that hangs lower, which makes the arc length at the mark less if that is B
    if (wheel.friction <= 0) {
      const double density = model.rods[at(wheel.rod)].stiffness.front().mass_per_length;
      const Vec3 apart = wheel.radius * (after - before).cross(place.axis);
      seventh.right[0] -= dt * seventh.softness[0] * state.load * density * model.gravity.dot(apart);
    }
    seventh.impulse[0] = dt * memory.friction;
    seventh.bound = static_cast<Bound>(memory.bound);
    six.impulse[4] = -dt * memory.tension;
    bound_friction(model, state, pair, seventh);
  }
}

// What friction may do, over the pull before it.
void Wheels::bound_friction(const ModelData& model, const ChainState& state, const Pair& pair, Constraint& row) {
  const Wheel& wheel = model.wheels[at(pair.wheel)];
  const double turn = wheel.friction * std::max(0.0, state.wheels[at(pair.wheel)].angle);
  row.low = std::expm1(-turn);
  row.high = std::expm1(turn);
  // a wheel that turns with the rope has its inertia and the rope's instead
  if (wheel.friction <= 0 && running_mass(model, wheel, state.wheels[at(pair.wheel)].angle) > 0) {
    row.low = -kInfinity;
    row.high = kInfinity;
  }
  // rope that has run out on one side holds
  const double least = kLeastPiece * model.rods[at(wheel.rod)].element;
  if (before_in_stretch(state, pair.before) < 0 && state.elements[at(pair.before)].length() < least)
    row.high = kInfinity;
  if (after_in_stretch(state, pair.after) < 0 && state.elements[at(pair.after)].length() < least) row.low = -kInfinity;
  if (row.bound == Bound::Low && !std::isfinite(row.low)) row.bound = Bound::Free;
  if (row.bound == Bound::High && !std::isfinite(row.high)) row.bound = Bound::Free;
}

void Wheels::take(const ConstraintSet& set, const ModelData& model, ChainState& state,
                  const std::vector<Vec6>& velocity, double dt) const {
  for (const Pair& pair : pairs_) {
    WheelState& memory = state.wheels[at(pair.wheel)];
    const Constraint& row = set.constraints[at(pair.constraint) + 1];
    memory.force = set.constraints[at(pair.constraint)].impulse / dt;
    memory.tension = -memory.force[4];
    memory.friction = row.impulse[0] / dt;
    memory.bound = static_cast<int>(row.bound);
    memory.sticks = row.bound == Bound::Free;
    double runs = 0;
    for (int i = row.first; i < row.last; ++i) {
      const int part = set.incidences[at(i)].part;
      runs += set.incidences[at(i)].rows.row(0).dot(velocity[at(part)] + set.changes[at(part)]);
    }
    const Wheel& wheel = model.wheels[at(pair.wheel)];
    const double rim =
        wheel.inertia > 0 ? rates_[at(pair.wheel)] - rim_mobility(model, wheel, memory.angle) * row.impulse[0] : 0;
    memory.lost = wheel.friction > 0 ? -row.impulse[0] * (runs - rim) : 0;
    memory.rate = wheel.friction > 0 ? rim : runs;
  }
}

bool Wheels::pushed_together(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  for (std::size_t e = 0; e < state.elements.size(); ++e)
    if (const int index = state.elements[e].wheel; index >= 0) {
      const double stiffness = model.rods[at(model.wheels[at(index)].rod)].stiffness.front().EA;
      if (tension_on(model, mechanism, state, static_cast<int>(e)) < -kMostPushed * stiffness) return true;
    }
  return false;
}

const char* Wheels::trouble(const ModelData& model, const ChainState& state) {
  for (std::size_t e = 0; e < state.elements.size(); ++e) {
    if (state.elements[e].wheel < 0) continue;
    const WheelPlace place = place_of(model, state, state.elements[e].wheel);
    const RodData& rod = model.rods[at(state.elements[e].rod)];
    for (const std::size_t k : {e, e + 1}) {
      const Element& element = state.elements[k];
      const double along = direction(state.parts[k]).dot(place.centre - state.parts[k].position);
      if (!(std::abs(along) < rod.length)) return "a rope runs over a sheave by more than its length in a step";
      // the last element of a stretch, and none of it left
      const int next =
          k == e ? before_in_stretch(state, static_cast<int>(k)) : after_in_stretch(state, static_cast<int>(k));
      const double left = k == e ? middle(element) + along - element.begin : element.end - middle(element) - along;
      if (next < 0 && left < -0.5 * rod.element) return "the end of a rope has been drawn into its sheave";
    }
  }
  return nullptr;
}

bool Wheels::recut(const ModelData& model, ChainState& state) {
  // rope may run by more than an element in a step: each round takes one of them over
  bool changed = false;
  for (int round = 0; round < kMostWheelCuts && recut_once(model, state); ++round) changed = true;
  return changed;
}

bool Wheels::recut_once(const ModelData& model, ChainState& state) {
  bool changed = false;
  for (std::size_t e = 0; e < state.elements.size(); ++e) {
    const int index = state.elements[e].wheel;
    if (index < 0) continue;
    const WheelPlace place = place_of(model, state, index);
    WheelState& memory = state.wheels[at(index)];
    const double element = model.rods[at(model.wheels[at(index)].rod)].element;
    const int before = static_cast<int>(e);
    auto reached = [&](int k) {
      const PartState& part = state.parts[at(k)];
      return middle(state.elements[at(k)]) + direction(part).dot(place.centre - part.position);
    };
    const double least = 0.5 * kLeastPiece * element;
    const double end = std::max(reached(before), state.elements[at(before)].begin + least);
    const double begin = std::min(reached(before + 1), state.elements[at(before) + 1].end - least);
    memory.slip -= begin - memory.reached;
    move_end(model, state, before, 1, end);
    move_end(model, state, before + 1, -1, begin);
    memory.reached = begin;

    // the side that grows is cut, the side that shrinks joins its neighbour
    const int next = before + 1;
    if (state.elements[at(next)].length() > kLongestAtWheel * element) {
      split_element(model, state, next, state.elements[at(next)].end - element);
      changed = true;
    } else if (const int other = after_in_stretch(state, next);
               other >= 0 && state.elements[at(next)].length() < kShortestAtWheel * element) {
      merge_elements(model, state, next);
      changed = true;
    }
    if (state.elements[at(before)].length() > kLongestAtWheel * element) {
      split_element(model, state, before, state.elements[at(before)].begin + element);
      changed = true;
    } else if (const int other = before_in_stretch(state, before);
               other >= 0 && state.elements[at(before)].length() < kShortestAtWheel * element) {
      merge_elements(model, state, other);
      changed = true;
    }
  }
  return changed;
}

}  // namespace filum::chain
