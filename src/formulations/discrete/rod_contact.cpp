#include "formulations/discrete/rod_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/friction_of.hpp"
#include "formulations/discrete/strand_neighbours.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/swept_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace filum::discrete {
namespace {

// A way that counts as none when a contact closes, of the radius.
constexpr double kNoSlip = 1e-7;
// Gap up to which two spans are looked at, of both radii together; up to which the matrix has room for them.
constexpr double kReach = 1;
constexpr double kRoom = 0.25;
// Spans that bulge less than so many times the radii together are straight; others are looked at in so many pieces.
constexpr double kStraight = 0.05;
constexpr int kPieces = 6;
// In short steps inertia is stiffer than the rod, and the contact must be stiffer still.
constexpr double kOverInertia = 1000;

// A span as a row of straight pieces.
using Pieces = std::array<geometry::Segment, kPieces>;
Pieces pieces(const contact::Span& span, const std::vector<Vec3>& nodes) {
  Pieces out;
  Vec3 before = contact::span_point(span, nodes, 0);
  for (int k = 0; k < kPieces; ++k) {
    const Vec3 next = contact::span_point(span, nodes, (k + 1.0) / kPieces);
    out[at(k)] = {before, next};
    before = next;
  }
  return out;
}

}  // namespace

RodContact::RodContact(const ModelData& model) : model_(model) {
  boxes_.resize(model.spans.size());
  bulge_.resize(model.spans.size());
}

geometry::Segment RodContact::chord(const std::vector<Vec3>& nodes, int span) const {
  const Edge& edge = model_.edges[at(span)];
  return {nodes[at(edge.a)], nodes[at(edge.b)]};
}

// Whether it is i that has the station of a contact with j.
bool RodContact::has_stations(int i, int j) const {
  const Edge& a = model_.edges[at(i)];
  const Edge& b = model_.edges[at(j)];
  if (a.rod == b.rod) return i < j;
  const auto mean = [&](int rod) { return model_.rods[at(rod)].mesh.length / model_.rods[at(rod)].mesh.edges(); };
  const double one = mean(a.rod);
  const double other = mean(b.rod);
  return one != other ? one < other : a.rod < b.rod;
}

// Pairs of spans whose ways come within a margin of each other, by boxes; neighbours are left out.
void RodContact::find_pairs(const std::vector<Vec3>& from, const std::vector<Vec3>& to, double margin) {
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    const Edge& edge = model_.edges[k];
    geometry::Box box;
    for (const int node : {edge.a, edge.b}) {
      box.add(from[at(node)]);
      box.add(to[at(node)]);
    }
    bulge_[k] = std::max(contact::span_bulge(model_.spans[k], from), contact::span_bulge(model_.spans[k], to));
    boxes_[k] = box.grown((1 + margin) * model_.spans[k].radius + bulge_[k]);
  }
  finder_.set(boxes_);
  pairs_.clear();
  finder_.each([&](int i, int j) {
    if (model_.edges[at(i)].rod == model_.edges[at(j)].rod && j - i < kBeside) return;
    if (belong_together(model_, i, j)) return;
    pairs_.emplace_back(has_stations(i, j) ? std::pair(i, j) : std::pair(j, i));
  });
  std::sort(pairs_.begin(), pairs_.end());
}

