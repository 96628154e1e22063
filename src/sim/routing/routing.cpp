#include "sim/routing/routing.hpp"

#include "base/index.hpp"
#include "scene/check/fault_list.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"
#include "sim/routing/floating.hpp"
#include "sim/routing/part_force.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

namespace {

constexpr double kLongest = 10;          // times the drawn shape, where the scene says nothing
constexpr double kShortest = 0.02;       // of its present length, for a part whose ends are free to move
constexpr double kDefaultStrain = 1e-4;  // of a pulled part, where the scene names no pull

// The parts that one entry of the scene's routing is about.
std::vector<scene::Part> parts_of(const Scene& scene, const Routing& routing) {
  const Rod& rod = scene.rods[at(index_of(scene.rods, routing.rod))];
  if (routing.mode == RoutingMode::SelfFinding) return scene::held_parts(scene, rod);
  const double length = scene::rod_length(rod);
  return {{routing.from.at(length), routing.to.at(length)}};
}

// The whole rod's bound, of which each self-finding part has its present share and a pulled one what the rest leaves.
double longest_of(const Routing& routing, const Rod& rod, const scene::Part& part) {
  const double longest = routing.longest.value_or(kLongest * scene::RodLayout(rod).shape_length());
  const double length = scene::rod_length(rod);
  if (routing.mode == RoutingMode::SelfFinding) return longest * part.length() / length;
  return std::max(longest - (length - part.length()), part.length());
}

// How far apart the holds at the ends of a part are, if both are given; otherwise nothing keeps them apart.
double chord(const Scene& scene, const Targets& targets, const Rod& rod, const scene::Part& part) {
  const double length = scene::rod_length(rod);
  const auto hold_at = [&](double s) -> const HoldTarget* {
    for (std::size_t h = 0; h < scene.holds.size(); ++h) {
      const Hold& hold = scene.holds[h];
      const bool whole = fixes_all(hold.fix.position);
      const int body = index_of(scene.bodies, hold.body);
      const bool given = body < 0 || scene.bodies[at(body)].motion != BodyMotion::Free;
      if (hold.rod == rod.name && whole && given && !hold.slide && std::abs(hold.at.at(length) - s) <= 1e-6 * length)
        return &targets.holds[h];
    }
    return nullptr;
  };
  const HoldTarget* from = hold_at(part.from);
  const HoldTarget* to = hold_at(part.to);
  return from != nullptr && to != nullptr ? (to->position - from->position).norm() : 0;
}

EventKind event_kind(LengthVerdict verdict) {
  switch (verdict) {
    case LengthVerdict::Found:
      return EventKind::LengthFound;
    case LengthVerdict::Shortest:
      return EventKind::LengthShortest;
    case LengthVerdict::Kept:
      return EventKind::LengthKept;
    case LengthVerdict::Longest:
      return EventKind::LengthLongest;
    case LengthVerdict::Failed:
      break;
  }
  return EventKind::LengthFailed;
}

void add(SolveReport& sum, const SolveReport& report) {
  const int iterations = sum.iterations + report.iterations;
  const int steps = sum.load_steps + report.load_steps;
  sum = report;
  sum.iterations = iterations;
  sum.load_steps = steps;
}

}  // namespace

void Router::begin(const Scene& scene) {
  origins_.clear();
  for (const Routing& routing : scene.routing) {
    Origin origin{routing.rod, {}};
    for (const scene::Part& part : parts_of(scene, routing)) origin.lengths.push_back(part.length());
    origins_.push_back(std::move(origin));
  }
  lengths_.clear();
  slopes_.resize(0, 0);
  soft_.reset();
  pull_slopes_.assign(scene.routing.size(), {});
}

SolveReport Router::settle(LivingScene& living, const Targets& next, const Progress& progress) {
  std::vector<FoundLength> before = lengths_;
  SolveReport report = find(living, next, progress);
  if (!report.stopped) return report;
  // what the search has learned is of lengths that do not count
  lengths_ = std::move(before);
  slopes_.resize(0, 0);
  soft_.reset();
  pull_slopes_.assign(pull_slopes_.size(), {});
  return report;
}

