#include "formulations/discrete/body_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_foot.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::discrete {
namespace {

// Of the smaller solid: a way that counts as none when a contact closes; who is looked at beyond what is foreseen.
constexpr double kNoBodyWay = 1e-8;
constexpr double kBodyMargin = 0.1;

// Of the point of a body that is at `at` now.
Vec3 way_of(const SolidPlace& before, const SolidPlace& now, const Vec3& at) {
  return at - (before.position + before.rotation * now.seen(at));
}

// Whether a row at its foot lies across an edge or something round, or deep inside the other: along a face any place of it
// is as near as another, and its ends hold it.
bool is_across(const geometry::Shape& shape, const geometry::Segment& core, double share, double size) {
  constexpr double kAlong = 1e-6;  // of the curvature of a ball of that size
  constexpr double kClear = 0.05;  // cosine
  const Vec3 e = (core.to - core.from).stableNormalized();
  const geometry::Distance there = geometry::distance_from(shape, core.at(share));
  if (e.dot(there.hessian * e) * size > kAlong) return true;
  return there.value < 0 && geometry::distance_from(shape, core.from).normal.dot(e) < -kClear &&
         geometry::distance_from(shape, core.to).normal.dot(e) > kClear;
}

}  // namespace

BodyContact::BodyContact(const ModelData& model) : model_(model) {
  before_.resize(model.solids.size());
  now_.resize(model.solids.size());
  for (const Solid& solid : model.solids) {
    const bool bounded = solid.bounds.low.allFinite() && solid.bounds.high.allFinite();
    middle_.push_back(bounded ? Vec3(0.5 * (solid.bounds.low + solid.bounds.high)) : Vec3(Vec3::Zero()));
    reach_.push_back(bounded ? 0.5 * (solid.bounds.high - solid.bounds.low).norm() : geometry::kFarAway);
  }
}

const SolidFeature& BodyContact::feature_of(const Candidate& each) const {
  return model_.solids[at(model_.solid_pairs[at(each.pair)].a)].features[at(each.feature)];
}

contact::Stiffness BodyContact::law(const SolidPair& pair) const {
  // stiffer than the inertia of the step, as for rods
  constexpr double kFirmness = 100;
  return {kFirmness * motion_->inertia * pair.mass, pair.stick, pair.friction};
}

// A feature, as the other solid sees it.
SolidFeature BodyContact::seen(const SolidPair& pair, const SolidFeature& feature,
                               const std::vector<SolidPlace>& places) const {
  return feature_seen(feature, places[at(pair.a)], places[at(pair.b)]);
}

void BodyContact::begin(const RodState& state, const Targets& targets, const Motion& motion) {
  acts_ = false;
  if (empty()) return;
  acts_ = true;
  motion_ = &motion;
  for (std::size_t k = 0; k < model_.solids.size(); ++k) {
    const Solid& solid = model_.solids[k];
    before_[k] = {state.solid_position[k], state.solid_rotation[k]};
    now_[k] = solid.free >= 0   ? place_of(model_, solid, state.position, state.rotor)
              : solid.body >= 0 ? place_of(solid, targets)
                                : before_[k];
  }
  near_.clear();
  terms_.clear();
  changed_ = pulled_ = false;
  deepest_ = 0;
  lacks_links_ = true;
  for (int k = 0; k < static_cast<int>(model_.solid_pairs.size()); ++k) {
    const SolidPair& pair = model_.solid_pairs[at(k)];
    const auto middle = [&](const SolidPlace& place) {
      return Vec3(place.position + place.rotation * middle_[at(pair.a)]);
    };
    const Vec3 from = before_[at(pair.b)].seen(middle(before_[at(pair.a)]));
    const Vec3 to = now_[at(pair.b)].seen(middle(now_[at(pair.a)]));
    // turns move it too, by no more than its own size
    const double turned = (now_[at(pair.a)].rotation - before_[at(pair.a)].rotation).norm() * reach_[at(pair.a)];
    const double reach = 1.5 * ((to - from).norm() + turned) + kBodyMargin * pair.size;
    const double all = reach + reach_[at(pair.a)];
    if (model_.solids[at(pair.b)].bounds.square_distance(geometry::Box{from, from}) <= all * all) look_for(k, reach);
  }
  // what touched is known
  for (const BodyTouch& touch : state.body_touch.list)
    for (Candidate& each : near_)
      if (each.pair == touch.pair && each.feature == touch.feature) {
        each.memory = {static_cast<contact::Touch>(touch.touch), touch.force, touch.give, touch.slip};
        each.chafing = touch.chafing;
        if (feature_of(each).kind == FeatureKind::Ring) each.share = touch.share;
        if (motion.conserving) {
          const SolidPair& pair = model_.solid_pairs[at(each.pair)];
          const SolidPlace& other = before_[at(pair.b)];
          const geometry::Shape& shape = model_.solids[at(pair.b)].shape;
          const SolidFeature feature = seen(pair, feature_of(each), before_);
          const double share = feature.kind == FeatureKind::Row ? find_foot(shape, feature.core, FootReach{}).share
                                                                : nearest_share(shape, feature, touch.share);
          const Vec3 x = point_of(feature, share);
          each.start_normal = geometry::distance_from(shape, x).normal;
          each.start_point = other.position + other.rotation * (x - feature.radius * each.start_normal);
        }
      }
}

