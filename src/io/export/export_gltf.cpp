// glTF 2.0, binary container (.glb): the skin of every rod and massless rope in the last state, coloured by curvature.
//
// glTF is Y up, Filum's scenes usually Z up: the root node turns by −90° about x, so vertices stay in the scene's own
// coordinates and (x, y, z) shows as (x, z, −y). One node and mesh each, under its name. Colours run from blue at
// zero to orange at the largest curvature of the result, in linear RGB as the format asks. Reference: Khronos glTF 2.0,
// sections 3 (concepts), 4 (GLB).
#include "io/binary.hpp"
#include "io/colours.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"
#include "io/json_text.hpp"
#include "io/result/result_names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUint32 = 5125;                // component types
constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;  // buffer view targets

// The growing file: the JSON tree and the bytes it points into.
struct Glb {
  Json json;
  std::string bytes;

  // Starts a view of the bytes at the present end; every view here is a multiple of four long, so all are aligned.
  void add_view(size_t start, int target) {
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", start}, {"byteLength", bytes.size() - start}, {"target", target}});
  }
  // Describes the view added last; returns the accessor's number.
  size_t add_accessor(int component, const char* type, size_t count) {
    Json& accessors = json["accessors"];
    accessors.push_back({{"bufferView", json["bufferViews"].size() - 1},
                         {"componentType", component},
                         {"count", count},
                         {"type", type}});
    return accessors.size() - 1;
  }
};

size_t add_positions(Glb& glb, const std::vector<Vec3>& points) {
  const size_t start = glb.bytes.size();
  Eigen::Vector3f low = points[0].cast<float>(), high = low;
  for (const Vec3& p : points) {
    for (int k = 0; k < 3; ++k) put_f32(glb.bytes, p[k]);
    low = low.cwiseMin(p.cast<float>());
    high = high.cwiseMax(p.cast<float>());
  }
  glb.add_view(start, kVertexBuffer);
  const size_t accessor = glb.add_accessor(kFloat, "VEC3", points.size());
  // bounds are those of the stored floats
  glb.json["accessors"][accessor]["min"] = {low.x(), low.y(), low.z()};
  glb.json["accessors"][accessor]["max"] = {high.x(), high.y(), high.z()};
  return accessor;
}

size_t add_normals(Glb& glb, const std::vector<Vec3>& normals) {
  const size_t start = glb.bytes.size();
  for (const Vec3& n : normals) {
    for (int k = 0; k < 3; ++k) put_f32(glb.bytes, n[k]);
  }
  glb.add_view(start, kVertexBuffer);
  return glb.add_accessor(kFloat, "VEC3", normals.size());
}

size_t add_colours(Glb& glb, const std::vector<double>& curvature, double largest) {
  const size_t start = glb.bytes.size();
  for (const double kappa : curvature) {
    const Rgb colour = scale_colour(largest > 0 ? kappa / largest : 0);
    // screen colours to linear light, by the usual power
    for (int k = 0; k < 3; ++k) put_f32(glb.bytes, std::pow(colour[k], 2.2));
  }
  glb.add_view(start, kVertexBuffer);
  return glb.add_accessor(kFloat, "VEC3", curvature.size());
}

size_t add_indices(Glb& glb, const std::vector<std::array<int, 3>>& triangles) {
  const size_t start = glb.bytes.size();
  for (const auto& triangle : triangles) {
    for (const int corner : triangle) put_u32(glb.bytes, static_cast<std::size_t>(corner));
  }
  glb.add_view(start, kIndexBuffer);
  return glb.add_accessor(kUint32, "SCALAR", 3 * triangles.size());
}

// One mesh and one node; a rod without a drawable skin has neither.
void add_rod(Glb& glb, const std::string& name, const geometry::TriangleMesh& mesh, double largest) {
  if (mesh.triangle.empty()) return;
  Json attributes;
  attributes["POSITION"] = add_positions(glb, mesh.position);
  attributes["NORMAL"] = add_normals(glb, mesh.normal);
  attributes["COLOR_0"] = add_colours(glb, mesh.scalar, largest);
  const size_t indices = add_indices(glb, mesh.triangle);
  Json primitive = {{"attributes", attributes}, {"indices", indices}, {"material", 0}};
  Json& meshes = glb.json["meshes"];
  meshes.push_back({{"name", name}, {"primitives", Json::array({primitive})}});
  Json& nodes = glb.json["nodes"];
  nodes.push_back({{"name", name}, {"mesh", meshes.size() - 1}});
  nodes[0]["children"].push_back(nodes.size() - 1);
}

// Header, JSON chunk padded by spaces, binary chunk padded by zeros.
std::string pack(const Glb& glb) {
  std::string text = ordered_json_text(glb.json);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string out = "glTF";
  const size_t binary = glb.bytes.empty() ? 0 : 8 + glb.bytes.size();
  put_u32(out, 2);
  put_u32(out, 12 + 8 + text.size() + binary);
  put_u32(out, text.size());
  out += "JSON" + text;
  if (binary > 0) {
    put_u32(out, glb.bytes.size());
    out.append("BIN\0", 4);
    out += glb.bytes;
  }
  return out;
}

}  // namespace

std::string glb_bytes(const StoredResult& result) {
  const Pose& pose = result.outcome.states.back().pose;
  Glb glb;
  glb.json["asset"] = {{"version", "2.0"}, {"generator", "Filum"}};
  glb.json["scene"] = 0;
  glb.json["scenes"] = Json::array({{{"nodes", {0}}}});
  // −90° about x: z up becomes y up
  const double half = std::numbers::sqrt2 / 2;
  glb.json["nodes"] =
      Json::array({{{"name", result.title.empty() ? "result" : result.title}, {"rotation", {-half, 0, 0, half}}}});
  // skins first: the largest curvature of all sets the colours
  std::vector<geometry::TriangleMesh> skins;
  double largest = 0;
  for (const RodPose& rod : rods_and_ropes(pose)) {
    skins.push_back(rod_skin(rod));
    for (const double kappa : skins.back().scalar) largest = std::max(largest, kappa);
  }
  for (size_t i = 0; i < skins.size(); ++i) add_rod(glb, line_name(result, pose.rods.size(), i), skins[i], largest);
  if (!glb.bytes.empty()) {
    glb.json["materials"] = Json::array(
        {{{"name", "rod"}, {"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.55}}}}});
    glb.json["buffers"] = Json::array({{{"byteLength", glb.bytes.size()}}});
  }
  return pack(glb);
}

}  // namespace filum::io