// Of the pairs those that are near at the start or at the end, and of a run of neighbours along b the nearest.
void RodContact::find_seeds(const std::vector<Vec3>& from, const std::vector<Vec3>& to, double reach) {
  looked_at_.clear();
  seeds_.clear();
  for (const auto& [a, b] : pairs_) {
    const geometry::SegmentPair first = geometry::closest_between(chord(from, a), chord(from, b));
    const geometry::SegmentPair last = geometry::closest_between(chord(to, a), chord(to, b));
    const geometry::SegmentPair& nearer = first.distance < last.distance ? first : last;
    const double radius = model_.spans[at(a)].radius + model_.spans[at(b)].radius;
    const double bulge = bulge_[at(a)] + bulge_[at(b)];
    if (nearer.distance > (1 + reach) * radius + bulge) continue;
    if (bulge < kStraight * radius)
      looked_at_.push_back({{.a = a, .b = b, .u = nearer.first, .v = nearer.second}, nearer.distance});
    else
      find_bent_seeds(first.distance < last.distance ? from : to, a, b, (1 + reach) * radius);
  }
  // they are sorted by a, then b
  const auto neighbours = [&](std::size_t k) {
    const contact::Approach& one = looked_at_[k].place;
    const contact::Approach& other = looked_at_[k + 1].place;
    return one.a == other.a && one.b + 1 == other.b && model_.edges[at(one.b)].rod == model_.edges[at(other.b)].rod;
  };
  for (std::size_t k = 0; k < looked_at_.size(); ++k) {
    const double distance = looked_at_[k].distance;
    if (k > 0 && neighbours(k - 1) && looked_at_[k - 1].distance <= distance) continue;
    if (k + 1 < looked_at_.size() && neighbours(k) && looked_at_[k + 1].distance < distance) continue;
    if (!leads_to_neighbours(to, looked_at_[k].place.a, looked_at_[k].place.b)) seeds_.push_back(looked_at_[k]);
  }
}

// Of two spans that are bent every place where they come near: a strand about another may touch it twice.
void RodContact::find_bent_seeds(const std::vector<Vec3>& nodes, int a, int b, double reach) {
  std::array<std::array<geometry::SegmentPair, kPieces>, kPieces> cells;
  const Pieces of_a = pieces(model_.spans[at(a)], nodes);
  const Pieces of_b = pieces(model_.spans[at(b)], nodes);
  for (int p = 0; p < kPieces; ++p)
    for (int q = 0; q < kPieces; ++q) cells[at(p)][at(q)] = geometry::closest_between(of_a[at(p)], of_b[at(q)]);
  const auto nearest = [&](int p, int q) {
    const double here = cells[at(p)][at(q)].distance;
    for (int i = std::max(0, p - 1); i <= std::min(kPieces - 1, p + 1); ++i)
      for (int j = std::max(0, q - 1); j <= std::min(kPieces - 1, q + 1); ++j) {
        const double there = cells[at(i)][at(j)].distance;
        // of equals the first
        if (there < here || (there == here && std::pair(i, j) < std::pair(p, q))) return false;
      }
    return true;
  };
  for (int p = 0; p < kPieces; ++p)
    for (int q = 0; q < kPieces; ++q) {
      const geometry::SegmentPair& cell = cells[at(p)][at(q)];
      if (cell.distance > reach || !nearest(p, q)) continue;
      const Seed seed{{.a = a, .b = b, .u = (p + cell.first) / kPieces, .v = (q + cell.second) / kPieces},
                      cell.distance};
      if (!leads_to_neighbours(nodes, a, b)) seeds_.push_back(seed);
    }
}

// Of one rod only what comes near by itself counts: a place from which the way along b to what belongs together with a is
// downhill is no contact.
bool RodContact::leads_to_neighbours(const std::vector<Vec3>& nodes, int a, int b) const {
  const RodRange& range = model_.rods[at(model_.edges[at(b)].rod)];
  for (const int step : {-1, 1}) {
    int beside = b - range.first_edge + step;
    if (range.mesh.closed) beside = (beside + range.mesh.edges()) % range.mesh.edges();
    if (beside < 0 || beside >= range.mesh.edges()) continue;
    beside += range.first_edge;
    if (!belong_together(model_, a, beside)) continue;
    const double here = geometry::closest_between(chord(nodes, a), chord(nodes, b)).distance;
    if (geometry::closest_between(chord(nodes, a), chord(nodes, beside)).distance < here) return true;
  }
  return false;
}

// A contact of the same span that is about there.
bool RodContact::known(const contact::Approach& place) const {
  return std::any_of(near_.begin(), near_.end(), [&](const Near& near) {
    return near.place.a == place.a && std::abs(near.place.b - place.b) <= 1 &&
           model_.edges[at(near.place.b)].rod == model_.edges[at(place.b)].rod;
  });
}

