// The way of a rigid part along a path between solids: whether it passes, how near it comes, or where it sticks.
//
// The part's middle follows the path, but for what the search across it finds; its orientation is found likewise, from
// several to begin with. It goes on by no more than what two neighbouring poses are clear of everything together: a body
// whose points move by less than that touches nothing in between. So «passes» is a proof, given the shapes; «sticks» says
// that the search found no way, the farthest it came, and by how much the part overlaps there at least.
#pragma once

#include "sim/assembly/rigid_fit.hpp"

#include <filum/progress.hpp>

#include <span>
#include <vector>

namespace filum::sim {

struct PassedPose {
  double way = 0;  // along the path, m
  PartPose pose;   // of the part's middle
  double clearance = 0;
};

struct Passage {
  bool passes = false;
  bool stopped = false;           // by whoever watches
  double clearance = 0;           // smallest on the way, m; of one that sticks: minus the overlap where it does
  double way = 0;                 // where that is along the path, m
  Vec3 place = Vec3::Zero();      // and in space
  int solid = -1;                 // and on which
  std::vector<PassedPose> poses;  // as it went
};

struct PassageOptions {
  bool turns = true;                    // it may turn; otherwise it keeps the orientation it has to the path
  double clearance = 0;                 // that it must keep, m
  Quat orientation = Quat::Identity();  // with which it comes, in the world at the path's start
  Progress progress;
};

// `path`: at least two points, along which the part goes from clear of everything to clear of everything.
[[nodiscard]] Passage pass_through(const Surroundings& around, const RigidPart& part, std::span<const Vec3> path,
                                   const PassageOptions& options);

}  // namespace filum::sim
