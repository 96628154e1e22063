#include "formulations/chain/mechanism/level_of_detail.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/chain/mechanism/recut.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// Heights left out, as parts of what is allowed: below the first two become one, above the second one becomes two.
constexpr double kMerge = 1.0 / 80;
constexpr double kSplit = 1.0 / 20;
constexpr double kWithTheRest = 0.6;
// For how long a joint is thought to turn on as it does, s: before two become one, before one becomes two.
constexpr double kAhead = 0.1;
constexpr double kSoon = 0.03;
// An element over its neighbour, at most.
constexpr double kGrade = 2.1;
// A joint with more twist stays: turns are counted there, rad.
constexpr double kMostTwist = 1;
constexpr int kPatience = 20;  // steps: elements become one so often at most, because a new list costs a few steps
constexpr int kFewest = 4;     // elements of a span
constexpr double kShortestHalf = 0.7;  // of an ordinary element

// One side of an element.
struct Side {
  int neighbour = -1;  // the element that an ordinary joint joins there
  double bend = 0;     // angle, rad
  double rate = 0;     // at which it changes, rad/s
  double twist = 0;
  double cell = 0;            // length of rod that turns there, m; zero: free to turn
  double shove = 0;           // by how much what holds it there goes aside in this step, m
  Vec6 force = Vec6::Zero();  // of what is there
  bool yielded = false;       // it remembers how it was bent
  Vec3 set = Vec3::Zero();    // what stays of that if it is let go, 1/m
};

// What the pass looks at, read off the links once.
class Survey {
 public:
  Survey(const ModelData& model, const Mechanism& mechanism, const ChainState& state, double dt)
      : before(state.elements.size()), after(state.elements.size()), left_alone(state.elements.size(), false) {
    for (std::size_t e = 0; e < state.elements.size(); ++e) {
      if (!model.rods[at(state.elements[e].rod)].even) left_alone[e] = true;
      if (state.elements[e].wheel >= 0) left_alone[e] = left_alone[e + 1] = true;
    }
    const int elements = mechanism.first_body;
    for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
      const Link& link = mechanism.links[k];
      if (link.winch >= 0) left_alone[at(link.a < elements ? link.a : link.b)] = true;
      if (state.links[k].broken) continue;
      Side side = read(link, state.parts[at(link.a)], state.parts[at(link.b)], state.links[k]);
      if (side.yielded) side.set = link_set(model, link, Vec3::UnitZ(), state.links[k]).turn.strain;
      if (link.hold >= 0) side.shove = dt * aside(link, state.parts[at(link.a)], state.parts[at(link.b)]);
      if (link.a < elements && link.side_a > 0) note(after[at(link.a)], side);
      if (link.b < elements && link.side_b < 0) note(before[at(link.b)], side);
      const bool joint = link.hold < 0 && link.b == link.a + 1 && link.b < elements && link.turn && link.has_gap() &&
                         mechanism.span_of[at(link.a)] == mechanism.span_of[at(link.b)];
      if (!joint) continue;
      after[at(link.a)].neighbour = link.b;
      before[at(link.b)].neighbour = link.a;
    }
  }

  std::vector<Side> before;  // per element
  std::vector<Side> after;
  std::vector<bool> left_alone;

 private:
  static Side read(const Link& link, const PartState& a, const PartState& b, const LinkState& memory) {
    Side side;
    side.force = memory.force;
    if (!link.turn) return side;
    const Vec3 axis_a = a.orientation * link.base_a.col(2);
    const Vec3 axis_b = b.orientation * link.base_b.col(2);
    side.bend = std::atan2(axis_a.cross(axis_b).norm(), axis_a.dot(axis_b));
    const Vec3 spin = b.spin - a.spin;
    side.rate = (spin - axis_a.dot(spin) * axis_a).norm();
    side.twist = memory.twist;
    side.cell = link.cell;
    side.yielded = has_yielded(memory);
    return side;
  }

  // How fast the two joined points part across the element that is held.
  static double aside(const Link& link, const PartState& a, const PartState& b) {
    const Vec3 axis = (link.side_a != 0 ? a : b).orientation * Vec3::UnitZ();
    const Vec3 rate =
        (b.velocity - a.velocity) + b.spin.cross(b.orientation * link.arm_b) - a.spin.cross(a.orientation * link.arm_a);
    return (rate - axis.dot(rate) * axis).norm();
  }

  // What bends more counts where several things are tied.
  static void note(Side& kept, const Side& side) {
    const Vec6 force = kept.force + side.force;
    const double shove = std::max(kept.shove, side.shove);
    if (side.bend >= kept.bend) kept = side;
    kept.force = force;
    kept.shove = shove;
  }
};

// The height of the curve over an element of this length by what turns at one of its sides.
double height(const Side& side, double angle, double length) {
  return side.cell > 0 ? angle / side.cell * length * length / 8 : 0;
}

