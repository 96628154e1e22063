#include "sim/routing/turn_balance.hpp"

#include "base/index.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/writhe.hpp"
#include "scene/lookup.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace filum::sim {

namespace {

constexpr double kTilt = 1e-6;  // rad

// The hold that fixes the whole orientation at an end of the rod, or −1.
int turning_hold(const Scene& scene, const Rod& rod, bool end) {
  const double length = scene::rod_length(rod);
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const Hold& hold = scene.holds[h];
    const bool whole = fixes_all(hold.fix.orientation);
    if (hold.rod == rod.name && whole && std::abs(hold.at.at(length) - (end ? length : 0)) <= 1e-7 * length)
      return static_cast<int>(h);
  }
  return -1;
}

Mat3 frame_of(const HoldTarget& hold) {
  return hold.orientation.toRotationMatrix() *
         Eigen::AngleAxisd(2 * std::numbers::pi * hold.turns, Vec3::UnitZ()).toRotationMatrix();
}

double turns_of(const Targets& targets, int hold) {
  return hold >= 0 ? targets.holds[at(hold)].turns : 0;
}

// Its tangent leant towards a direction in space, without a turn about itself.
Mat3 tilted(const Mat3& frame, const Vec3& towards) {
  return math::exp_so3(kTilt * frame.col(2).cross(towards)) * frame;
}

rod::LinkView view_of(const RodPose& pose, const Vec3& towards) {
  return {pose.turns, pose.position, pose.frame.front().toRotationMatrix(),
          tilted(pose.frame.back().toRotationMatrix(), towards)};
}

}  // namespace

void TurnKeeper::begin(const Scene& scene, const Pose& pose, const Targets& targets) {
  const std::vector<Ends> before = std::exchange(rods_, {});
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Rod& rod = scene.rods[r];
    // a ring has no ends, and without a shape there is nothing to look at
    const bool seen = !rod.closed && r < pose.rods.size() && !pose.rods[r].frame.empty();
    Ends ends{rod.name, turning_hold(scene, rod, false), turning_hold(scene, rod, true), std::nullopt};
    if (seen) ends.tilt = math::any_perpendicular(pose.rods[r].frame.back() * Vec3::UnitZ());
    ends.turned = turns_of(targets, ends.end) - turns_of(targets, ends.start);
    for (const Ends& old : before)
      if (old.rod == rod.name) {
        ends.ledger = old.ledger;
        ends.tilt = old.tilt;
      }
    if (!seen)
      ends.ledger.reset();
    else if (!ends.ledger)
      ends.ledger.emplace(view_of(pose.rods[r], ends.tilt), rod::kWritheSegments);
    rods_.push_back(std::move(ends));
  }
}

void TurnKeeper::follow(const Targets& targets) {
  for (Ends& ends : rods_) {
    if (!ends.ledger || ends.start < 0 || ends.end < 0) continue;
    const double turned = turns_of(targets, ends.end) - turns_of(targets, ends.start);
    ends.ledger->follow(frame_of(targets.holds[at(ends.start)]),
                        tilted(frame_of(targets.holds[at(ends.end)]), ends.tilt),
                        turned - std::exchange(ends.turned, turned));
  }
}

std::vector<TurnBalance> TurnKeeper::balance(const Pose& pose) {
  std::vector<TurnBalance> list(pose.rods.size());
  for (std::size_t r = 0; r < rods_.size() && r < list.size(); ++r) {
    // ends that are free to turn have no turns to keep
    if (!rods_[r].ledger || rods_[r].start < 0 || rods_[r].end < 0) continue;
    const rod::LinkView view = view_of(pose.rods[r], rods_[r].tilt);
    rods_[r].ledger->follow(view.start, view.end);
    const rod::LinkBalance found = rods_[r].ledger->balance(view);
    list[r] = {found.turns, found.twist, found.writhe, found.crossings, found.remainder};
  }
  return list;
}

}  // namespace filum::sim
