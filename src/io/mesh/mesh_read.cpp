#include "io/mesh/mesh_read.hpp"

#include "io/file_read.hpp"
#include "io/outside_path.hpp"

#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace filum::io {
namespace {

constexpr std::size_t kMostMeshBytes = 1u << 30;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

// Files that end early, which the library reads as far as they go, or says nothing useful of.
std::string cut_short(const std::string& bytes, const std::string& ending) {
  if (ending != ".stl") return "";
  const bool text = bytes.compare(0, 5, "solid") == 0 && bytes.find("facet") < 1000;
  if (text)
    return bytes.find("endsolid") == std::string::npos ? "this file ends before its mesh does: there is no endsolid"
                                                       : "";
  constexpr std::size_t kHeader = 84;
  constexpr std::size_t kFacet = 50;
  if (bytes.size() < kHeader) return "this file ends before its mesh does: an STL file has at least 84 bytes";
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  if ((bytes.size() - kHeader) / kFacet >= count) return "";
  return "this file ends before its mesh does: " + std::to_string(count) + " triangles are announced, " +
         std::to_string((bytes.size() - kHeader) / kFacet) + " are there";
}

// What a mesh names, the buffers of a glTF or the materials of an OBJ: files in its folder or below it, read as every
// file is. Nothing else is opened for it.
class FilesBeside final : public Assimp::IOSystem {
 public:
  explicit FilesBeside(std::string folder) : folder_(folder.empty() ? "." : std::move(folder)) {}

  bool Exists(const char* file) const override { return read(file).ok(); }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* /*mode*/) override {
    const Result<std::string> bytes = read(file);
    if (!bytes) return nullptr;
    auto* copy = new std::uint8_t[bytes->size()];
    std::copy(bytes->begin(), bytes->end(), copy);
    return new Assimp::MemoryIOStream(copy, bytes->size(), true);
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  [[nodiscard]] Result<std::string> read(const char* file) const {
    const auto path = checked_path(file, {{}, {folder_}, folder_});
    if (!path) return path.error();
    return read_text_file(path->string(), kMostMeshBytes);
  }
  std::string folder_;
};

Result<MeshFile> by_library(const std::string& bytes, const std::string& path, const std::string& ending) {
  // the library looks for the end of this header for ever
  if (ending == ".ply" && bytes.find("end_header") == std::string::npos)
    return file_error(path, "no mesh that can be read: its header has no end");
  Assimp::Importer importer;
  importer.SetIOHandler(new FilesBeside(folder_of(path)));  // the importer's from now on
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const unsigned flags = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices;
  const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), flags, ending.c_str() + 1);
  if (!scene) return file_error(path, std::string("no mesh that can be read: ") + importer.GetErrorString());
  MeshFile mesh;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& part = *scene->mMeshes[m];
    const int first = static_cast<int>(mesh.points.size());
    for (unsigned v = 0; v < part.mNumVertices; ++v)
      mesh.points.emplace_back(part.mVertices[v].x, part.mVertices[v].y, part.mVertices[v].z);
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices == 3)
        mesh.triangles.push_back({first + static_cast<int>(face.mIndices[0]),
                                  first + static_cast<int>(face.mIndices[1]),
                                  first + static_cast<int>(face.mIndices[2])});
    }
  }
  if (ending == ".gltf" || ending == ".glb") mesh.unit = 1;
  return mesh;
}

}  // namespace

Result<MeshFile> read_mesh(const std::string& path) {
  const std::string ending = ending_of(path);
  constexpr std::array kEndings{".obj", ".stl", ".ply", ".gltf", ".glb"};
  const bool known = std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
  if (!known && ending != ".iv") return file_error(path, "expected a mesh .obj, .stl, .ply, .gltf, .glb or .iv");
  const Result<std::string> bytes = read_text_file(path, kMostMeshBytes);
  if (!bytes) return bytes.error();
  if (const std::string why = cut_short(*bytes, ending); !why.empty()) return file_error(path, why);
  Result<MeshFile> mesh = ending == ".iv" ? parse_inventor(*bytes, path) : by_library(*bytes, path, ending);
  if (!mesh) return mesh;
  if (mesh->triangles.empty()) return file_error(path, "there is no triangle in this mesh");
  for (std::size_t i = 0; i < mesh->points.size(); ++i)
    if (!mesh->points[i].allFinite())
      return file_error(path, "corner " + std::to_string(i + 1) + " of this mesh is no number");
  return mesh;
}

Result<std::shared_ptr<const geometry::MeshSurface>> read_surface(const std::string& path, double scale) {
  Result<MeshFile> mesh = read_mesh(path);
  if (!mesh) return mesh.error();
  for (Vec3& point : mesh->points) point *= scale;
  auto surface = std::make_shared<const geometry::MeshSurface>(mesh->points, mesh->triangles);
  if (surface->empty()) return file_error(path, "there is no triangle with an area in this mesh");
  return std::shared_ptr<const geometry::MeshSurface>(std::move(surface));
}

}  // namespace filum::io
