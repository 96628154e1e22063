#include "formulations/spline/spline_plastic.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "rod/spline_strain.hpp"

#include <algorithm>
#include <utility>

namespace filum::spline {

namespace {

template <class F>
void each_site(const SplineModel& model, const SplineState& state, const F& f) {
  for (int g = 0; g < static_cast<int>(model.bends.size()); ++g) f(bend_site(model, state, g));
  for (int k = 0; k < static_cast<int>(model.segments.size()); ++k) f(twist_site(model, state, k));
  for (int g = 0; g < static_cast<int>(model.stretches.size()); ++g) f(stretch_site(model, state, g));
}

// The sites of a rod as pieces along it: bends, twists, stretches.
struct RodPieces {
  std::vector<discrete::PlasticPiece> bend;
  std::vector<discrete::PlasticPiece> twist;
  std::vector<discrete::PlasticPiece> stretch;
};

RodPieces pieces_of(const SplineModel& model, int rod) {
  const RodSpline& spline = model.rods[at(rod)];
  const double length = spline.knots.start(spline.knots.segments());
  const auto law = [](const std::vector<rod::SectionPlasticity>& laws, int index) {
    return index < 0 ? nullptr : &laws[at(index)];
  };
  RodPieces pieces;
  for (int k = 0; k < spline.knots.segments(); ++k) {
    const int index = spline.first_segment + k;
    const int kind = model.segments[at(index)].law;
    const auto place = [&](double share) { return (spline.knots.start(k) + share * spline.knots.width(k)) / length; };
    Vec3 first = Vec3::Ones();
    if (kind >= 0) first << model.memory.bend[at(kind)].bend_yield, model.memory.twist[at(kind)].twist_yield;
    for (int g = kBendPoints * index; g < kBendPoints * (index + 1); ++g)
      pieces.bend.push_back(
          {place(model.bends[at(g)].share), law(model.memory.bend, kind), model.memory.bend_place[at(g)], first});
    pieces.twist.push_back({place(0.5), law(model.memory.twist, kind), model.memory.twist_place[at(index)], first});
  }
  for (int g = spline.first_stretch; g < spline.first_stretch + spline.stretches; ++g) {
    const StretchPoint& point = model.stretches[at(g)];
    const int k = point.segment - spline.first_segment;
    const int kind = model.segments[at(point.segment)].law;
    Vec3 first = Vec3::Ones();
    if (kind >= 0) first[2] = model.memory.stretch[at(kind)].twist_yield;
    pieces.stretch.push_back({(spline.knots.start(k) + point.share * spline.knots.width(k)) / length,
                              law(model.memory.stretch, kind), model.memory.stretch_place[at(g)], first});
  }
  return pieces;
}

}  // namespace

Site bend_site(const SplineModel& model, const SplineState& state, int index, const Vec2& excess) {
  Site site;
  const Segment& segment = model.segments[at(index / kBendPoints)];
  if (segment.law < 0) return site;
  const BendPoint& point = model.bends[at(index)];
  const rod::SectionPlasticity& law = model.memory.bend[at(segment.law)];
  site.joint.law = &law;
  site.joint.yield << law.bend_yield, 1;
  site.joint.stiffness << segment.stiffness.EI, 0;
  site.memory = model.memory.bend_place[at(index)];
  site.weight = point.weight * state.length_factor[at(segment.rod)] * point.rest_speed;
  site.excess << excess, 0;
  return site;
}

Site bend_site(const SplineModel& model, const SplineState& state, int index) {
  const Segment& segment = model.segments[at(index / kBendPoints)];
  const BendPoint& point = model.bends[at(index)];
  const rod::SplineStrain strain =
      rod::spline_strain(leg_sum(state.leg, segment.first, point.slope), leg_sum(state.leg, segment.first, point.bend),
                         state.bend_frame[at(index)], state.length_factor[at(segment.rod)] * point.rest_speed);
  return bend_site(model, state, index, strain.curvature - point.rest);
}

Site twist_site(const SplineModel& model, const SplineState& state, int index, double excess) {
  Site site;
  const Segment& segment = model.segments[at(index)];
  if (segment.law < 0) return site;
  const double factor = state.length_factor[at(segment.rod)];
  const rod::SectionPlasticity& law = model.memory.twist[at(segment.law)];
  site.joint.law = &law;
  site.joint.yield = Vec3(1, 1, factor * segment.width * law.twist_yield);
  site.joint.stiffness = Vec3(0, 0, segment.stiffness.GJ / (factor * segment.width));
  site.memory = model.memory.twist_place[at(index)];
  site.excess[2] = excess;
  return site;
}

Site twist_site(const SplineModel& model, const SplineState& state, int index) {
  const Segment& segment = model.segments[at(index)];
  return twist_site(model, state, index,
                    state.twist[at(index)] - state.length_factor[at(segment.rod)] * segment.rest_twist);
}

Site stretch_site(const SplineModel& model, const SplineState& state, int index, double excess) {
  Site site;
  const StretchPoint& point = model.stretches[at(index)];
  const Segment& segment = model.segments[at(point.segment)];
  if (segment.law < 0) return site;
  const rod::SectionPlasticity& law = model.memory.stretch[at(segment.law)];
  site.joint.law = &law;
  site.joint.yield = Vec3(1, 1, law.twist_yield);
  site.joint.stiffness = Vec3(0, 0, segment.stiffness.EA);
  site.memory = model.memory.stretch_place[at(index)];
  site.weight = point.weight * state.length_factor[at(segment.rod)] * point.rest_speed;
  site.excess[2] = excess;
  return site;
}

Site stretch_site(const SplineModel& model, const SplineState& state, int index) {
  return stretch_site(model, state, index, stretch_excess(model, state, state.leg, index));
}

double stretch_excess(const SplineModel& model, const SplineState& state, const std::vector<Vec3>& leg, int index) {
  const StretchPoint& point = model.stretches[at(index)];
  const Segment& segment = model.segments[at(point.segment)];
  const double rest_speed = state.length_factor[at(segment.rod)] * point.rest_speed;
  return leg_sum(leg, segment.first, point.slope).norm() / rest_speed - 1;
}

double bend_size(const SplineModel& model, const SplineState& state, const std::vector<Vec3>& leg, int index) {
  const Segment& segment = model.segments[at(index / kBendPoints)];
  const BendPoint& point = model.bends[at(index)];
  const Vec3 v = leg_sum(leg, segment.first, point.slope);
  const Vec3 a = leg_sum(leg, segment.first, point.bend);
  const double rest_speed = state.length_factor[at(segment.rod)] * point.rest_speed;
  // a little more, so that round-off decides nothing
  constexpr double kSlack = 1 + 1e-12;
  return kSlack * (v.cross(a).norm() / (v.squaredNorm() * rest_speed) + point.rest.norm());
}

rod::JointYield site_yield(const Site& site, const SplineState& state, bool may) {
  if (site.joint.law == nullptr) return {};
  const double* memory = state.plastic.at(site.memory);
  return may ? rod::joint_yield(site.joint, site.excess, memory) : rod::kept_yield(site.joint, site.excess, memory);
}

double keep_plastic(const SplineModel& model, const SplineState* start, SplineState& state,
                    const std::vector<char>& bends) {
  if (model.memory.empty()) return 0;
  double heat = 0;
  const auto keep = [&](const Site& site, const auto& at_start) {
    const Vec3 before = start == nullptr ? site.excess : at_start().excess;
    const auto kept = rod::keep_joint(site.joint, before, site.excess, state.plastic.at(site.memory));
    if (!kept.yields) return;
    state.plastic.written();
    if (start != nullptr) heat += site.weight * kept.heat;
  };
  for (int g = 0; g < static_cast<int>(model.bends.size()); ++g)
    if (model.segments[at(g / kBendPoints)].law >= 0 && (bends.empty() || bends[at(g / kBendPoints)] != 0) &&
        !bend_rests(model, state, g, bend_size(model, state, state.leg, g)))
      keep(bend_site(model, state, g), [&] { return bend_site(model, *start, g); });
  for (int k = 0; k < static_cast<int>(model.segments.size()); ++k) {
    if (model.segments[at(k)].law < 0) continue;
    const Site site = twist_site(model, state, k);
    if (!twist_rests(model, state, k, site.excess[2])) keep(site, [&] { return twist_site(model, *start, k); });
  }
  for (int g = 0; g < static_cast<int>(model.stretches.size()); ++g) {
    if (model.segments[at(model.stretches[at(g)].segment)].law < 0) continue;
    const double excess = stretch_excess(model, state, state.leg, g);
    if (!stretch_rests(model, state, g, excess))
      keep(stretch_site(model, state, g, excess), [&] { return stretch_site(model, *start, g); });
  }
  return heat;
}

double furthest_yield(const SplineModel& model, const SplineState& state) {
  double far = 0;
  each_site(model, state, [&](const Site& site) {
    if (site.joint.law != nullptr)
      far = std::max(far, rod::furthest_yield(*site.joint.law, state.plastic.at(site.memory)));
  });
  return far;
}

discrete::PlasticSet site_set(const Site& site, const SplineState& state) {
  discrete::PlasticSet set;
  if (site.joint.law == nullptr) return set;
  const rod::SectionPlasticity& law = *site.joint.law;
  const Vec3 relief = rod::kept_relief(site.joint, state.plastic.at(site.memory));
  for (int i = 0; i < 3; ++i)
    if (site.joint.stiffness[i] > 0) set.strain[i] = relief[i] / site.joint.stiffness[i];
  set.furthest = rod::furthest_yield(law, state.plastic.at(site.memory));
  if (set.furthest > 0) return set;
  // not beyond it yet: as far as it is now
  const Vec3 q = site.excess.cwiseQuotient(site.joint.yield);
  if (!law.bend.empty() && !law.slips)
    set.furthest = law.joined ? q.head<2>().norm() : q.head<2>().cwiseAbs().maxCoeff();
  if (!law.twist.empty()) set.furthest = std::max(set.furthest, std::abs(q[2]));
  return set;
}

void carry_memory(const SplineModel& from, int old_rod, const SplineState& old, const SplineModel& to, int rod,
                  SplineState& state) {
  if (from.memory.empty() || to.memory.empty() || (old.plastic.blank() && state.plastic.blank())) return;
  const RodPieces was = pieces_of(from, old_rod);
  const RodPieces is = pieces_of(to, rod);
  std::vector<double> now = state.plastic.numbers();
  // what else was carried there goes
  for (const auto* list : {&is.bend, &is.twist, &is.stretch})
    for (const discrete::PlasticPiece& piece : *list)
      if (piece.law != nullptr) std::fill_n(now.begin() + piece.memory, piece.law->joint_memory(), 0.0);
  discrete::carry_plastic(was.bend, old.plastic.numbers(), is.bend, false, now);
  discrete::carry_plastic(was.twist, old.plastic.numbers(), is.twist, false, now);
  discrete::carry_plastic(was.stretch, old.plastic.numbers(), is.stretch, false, now);
  state.plastic = rod::PlasticMemory(std::move(now));
}

void plastic_from_nodes(const SplineModel& model, const discrete::RodState& nodes, SplineState& state) {
  std::vector<double> now(at(model.memory.size), 0);
  const std::vector<double>& old = nodes.plastic.numbers();
  for (int rod = 0; rod < static_cast<int>(model.rods.size()) && !nodes.plastic.blank(); ++rod) {
    const RodPieces pieces = pieces_of(model, rod);
    const std::vector<discrete::PlasticPiece> joints = discrete::joint_pieces(model.nodes, rod);
    discrete::carry_plastic(joints, old, pieces.bend, false, now);
    discrete::carry_plastic(joints, old, pieces.twist, false, now);
    discrete::carry_plastic(discrete::edges_as_joints(model.nodes, rod, model.memory.stretch), old, pieces.stretch,
                            false, now);
  }
  state.plastic = rod::PlasticMemory(std::move(now));
}

void plastic_to_nodes(const SplineModel& model, const SplineState& state, discrete::RodState& nodes) {
  if (state.plastic.blank()) return;
  std::vector<double> now = nodes.plastic.numbers();
  const std::vector<double>& old = state.plastic.numbers();
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod) {
    const RodPieces pieces = pieces_of(model, rod);
    const std::vector<discrete::PlasticPiece> joints = discrete::joint_pieces(model.nodes, rod);
    discrete::carry_plastic(pieces.bend, old, joints, false, now);
    discrete::carry_plastic(pieces.twist, old, joints, false, now);
    discrete::carry_plastic(pieces.stretch, old, discrete::edges_as_joints(model.nodes, rod, model.memory.stretch),
                            false, now);
  }
  nodes.plastic = rod::PlasticMemory(std::move(now));
}

}  // namespace filum::spline
