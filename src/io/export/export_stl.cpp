// STL, binary: the skins of all rods and ropes in the last state, in millimetres, which the format itself does not say.
#include "io/binary.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"

namespace filum::io {

std::string stl_bytes(const StoredResult& result) {
  std::string triangles;
  std::size_t count = 0;
  const std::vector<RodPose> rods = rods_and_ropes(result.outcome.states.back().pose);
  for (std::size_t i = 0; i < rods.size(); ++i) {
    const geometry::TriangleMesh mesh = rod_skin(result, i, rods[i]);
    for (const auto& [a, b, c] : mesh.triangle) {
      const Vec3& p = mesh.position[static_cast<std::size_t>(a)];
      const Vec3& q = mesh.position[static_cast<std::size_t>(b)];
      const Vec3& r = mesh.position[static_cast<std::size_t>(c)];
      const Vec3 normal = (q - p).cross(r - p).stableNormalized();
      for (int k = 0; k < 3; ++k) put_f32(triangles, normal[k]);
      for (const Vec3* corner : {&p, &q, &r})
        for (int k = 0; k < 3; ++k) put_f32(triangles, 1e3 * (*corner)[k]);
      triangles.append(2, '\0');
      ++count;
    }
  }
  std::string out = "Filum, millimetres";
  out.resize(80, ' ');
  put_u32(out, count);
  return out + triangles;
}

}  // namespace filum::io
