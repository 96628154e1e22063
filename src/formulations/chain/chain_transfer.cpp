#include "formulations/chain/chain_transfer.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/chain_start.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/chain/mechanism/recut.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// Elements of one rod in a state.
struct Range {
  std::size_t first = 0;
  std::size_t last = 0;  // one beyond
};
Range elements_of(const ChainState& state, int rod) {
  Range range;
  while (range.first < state.elements.size() && state.elements[range.first].rod != rod) ++range.first;
  range.last = range.first;
  while (range.last < state.elements.size() && state.elements[range.last].rod == rod) ++range.last;
  return range;
}

// The boundaries that a rod is to have: what it has and what the new scene needs, or as the new scene draws it.
std::vector<double> boundaries_for(const RodData& to, const ChainState& state, const Range& old, bool keep,
                                   double scale) {
  std::vector<double> cuts;
  for (const Boundary& boundary : to.boundaries)
    if (!keep || (boundary.is_break && boundary.s > 0 && boundary.s < to.length)) cuts.push_back(boundary.s);
  if (keep)
    for (std::size_t e = old.first; e < old.last; ++e) {
      cuts.push_back(scale * state.elements[e].begin);
      cuts.push_back(scale * state.elements[e].end);
    }
  std::sort(cuts.begin(), cuts.end());
  std::vector<double> tidy;
  for (const double s : cuts)
    if (tidy.empty() || s - tidy.back() > kSamePlace * to.length) tidy.push_back(s);
  return tidy;
}

// An element of a new list moves with the old element that its middle lies in.
PartState moved_with(const ChainState& state, const Range& old, double middle) {
  std::size_t e = old.first;
  while (e + 1 < old.last && state.elements[e].end < middle) ++e;
  const PartState& part = state.parts[e];
  PartState made = part;
  const Vec3 arm = part.orientation * Vec3(0, 0, middle - 0.5 * (state.elements[e].begin + state.elements[e].end));
  made.position += arm;
  made.velocity += part.spin.cross(arm);
  return made;
}

// The wheels of a rod, in the order of the scene's list.
std::vector<int> wheels_of(const ModelData& model, int rod) {
  std::vector<int> found;
  for (std::size_t w = 0; w < model.wheels.size(); ++w)
    if (model.wheels[w].rod == rod) found.push_back(static_cast<int>(w));
  return found;
}

// Whether a rod runs over the same wheels in both scenes.
bool same_wheels(const ModelData& from, int before, const ModelData& to, int rod) {
  const std::vector<int> old = wheels_of(from, before);
  const std::vector<int> now = wheels_of(to, rod);
  bool same = old.size() == now.size() && from.rods[at(before)].length == to.rods[at(rod)].length;
  for (std::size_t k = 0; same && k < old.size(); ++k)
    same = from.scene->sheaves[at(old[k])] == to.scene->sheaves[at(now[k])];
  return same;
}

// A rod that runs over the same wheels goes on with the very elements that it has.
void keep_wheels(const ModelData& from, const ChainState& state, const Range& old, const ModelData& to, int rod,
                 std::vector<Element>& elements, std::vector<PartState>& parts, std::vector<WheelState>& wheels) {
  for (std::size_t e = old.first; e < old.last; ++e) {
    Element element = state.elements[e];
    element.rod = rod;
    if (element.wheel >= 0) {
      const int was = element.wheel;
      element.wheel = index_of(to.scene->sheaves, from.scene->sheaves[at(was)].name);
      wheels[at(element.wheel)] = state.wheels[at(was)];
    }
    elements.push_back(element);
    parts.push_back(state.parts[e]);
  }
}

// What touched goes on touching, between things that both scenes have.
void carry_touches(const ModelData& from, const Mechanism& from_mechanism, const ChainState& state, const ModelData& to,
                   const Mechanism& mechanism, ChainState& next) {
  const auto same_name = [](const Rod& a, const Rod& b) { return a.name == b.name; };
  const bool same = from.scene->obstacles == to.scene->obstacles && from.scene->scenery == to.scene->scenery &&
                    from.scene->bodies == to.scene->bodies && from.scene->contact == to.scene->contact &&
                    std::equal(from.scene->rods.begin(), from.scene->rods.end(), to.scene->rods.begin(),
                               to.scene->rods.end(), same_name);
  if (same) next.touches = carried_touches(from_mechanism, state.touches, mechanism);
}