// One in the very same minimum.
bool RodContact::is_there(const contact::Approach& place) const {
  constexpr double kSame = 1e-3;  // of a span
  return std::any_of(near_.begin(), near_.end(), [&](const Near& near) {
    return near.found && near.place.a == place.a && std::abs(near.place.u - place.u) < kSame &&
           model_.edges[at(near.place.b)].rod == model_.edges[at(place.b)].rod &&
           std::abs(along(near.place.b, near.place.v, place.b, place.v)) < kSame;
  });
}

// Radius and stiffness of its two spans.
void RodContact::set_numbers(Near& near) const {
  const contact::Span& a = model_.spans[at(near.place.a)];
  const contact::Span& b = model_.spans[at(near.place.b)];
  near.radius = a.radius + b.radius;
  near.keep = contact::keeping(a, 0.5 * near.radius);
  const SpanLaw& one = model_.span_laws[at(near.place.a)];
  const SpanLaw& other = model_.span_laws[at(near.place.b)];
  const double mass = std::max(model_.node_mass[at(a.node[0])], model_.node_mass[at(b.node[0])]);
  near.law = {std::max({one.normal, other.normal, kOverInertia * motion_->inertia * mass}),
              std::min(one.stick, other.stick), rubs_ ? edge_friction(model_, near.place.a, near.place.b) : 0};
}

// A contact that is not closed yet, on the side that its strands are on.
RodContact::Near& RodContact::add(const contact::Approach& place, const std::vector<Vec3>& nodes) {
  Near& near = near_.emplace_back();
  near.place = place;
  set_numbers(near);
  near.curve = contact::curve_gap(model_.spans, nodes, near.keep, place);
  near.side = near.curve.apart.stableNormalized();
  // lines that cross are apart along what is square to both
  if (near.curve.apart.norm() < 1e-9 * near.radius) {
    const geometry::Segment first = chord(nodes, place.a);
    const geometry::Segment second = chord(nodes, place.b);
    near.side = (first.to - first.from).cross(second.to - second.from).stableNormalized();
  }
  return near;
}

// A contact that a state remembers; null: one that cannot be.
RodContact::Near* RodContact::recalled(const RodTouch& touch, const std::vector<Vec3>& nodes) {
  if (!is_possible(touch, static_cast<int>(model_.spans.size()))) return nullptr;
  Near& near = add({.a = touch.a, .b = touch.b, .u = touch.u, .v = touch.v}, nodes);
  near.memory = {static_cast<contact::Touch>(std::clamp(touch.touch, 0, 2)), touch.force, touch.drift, touch.slip};
  near.chafing = touch.chafing;
  return &near;
}

// Contacts that touched at the end of the last step.
void RodContact::recall(const RodState& state) {
  for (const RodTouch& touch : state.rod_touch.list) {
    Near* const known = recalled(touch, motion_->start_position);
    if (known == nullptr || !approach(*known, motion_->start_position)) continue;
    Near& near = *known;
    follow(near, motion_->start_position);
    near.curve = contact::curve_gap(model_.spans, motion_->start_position, near.keep, near.place);
    near.side = near.curve.apart.stableNormalized();
    near.touched = true;
    if (motion_->conserving) near.start_normal = near.curve.apart / near.curve.rho;
  }
}

void RodContact::begin(const RodState& state, const Motion& motion) {
  acts_ = !empty();
  if (!acts_) return;
  motion_ = &motion;
  stage_ = Stage::Step;
  rubs_ = true;
  near_.clear();
  terms_.clear();
  links_.clear();
  changed_ = pulled_ = lacks_links_ = false;
  deepest_ = 0;
  recall(state);
  find_pairs(motion.start_position, state.position, kReach);
  find_seeds(motion.start_position, state.position, kReach);
  for (const Seed& seed : seeds_)
    if (!known(seed.place)) add(seed.place, motion.start_position);
  for (Near& near : near_)
    if (near.memory.touch != contact::Touch::Open || near.curve.rho < (1 + kRoom) * near.radius) link(near);
}