// Features of the one that are, or will be, as near to the other as this.
void BodyContact::look_for(int k, double reach) {
  const SolidPair& pair = model_.solid_pairs[at(k)];
  const Solid& own = model_.solids[at(pair.a)];
  for (int f = 0; f < static_cast<int>(own.features.size()); ++f) {
    const SolidFeature& feature = own.features[at(f)];
    const double all = reach + feature.radius;
    if (core_distance(model_.solids[at(pair.b)].shape, seen(pair, feature, before_), all) <= all) add(k, f);
  }
}

void BodyContact::add(int k, int f) {
  Candidate each;
  each.pair = k;
  each.feature = f;
  each.share = feature_of(each).kind == FeatureKind::Ball ? 0 : -1;
  const SolidPair& pair = model_.solid_pairs[at(k)];
  const SolidFeature feature = seen(pair, feature_of(each), before_);
  const SolidPlace& other = before_[at(pair.b)];
  const geometry::Shape& shape = model_.solids[at(pair.b)].shape;
  const Vec3 x = point_of(feature, nearest_share(shape, feature));
  each.start_point = other.position + other.rotation * (x - feature.radius * geometry::distance_from(shape, x).normal);
  near_.push_back(each);
  lacks_links_ = true;
}

void BodyContact::take_links(std::vector<std::pair<int, int>>& links) {
  lacks_links_ = false;
  for (const Candidate& each : near_) {
    const SolidPair& pair = model_.solid_pairs[at(each.pair)];
    const FreeBody* a = free_body(pair.a);
    const FreeBody* b = free_body(pair.b);
    const int first = a != nullptr ? a->node : b->node;
    const int second = b != nullptr ? b->node : a->node;
    links.emplace_back(std::minmax(first, second));
  }
}

// Over the step, of one that keeps energy; else at its end.
Mat3 BodyContact::mean_rotation(int solid) const {
  const Mat3& now = now_[at(solid)].rotation;
  return motion_->conserving ? Mat3(0.5 * (before_[at(solid)].rotation + now)) : now;
}

BodyContact::Slip BodyContact::slip_of(const Candidate& each) const {
  const SolidPair& pair = model_.solid_pairs[at(each.pair)];
  Slip slip;
  const auto side = [&](int solid, Vec3& by, Vec3& arm) {
    const SolidPlace& before = before_[at(solid)];
    const SolidPlace& now = now_[at(solid)];
    if (!motion_->conserving) {
      by = way_of(before, now, each.point);
      arm = each.point - now.position;
      return;
    }
    arm = 0.5 * (each.start_point + each.point - before.position - now.position);
    by = now.position - before.position + math::cayley_vector(now.rotation * before.rotation.transpose()).cross(arm);
  };
  side(pair.a, slip.by_a, slip.arm_a);
  side(pair.b, slip.by_b, slip.arm_b);
  return slip;
}

// Where a row touches. One that does stays where it is as long as no other place of it is nearer: along a face all are as
// near, and it would leap from rim to rim, or be let go and taken hold of again.
void BodyContact::follow_row(const geometry::Shape& shape, const geometry::Segment& core, double size,
                             Candidate& each) {
  constexpr double kAsNear = 1e-9;  // of the size
  const Foot foot = find_foot(shape, core, FootReach{});
  const bool touches = each.memory.touch != contact::Touch::Open;
  const auto distance = [&](double share) { return geometry::distance_from(shape, core.at(share)).value; };
  if (touches && each.share >= 0 && distance(each.share) <= distance(foot.share) + kAsNear * size) return;
  each.share = foot.share;
  each.has_foot = foot.beyond == 0 && (touches || is_across(shape, core, foot.share, size));
}

void BodyContact::follow_foot(const geometry::Shape& shape, const SolidFeature& feature, double size, Candidate& each) {
  constexpr double kTilt = 1e-6;  // rad
  if (feature.kind == FeatureKind::Row) return follow_row(shape, feature.core, size, each);
  if (feature.kind == FeatureKind::Ring) {
    const bool touches = each.memory.touch != contact::Touch::Open;
    each.share = nearest_share(shape, feature, each.share);
    each.has_foot = is_tilted(shape, feature, each.share, touches ? 0.5 * kTilt : kTilt);
  } else {
    each.has_foot = lies_flat(feature, geometry::distance_from(shape, feature.core.from).normal);
  }
}

