#include "formulations/chain/mechanism/mechanism.hpp"

#include "base/index.hpp"
#include "formulations/chain/reeving/rope_path.hpp"
#include "math/rotation.hpp"
#include "rod/rope_lay.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// The times of a link's damping, as the rod's material and the options have it.
void dampen(const ModelData& model, const Element& element, Link& link) {
  const Damping& damping = model.scene->rods[at(element.rod)].damping;
  const Stiffness& stiff = stiffness_of(model, element);
  const double all = model.scene->simulation.chain.damping + damping.stiffness;
  link.gap_damping = all + damping.stretch / stiff.EA;
  link.turn_damping =
      Vec3(all + damping.bend / stiff.EI[0], all + damping.bend / stiff.EI[1], all + damping.twist / stiff.GJ);
}

// Where a link yields: by the law of the side that yields first, at the moments and the force of that side.
class FirstYield {
 public:
  void take(const ModelData& model, const Element& element, Link& link) {
    const int law = law_of(model, element);
    if (law < 0 || link.twist_only) return;
    const rod::SectionPlasticity& of = model.laws[at(law)];
    const Stiffness& stiff = stiffness_of(model, element);
    const Vec3 moment(stiff.EI[0] * of.bend_yield[0], stiff.EI[1] * of.bend_yield[1], stiff.GJ * of.twist_yield);
    const double first = of.bend.empty() ? moment[2] : moment.head<2>().minCoeff();
    if (link.law >= 0 && first >= least_) return;
    least_ = first;
    link.law = law;
    moment_ = moment;
    force_ = stiff.EA * of.stretch_yield;
  }
  // With the link's compliances known.
  void put(Link& link) const {
    if (link.law < 0) return;
    link.yield = moment_.cwiseProduct(link.turn_compliance);
    link.stretch_yield = force_ * link.gap_compliance;
  }

 private:
  double least_ = 0;
  Vec3 moment_ = Vec3::Zero();
  double force_ = 0;
};

// Arms and compliances of a link as long as its elements are now.
void fit_link(const ModelData& model, const ChainState& state, Link& link) {
  FirstYield yield;
  link.law = -1;
  link.arm_a = link.offset_a;
  link.arm_b = link.offset_b;
  link.gap_compliance = 0;
  link.turn_compliance.setZero();
  link.cell = 0;
  // half an element's give on every side that is one
  auto take = [&](int part, int side, Vec3& arm) {
    if (side == 0) return;
    const Element& element = state.elements[at(part)];
    const Stiffness& stiff = stiffness_of(model, element);
    const double half = half_length(model, element, state.length_factor[at(element.rod)]);
    arm[2] += side * half;
    const double coupling = rod::lay_coupling(model.rods[at(element.rod)].torque_factor, stiff);
    const bool turns = coupling != 0 && !link.turn;
    link.gap_compliance += half / (turns ? stiff.EA - coupling * coupling / stiff.GJ : stiff.EA);
    link.turn_compliance +=
        half * Vec3(1 / stiff.EI[0], 1 / stiff.EI[1], 1 / (stiff.GJ - coupling * coupling / stiff.EA));
    if (link.turn && link.has_gap() && !link.carried) link.lay = coupling / stiff.EA;
    link.cell += half;
    dampen(model, element, link);
    yield.take(model, element, link);
  };
  take(link.a, link.side_a, link.arm_a);
  take(link.b, link.side_b, link.arm_b);
  yield.put(link);
}

// Where a load on a side of an element acts.
Vec3 load_arm(const ModelData& model, const ChainState& state, int element, int side) {
  const Element& e = state.elements[at(element)];
  return side * half_length(model, e, state.length_factor[at(e.rod)]) * Vec3::UnitZ();
}

class Builder {
 public:
  Builder(const ModelData& model, const ChainState& state) : model_(model), state_(state) {}

  Mechanism run() {
    add_parts();
    for (int r = 0; r < static_cast<int>(model_.rods.size()); ++r) add_rod_links(r);
    add_ropes();
    add_loads();
    add_spans();
    made_.elements = state_.elements;
    made_.lengths = state_.length_factor;
    return std::move(made_);
  }

