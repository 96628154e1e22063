// Motion as glTF: the skin of a rod hangs on one joint a ring, which moves and turns, so that every recorded instant is
// exact, twist included.
//
// Vertices stand in the coordinates of their ring; a ring's joint carries them to where they are (weight one, inverse
// bind matrices are the identity and go without saying). 100 rings and 600 frames take 1.7 MB; the same as morph targets
// would be 13 MB, and programs cap their number.
#include "geometry/tube_mesh.hpp"
#include "io/binary.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/gltf_file.hpp"
#include "io/export/motion_lines.hpp"

namespace filum::io {
namespace {

// The rings one on top of the other, each in its own coordinates; where a vertex belongs.
struct Rings {
  geometry::TriangleMesh mesh;
  std::vector<int> ring;
};

Rings rings_of(const MovingLine& line) {
  const std::vector<Vec3> origin(line.section.size(), Vec3::Zero());
  const std::vector<Quat> upright(line.section.size(), Quat::Identity());
  Rings rings;
  rings.mesh =
      geometry::tube_mesh({origin, upright, line.section, {}, line.closed, line.piece}, geometry::kSides, &rings.ring);
  return rings;
}

std::size_t add_joints(Glb& glb, const std::vector<int>& ring) {
  const std::size_t start = glb.bytes.size();
  for (const int joint : ring) {
    put_bytes(glb.bytes, static_cast<std::uint16_t>(joint));
    glb.bytes.append(6, '\0');
  }
  glb.add_view(start, Glb::kVertexBuffer);
  return glb.add_accessor(Glb::kUint16, "VEC4", ring.size());
}

std::size_t add_weights(Glb& glb, std::size_t count) {
  const std::size_t start = glb.bytes.size();
  for (std::size_t i = 0; i < count; ++i)
    for (const double weight : {1.0, 0.0, 0.0, 0.0}) put_f32(glb.bytes, weight);
  glb.add_view(start, Glb::kVertexBuffer);
  return glb.add_accessor(Glb::kFloat, "VEC4", count);
}

std::size_t add_times(Glb& glb, const std::vector<double>& times) {
  const std::size_t start = glb.bytes.size();
  for (const double t : times) put_f32(glb.bytes, t);
  glb.add_view(start, 0);
  const std::size_t accessor = glb.add_accessor(Glb::kFloat, "SCALAR", times.size());
  glb.json["accessors"][accessor]["min"] = {static_cast<float>(times.front())};
  glb.json["accessors"][accessor]["max"] = {static_cast<float>(times.back())};
  return accessor;
}

// One value of a joint over time: a sampler, and the channel that applies it.
template <class Values>
void add_channel(Glb& glb, std::size_t times, std::size_t count, std::size_t node, const char* path, const char* type,
                 const Values& values) {
  const std::size_t start = glb.bytes.size();
  for (std::size_t k = 0; k < count; ++k)
    for (const double value : values(k)) put_f32(glb.bytes, value);
  glb.add_view(start, 0);
  const std::size_t output = glb.add_accessor(Glb::kFloat, type, count);
  Glb::Json& animation = glb.json["animations"][0];
  animation["samplers"].push_back({{"input", times}, {"interpolation", "LINEAR"}, {"output", output}});
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

// Its number. No reference into the tree is kept: a new key moves its neighbours.
std::size_t add_node(Glb& glb, Glb::Json node) {
  glb.json["nodes"].push_back(std::move(node));
  return glb.json["nodes"].size() - 1;
}

void add_line(Glb& glb, const MovingLine& line, const Motion& motion, std::size_t times) {
  const Rings rings = rings_of(line);
  if (rings.mesh.triangle.empty()) return;
  Glb::Json attributes;
  attributes["POSITION"] = glb.add_positions(rings.mesh.position);
  attributes["NORMAL"] = glb.add_normals(rings.mesh.normal);
  attributes["JOINTS_0"] = add_joints(glb, rings.ring);
  attributes["WEIGHTS_0"] = add_weights(glb, rings.ring.size());
  const Glb::Json primitive = {
      {"attributes", attributes}, {"indices", glb.add_indices(rings.mesh.triangle)}, {"material", 0}};
  glb.json["meshes"].push_back({{"name", line.name}, {"primitives", Glb::Json::array({primitive})}});

  // a joint a ring, under the root that turns z up into y up
  Glb::Json joints = Glb::Json::array();
  const std::size_t stations = line.section.size() - (line.closed ? 1 : 0);
  for (std::size_t i = 0; i < stations; ++i) {
    const Vec3& p = line.positions[0][i];
    const Quat& q = line.frames[0][i];
    const std::size_t node =
        add_node(glb, {{"translation", {p.x(), p.y(), p.z()}}, {"rotation", {q.x(), q.y(), q.z(), q.w()}}});
    glb.json["nodes"][0]["children"].push_back(node);
    joints.push_back(node);
    if (motion.times.size() < 2) continue;
    add_channel(glb, times, motion.times.size(), node, "translation", "VEC3", [&](std::size_t k) {
      const Vec3& at = line.positions[k][i];
      return std::array{at.x(), at.y(), at.z()};
    });
    add_channel(glb, times, motion.times.size(), node, "rotation", "VEC4", [&](std::size_t k) {
      const Quat& turned = line.frames[k][i];
      return std::array{turned.x(), turned.y(), turned.z(), turned.w()};
    });
  }
  glb.json["skins"].push_back({{"name", line.name}, {"joints", std::move(joints)}});
  // a skinned mesh stands by itself: its joints alone say where it is
  const std::size_t node = add_node(
      glb, {{"name", line.name}, {"mesh", glb.json["meshes"].size() - 1}, {"skin", glb.json["skins"].size() - 1}});
  glb.json["scenes"][0]["nodes"].push_back(node);
}

}  // namespace

Result<std::string> animation_bytes(const StoredResult& result) {
  const Result<Motion> motion = motion_of(result);
  if (!motion) return motion.error();
  Glb glb;
  glb.begin(result.title.empty() ? "result" : result.title);
  if (motion->times.empty()) return glb.pack();
  std::size_t times = 0;
  if (motion->times.size() > 1) {
    times = add_times(glb, motion->times);
    glb.json["animations"].push_back({{"name", "motion"}});
  }
  for (const MovingLine& line : motion->lines) add_line(glb, line, *motion, times);
  if (glb.json.contains("animations") && !glb.json["animations"][0].contains("channels")) glb.json.erase("animations");
  return glb.pack();
}

}  // namespace filum::io