class Pass {
 public:
  Pass(const ModelData& model, const Mechanism& mechanism, ChainState& state, double dt)
      : model_(model),
        mechanism_(mechanism),
        state_(state),
        survey_(model, mechanism, state, dt),
        merges_(state.moving && (state.merged_last == 0 || state.merged_last > kPatience)) {
    for (const Span& span : mechanism.spans) left_in_span_.push_back(span.last - span.first + 1);
  }

  bool run() {
    elements_.reserve(state_.elements.size());
    const int count = static_cast<int>(state_.elements.size());
    // a new list costs a few steps, so what will soon be cut is cut with the rest
    double part = kSplit;
    for (int e = 0; e < count && part == kSplit; ++e)
      if (must_split(e, kSplit)) part = kWithTheRest * kSplit;
    for (int e = 0; e < count; ++e) {
      if (merges_ && e + 1 < count && may_merge(e)) {
        merge(e);
        ++e;
      } else if (part < kSplit && must_split(e, part)) {
        split(e);
      } else {
        elements_.push_back(state_.elements[at(e)]);
        parts_.push_back(state_.parts[at(e)]);
      }
    }
    if (merges_) state_.merged_last = 0;
    if (!changed_) return false;
    parts_.insert(parts_.end(), state_.parts.begin() + count, state_.parts.end());
    state_.elements = std::move(elements_);
    state_.parts = std::move(parts_);
    return true;
  }

 private:
  double allowed(int e) const {
    return model_.scene->simulation.chain.detail * model_.rods[at(state_.elements[at(e)].rod)].length;
  }
  double factor(int e) const { return state_.length_factor[at(state_.elements[at(e)].rod)]; }

  bool may_merge(int e) const {
    const Side& joint = survey_.after[at(e)];
    if (joint.neighbour < 0 || survey_.left_alone[at(e)] || survey_.left_alone[at(e) + 1]) return false;
    if (left_in_span_[at(mechanism_.span_of[at(e)])] <= kFewest || std::abs(joint.twist) > kMostTwist) return false;
    if (joint.yielded) return false;
    const double length = state_.elements[at(e) + 1].end - state_.elements[at(e)].begin;
    const Side& left = survey_.before[at(e)];
    const Side& right = survey_.after[at(e) + 1];
    if (left.neighbour >= 0 && length > kGrade * elements_.back().length()) return false;
    if (right.neighbour >= 0 && length > kGrade * state_.elements[at(right.neighbour)].length()) return false;
    double most = 0;
    for (const Side* side : {&joint, &left, &right})
      most = std::max(most, height(*side, std::max(side->bend, kAhead * side->rate), length));
    return most < kMerge * allowed(e);
  }

  bool must_split(int e, double part) const {
    const double length = state_.elements[at(e)].length();
    const double ordinary = model_.rods[at(state_.elements[at(e)].rod)].element;
    if (survey_.left_alone[at(e)] || 0.5 * length < kShortestHalf * ordinary) return false;
    for (const Side* side : {&survey_.before[at(e)], &survey_.after[at(e)]}) {
      const double turned = height(*side, side->bend + kSoon * side->rate, length);
      if (std::max(turned, side->shove) > part * allowed(e)) return true;
      if (side->neighbour >= 0 && length > kGrade * state_.elements[at(side->neighbour)].length()) return true;
    }
    return false;
  }

  void merge(int e) {
    const Element& a = state_.elements[at(e)];
    const Element& b = state_.elements[at(e) + 1];
    parts_.push_back(whole_of(model_, a, state_.parts[at(e)], b, state_.parts[at(e) + 1], factor(e)));
    elements_.push_back({a.rod, a.begin, b.end, b.wheel});
    --left_in_span_[at(mechanism_.span_of[at(e)])];
    changed_ = true;
  }

  // Its new joint bears what those beside it bear, on the average.
  void split(int e) {
    const Element& element = state_.elements[at(e)];
    const Side& left = survey_.before[at(e)];
    const Side& right = survey_.after[at(e)];
    const Halves made = halves_of(model_, element, state_.parts[at(e)], factor(e), 0.5 * (element.begin + element.end),
                                  0.5 * (left.force + right.force), 0.5 * (left.set + right.set));
    elements_.insert(elements_.end(), {made.first_element, made.second_element});
    parts_.insert(parts_.end(), {made.first, made.second});
    changed_ = true;
  }

  const ModelData& model_;
  const Mechanism& mechanism_;
  ChainState& state_;
  Survey survey_;
  bool merges_ = false;
  std::vector<int> left_in_span_;
  std::vector<Element> elements_;
  std::vector<PartState> parts_;
  bool changed_ = false;
};

}  // namespace

bool adapt_detail(const ModelData& model, const Mechanism& mechanism, ChainState& state, double dt) {
  return Pass(model, mechanism, state, dt).run();
}

}  // namespace filum::chain
