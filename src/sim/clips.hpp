// Clips: holds that are pulled open by their load, and that catch a rod which comes near.
//
// The load on a clip is what the rod does to it, −F with F the force of the hold on the rod [theetten2006, section 4.3]. Its parts
// are compared with strengths of their own: out along the clip's axis, square to axis and rod, along the rod. So a load
// across does not pull open what is weak outwards.
#pragma once

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <vector>

namespace filum::sim {

// One part of a clip's load against its strength.
struct ClipLoad {
  CheckKind part = CheckKind::ClipPull;
  double load = 0;      // N
  double strength = 0;  // N
  [[nodiscard]] double use() const { return load / strength; }
};

// Does any hold of the scene have a clip?
[[nodiscard]] bool has_clips(const Scene& scene);

// The parts of a closed clip's load that it has a strength for. None: it is open, or bears everything.
[[nodiscard]] std::vector<ClipLoad> clip_loads(const Scene& scene, const Pose& pose, std::size_t hold);

// A clip that bears more than its strength.
struct Overload {
  int hold = 0;
  ClipLoad load;
};
// The one that does so most; none: all hold.
[[nodiscard]] std::optional<Overload> worst_overload(const Scene& scene, const Pose& pose);
// What it tells.
[[nodiscard]] Event popped_event(const Scene& scene, const Overload& overload, double t);

// The force with which its rod is pushed into a clip, against its axis, N; negative: it is pulled out.
[[nodiscard]] double push_into(const Scene& scene, const Pose& pose, std::size_t hold);

// How near its rod an open clip that stands at `seat` is, and where along it.
struct Nearest {
  double distance = 0;  // m
  double s = 0;         // m
};
[[nodiscard]] Nearest nearest_of(const RodPose& rod, const Vec3& seat);
// What is left of the way to its seat so long after a rod was caught, s: from 1 to 0.
[[nodiscard]] double way_to_seat(double since);
// Whether a rod that lies like this there is caught.
[[nodiscard]] bool is_caught(const ClipCapture& capture, const RodPose& rod, const Nearest& nearest);

}  // namespace filum::sim
