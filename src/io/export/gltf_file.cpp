#include "io/export/gltf_file.hpp"

#include "io/binary.hpp"
#include "io/json_text.hpp"

#include <numbers>

namespace filum::io {

void Glb::begin(const std::string& name) {
  json["asset"] = {{"version", "2.0"}, {"generator", "Filum"}};
  json["scene"] = 0;
  json["scenes"] = Json::array({{{"nodes", {0}}}});
  // −90° about x: z up becomes y up
  const double half = std::numbers::sqrt2 / 2;
  json["nodes"] = Json::array({{{"name", name}, {"rotation", {-half, 0, 0, half}}}});
}

void Glb::add_view(std::size_t start, int target) {
  Json view = {{"buffer", 0}, {"byteOffset", start}, {"byteLength", bytes.size() - start}};
  if (target != 0) view["target"] = target;
  json["bufferViews"].push_back(std::move(view));
}

std::size_t Glb::add_accessor(int component, const char* type, std::size_t count) {
  Json& accessors = json["accessors"];
  accessors.push_back(
      {{"bufferView", json["bufferViews"].size() - 1}, {"componentType", component}, {"count", count}, {"type", type}});
  return accessors.size() - 1;
}

std::size_t Glb::add_positions(const std::vector<Vec3>& points) {
  const std::size_t start = bytes.size();
  Eigen::Vector3f low = points[0].cast<float>(), high = low;
  for (const Vec3& p : points) {
    for (int k = 0; k < 3; ++k) put_f32(bytes, p[k]);
    low = low.cwiseMin(p.cast<float>());
    high = high.cwiseMax(p.cast<float>());
  }
  add_view(start, kVertexBuffer);
  const std::size_t accessor = add_accessor(kFloat, "VEC3", points.size());
  // bounds are those of the stored floats
  json["accessors"][accessor]["min"] = {low.x(), low.y(), low.z()};
  json["accessors"][accessor]["max"] = {high.x(), high.y(), high.z()};
  return accessor;
}

std::size_t Glb::add_normals(const std::vector<Vec3>& normals) {
  const std::size_t start = bytes.size();
  for (const Vec3& n : normals) {
    for (int k = 0; k < 3; ++k) put_f32(bytes, n[k]);
  }
  add_view(start, kVertexBuffer);
  return add_accessor(kFloat, "VEC3", normals.size());
}

std::size_t Glb::add_indices(const std::vector<std::array<int, 3>>& triangles) {
  const std::size_t start = bytes.size();
  for (const auto& triangle : triangles) {
    for (const int corner : triangle) put_u32(bytes, static_cast<std::size_t>(corner));
  }
  add_view(start, kIndexBuffer);
  return add_accessor(kUint32, "SCALAR", 3 * triangles.size());
}

std::string Glb::pack() {
  if (!bytes.empty()) {
    json["materials"] = Json::array(
        {{{"name", "rod"}, {"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.55}}}}});
    json["buffers"] = Json::array({{{"byteLength", bytes.size()}}});
  }
  std::string text = ordered_json_text(json);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string out = "glTF";
  const std::size_t binary = bytes.empty() ? 0 : 8 + bytes.size();
  put_u32(out, 2);
  put_u32(out, 12 + 8 + text.size() + binary);
  put_u32(out, text.size());
  out += "JSON" + text;
  if (binary > 0) {
    put_u32(out, bytes.size());
    out.append("BIN\0", 4);
    out += bytes;
  }
  return out;
}

}  // namespace filum::io