// To the nearest minimum, which must not lie among the neighbours.
bool RodContact::approach(Near& near, const std::vector<Vec3>& nodes) {
  const RodRange& range = model_.rods[at(model_.edges[at(near.place.b)].rod)];
  const contact::Strand strand{range.first_edge, range.mesh.edges(), range.mesh.closed};
  contact::Approach place = near.place;
  if (!contact::find_approach(model_.spans, strand, nodes, near.keep, place) ||
      belong_together(model_, place.a, place.b))
    return false;
  // round a ring it may come to where the other strand has the stations
  if (!has_stations(place.a, place.b)) return false;
  near.place = place;
  return true;
}

// The blocks that it needs.
void RodContact::link(Near& near) {
  if (near.linked == near.place.b) return;
  near.linked = near.place.b;
  const contact::Span& a = model_.spans[at(near.place.a)];
  const contact::Span& b = model_.spans[at(near.place.b)];
  std::array<int, contact::CurveGap::kMost> nodes{};
  int count = 0;
  for (int p = 0; p < a.count; ++p) nodes[at(count++)] = a.node[at(p)];
  for (int p = 0; p < b.count; ++p) nodes[at(count++)] = b.node[at(p)];
  for (int p = 0; p < count; ++p)
    for (int q = 0; q < p; ++q)
      if (nodes[at(p)] != nodes[at(q)]) links_.emplace_back(std::minmax(nodes[at(p)], nodes[at(q)]));
  lacks_links_ = true;
}

const std::vector<std::pair<int, int>>& RodContact::take_links() {
  std::sort(links_.begin(), links_.end());
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
  lacks_links_ = false;
  return links_;
}

// Where it is now, and how far apart.
void RodContact::look(Near& near, const RodState& state) {
  near.curve = contact::curve_gap(model_.spans, state.position, near.keep, near.place);
  if (near.memory.touch == contact::Touch::Open) near.memory.anchor.setZero();
  const contact::CurveGap& curve = near.curve;
  // Which side it is on: of what touched before, where it was last seen; else the one that its points come from. At rest
  // no iterate goes through.
  const Vec3 before = contact::apart(curve, motion_->start_position);
  const bool comes = !near.touched && before.squaredNorm() > 1e-6 * near.radius * near.radius;
  const bool through = stage_ == Stage::Step && curve.apart.dot(comes ? before : near.side) < 0;
  const double sign = through ? -1 : 1;  // the same side still
  const double distance = curve.apart.norm();
  if (distance > 1e-9 * near.radius) near.side = sign / distance * curve.apart;
  contact::Gap& gap = near.gap;
  gap.value = sign * curve.rho - near.radius;
  gap.normal = gap.push = distance > 1e-9 * near.radius ? Vec3(sign / curve.rho * curve.apart) : near.side;
  gap.hessian = sign / curve.rho * (Mat3::Identity() - gap.normal * gap.normal.transpose());
  gap.way = near.memory.anchor + curve.apart - before;
  gap.share = 1;
  if (!near.start_normal.isZero(0)) {
    gap.push = 0.5 * (near.start_normal + gap.normal);
    gap.share = 0.5;
  }
}

// Two contacts of a station that have come to the same place are one.
void RodContact::find_doubles() {
  for (std::size_t k = 0; k < near_.size(); ++k) {
    Near& near = near_[k];
    near.doubled = false;
    for (std::size_t other = 0; other < k && !near.doubled; ++other) {
      Near& before = near_[other];
      if (before.doubled || before.place.a != near.place.a || before.place.b != near.place.b) continue;
      if (std::abs(before.place.u - near.place.u) > 1e-6 || std::abs(before.place.v - near.place.v) > 1e-6) continue;
      near.doubled = true;
      if (near.memory.touch == contact::Touch::Open) continue;
      const double force = before.memory.force;
      if (before.memory.touch == contact::Touch::Open) {
        before.memory = near.memory;
        before.start_normal = near.start_normal;
      }
      before.memory.force = force + near.memory.force;
      before.chafing += near.chafing;
      before.found = true;
      near.memory = {};
    }
  }
}