// Where a rod was let go its elements forget the pull that they had; wherever something is tied otherwise than before,
// the next step asks for the pull before it uses it.
void renew_tension(const ModelData& from, const ModelData& to, ChainState& next) {
  for (const Hold& hold : from.scene->holds) {
    const int now = index_of(to.scene->holds, hold.name);
    const bool held = now >= 0 && to.scene->holds[at(now)].holds_position();
    if (held == hold.holds_position()) continue;
    next.moving = false;
    if (held) continue;
    const int rod = index_of(to.scene->rods, hold.rod);
    for (std::size_t e = 0; e < next.elements.size(); ++e)
      if (next.elements[e].rod == rod) next.parts[e].stiffness = 0;
  }
}

}  // namespace

ChainState carry_over(const ModelData& from, const Mechanism& from_mechanism, const ChainState& state,
                      const ModelData& to, const Targets& targets) {
  ChainState next = start_state(to, targets);
  std::vector<Element> elements;
  std::vector<PartState> parts;
  for (std::size_t r = 0; r < to.rods.size(); ++r) {
    const int rod = static_cast<int>(r);
    const int before = index_of(from.scene->rods, to.scene->rods[r].name);
    const Range drawn = elements_of(next, rod);
    const bool runs = !wheels_of(to, rod).empty() || (before >= 0 && !wheels_of(from, before).empty());
    if (before < 0 || from.rods[at(before)].closed != to.rods[r].closed ||
        (runs && !same_wheels(from, before, to, rod))) {
      elements.insert(elements.end(), next.elements.begin() + static_cast<std::ptrdiff_t>(drawn.first),
                      next.elements.begin() + static_cast<std::ptrdiff_t>(drawn.last));
      parts.insert(parts.end(), next.parts.begin() + static_cast<std::ptrdiff_t>(drawn.first),
                   next.parts.begin() + static_cast<std::ptrdiff_t>(drawn.last));
      continue;
    }
    const Range old = elements_of(state, before);
    if (runs) {
      keep_wheels(from, state, old, to, rod, elements, parts, next.wheels);
      continue;
    }
    const double scale = to.rods[r].length / from.rods[at(before)].length;
    const bool wound =
        std::any_of(to.reels.begin(), to.reels.end(), [rod](const Reel& reel) { return reel.rod == rod; });
    // without level of detail any more it is cut as it is drawn, but for what a drum has let out
    const bool all_again =
        from.scene->simulation.chain.detail > 0 && !(to.scene->simulation.chain.detail > 0) && !wound;
    const bool same_mesh = from.scene->rods[at(before)].segments == to.scene->rods[r].segments && !all_again;
    const std::vector<double> cuts = boundaries_for(to.rods[r], state, old, to.rods[r].even && same_mesh, scale);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      elements.push_back({rod, cuts[i], cuts[i + 1], -1});
      parts.push_back(moved_with(state, old, 0.5 * (cuts[i] + cuts[i + 1]) / scale));
    }
  }
  parts.insert(parts.end(), next.parts.begin() + static_cast<std::ptrdiff_t>(next.elements.size()), next.parts.end());
  next.elements = std::move(elements);
  next.structure = structure_of(next.elements);
  next.parts = std::move(parts);
  place_knots(to, next);
  for (std::size_t b = 0; b < to.bodies.size(); ++b) {
    const int before = index_of(from.scene->bodies, to.scene->bodies[b].name);
    if (before < 0 || !to.bodies[b].moves) continue;
    next.parts[next.elements.size() + b] = state.parts[state.elements.size() + at(before)];
    next.pulls[b] = state.pulls[at(before)];
  }

  for (std::size_t r = 0; r < to.rods.size(); ++r)
    if (const int before = index_of(from.scene->rods, to.scene->rods[r].name); before >= 0)
      next.peaks[r] = state.peaks[at(before)];

  // memories of links that are the same in both
  const Mechanism mechanism = make_mechanism(to, next);
  next.links.assign(mechanism.links.size(), {});
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    for (std::size_t j = 0; j < from_mechanism.links.size(); ++j) {
      const Link& old = from_mechanism.links[j];
      if (old.rod < 0 || link.rod < 0 || from.scene->rods[at(old.rod)].name != to.scene->rods[at(link.rod)].name)
        continue;
      const bool same = (old.hold < 0) == (link.hold < 0) && old.turn == link.turn && old.side_a == link.side_a &&
                        old.side_b == link.side_b &&
                        std::abs(old.arc - link.arc) <= kSamePlace * to.rods[at(link.rod)].length;
      if (same && (link.hold < 0 || from.scene->holds[at(old.hold)].name == to.scene->holds[at(link.hold)].name)) {
        next.links[k] = state.links[j];
        break;
      }
    }
  }
  make_memory(to, mechanism, next);
  for (std::size_t r = 0; r < to.rods.size(); ++r)
    if (const int before = index_of(from.scene->rods, to.scene->rods[r].name); before >= 0 && !to.laws.empty())
      carry_yield(from, from_mechanism, state, before, to, mechanism, next, static_cast<int>(r));
  for (std::size_t r = 0; r < to.scene->ropes.size(); ++r) {
    const int before = index_of(from.scene->ropes, to.scene->ropes[r].name);
    if (before >= 0 && state.ropes[at(before)].friction.size() == next.ropes[r].friction.size() &&
        to.scene->ropes[r] == from.scene->ropes[at(before)])
      next.ropes[r] = state.ropes[at(before)];
  }
  for (std::size_t w = 0; w < to.scene->winches.size(); ++w)
    if (const int before = index_of(from.scene->winches, to.scene->winches[w].name); before >= 0)
      next.winches[w] = state.winches[at(before)];
  for (std::size_t k = 0; k < to.scene->joints.size(); ++k)
    if (const int before = index_of(from.scene->joints, to.scene->joints[k].name); before >= 0)
      next.joints[k] = state.joints[at(before)];
  carry_touches(from, from_mechanism, state, to, mechanism, next);
  next.moving = state.moving;
  renew_tension(from, to, next);
  next.work = state.work;
  next.dissipated = state.dissipated;
  next.risen = state.risen;
  next.whip = state.whip;
  next.last_step = state.last_step;
  next.most_kinetic = state.most_kinetic;
  next.loss = state.loss;
  next.loss_time = state.loss_time;
  next.told_loss = state.told_loss;
  next.told_made = state.told_made;
  next.merged_last = state.merged_last;
  return next;
}