 private:
  // The elements on the two sides of a place of a rod; −1 where there is none.
  struct Sides {
    int before = -1;
    int after = -1;
  };

  void add_parts() {
    const int rods = static_cast<int>(model_.rods.size());
    first_.assign(at(rods) + 1, 0);
    for (const Element& element : state_.elements) {
      made_.parts.push_back(element_part(model_, element, state_.length_factor[at(element.rod)]));
      ++first_[at(element.rod) + 1];
    }
    for (int r = 0; r < rods; ++r) first_[at(r) + 1] += first_[at(r)];
    made_.first_body = static_cast<int>(made_.parts.size());
    for (const Part& body : model_.bodies) made_.parts.push_back(body);
    made_.first_knot = static_cast<int>(made_.parts.size());
    for (const Knot& knot : model_.knots) made_.parts.push_back(knot.part);
    made_.first_hold = static_cast<int>(made_.parts.size());
    made_.parts.resize(made_.parts.size() + model_.scene->holds.size() + 1);
    made_.world = static_cast<int>(made_.parts.size()) - 1;
    tied_.assign(state_.elements.size(), false);
  }

  double half(int element) const {
    const Element& e = state_.elements[at(element)];
    return half_length(model_, e, state_.length_factor[at(e.rod)]);
  }

  const Boundary* boundary(int rod, double s) const {
    const RodData& data = model_.rods[at(rod)];
    for (const int k : {data.element_at(s), data.element_at(s) + 1})
      if (std::abs(data.boundaries[at(k)].s - s) <= kSamePlace * data.length) return &data.boundaries[at(k)];
    return nullptr;
  }

  Sides sides(int rod, double s) const {
    const RodData& data = model_.rods[at(rod)];
    const double near = kSamePlace * data.length;
    if (data.closed) s -= data.length * std::floor(s / data.length + kSamePlace);
    Sides found;
    for (int e = first_[at(rod)]; e < first_[at(rod) + 1]; ++e) {
      if (std::abs(state_.elements[at(e)].end - s) <= near) found.before = e;
      if (std::abs(state_.elements[at(e)].begin - s) <= near) found.after = e;
    }
    if (data.closed && s <= near) found.before = first_[at(rod) + 1] - 1;
    return found;
  }

  void add_link(Link& link) {
    fit_link(model_, state_, link);
    made_.links.push_back(link);
  }

  // Ordinary joints of a rod, and what grips it, place by place.
  void add_rod_links(int rod) {
    const RodData& data = model_.rods[at(rod)];
    const int first = first_[at(rod)];
    const int last = first_[at(rod) + 1] - 1;
    for (std::size_t w = 0; w < model_.reels.size(); ++w)
      if (model_.reels[w].rod == rod) add_winch(static_cast<int>(w), model_.reels[w].side < 0 ? first : last);
    std::vector<std::vector<int>> holds(at(last - first) + 2);
    for (std::size_t h = 0; h < model_.grips.size(); ++h) {
      if (model_.grips[h].rod != rod) continue;
      const Sides found = sides(rod, model_.grips[h].s);
      const int place = found.after >= 0 ? found.after - first : found.before - first + 1;
      holds[at(place)].push_back(static_cast<int>(h));
    }
    for (int place = 0; place <= last - first + 1; ++place) {
      Sides here{place > 0 ? first + place - 1 : -1, first + place <= last ? first + place : -1};
      if (data.closed && place == 0) here.before = last;
      if (data.closed && place > last - first) continue;
      add_place(rod, here, holds[at(place)]);
    }
  }