// Where the feature and the other solid are nearest, and how far from each other.
void BodyContact::measure(Candidate& each) const {
  const SolidPair& pair = model_.solid_pairs[at(each.pair)];
  const geometry::Shape& shape = model_.solids[at(pair.b)].shape;
  const SolidFeature feature = seen(pair, feature_of(each), now_);
  follow_foot(shape, feature, pair.size, each);
  const Vec3 x = point_of(feature, each.share);
  const geometry::Distance distance = geometry::distance_from(shape, x);
  contact::Gap& gap = each.gap;
  gap.value = distance.value - feature.radius;
  gap.normal = gap.push = distance.normal;
  gap.hessian = distance.hessian;
  gap.share = 1;
  if (!each.start_normal.isZero(0)) {
    gap.push = 0.5 * (each.start_normal + distance.normal);
    gap.share = 0.5;
  }
  const SolidPlace& other = place(pair.b);
  each.point = other.position + other.rotation * (x - feature.radius * distance.normal);
  const Slip slip = slip_of(each);
  gap.way = mean_rotation(pair.b).transpose() * (slip.by_a - slip.by_b) - each.memory.anchor;
}

void BodyContact::evaluate(const RodState& state) {
  terms_.clear();
  deepest_ = 0;
  pulled_ = false;
  for (std::size_t k = 0; k < model_.solids.size(); ++k)
    if (model_.solids[k].free >= 0) now_[k] = place_of(model_, model_.solids[k], state.position, state.rotor);
  for (Candidate& each : near_) {
    const SolidPair& pair = model_.solid_pairs[at(each.pair)];
    measure(each);
    if (!each.has_foot) {
      // along a face, or past its end, its ends hold it
      if (each.memory.touch != contact::Touch::Open) changed_ = true;
      each.memory.touch = contact::Touch::Open;
      each.memory.force = 0;
      continue;
    }
    if (contact::close(law(pair), each.gap, kNoBodyWay * pair.size, contact::kNoDepth * pair.size, each.memory))
      changed_ = true;
    if (each.memory.touch == contact::Touch::Open) continue;
    add_term(each);
    deepest_ = std::max(deepest_, std::abs(each.gap.value) / pair.size);
    pulled_ = pulled_ || each.memory.force < 0;
  }
}

void BodyContact::add_term(const Candidate& each) {
  const SolidPair& pair = model_.solid_pairs[at(each.pair)];
  const contact::Stiffness stiff = law(pair);
  const contact::Reaction local = contact::react(stiff, each.gap, each.memory);
  const Mat3 mean = mean_rotation(pair.b);
  const Mat3& end = place(pair.b).rotation;
  const Slip slip = slip_of(each);
  ContactTerm& out = terms_.emplace_back();
  out.force = mean * local.force;
  out.stiffness = mean * local.stiffness * end.transpose();
  out.end_force = end * local.force;
  out.share = motion_->conserving ? 0.5 : 1;
  const auto join = [&](int solid, double weight, const Vec3& arm) {
    const FreeBody* body = free_body(solid);
    if (body == nullptr) return;
    out.node[at(out.count)] = body->node;
    out.weight[at(out.count++)] = weight;
    out.turn[at(out.turns++)] = {body->rotor, weight * arm, weight * (each.point - place(solid).position), weight < 0};
  };
  join(pair.a, 1, slip.arm_a);
  join(pair.b, -1, slip.arm_b);
  out.floor = std::numeric_limits<double>::epsilon() * stiff.normal *
              (each.point.norm() + place(pair.a).position.norm() + place(pair.b).position.norm());
}

bool BodyContact::is_near(int pair, int feature) const {
  return std::any_of(near_.begin(), near_.end(),
                     [&](const Candidate& each) { return each.pair == pair && each.feature == feature; });
}

// A ball whose straight way leads from one side of the other solid to another.
bool BodyContact::went_through(int k, const SolidFeature& feature) const {
  constexpr double kOpposed = -0.2;  // cosine
  const SolidPair& pair = model_.solid_pairs[at(k)];
  const Solid& other = model_.solids[at(pair.b)];
  const geometry::Segment way{seen(pair, feature, before_).core.from, seen(pair, feature, now_).core.from};
  if (feature.kind != FeatureKind::Ball ||
      (way.to - way.from).norm() < std::max(feature.radius, kBodyMargin * pair.size))
    return false;
  geometry::Box box;
  box.add(way.from);
  box.add(way.to);
  if (other.bounds.square_distance(box) > feature.radius * feature.radius) return false;
  if (!(geometry::distance_from(other.shape, way, feature.radius).value < 0.5 * feature.radius)) return false;
  return geometry::distance_from(other.shape, way.from)
             .normal.dot(geometry::distance_from(other.shape, way.to).normal) < kOpposed;
}