SolveReport Router::find(LivingScene& living, const Targets& next, const Progress& progress) {
  // all parts that find themselves, together
  std::vector<SoughtPart> sought;
  std::vector<std::size_t> routing_of;
  std::vector<bool> hangs;  // on what nothing holds
  for (std::size_t i = 0; i < living.scene().routing.size(); ++i) {
    const Routing& routing = living.scene().routing[i];
    if (routing.mode != RoutingMode::SelfFinding) continue;
    const int index = index_of(living.scene().rods, routing.rod);
    const Rod& rod = living.scene().rods[at(index)];
    for (const scene::Part& part : parts_of(living.scene(), routing)) {
      const double apart = chord(living.scene(), next, rod, part);
      const double shortest = apart > 0 ? apart : kShortest * part.length();
      sought.push_back(
          {index, part, PartMeasure::Configurational, *routing.pull, shortest, longest_of(routing, rod, part)});
      routing_of.push_back(i);
      hangs.push_back(apart == 0);
    }
  }
  const bool floating = std::any_of(hangs.begin(), hangs.end(), [](bool each) { return each; });
  SolveReport sum = floating && sought.size() > 1 ? find_floating(living, next, sought, soft_, slopes_, progress)
                                                  : find_lengths(living, next, sought, slopes_, progress);
  if (!sum.converged) return sum;
  lengths_.clear();
  for (std::size_t k = 0; k < sought.size(); ++k) note(living.scene(), sought[k], routing_of[k]);

  // then those that are pulled, one after the other: each that gets longer eases the others
  for (std::size_t i = 0; i < living.scene().routing.size() && !sum.stopped; ++i)
    if (living.scene().routing[i].mode == RoutingMode::Pulled) add(sum, pull(living, next, i, progress));
  return sum;
}

SolveReport Router::pull(LivingScene& living, const Targets& next, std::size_t index, const Progress& progress) {
  const Routing& routing = living.scene().routing[index];
  const int rod_index = index_of(living.scene().rods, routing.rod);
  const Rod& rod = living.scene().rods[at(rod_index)];
  const scene::Part part = parts_of(living.scene(), routing)[0];
  const double bound = kDefaultStrain * part_stiffness(living.scene(), rod, part).EA;
  std::vector<SoughtPart> sought{{rod_index, part, PartMeasure::MeanTension, routing.pull.value_or(bound),
                                  part.length(), longest_of(routing, rod, part)}};
  const SolveReport report = find_lengths(living, next, sought, pull_slopes_[index], progress);
  // as long as it has been, and nothing asks for more
  if (sought[0].verdict == LengthVerdict::Shortest) sought[0].verdict = LengthVerdict::Kept;
  note(living.scene(), sought[0], index);
  return report;
}

// `scene`: with the lengths that were found.
void Router::note(const Scene& scene, const SoughtPart& sought, std::size_t index) {
  const Rod& rod = scene.rods[at(sought.rod)];
  FoundLength found;
  found.rod = rod.name;
  found.from = scene::place_at(scene, rod, sought.part.from);
  found.to = scene::place_at(scene, rod, sought.part.to);
  found.length = sought.part.length();
  found.force = sought.force;
  found.pull = sought.pull;
  found.verdict = sought.verdict;
  // the how-manieth part of its rod it is
  const auto same = [&](const FoundLength& other) { return other.rod == rod.name; };
  const bool parts = scene.routing[index].mode == RoutingMode::SelfFinding;
  const auto k = static_cast<std::size_t>(parts ? std::count_if(lengths_.begin(), lengths_.end(), same) : 0);
  const std::vector<double>& origin = origins_[index].lengths;
  found.added = k < origin.size() ? found.length - origin[k] : 0;
  lengths_.push_back(std::move(found));
}

Event length_event(const FoundLength& length, double t) {
  Event event;
  event.t = t;
  event.kind = event_kind(length.verdict);
  event.object = {ObjectKind::Rod, length.rod};
  event.from = length.from;
  event.to = length.to;
  event.value = length.length;
  return event;
}

}  // namespace filum::sim