// The span that a station goes on to which stands at an end of its own; none: −1.
int RodContact::span_beyond(const contact::Approach& place) const {
  const int step = place.u <= 0 ? -1 : place.u >= 1 ? 1 : 0;
  if (step == 0) return -1;
  const RodRange& range = model_.rods[at(model_.edges[at(place.a)].rod)];
  int next = place.a - range.first_edge + step;
  if (range.mesh.closed) next = (next + range.mesh.edges()) % range.mesh.edges();
  const bool exists =
      next >= 0 && next < range.mesh.edges() && !belong_together(model_, range.first_edge + next, place.b);
  return exists ? range.first_edge + next : -1;
}

// Follows a station from span to span for as long as it stands at an end of one: E falls all the way, so that what stands
// at an end is not the nearest. False if that leads nowhere.
bool RodContact::follow(Near& near, const std::vector<Vec3>& nodes) {
  constexpr int kMost = 8;
  Near moved = near;
  for (int k = 0; k < kMost; ++k) {
    const int next = span_beyond(moved.place);
    if (next < 0) {
      near = moved;
      return true;
    }
    moved.place.u = moved.place.u <= 0 ? 1 : 0;
    moved.place.a = next;
    moved.linked = -1;
    set_numbers(moved);
    if (!approach(moved, nodes)) return false;
  }
  return false;
}

// Overlaps whose station stands at the end of its span are felt where it would go on to, if it can.
void RodContact::add_beyond(const std::vector<Vec3>& nodes) {
  const std::size_t count = near_.size();
  for (std::size_t k = 0; k < count; ++k) {
    const int beyond = near_[k].found ? span_beyond(near_[k].place) : -1;
    near_[k].leads_on = beyond >= 0;
    // round a ring it may lead on to where the other strand has the stations
    if (!near_[k].leads_on || !has_stations(beyond, near_[k].place.b)) continue;
    if (contact::curve_gap(model_.spans, nodes, near_[k].keep, near_[k].place).rho > near_[k].radius) continue;
    Near moved = near_[k];
    near_[k].leads_on = follow(moved, nodes);
    if (!near_[k].leads_on || is_there(moved.place)) continue;
    moved.memory = {};
    moved.chafing = 0;
    moved.start_normal.setZero();
    moved.touched = moved.leads_on = false;
    near_.push_back(moved);
  }
}

// From one place along a rod to another, in spans, the short way round a ring.
double RodContact::along(int from_span, double from, int to_span, double to) const {
  const RodRange& range = model_.rods[at(model_.edges[at(from_span)].rod)];
  const double edges = range.mesh.edges();
  const double way = to_span + to - (from_span + from);
  return range.mesh.closed ? std::remainder(way, edges) : way;
}

// Whether two contacts are in the same place, but for `reach`, m. Round a ring a contact of it with itself may come to where
// the other strand has the stations: then it is the same from the other side.
RodContact::Same RodContact::same_place(const contact::Approach& p, const contact::Approach& q, double reach) const {
  constexpr double kOnOther = 2;  // where strands are bent about each other the place on the other is less certain
  const auto beside = [&](int span, double u, int other, double v, double most) {
    return model_.edges[at(span)].rod == model_.edges[at(other)].rod &&
           std::abs(along(span, u, other, v)) * model_.spans[at(span)].length < most;
  };
  if (beside(p.a, p.u, q.a, q.u, reach) && beside(p.b, p.v, q.b, q.v, kOnOther * reach)) return Same::Yes;
  if (beside(p.a, p.u, q.b, q.v, reach) && beside(p.b, p.v, q.a, q.u, kOnOther * reach)) return Same::Mirrored;
  return Same::No;
}