Way BodyContact::look_back() {
  if (empty()) return Way::Free;
  bool further = false;
  for (int k = 0; k < static_cast<int>(model_.solid_pairs.size()); ++k) {
    const SolidPair& pair = model_.solid_pairs[at(k)];
    const Solid& own = model_.solids[at(pair.a)];
    const Solid& other = model_.solids[at(pair.b)];
    // of its middle, as the other sees it: the way, and what its turning adds
    const auto middle = [&](const std::vector<SolidPlace>& places) {
      return places[at(pair.b)].seen(places[at(pair.a)].position + places[at(pair.a)].rotation * middle_[at(pair.a)]);
    };
    geometry::Box box;
    box.add(middle(before_));
    box.add(middle(now_));
    if (other.bounds.square_distance(box) > reach_[at(pair.a)] * reach_[at(pair.a)]) continue;
    for (int f = 0; f < static_cast<int>(own.features.size()); ++f) {
      const SolidFeature& feature = own.features[at(f)];
      if (went_through(k, feature)) return Way::Through;
      if (is_near(k, f)) continue;
      if (core_distance(other.shape, seen(pair, feature, now_), feature.radius) >= feature.radius) continue;
      add(k, f);
      further = true;
    }
  }
  return further ? Way::Further : Way::Free;
}

// What friction takes is lost; what moves a solid that does not move freely does work.
void BodyContact::account(const Candidate& each, const Vec3& friction, RodState& state) const {
  const SolidPair& pair = model_.solid_pairs[at(each.pair)];
  const Vec3 force = mean_rotation(pair.b) * (each.memory.force * each.gap.push + friction);
  const Slip slip = slip_of(each);
  state.dissipated -= force.dot(slip.by_a - slip.by_b);
  if (free_body(pair.b) == nullptr) state.work += force.dot(slip.by_b);
  if (free_body(pair.a) == nullptr) state.work -= force.dot(slip.by_a);
}

// Its spring is left with what acted; by the rest of the way it has slipped.
BodyTouch BodyContact::ended(const Candidate& each, const Vec3& give) const {
  BodyTouch touch;
  touch.pair = each.pair;
  touch.feature = each.feature;
  touch.share = std::clamp(each.share, 0.0, 1.0);
  touch.touch = static_cast<int>(each.memory.touch);
  touch.force = each.memory.force;
  touch.give = give;
  touch.slip = each.memory.slip;
  const Vec3 moved = each.gap.way + give;
  touch.way = moved - each.gap.normal.dot(moved) * each.gap.normal;
  touch.chafing = each.chafing + each.memory.force * touch.way.norm();
  return touch;
}

void BodyContact::end(RodState& state, std::vector<HaltRow>& halt) {
  if (empty()) return;
  state.body_touch.list.clear();
  for (Candidate& each : near_) {
    if (each.memory.touch == contact::Touch::Open) continue;
    const contact::Stiffness stiff = law(model_.solid_pairs[at(each.pair)]);
    const Vec3 friction = contact::friction_force(stiff, each.gap, each.memory);
    account(each, friction, state);
    state.body_touch.list.push_back(ended(each, friction / stiff.stick));
    add_halt(each, halt);
  }
}

void BodyContact::add_halt(const Candidate& each, std::vector<HaltRow>& halt) const {
  const SolidPair& pair = model_.solid_pairs[at(each.pair)];
  HaltRow row;
  const auto join = [&](int solid, double weight) {
    if (const FreeBody* body = free_body(solid)) {
      row.node[at(row.count)] = body->node;
      row.weight[at(row.count++)] = weight;
      row.turn[at(row.turns++)] = {body->rotor, Vec3::Zero(), weight * (each.point - place(solid).position),
                                   weight < 0};
    } else {
      // it moves at an even rate
      row.speed -= weight * way_of(before_[at(solid)], place(solid), each.point) / motion_->step;
    }
  };
  join(pair.a, 1);
  join(pair.b, -1);
  const Vec3 n = place(pair.b).rotation * each.gap.normal;
  row.along = n;
  halt.push_back(row);
  if (each.memory.touch != contact::Touch::Stick || pair.friction == 0) return;
  row.along = n.unitOrthogonal();
  halt.push_back(row);
  row.along = n.cross(row.along);
  halt.push_back(row);
}

}  // namespace filum::discrete
