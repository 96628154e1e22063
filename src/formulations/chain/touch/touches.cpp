#include "formulations/chain/touch/touches.hpp"

#include "base/index.hpp"
#include "math/dense.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::chain {

namespace {

using Rows = Eigen::Matrix<double, 3, 6>;

constexpr double kFirm = 100;         // k h²/M
constexpr double kFirmRod = 10;       // k over an element's own stretching stiffness
constexpr int kMostSolves = 60;       // solves
constexpr int kMostRenewals = 12;     // of friction's bounds
constexpr int kEasyRenewals = 4;      // likewise; what has not settled by then is taken half way
constexpr int kMostAdditions = 8;     // of what nobody foresaw
constexpr double kBalanced = 1e-6;    // of all impulses
constexpr double kLimitKept = 1e-3;   // of the forces: friction's bounds stay
constexpr double kPushOut = 0.3;      // of g h²: what comes out in a step
constexpr double kLeastGravity = 1;   // m/s², for the same
constexpr double kBend = 1e-3;        // of the size: by which friction's spring is bent at most
constexpr double kLeastSize = 1e-4;   // m, for the same
constexpr double kGives = 1e-9;       // of k: what resists less does not resist
constexpr double kNeverTurns = 1e12;  // inertia over mass, m²

// The velocity of a place at the end of an arm.
Rows rows_at(const Vec3& arm) {
  Rows rows;
  rows << Mat3::Identity(), -math::skew(arm);
  return rows;
}

// M̃ of a part, of its mobility.
Mat6 mass_of(const Mobility& mobility) {
  Mat6 mass = Mat6::Zero();
  mass.diagonal().head<3>().setConstant(1 / mobility.linear);
  // a point does not turn
  const bool turns = mobility.angular.determinant() > 0;
  mass.bottomRightCorner<3, 3>() =
      turns ? Mat3(mobility.angular.inverse()) : Mat3(kNeverTurns / mobility.linear * Mat3::Identity());
  return mass;
}

int surface_of(const ModelData& model, const Element& element) {
  const RodData& rod = model.rods[at(element.rod)];
  return rod.surface[at(rod.element_at(0.5 * (element.begin + element.end)))];
}

// H below this is none, kg.
double least_weight(const contact::SoftContact& law, double dt) {
  return kGives * dt * dt * law.stiffness;
}

// The impulse along what has no row: along the slide, and across it where friction is next to nothing.
Vec3 constant_part(const contact::SoftContact& law, const contact::SoftAnswer& answer, double dt) {
  if (answer.across <= least_weight(law, dt)) return answer.impulse - answer.normal_impulse * law.normal;
  return answer.impulse.dot(answer.slide) * answer.slide;
}

bool are_same(const TouchFound& a, const TouchFound& b) {
  return a.part == b.part && a.own == b.own && a.feature == b.feature && a.solid == b.solid && a.other == b.other;
}

}  // namespace

void Touches::lay_out(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  there_ = !model.touch.empty();
  if (!there_) return;
  search_.lay_out(model, mechanism, state);
  coupled_.assign(mechanism.parts.size(), Mat6::Zero());
  still_.assign(mechanism.parts.size(), Vec6::Zero());
  links_.clear();
}

void Touches::begin(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                    const std::vector<Vec6>& velocity, double dt) {
  contacts_.clear();
  begun_ = missed_ = false;
  rounds_ = renewals_ = additions_ = 0;
  dt_ = dt;
  mass_ = 0;
  for (const Part& part : mechanism.parts)
    if (part.moves) mass_ += part.mass;
  const double gravity = std::max(model.gravity.norm(), kLeastGravity);
  weight_ = mass_ * gravity * dt;
  const double usual = model.scene->simulation.step;
  push_out_ = kPushOut * gravity * std::min(usual, dt) * dt;
  before_ = state.parts;
  relinked_ = !links_.empty();
  add_new(model, mechanism, state, velocity);
}

// Whether there is anything new with these velocities.
bool Touches::add_new(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                      const std::vector<Vec6>& velocity) {
  bool any = false;
  for (const TouchFound& place : search_.look(model, mechanism, state, velocity, dt_)) {
    const bool known = std::any_of(contacts_.begin(), contacts_.end(),
                                   [&](const Contact& each) { return are_same(each.place, place); });
    if (known) continue;
    add(model, mechanism, state, place);
    relinked_ = relinked_ || contacts_.back().linked;
    contacts_.back().about = speed(contacts_.back(), velocity);
    remember(state, contacts_.back());
    any = true;
  }
  return any;
}

