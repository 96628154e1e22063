// A glTF 2.0 file while it is made: its tree and the bytes that it points into. Reference: Khronos glTF 2.0, sections 3
// (concepts) and 4 (GLB).
//
// glTF is Y up, Filum's scenes usually Z up: the root node turns by −90° about x, so vertices stay in the scene's own
// coordinates and (x, y, z) shows as (x, z, −y).
#pragma once

#include <filum/types.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <vector>

namespace filum::io {

struct Glb {
  using Json = nlohmann::ordered_json;
  static constexpr int kFloat = 5126, kUint32 = 5125, kUint16 = 5123;  // component types
  static constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;    // buffer view targets; 0: neither

  Json json;
  std::string bytes;

  // Scene and root node, which stands at 0, and one material.
  void begin(const std::string& name);
  // A view of the bytes from `start` to the present end; every view here is a multiple of four long, so all are aligned.
  void add_view(std::size_t start, int target);
  // Describes the view added last; returns the accessor's number.
  std::size_t add_accessor(int component, const char* type, std::size_t count);
  std::size_t add_positions(const std::vector<Vec3>& points);
  std::size_t add_normals(const std::vector<Vec3>& normals);
  std::size_t add_indices(const std::vector<std::array<int, 3>>& triangles);
  // Header, JSON chunk padded by spaces, binary chunk padded by zeros.
  [[nodiscard]] std::string pack();
};

}  // namespace filum::io