// Up to how far apart two contacts hold the same place: what the springs explain that keep stations in the middle, where
// strands cross near a node and the spans on both sides of it see the same crossing; and a little more, since two forces
// so near to each other would only be told apart slowly. Places further apart are two, as where a strand is bent about
// another, and each is held.
double RodContact::same_reach(const Near& near) const {
  constexpr double kNear = 0.15;   // of the radii together
  constexpr double kLeast = 0.02;  // of a span, unless that is less
  constexpr double kMost = 0.3;    // of a span
  const double length = model_.spans[at(near.place.a)].length;
  const double explained = 2 * near.keep / (near.keep + near.curve.crossing);
  return std::min(kMost * length, std::min(kNear * near.radius, kLeast * length) + explained * length);
}

// Of several that see the same place one holds it. At rest a place may have its balance at a node, between the springs of
// two spans: a search that goes to and fro between them is let have both.
bool RodContact::is_shadowed(const Near& near) const {
  if (near.memory.touch != contact::Touch::Open || holds_both()) return false;
  const double reach = same_reach(near);
  return std::any_of(near_.begin(), near_.end(), [&](const Near& other) {
    return other.memory.touch != contact::Touch::Open && !other.leads_on &&
           same_place(near.place, other.place, reach) != Same::No;
  });
}

// A contact leaves what it bears and remembers to another: one whose station came to the end of its span to the one beyond,
// once that holds the same place; and of two that have come together one to the other.
void RodContact::hand_on() {
  constexpr double kBeyond = 0.3;    // of a span
  constexpr double kTogether = 0.5;  // of what keeps another from closing, so that they do not part and close in turn
  if (holds_both()) return;
  for (Near& near : near_) {
    if (near.memory.touch == contact::Touch::Open) continue;
    const double reach = near.leads_on ? kBeyond * model_.spans[at(near.place.a)].length : kTogether * same_reach(near);
    for (Near& other : near_) {
      if (&other == &near || other.memory.touch == contact::Touch::Open || other.leads_on) continue;
      const Same same = same_place(near.place, other.place, reach);
      if (same == Same::No) continue;
      const double force = other.memory.force;
      if (force == 0 && same == Same::Yes) {
        other.memory = near.memory;
        other.start_normal = near.start_normal;
      }
      other.memory.force = force + near.memory.force;
      other.chafing += near.chafing;
      near.memory = {};
      near.start_normal.setZero();
      break;
    }
  }
}

ContactTerm RodContact::term(const Near& near, const RodState& state) const {
  const contact::Reaction local = contact::react(near.law, near.gap, near.memory);
  ContactTerm out;
  out.count = near.curve.count;
  out.node = near.curve.node;
  out.weight = near.curve.weight;
  out.force = local.force;
  out.stiffness = local.stiffness;
  out.slides = near.curve.slides;
  out.slide = near.curve.slide;
  out.give = near.curve.inverse;
  // as s and t change so do the normal, and the weights by which the whole force is spread
  const double turning = near.gap.share * near.memory.force / (near.gap.value + near.radius);
  const Vec3 acting = near.memory.force * near.gap.push + contact::friction_force(near.law, near.gap, near.memory);
  for (int i = 0; i < out.slides; ++i)
    for (int k = 0; k < out.count; ++k)
      out.rise[at(i)][at(k)] =
          turning * out.weight[at(k)] * near.curve.by[at(i)] + near.curve.change[at(i)][at(k)] * acting;
  out.floor = std::numeric_limits<double>::epsilon() * near.law.normal * state.position[at(out.node[0])].norm();
  return out;
}

