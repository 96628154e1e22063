// The threading check: does a harness with its connectors pass along a path, through an opening, and where does it stick?
//
// Every part is led along the path by itself (part_passage.hpp): rigid bodies that the rods are held on and that are not fixed, as
// their shapes, and each rod as a ball as thick as it is at its thickest. Rods are supple: what their bending asks for is a
// matter of `filum run`. Parts that would have to pass side by side are not looked at together.
#pragma once

#include "sim/assembly/part_passage.hpp"

#include <filum/reference.hpp>
#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <string>
#include <vector>

namespace filum::sim {

struct ThreadingRequest {
  std::vector<Vec3> path;            // that the harness is drawn along
  std::vector<std::string> rods;     // of the harness; empty: all
  std::vector<std::string> through;  // obstacles that it is to keep clear of; empty: all, and solid bodies that stay
  bool turns = true;                 // connectors may turn as they go
  double clearance = 0;              // that every part must keep, m
  Progress progress;
};

struct ThreadedPart {
  ObjectRef part;
  double s = 0;  // of a rod: where it is thickest, m
  Passage passage;
  ObjectRef nearest;  // what it came nearest to, or sticks in
};

struct Threading {
  bool passes = false;
  bool stopped = false;
  std::vector<ThreadedPart> parts;  // connectors, then rods
};

[[nodiscard]] Result<Threading> check_threading(const Scene& scene, const ThreadingRequest& request);

}  // namespace filum::sim
