// glTF 2.0, binary container (.glb): the skin of every rod and massless rope in the last state, coloured by curvature.
//
// One node and mesh each, under its name. Colours run from blue at zero to orange at the largest curvature of the
// result, in linear RGB as the format asks.
#include "io/binary.hpp"
#include "io/colours.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"
#include "io/export/gltf_file.hpp"
#include "io/result/result_names.hpp"

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

using Json = Glb::Json;

size_t add_colours(Glb& glb, const std::vector<double>& curvature, double largest) {
  const size_t start = glb.bytes.size();
  for (const double kappa : curvature) {
    const Rgb colour = scale_colour(largest > 0 ? kappa / largest : 0);
    // screen colours to linear light, by the usual power
    for (int k = 0; k < 3; ++k) put_f32(glb.bytes, std::pow(colour[k], 2.2));
  }
  glb.add_view(start, Glb::kVertexBuffer);
  return glb.add_accessor(Glb::kFloat, "VEC3", curvature.size());
}

// One mesh and one node; a rod without a drawable skin has neither.
void add_rod(Glb& glb, const std::string& name, const geometry::TriangleMesh& mesh, double largest) {
  if (mesh.triangle.empty()) return;
  Json attributes;
  attributes["POSITION"] = glb.add_positions(mesh.position);
  attributes["NORMAL"] = glb.add_normals(mesh.normal);
  attributes["COLOR_0"] = add_colours(glb, mesh.scalar, largest);
  const size_t indices = glb.add_indices(mesh.triangle);
  Json primitive = {{"attributes", attributes}, {"indices", indices}, {"material", 0}};
  Json& meshes = glb.json["meshes"];
  meshes.push_back({{"name", name}, {"primitives", Json::array({primitive})}});
  Json& nodes = glb.json["nodes"];
  nodes.push_back({{"name", name}, {"mesh", meshes.size() - 1}});
  nodes[0]["children"].push_back(nodes.size() - 1);
}

}  // namespace

std::string glb_bytes(const StoredResult& result) {
  const Pose& pose = result.outcome.states.back().pose;
  Glb glb;
  glb.begin(result.title.empty() ? "result" : result.title);
  // skins first: the largest curvature of all sets the colours
  std::vector<geometry::TriangleMesh> skins;
  double largest = 0;
  const std::vector<RodPose> rods = rods_and_ropes(pose);
  for (size_t i = 0; i < rods.size(); ++i) {
    skins.push_back(rod_skin(result, i, rods[i]));
    for (const double kappa : skins.back().scalar) largest = std::max(largest, kappa);
  }
  for (size_t i = 0; i < skins.size(); ++i) add_rod(glb, line_name(result, pose.rods.size(), i), skins[i], largest);
  return glb.pack();
}

}  // namespace filum::io
