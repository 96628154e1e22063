// Wavefront OBJ: one object per rod and per massless rope, its skin in the last of the result's states, in metres and
// the scene's own axes.
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"
#include "io/result/result_names.hpp"

namespace filum::io {
namespace {

void put_vector(std::string& out, const char* keyword, const Vec3& v) {
  out += keyword;
  for (int k = 0; k < 3; ++k) {
    out += ' ';
    put_number(out, v[k]);
  }
  out += '\n';
}

}  // namespace

std::string obj_text(const StoredResult& result) {
  const Snapshot& last = result.outcome.states.back();
  std::string out = "# Filum result, t = ";
  put_number(out, last.t);
  out += " s; metres\n";
  std::vector<std::string> taken;
  const std::vector<RodPose> rods = rods_and_ropes(last.pose);
  // indices count over the whole file, from 1
  int first = 1;
  for (size_t i = 0; i < rods.size(); ++i) {
    const geometry::TriangleMesh mesh = rod_skin(result, i, rods[i]);
    out += "o " + file_stem(line_name(result, last.pose.rods.size(), i), taken) + "\n";
    for (const Vec3& p : mesh.position) put_vector(out, "v", p);
    for (const Vec3& n : mesh.normal) put_vector(out, "vn", n);
    for (const auto& triangle : mesh.triangle) {
      out += 'f';
      for (const int corner : triangle) {
        const std::string index = std::to_string(first + corner);
        out += " " + index + "//" + index;
      }
      out += '\n';
    }
    first += static_cast<int>(mesh.position.size());
  }
  return out;
}

}  // namespace filum::io