  void add_place(int rod, const Sides& here, const std::vector<int>& holds) {
    const double s = here.after >= 0 ? state_.elements[at(here.after)].begin : state_.elements[at(here.before)].end;
    if (const KnotEnd tied = knot_at(model_, rod, s); tied.knot >= 0) return add_knot_place(rod, here, tied, holds);
    bool held = false;
    bool turned = false;
    for (const int h : holds) {
      const Hold& hold = model_.scene->holds[at(h)];
      const bool all = fixes_all(hold.fix.position);
      held = held || all;
      turned = turned || hold.holds_orientation();
      // a grip in the middle of a rod holds both sides, each by its own half element
      if (here.before >= 0) add_hold(h, here.before, 1, hold.holds_position());
      if (here.after >= 0) add_hold(h, here.after, -1, here.before < 0 ? hold.holds_position() : all);
    }
    if (here.before < 0 || here.after < 0) return;
    // where it runs over a sheave, that joins the two (wheels.hpp)
    if ((held && turned) || state_.elements[at(here.before)].wheel >= 0) return;
    const Boundary* drawn = boundary(rod, s);
    Link joint;
    joint.a = here.before;
    joint.b = here.after;
    joint.side_a = 1;
    joint.side_b = -1;
    joint.gap = {!held, !held, !held};
    joint.turn = !turned;
    joint.rod = rod;
    joint.arc = s;
    if (drawn != nullptr) {
      joint.rest = drawn->rest;
      joint.start_twist = drawn->twist;
    }
    if (here.after < here.before && model_.rods[at(rod)].seam != 0)
      joint.base_a = math::exp_so3(model_.rods[at(rod)].seam * Vec3::UnitZ());
    add_link(joint);
  }

  // Where rods are joined each side ends at the knot, and what holds a rod there holds the knot.
  void add_knot_place(int rod, const Sides& here, const KnotEnd& tied, const std::vector<int>& holds) {
    const Knot::End& end = model_.knots[at(tied.knot)].ends[at(tied.end)];
    const int knot = made_.first_knot + tied.knot;
    for (const int side : {1, -1}) {
      const int element = side > 0 ? here.before : here.after;
      if (element < 0) continue;
      Link link = gripped(rod, end.s, element, side, knot, end.point, end.section);
      link.gap = {true, true, true};
      link.turn = true;
      link.joins = tied.end > 0;
      add_link(link);
    }
    for (const int h : holds) {
      const Hold& hold = model_.scene->holds[at(h)];
      const Grip& grip = model_.grips[at(h)];
      Link link;
      link.a = knot;
      link.b = holder_of(h);
      link.offset_a = end.point;
      link.base_a = end.section;
      link.offset_b = grip.point;
      link.base_b = grip.section;
      hold_position(link, hold, grip);
      link.turn = hold.holds_orientation();
      link.hold = h;
      link.rod = rod;
      link.arc = grip.s;
      if (link.rows() > 0) add_link(link);
    }
  }

  int holder_of(int h) const {
    const Grip& grip = model_.grips[at(h)];
    return grip.body >= 0 ? made_.first_body + grip.body : made_.first_hold + h;
  }

  // Along axes of the world, or of the body that carries it.
  void hold_position(Link& link, const Hold& hold, const Grip& grip) const {
    link.gap = hold.fix.position;
    link.carried = grip.body >= 0 && fixes_some(hold.fix.position);
    if (link.carried) link.axes = model_.scene->bodies[at(grip.body)].orientation.toRotationMatrix().transpose();
  }

  // The end (side +1) or the beginning of an element, gripped by another part in a place of it. Strains are counted along
  // the rod: from what is before to what is after.
  Link gripped(int rod, double s, int element, int side, int holder, const Vec3& point, const Mat3& section) {
    const Boundary* drawn = boundary(rod, s);
    Link link;
    link.rod = rod;
    link.arc = s;
    link.a = side > 0 ? element : holder;
    link.b = side > 0 ? holder : element;
    (side > 0 ? link.side_a : link.side_b) = side;
    (side > 0 ? link.offset_b : link.offset_a) = point;
    (side > 0 ? link.base_b : link.base_a) = section;
    // the seam of a ring, where frames need not meet
    const double seam = model_.rods[at(rod)].seam;
    if (side > 0 && seam != 0 && element == first_[at(rod) + 1] - 1) link.base_a = math::exp_so3(seam * Vec3::UnitZ());
    if (drawn != nullptr) {
      link.rest = side > 0 ? drawn->rest_before : drawn->rest_after;
      link.start_twist = 0.5 * drawn->twist;
    }
    tied_[at(element)] = true;
    return link;
  }