void Touches::add(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                  const TouchFound& place) {
  Contact& each = contacts_.emplace_back();
  each.place = place;
  each.arm = place.point - state.parts[at(place.part)].position;
  each.arm_other = place.point - state.parts[at(place.other)].position;
  each.linked = mechanism.parts[at(place.other)].moves && mechanism.parts[at(place.part)].moves;
  each.law.normal = place.normal;
  each.law.gap = std::max(place.gap, -push_out_);
  each.law.stiffness = kFirm * mass_ / (dt_ * dt_);
  if (place.own < 0) {
    const Element& element = state.elements[at(place.part)];
    const RodData& rod = model.rods[at(element.rod)];
    const int original = rod.element_at(0.5 * (element.begin + element.end));
    const double length = 2 * mechanism.half_length[at(place.part)];
    each.law.stiffness = std::max(each.law.stiffness, kFirmRod * rod.stiffness[at(original)].EA / length);
    const int surface = rod.surface[at(original)];
    if (place.solid >= 0)
      each.friction = model.touch.solids[at(place.solid)].rod_friction[at(surface)];
    else
      each.friction = model.touch.friction(surface, surface_of(model, state.elements[at(place.other)]));
  } else {
    const auto pair =
        std::find_if(model.touch.pairs.begin(), model.touch.pairs.end(),
                     [&](const discrete::SolidPair& one) { return one.a == place.own && one.b == place.solid; });
    each.friction = pair->friction;
  }
  each.least_stick = kFirm * mechanism.parts[at(place.part)].mass / (dt_ * dt_);
  each.slack = kBend * std::max(place.size, kLeastSize);
  set_limit(each, 0);
}

// Friction's bound; its spring is bent by no more than a little where it is reached. It gets stiffer, never softer, as long
// as things touch: bent by the same force a softer one would have energy that nobody gave it.
void Touches::set_limit(Contact& each, double limit) {
  each.law.limit = limit;
  each.law.stick = std::max(each.least_stick, limit / each.slack);
  const Vec3& n = each.law.normal;
  each.law.bent = -(each.rubbed - n.dot(each.rubbed) * n) / each.law.stick;
}

// From the last step: what pressed goes on pressing as it did.
void Touches::remember(const ChainState& state, Contact& each) const {
  const TouchFound& place = each.place;
  const auto known = std::find_if(state.touches.begin(), state.touches.end(), [&](const TouchState& touch) {
    return touch.part == place.part && touch.own == place.own && touch.feature == place.feature &&
           touch.solid == place.solid && touch.other == place.other;
  });
  if (known == state.touches.end()) return;
  const Vec3& n = place.normal;
  each.force = known->force;
  each.chafing = known->chafing;
  each.rubbed = known->friction;
  each.least_stick = std::max(each.least_stick, known->stick);
  set_limit(each, each.friction * each.force);
  each.about += (-(each.law.gap + each.force / each.law.stiffness) / dt_ - n.dot(each.about)) * n;
  if (known->sticks) each.about = n.dot(each.about) * n;
}

Vec3 Touches::speed(const Contact& each, const std::vector<Vec6>& velocity) const {
  const Vec6& own = velocity[at(each.place.part)];
  const Vec6& other = velocity[at(each.place.other)];
  return own.head<3>() + own.tail<3>().cross(each.arm) - other.head<3>() - other.tail<3>().cross(each.arm_other);
}