void RodContact::evaluate(RodState& state) {
  terms_.clear();
  deepest_ = sunk_ = 0;
  pulled_ = false;
  if (stage_ == Stage::Step)
    for (Near& near : near_) near.found = approach(near, state.position);
  else
    gather(state);
  if (stage_ != Stage::Shown) add_beyond(state.position);
  find_doubles();
  const bool waits = stage_ == Stage::Search && std::any_of(near_.begin(), near_.end(), [](const Near& near) {
                       return near.memory.touch != contact::Touch::Open && near.memory.force < 0;
                     });
  for (Near& near : near_) {
    if (near.doubled || (!near.found && near.memory.touch == contact::Touch::Open)) continue;
    look(near, state);
    sunk_ += std::max(0.0, -near.gap.value);
    const bool may_close = !near.leads_on && !is_shadowed(near) && !(waits && near.gap.value > -kShallow * near.radius);
    const double depth = stage_ == Stage::Search ? 0 : contact::kNoDepth * near.radius;
    if (may_close && contact::close(near.law, near.gap, kNoSlip * near.radius, depth, near.memory)) changed_ = true;
  }
  if (stage_ != Stage::Shown) hand_on();
  for (Near& near : near_) {
    if (near.memory.touch == contact::Touch::Open) continue;
    if (stage_ != Stage::Shown) link(near);
    terms_.push_back(term(near, state));
    deepest_ = std::max(deepest_, std::abs(near.gap.value) / (0.5 * near.radius));
    pulled_ = pulled_ || near.memory.force < 0;
  }
  if (stage_ == Stage::Search) store(state);
}

// A contact that opens, since it pulls, leaves its pull to the contact beside it: two that hold nearly the same bear any
// two forces of the right sum until one of them is gone.
void RodContact::update_contact(Near& near, const Vec3& by, double share, bool may_open) {
  const double pull = near.memory.force - share * near.law.normal * (near.gap.value + near.gap.normal.dot(by));
  if (!contact::update(near.law, near.gap, by, share, may_open, near.memory)) return;
  changed_ = true;
  if (near.memory.touch != contact::Touch::Open || !(pull < 0)) return;
  Near* beside = nullptr;
  for (Near& other : near_) {
    if (other.memory.touch == contact::Touch::Open || other.memory.force + pull < 0) continue;
    if (std::abs(other.place.a - near.place.a) > 2 || std::abs(other.place.b - near.place.b) > 3) continue;
    if (model_.edges[at(other.place.a)].rod != model_.edges[at(near.place.a)].rod ||
        model_.edges[at(other.place.b)].rod != model_.edges[at(near.place.b)].rod)
      continue;
    if (beside == nullptr || std::abs(other.place.a - near.place.a) < std::abs(beside->place.a - near.place.a))
      beside = &other;
  }
  if (beside != nullptr) beside->memory.force += pull;
}

// When two spans come as near as half their radii on the straight way of the nodes from one place to another, as a share of
// it; beyond 1: they do not. Chords first; if those do, the curve in pieces.
double RodContact::meeting(const std::vector<Vec3>& from, const std::vector<Vec3>& to, int i, int j) const {
  constexpr double kNever = 2;
  if (leads_to_neighbours(from, i, j)) return kNever;
  const contact::Span& a = model_.spans[at(i)];
  const contact::Span& b = model_.spans[at(j)];
  const double radius = a.radius + b.radius;
  const double bulge = bulge_[at(i)] + bulge_[at(j)];
  // what was nearer already, since it was drawn so, is let out, but no further in
  const auto meet = [&](const geometry::MovingSegment& one, const geometry::MovingSegment& other) {
    constexpr double kInward = 0.8;
    const double start = geometry::closest_between(one.from, other.from).distance;
    const geometry::SweptMeeting met = geometry::first_meeting(one, other, std::min(0.5 * radius, kInward * start));
    return met.meets ? met.time : kNever;
  };
  const geometry::MovingSegment one{chord(from, i), chord(to, i)};
  const geometry::MovingSegment other{chord(from, j), chord(to, j)};
  if (bulge < kStraight * radius) return meet(one, other);
  if (!geometry::first_meeting(one, other, 0.5 * radius + bulge).meets) return kNever;
  const Pieces a_from = pieces(a, from);
  const Pieces a_to = pieces(a, to);
  const Pieces b_from = pieces(b, from);
  const Pieces b_to = pieces(b, to);
  double first = kNever;
  for (std::size_t p = 0; p < kPieces; ++p)
    for (std::size_t q = 0; q < kPieces; ++q) first = std::min(first, meet({a_from[p], a_to[p]}, {b_from[q], b_to[q]}));
  return first;
}