  void add_hold(int h, int element, int side, bool position) {
    const Hold& hold = model_.scene->holds[at(h)];
    if (!position && !hold.holds_orientation()) return;
    const Grip& grip = model_.grips[at(h)];
    Link link = gripped(grip.rod, grip.s, element, side, holder_of(h), grip.point, grip.section);
    link.hold = h;
    if (position) hold_position(link, hold, grip);
    link.turn = hold.holds_orientation();
    add_link(link);
  }

  // The drum holds the end of the rope that is out.
  void add_winch(int w, int element) {
    const Reel& reel = model_.reels[at(w)];
    const int drum = reel.body < 0 ? made_.world : made_.first_body + reel.body;
    Link link;
    link.winch = w;
    link.rod = reel.rod;
    link.a = reel.side < 0 ? drum : element;
    link.b = reel.side < 0 ? element : drum;
    (reel.side < 0 ? link.side_b : link.side_a) = reel.side;
    (reel.side < 0 ? link.offset_a : link.offset_b) = reel.point;
    // rope that is wound cannot turn in its hand
    (reel.side < 0 ? link.base_a : link.base_b) = reel.section;
    link.turn = link.twist_only = true;
    link.gap = {true, true, true};
    tied_[at(element)] = true;
    add_link(link);
  }

  // Eyes and sheaves of the massless ropes, on bodies or in the world; axes that nobody gave as the rope bends round
  // them at the start.
  void add_ropes() {
    const Scene& scene = *model_.scene;
    for (const Rope& rope : scene.ropes) {
      RopeWay way;
      std::vector<Vec3> start;
      for (const RopePoint& point : rope.through) {
        const int body = point.body.empty() ? -1 : index_of(scene.bodies, point.body);
        way.places.push_back({body < 0 ? made_.world : made_.first_body + body, point.point, Vec3::Zero(), point.radius,
                              point.friction});
        start.push_back(body < 0
                            ? point.point
                            : Vec3(scene.bodies[at(body)].position + scene.bodies[at(body)].orientation * point.point));
      }
      for (std::size_t i = 0; i < way.places.size(); ++i) {
        const RopePoint& point = rope.through[i];
        if (point.radius <= 0) continue;
        const int body = point.body.empty() ? -1 : index_of(scene.bodies, point.body);
        const Quat turn = body < 0 ? Quat(Quat::Identity()) : scene.bodies[at(body)].orientation;
        if (point.axis)
          way.places[i].axis = point.axis->normalized();
        else if (i > 0 && i + 1 < way.places.size())
          way.places[i].axis = turn.conjugate() * natural_axis(start[i - 1], start[i], start[i + 1]);
      }
      made_.ropes.push_back(std::move(way));
    }
  }

  // A force on a place of a rod is shared by the elements on its two sides, or acts on the knot there.
  template <class Load>
  void add_load(const Load& load, int index, const Vec3& value, std::vector<PartLoad>& list) {
    auto add = [&](int part, double share, int side, const Mat3& start) {
      const Vec3 arm = side != 0 ? load_arm(model_, state_, part, side) : Vec3::Zero();
      list.push_back(
          {part, index, share, side, arm, load.follow ? Vec3(start.transpose() * value) : value, load.follow});
    };
    if (!load.body.empty()) {
      const int body = index_of(model_.scene->bodies, load.body);
      const Mat3 start = model_.scene->bodies[at(body)].orientation.toRotationMatrix();
      add(made_.first_body + body, 1, 0, start);
      return;
    }
    const int rod = index_of(model_.scene->rods, load.point.rod);
    const double s = load.point.at.at(model_.rods[at(rod)].length);
    if (const KnotEnd tied = knot_at(model_, rod, s); tied.knot >= 0) {
      const Vec3& arm = model_.knots[at(tied.knot)].ends[at(tied.end)].point;
      list.push_back({made_.first_knot + tied.knot, index, 1, 0, arm, value, load.follow});
      return;
    }
    const Sides found = sides(rod, s);
    const double share = found.before >= 0 && found.after >= 0 ? 0.5 : 1;
    const Boundary* place = boundary(rod, s);
    const Mat3 start = place != nullptr ? place->frame : Mat3::Identity();
    if (found.before >= 0) add(found.before, share, 1, start);
    if (found.after >= 0) add(found.after, share, -1, start);
  }

