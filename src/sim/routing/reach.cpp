#include "sim/routing/reach.hpp"

#include "base/index.hpp"
#include "sim/routing/length_search.hpp"
#include "sim/routing/part_force.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

namespace {

constexpr double kMostStrain = 1e-3;    // of a rod without a limit of its own
constexpr double kEase = 0.999;         // what is missing brings the tension below its limit by a little
constexpr double kMostLengthening = 4;  // times as long: beyond that length does not help
constexpr double kOver = 1.001;         // a tension that was there before may vary by so much
constexpr int kMostRounds = 50;         // of parts that get longer, at one state

}  // namespace

std::vector<ReachPart> reach_parts(const Scene& scene, const Pose& pose) {
  std::vector<ReachPart> list;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Rod& rod = scene.rods[r];
    if (rod.closed) continue;
    const std::vector<scene::Part> parts = scene::held_parts(scene, rod);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const PartForce force = part_force(scene, rod, pose.rods[r], parts[k]);
      ReachPart part{static_cast<int>(r), static_cast<int>(k), parts[k]};
      part.by_rod = rod.limits.max_tension.has_value();
      part.limit = part.by_rod ? *rod.limits.max_tension : kMostStrain * part_stiffness(scene, rod, parts[k]).EA;
      part.tension = part.by_rod ? force.largest_tension : force.straight_tension;
      list.push_back(part);
    }
  }
  return list;
}

void ReachKeeper::begin(const Scene& scene, const Pose& pose, bool as_it_is) {
  parts_.clear();
  shortages_.clear();
  copy_.reset();
  for (const ReachPart& part : reach_parts(scene, pose))
    parts_.push_back({part.rod, part.index, as_it_is ? std::max(1.0, kOver * part.use()) : 1.0, part.part.length()});
  // a rod that finds its own length is never too short
  for (Part& part : parts_)
    part.carries = std::any_of(scene.routing.begin(), scene.routing.end(),
                               [&](const Routing& routing) { return routing.rod == scene.rods[at(part.rod)].name; });
}

bool ReachKeeper::is_over(const ReachPart& part) const {
  const int index = find(part);
  return index >= 0 && !parts_[at(index)].carries && part.use() > parts_[at(index)].allowed;
}

int ReachKeeper::find(const ReachPart& part) const {
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].rod == part.rod && parts_[k].index == part.index) return static_cast<int>(k);
  return -1;
}

// The entry of a part's shortage, made if there is none.
Shortage& ReachKeeper::shortage_of(const Scene& scene, const ReachPart& part, double t) {
  Part& known = parts_[at(find(part))];
  if (known.shortage < 0) {
    const Rod& rod = scene.rods[at(part.rod)];
    known.shortage = static_cast<int>(shortages_.size());
    shortages_.push_back({rod.name, scene::place_at(scene, rod, part.part.from),
                          scene::place_at(scene, rod, part.part.to), part.limit, part.tension, 0, t, t});
  }
  return shortages_[at(known.shortage)];
}

std::optional<ReachPart> ReachKeeper::worst(const Scene& scene, const Pose& pose) const {
  std::optional<ReachPart> worst;
  for (const ReachPart& part : reach_parts(scene, pose))
    if (is_over(part) && (!worst || part.use() > worst->use())) worst = part;
  return worst;
}

void ReachKeeper::note(const LivingScene& living, double t, const Progress& progress) {
  const Pose pose = living.pose();
  for (const ReachPart& part : reach_parts(living.scene(), pose)) {
    if (!is_over(part)) continue;
    Shortage& shortage = shortage_of(living.scene(), part, t);
    shortage.tension = std::max(shortage.tension, part.tension);
  }
  if (shortages_.empty()) return;
  if (!copy_) copy_.emplace(living.copy());
  lengthen(living.held(), t, progress);
}

std::vector<Shortage> ReachKeeper::shortages() const {
  std::vector<Shortage> list;
  for (const Shortage& shortage : shortages_)
    if (shortage.missing > 0) list.push_back(shortage);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.stopped < b.stopped; });
  return list;
}

// On the copy, until no part is over its limit.
void ReachKeeper::lengthen(const Targets& next, double t, const Progress& progress) {
  LivingScene& living = *copy_;
  if (!living.settle(next, progress).converged) return;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::optional<ReachPart> taut = worst(living.scene(), living.pose());
    if (!taut) return;
    Part& part = parts_[at(find(*taut))];
    const PartMeasure measure = taut->by_rod ? PartMeasure::LargestTension : PartMeasure::StraightTension;
    const double length = taut->part.length();
    std::vector<SoughtPart> sought{{taut->rod, taut->part, measure, kEase * part.allowed * taut->limit, length,
                                    kMostLengthening * std::max(length, part.length)}};
    Eigen::MatrixXd slopes;
    const SolveReport settled = find_lengths(living, next, sought, slopes, progress);
    if (settled.stopped) return;
    if (!settled.converged || sought[0].verdict != LengthVerdict::Found) {
      // more length does not help: it carries a load, or there is no way to be longer
      part.carries = true;
      std::vector<PartLength> back{{taut->rod, sought[0].part, length}};
      if (living.set_lengths(back)) living.settle(next, progress);
      continue;
    }
    Shortage& shortage = shortage_of(living.scene(), *taut, t);
    shortage.missing = sought[0].part.length() - part.length;
    shortage.t = t;
  }
}

}  // namespace filum::sim