void Touches::press(std::vector<Mobility>& mobility, std::vector<Vec6>& velocity) {
  for (Mobility& one : mobility) one.coupled = nullptr;
  for (const Contact& each : contacts_) {
    if (each.linked) continue;
    const auto p = at(each.place.part);
    Mat6& mass = coupled_[p];
    if (mobility[p].coupled == nullptr) {
      mobility[p].coupled = &mass;
      mass = mass_of(mobility[p]);
      velocity[p] = mass * velocity[p];
    }
    const contact::SoftAnswer answer = contact::answer(each.law, each.about, dt_);
    const Mat3 weight = contact::second_derivative(each.law, answer);
    const Vec6& other = velocity[at(each.place.other)];
    const Vec3 led = other.head<3>() + other.tail<3>().cross(each.arm_other);
    const Rows rows = rows_at(each.arm);
    mass += rows.transpose() * weight * rows;
    velocity[p] += rows.transpose() * (answer.impulse + weight * (each.about + led));
  }
  // between two that move what does not give way is no row: it just acts
  const auto push = [&](int part, const Vec3& arm, const Vec3& impulse) {
    const Vec6 both = (Vec6() << impulse, arm.cross(impulse)).finished();
    const auto p = at(part);
    velocity[p] += mobility[p].coupled == nullptr ? mobility[p].times(both) : both;
  };
  for (const Contact& each : contacts_) {
    if (!each.linked) continue;
    const Vec3 impulse = constant_part(each.law, contact::answer(each.law, each.about, dt_), dt_);
    if (impulse.isZero(0)) continue;
    push(each.place.part, each.arm, impulse);
    push(each.place.other, each.arm_other, -impulse);
  }
  for (std::size_t p = 0; p < mobility.size(); ++p) {
    if (mobility[p].coupled == nullptr) continue;
    coupled_[p] = math::inverse(coupled_[p]);
    coupled_[p] = (0.5 * (coupled_[p] + coupled_[p].transpose())).eval();
    velocity[p] = coupled_[p] * velocity[p];
  }
}

void Touches::add_to(ConstraintSet& set, int group) {
  links_.clear();
  for (Contact& each : contacts_) {
    if (!each.linked) continue;
    each.constraint = set.add(3, group);
    set.join(each.place.part, true);
    set.join(each.place.other, true);
    links_.emplace_back(each.place.part, each.place.other);
  }
  relinked_ = false;
}

// Rows along the normal, the slide and across it: η/D + q·w = q·γ/D + q·c, where the law gives way at all.
void Touches::fill(ConstraintSet& set, const std::vector<Vec6>& velocity) const {
  for (const Contact& each : contacts_) {
    if (!each.linked) continue;
    Constraint& constraint = set.constraints[at(each.constraint)];
    Incidence& own = set.incidences[at(constraint.first)];
    Incidence& other = set.incidences[at(constraint.first) + 1];
    const contact::SoftAnswer answer = contact::answer(each.law, each.about, dt_);
    const Vec3& n = each.law.normal;
    const bool slides = !answer.slide.isZero(0);
    const Vec3 along = slides ? answer.slide : Vec3(n.unitOrthogonal());
    const std::array<Vec3, 3> axes{n, along, n.cross(along)};
    const std::array<double, 3> weights{answer.along_normal, slides ? 0 : answer.across, answer.across};
    const Vec3 free = speed(each, velocity);
    for (int r = 0; r < 3; ++r) {
      const Vec3& q = axes[at(r)];
      const double weight = weights[at(r)];
      own.rows.row(r).setZero();
      other.rows.row(r).setZero();
      constraint.softness[r] = 1;
      constraint.right[r] = 0;
      if (!(weight > least_weight(each.law, dt_))) continue;
      own.rows.row(r) << q.transpose(), each.arm.cross(q).transpose();
      other.rows.row(r) << -q.transpose(), -each.arm_other.cross(q).transpose();
      constraint.softness[r] = 1 / weight;
      constraint.right[r] = q.dot(answer.impulse) / weight + q.dot(each.about - free);
    }
  }
}

// Of the convex function, at a share of the way from c to w.
double Touches::slope(double share) const {
  double sum = 0;
  for (const Contact& each : contacts_) {
    const Vec3 way = each.solved - each.about;
    const Vec3 held = each.held + share * (each.acted - each.held);
    sum += (held - contact::answer(each.law, each.about + share * way, dt_).impulse).dot(way);
  }
  return sum;
}

// To where the function is least on the way.
void Touches::go_on() {
  double share = 1;
  if (begun_ && slope(1) > 0 && slope(0) < 0) {
    double low = 0;
    double high = 1;
    for (int k = 0; k < 40; ++k) {
      share = 0.5 * (low + high);
      (slope(share) < 0 ? low : high) = share;
    }
  }
  begun_ = true;
  for (Contact& each : contacts_) {
    each.about += share * (each.solved - each.about);
    each.held += share * (each.acted - each.held);
  }
}

void Touches::go_on_anew() {
  for (Contact& each : contacts_) each.about = each.solved;
  begun_ = false;
  rounds_ = renewals_ = additions_ = 0;
}

