// Tubes found in a million triangles of one kind: whatever the mesh is, a second of a core must do for 200 000 of them.
#pragma once

#include "bench/bench.hpp"

#include <filum/types.hpp>

#include <array>
#include <string>
#include <vector>

namespace filum::bench {

struct TriangleMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};

// What meshes are made of: «trees», «ball», …
const std::vector<std::string>& mesh_kinds();

// About so many triangles of a kind, millimetres.
TriangleMesh mesh_of(const std::string& kind, int triangles);

// One for each kind.
std::vector<Bench> mesh_tubes();

}  // namespace filum::bench
