#include "io/mesh/mesh_read.hpp"

#include "io/file_read.hpp"
#include "io/mesh/read_apart.hpp"
#include "io/number_text.hpp"
#include "io/outside_path.hpp"

#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

namespace filum::io {
namespace {

constexpr std::size_t kMostMeshBytes = 1u << 30;
constexpr const char* kNoTriangle = "there is no triangle in this mesh";

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

// Files that end early, which the library reads as far as they go, or says nothing useful of.
std::string cut_short(const std::string& bytes, const std::string& ending) {
  if (ending == ".ply") return fault_of_ply(bytes);
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
// file is. Nothing else is opened for it, and nothing at all for a mesh that has no folder.
class FilesBeside final : public Assimp::IOSystem {
 public:
  explicit FilesBeside(std::optional<std::string> folder) : folder_(std::move(folder)) {
    if (folder_ && folder_->empty()) folder_ = ".";
  }

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
    if (!folder_) return file_error(file, "a mesh without a folder names no files");
    const auto path = checked_path(file, {{}, {*folder_}, *folder_});
    if (!path) return path.error();
    return read_text_file(path->string(), kMostMeshBytes);
  }
  std::optional<std::string> folder_;
};

// A face without corners, or with one that the mesh does not have.
bool has_damaged_face(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m)
    for (unsigned f = 0; f < scene.mMeshes[m]->mNumFaces; ++f) {
      const aiFace& face = scene.mMeshes[m]->mFaces[f];
      if (face.mNumIndices == 0) return true;
      for (unsigned k = 0; k < face.mNumIndices; ++k)
        if (face.mIndices[k] >= scene.mMeshes[m]->mNumVertices) return true;
    }
  return false;
}

// `on_disk`: the bytes came from the file `path`, beside which others may be named.
Result<MeshFile> by_library(const std::string& bytes, const std::string& path, const std::string& ending,
                            bool on_disk) {
  Assimp::Importer importer;
  // the importer's from now on
  importer.SetIOHandler(new FilesBeside(on_disk ? std::optional(folder_of(path)) : std::nullopt));
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const unsigned flags = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices;
  const auto unreadable = [&] {
    const std::string why = importer.GetErrorString();
    if (why.find("No suitable reader") != std::string::npos)
      return file_error(path, "no mesh that can be read: what is in this file is no " + ending);
    if (why.find("No output meshes") != std::string::npos) return file_error(path, kNoTriangle);
    return file_error(path, "no mesh that can be read: " + why);
  };
  if (!importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, ending.c_str() + 1)) return unreadable();
  // which the library would end the program at
  if (has_damaged_face(*importer.GetScene()))
    return file_error(path,
                      "a face of this mesh has no corners, or one that is not there; the file is damaged, or ends "
                      "before its mesh does");
  const aiScene* scene = importer.ApplyPostProcessing(flags);
  if (!scene) return unreadable();
  MeshFile mesh;
  std::size_t points = 0;
  std::size_t triangles = 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    points += scene->mMeshes[m]->mNumVertices;
    triangles += scene->mMeshes[m]->mNumFaces;
  }
  mesh.points.reserve(points);
  mesh.triangles.reserve(triangles);
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
  if (ending == ".gltf" || ending == ".glb") {
    mesh.unit = 1;
    // glTF has y up, a scene of Filum z
    for (Vec3& p : mesh.points) p = Vec3(p.x(), -p.z(), p.y());
  }
  return mesh;
}

Result<MeshFile> parsed(const std::string& bytes, const std::string& file, bool on_disk) {
  const std::string ending = ending_of(file);
  if (bytes.empty()) return file_error(file, "this file is empty");
  // a mark that says UTF-8 would hide the first word
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kByteOrderMark)) return parsed(bytes.substr(kByteOrderMark.size()), file, on_disk);
  if (const std::string why = cut_short(bytes, ending); !why.empty()) return file_error(file, why);
  const auto by_others = [&] {
    return ending == ".step" || ending == ".stp" ? parse_step(bytes, file) : by_library(bytes, file, ending, on_disk);
  };
  Result<MeshFile> mesh = ending == ".iv" ? parse_inventor(bytes, file) : read_apart(file, bytes.size(), by_others);
  if (!mesh) return mesh;
  if (mesh->triangles.empty()) return file_error(file, kNoTriangle);
  for (std::size_t i = 0; i < mesh->points.size(); ++i)
    if (!mesh->points[i].allFinite())
      return file_error(file, "corner " + std::to_string(i + 1) + " of this mesh is no number");
  return mesh;
}

Status check_ending(const std::string& file) {
  constexpr std::array kEndings{".obj", ".stl", ".ply", ".gltf", ".glb", ".iv", ".step", ".stp"};
  if (std::find(kEndings.begin(), kEndings.end(), ending_of(file)) != kEndings.end()) return Done{};
  return file_error(file, "expected a mesh .obj, .stl, .ply, .gltf, .glb or .iv, or solids in .step");
}

}  // namespace

Result<MeshFile> read_mesh(const std::string& path) {
  if (auto known = check_ending(path); !known) return known.error();
  const Result<std::string> bytes = read_text_file(path, kMostMeshBytes);
  if (!bytes) return bytes.error();
  return parsed(*bytes, path, true);
}

Result<MeshFile> parse_mesh(const std::string& bytes, const std::string& file) {
  if (auto known = check_ending(file); !known) return known.error();
  return parsed(bytes, file, false);
}

std::string obj_text(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles) {
  std::string text;
  for (const Vec3& p : points) {
    text += 'v';
    for (const double value : p) {
      text += ' ';
      put_number(text, value);
    }
    text += '\n';
  }
  for (const auto& triangle : triangles) {
    text += 'f';
    for (const int corner : triangle) {
      char digits[16];
      text += ' ';
      text.append(digits, std::to_chars(digits, digits + sizeof digits, corner + 1).ptr);
    }
    text += '\n';
  }
  return text;
}

Result<std::shared_ptr<const geometry::MeshSurface>> read_surface(const std::string& path, double scale) {
  Result<MeshFile> mesh = read_mesh(path);
  if (!mesh) return mesh.error();
  return surface_of(std::move(*mesh), scale, path);
}

Result<std::shared_ptr<const geometry::MeshSurface>> surface_of(MeshFile mesh, double scale, const std::string& file) {
  for (Vec3& point : mesh.points) point *= scale;
  auto surface = std::make_shared<const geometry::MeshSurface>(mesh.points, mesh.triangles);
  if (surface->empty()) return file_error(file, "there is no triangle with an area in this mesh");
  return std::shared_ptr<const geometry::MeshSurface>(std::move(surface));
}

}  // namespace filum::io