// Friction's bounds from the normal forces as they are now. Whether one has changed.
bool Touches::renew_limits() {
  double all = 0;
  for (Contact& each : contacts_) all += std::max(0.0, each.law.normal.dot(each.acted)) / dt_;
  bool changed = false;
  for (Contact& each : contacts_) {
    each.force = std::max(0.0, each.law.normal.dot(each.acted)) / dt_;
    double limit = each.friction * each.force;
    if (std::abs(limit - each.law.limit) > kLimitKept * each.friction * all) changed = true;
    if (renewals_ >= kEasyRenewals) limit = 0.5 * (limit + each.law.limit);
    set_limit(each, limit);
  }
  return changed;
}

bool Touches::settle(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                     const std::vector<Vec6>& velocity, const ConstraintSet& set) {
  ++rounds_;
  // all velocities, as they are with what the joints do
  moves_ = velocity;
  for (std::size_t p = 0; p < moves_.size(); ++p)
    if (mechanism.parts[p].moves) moves_[p] += set.changes[p];
  double off = 0;
  double all = 0;
  for (Contact& each : contacts_) {
    const contact::SoftAnswer about = contact::answer(each.law, each.about, dt_);
    each.solved = speed(each, moves_);
    each.acted = about.impulse - contact::second_derivative(each.law, about) * (each.solved - each.about);
    const contact::SoftAnswer there = contact::answer(each.law, each.solved, dt_);
    off = std::max(off, (each.acted - there.impulse).norm());
    all += there.impulse.norm();
  }
  const bool balanced = off <= kBalanced * (all + 1e-3 * weight_);
  unsettled_ = rounds_ >= kMostSolves;
  if (unsettled_) return true;
  if (!balanced) {
    go_on();
    return false;
  }
  if (renewals_ < kMostRenewals && renew_limits()) {
    ++renewals_;
    go_on();
    return false;
  }
  missed_ = add_new(model, mechanism, state, moves_);
  if (!missed_ || additions_ == kMostAdditions) return true;
  ++additions_;
  rounds_ = 0;
  begun_ = false;
  return false;
}

bool Touches::went_through(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  // what is this much deeper than it was, of the radius or the thinner of two bodies, has been pressed in
  for (const TouchFound& place : search_.look(model, mechanism, state, still_, dt_)) {
    const auto known = std::find_if(contacts_.begin(), contacts_.end(),
                                    [&](const Contact& each) { return are_same(each.place, place); });
    const double was = known == contacts_.end() ? 0 : std::min(0.0, known->place.gap);
    if (place.gap < was - place.give) return true;
  }
  return search_.crossed(model, mechanism, before_, state);
}

// As the step leaves it.
TouchState Touches::ended(const Contact& each, const Vec3& now, const Vec3& moved) const {
  const Vec3& n = each.law.normal;
  const double normal = n.dot(each.acted);
  TouchState touch;
  touch.part = each.place.part;
  touch.other = each.place.other;
  touch.own = each.place.own;
  touch.feature = each.place.feature;
  touch.solid = each.place.solid;
  touch.force = normal / dt_;
  touch.stick = each.law.stick;
  touch.friction = (each.acted - normal * n) / dt_;
  touch.sticks = contact::answer(each.law, each.solved, dt_).slide.isZero(0);
  touch.gap = each.place.gap + dt_ * n.dot(now);
  touch.normal = n;
  touch.point = each.place.point + dt_ * moved;
  touch.slip = dt_ * (now - n.dot(now) * n);
  touch.chafing = each.chafing + touch.force * touch.slip.norm();
  return touch;
}

void Touches::take(const Mechanism& mechanism, ChainState& state, const std::vector<Vec6>& velocity) {
  if (!there_) return;
  state.touches.clear();
  const auto moved = [&](int part, const Vec3& arm) {
    return Vec3(velocity[at(part)].head<3>() + velocity[at(part)].tail<3>().cross(arm));
  };
  for (const Contact& each : contacts_) {
    const Vec3 led = moved(each.place.other, each.arm_other);
    const Vec3 now = moved(each.place.part, each.arm) - led;
    state.dissipated -= each.acted.dot(now);
    if (!mechanism.parts[at(each.place.other)].moves) state.work += each.acted.dot(led);
    if (each.law.normal.dot(each.acted) > 0) state.touches.push_back(ended(each, now, now + led));
  }
}

}  // namespace filum::chain