  void add_loads() {
    const Scene& scene = *model_.scene;
    for (std::size_t k = 0; k < scene.forces.size(); ++k)
      add_load(scene.forces[k], static_cast<int>(k), scene.forces[k].force, made_.forces);
    for (std::size_t k = 0; k < scene.torques.size(); ++k)
      add_load(scene.torques[k], static_cast<int>(k), scene.torques[k].torque, made_.torques);
  }

  // Runs of elements between places where something is tied.
  void add_spans() {
    std::vector<bool> joined(state_.elements.size() + 1, false);  // element e to the one before it, by a full joint
    for (const Link& link : made_.links)
      if (link.b == link.a + 1 && link.b < made_.first_body && link.gap[0] && link.hold < 0) joined[at(link.b)] = true;
    for (int e = 0; e < made_.first_body; ++e) {
      // a tie at the joint between the two ends the span: one side of it is tied there
      const bool goes_on = e > 0 && joined[at(e)] && !tied_between(e - 1, e);
      if (!goes_on) made_.spans.push_back({e, e, 0});
      made_.spans.back().last = e;
      made_.half_length.push_back(half(e));
      made_.spans.back().length += 2 * half(e);
      made_.span_of.push_back(static_cast<int>(made_.spans.size()) - 1);
    }
  }

  // Whether something other than their joint holds the cross-section between two neighbours.
  bool tied_between(int before, int after) const {
    if (!tied_[at(before)] && !tied_[at(after)]) return false;
    const double s = state_.elements[at(after)].begin;
    const double near = kSamePlace * model_.rods[at(state_.elements[at(after)].rod)].length;
    for (const Link& link : made_.links) {
      if (link.a == before && link.b == after) continue;
      for (const auto& [part, side] : {std::pair{link.a, link.side_a}, std::pair{link.b, link.side_b}}) {
        if (part != before && part != after) continue;
        const Element& element = state_.elements[at(part)];
        const double place = side > 0 ? element.end : element.begin;
        if (link.has_gap() && std::abs(place - s) <= near) return true;
      }
    }
    return false;
  }

  const ModelData& model_;
  const ChainState& state_;
  Mechanism made_;
  std::vector<int> first_;  // per rod: its first element; one more at the end
  std::vector<bool> tied_;  // per element: something besides its neighbours is tied to it
};

}  // namespace

Mechanism make_mechanism(const ModelData& model, const ChainState& state) {
  return Builder(model, state).run();
}

void refit(const ModelData& model, const ChainState& state, Mechanism& mechanism) {
  bool any = false;
  for (std::size_t e = 0; e < state.elements.size(); ++e) {
    const Element& now = state.elements[e];
    const Element& made = mechanism.elements[e];
    const double factor = state.length_factor[at(now.rod)];
    if (now.begin == made.begin && now.end == made.end && factor == mechanism.lengths[at(now.rod)]) continue;
    any = true;
    mechanism.parts[e] = element_part(model, now, factor);
    mechanism.half_length[e] = half_length(model, now, factor);
  }
  if (!any) return;
  for (Span& span : mechanism.spans) {
    span.length = 0;
    for (int e = span.first; e <= span.last; ++e) span.length += 2 * mechanism.half_length[at(e)];
  }
  for (Link& link : mechanism.links) fit_link(model, state, link);
  for (auto* list : {&mechanism.forces, &mechanism.torques})
    for (PartLoad& load : *list)
      if (load.side != 0) load.arm = load_arm(model, state, load.part, load.side);
  mechanism.elements = state.elements;
  mechanism.lengths = state.length_factor;
}

}  // namespace filum::chain
