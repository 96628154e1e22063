#include "sim/clips.hpp"

#include "base/index.hpp"
#include "rod/pose_at.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::sim {

namespace {

// The way out of a clip now: its axis, turned with its body.
Vec3 axis_now(const Scene& scene, const Pose& pose, const Hold& hold) {
  const Vec3 axis = hold.axis.normalized();
  const int body = hold.body.empty() ? -1 : index_of(scene.bodies, hold.body);
  if (body < 0 || at(body) >= pose.bodies.size()) return axis;
  return pose.bodies[at(body)].orientation * (scene.bodies[at(body)].orientation.conjugate() * axis);
}

const char* direction_words(CheckKind part) {
  if (part == CheckKind::ClipPull) return "along its axis";
  return part == CheckKind::ClipShear ? "sideways" : "along the rod";
}

}  // namespace

bool has_clips(const Scene& scene) {
  return std::any_of(scene.holds.begin(), scene.holds.end(), [](const Hold& hold) { return hold.clip.has_value(); });
}

std::vector<ClipLoad> clip_loads(const Scene& scene, const Pose& pose, std::size_t index) {
  const Hold& hold = scene.holds[index];
  if (!hold.clip || !hold.holds_position()) return {};
  const int rod = index_of(scene.rods, hold.rod);
  const Vec3 tangent = rod::tangent_at(pose.rods[at(rod)], pose.holds[index].s);
  const Vec3 load = -pose.holds[index].force;
  // the way out, square to the rod; of a rod that leaves along the axis every load across is shear
  const Vec3 axis = axis_now(scene, pose, hold);
  const Vec3 across = axis - axis.dot(tangent) * tangent;
  const Vec3 out = across.norm() > 1e-9 ? Vec3(across.normalized()) : Vec3(Vec3::Zero());
  const Vec3 sideways = load - load.dot(tangent) * tangent - load.dot(out) * out;

  std::vector<ClipLoad> loads;
  const ClipStrength& strength = hold.clip->strength;
  if (strength.pull) loads.push_back({CheckKind::ClipPull, std::max(0.0, load.dot(out)), *strength.pull});
  if (strength.shear) loads.push_back({CheckKind::ClipShear, sideways.norm(), *strength.shear});
  if (strength.along) loads.push_back({CheckKind::ClipAlong, std::abs(load.dot(tangent)), *strength.along});
  return loads;
}

std::optional<Overload> worst_overload(const Scene& scene, const Pose& pose) {
  std::optional<Overload> worst;
  for (std::size_t h = 0; h < scene.holds.size(); ++h)
    for (const ClipLoad& load : clip_loads(scene, pose, h))
      if (load.use() > (worst ? worst->load.use() : 1)) worst = {static_cast<int>(h), load};
  return worst;
}

double push_into(const Scene& scene, const Pose& pose, std::size_t hold) {
  // the load on the clip is −F
  return pose.holds[hold].force.dot(axis_now(scene, pose, scene.holds[hold]));
}

Event popped_event(const Scene& scene, const Overload& overload, double t) {
  Event event;
  event.t = t;
  event.kind = EventKind::Popped;
  event.object = {ObjectKind::Hold, scene.holds[at(overload.hold)].name};
  event.value = overload.load.load;
  event.why = direction_words(overload.load.part);
  return event;
}

Nearest nearest_of(const RodPose& rod, const Vec3& seat) {
  Nearest best{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t i = 0; i + 1 < rod.position.size() && i + 1 < rod.s.size(); ++i) {
    // the two ends of a rod that has parted: nothing lies between
    if (rod.s[i] == rod.s[i + 1]) continue;
    const Vec3 edge = rod.position[i + 1] - rod.position[i];
    const double square = edge.squaredNorm();
    const double share = square > 0 ? std::clamp((seat - rod.position[i]).dot(edge) / square, 0.0, 1.0) : 0;
    const double distance = (rod.position[i] + share * edge - seat).norm();
    if (distance < best.distance) best = {distance, rod.s[i] + share * (rod.s[i + 1] - rod.s[i])};
  }
  return best;
}

double way_to_seat(double since) {
  constexpr double kLeadIn = 0.1;  // s
  const double left = 1 - std::clamp(since / kLeadIn, 0.0, 1.0);
  return left * left * (3 - 2 * left);
}

bool is_caught(const ClipCapture& capture, const RodPose& rod, const Nearest& nearest) {
  if (!(nearest.distance <= capture.radius)) return false;
  if (!capture.passes) return true;
  const double cosine = std::abs(rod::tangent_at(rod, nearest.s).dot(capture.passes->normalized()));
  return cosine >= std::cos(capture.cone);
}

}  // namespace filum::sim