// A contact of two spans that met on their way to `state`, at the place where they did and on the side that they came
// from. False if there is one already, or none is needed there.
bool RodContact::add_met(const RodState& state, int a, int b) {
  const std::vector<Vec3>& from = motion_->start_position;
  const geometry::MovingSegment one{chord(from, a), chord(state.position, a)};
  const geometry::MovingSegment other{chord(from, b), chord(state.position, b)};
  const double radius = model_.spans[at(a)].radius + model_.spans[at(b)].radius;
  const double time = geometry::first_meeting(one, other, radius + bulge_[at(a)] + bulge_[at(b)]).time;
  const geometry::SegmentPair met = geometry::closest_between(one.at(time), other.at(time));
  return add_overlap({.a = a, .b = b, .u = met.first, .v = met.second}, state);
}

// Another contact, if it overlaps and is not where one is already.
bool RodContact::add_overlap(const contact::Approach& place, const RodState& state) {
  Near near = add(place, motion_->start_position);
  near_.pop_back();
  if (!approach(near, state.position) || is_there(near.place)) return false;
  look(near, state);
  if (!(near.gap.value < 0)) return false;
  near_.push_back(near);
  return true;
}

Way RodContact::look_back(const RodState& state) {
  if (empty()) return Way::Free;
  find_pairs(motion_->start_position, state.position, 0.1);
  bool further = false;
  for (const auto& [a, b] : pairs_) {
    if (meeting(motion_->start_position, state.position, a, b) > 1) continue;
    if (!add_met(state, a, b)) return Way::Through;
    further = true;
  }
  find_seeds(state.position, state.position, 0.05);
  for (const Seed& seed : seeds_) further = add_overlap(seed.place, state) || further;
  return further ? Way::Further : Way::Free;
}

// What the stick has given way by is what its force says; by the rest of its way the contact has slipped.
RodTouch RodContact::ended(const Near& near, const Vec3& friction) const {
  const Vec3 drift = -friction / near.law.stick;
  const Vec3 n = near.gap.normal.stableNormalized();
  Vec3 slipped = near.gap.way - drift;
  slipped -= n.dot(slipped) * n;
  return {near.place.a,
          near.place.b,
          near.place.u,
          near.place.v,
          static_cast<int>(near.memory.touch),
          near.memory.force,
          drift,
          near.memory.slip,
          slipped,
          near.chafing + near.memory.force * slipped.norm()};
}

void RodContact::end(RodState& state, std::vector<HaltRow>& halt) {
  if (empty()) return;
  state.rod_touch.list.clear();
  for (Near& near : near_) {
    if (near.memory.touch == contact::Touch::Open) continue;
    const Vec3 friction = contact::friction_force(near.law, near.gap, near.memory);
    const Vec3 way = near.gap.way - near.memory.anchor;
    state.dissipated -= (near.memory.force * near.gap.push + friction).dot(way);
    state.rod_touch.list.push_back(ended(near, friction));
    HaltRow row;
    row.count = near.curve.count;
    row.node = near.curve.node;
    row.weight = near.curve.weight;
    row.along = near.side;
    halt.push_back(row);
    if (near.memory.touch != contact::Touch::Stick || near.law.friction == 0) continue;
    row.along = near.side.unitOrthogonal();
    halt.push_back(row);
    row.along = near.side.cross(row.along);
    halt.push_back(row);
  }
}

void transfer_rod_touches(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state) {
  const auto same = [](const contact::Span& a, const contact::Span& b) {
    return a.node == b.node && a.length == b.length && a.radius == b.radius;
  };
  if (std::equal(from.spans.begin(), from.spans.end(), to.spans.begin(), to.spans.end(), same))
    to_state.rod_touch = from_state.rod_touch;
}

}  // namespace filum::discrete