Targets present_targets(const ModelData& model, const ChainState& state, const Targets& targets) {
  Targets present = targets;
  for (std::size_t h = 0; h < model.grips.size(); ++h) {
    const Grip& grip = model.grips[h];
    const Range range = elements_of(state, grip.rod);
    std::size_t e = range.first;
    while (e + 1 < range.last && state.elements[e].end < grip.s) ++e;
    const PartState& part = state.parts[e];
    const Element& element = state.elements[e];
    const double share = 2 * (grip.s - element.begin) / element.length() - 1;
    const double half = half_length(model, element, state.length_factor[at(element.rod)]);
    present.holds[h].position = part.position + part.orientation * Vec3(0, 0, share * half);
    // between two elements half way
    Quat frame = part.orientation;
    if (share > 1 - 1e-6 && e + 1 < range.last) frame = frame.slerp(0.5, state.parts[e + 1].orientation);
    present.holds[h].orientation =
        frame * Quat(Eigen::AngleAxisd(-2 * math::kPi * targets.holds[h].turns, Vec3::UnitZ()));
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (!model.bodies[b].moves) continue;
    const PartState& part = state.parts[state.elements.size() + b];
    present.bodies[b] = {part.position, part.orientation, part.velocity, part.spin};
  }
  return present;
}

}  // namespace filum::chain
