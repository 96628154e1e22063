#include "io/mesh/mesh_read.hpp"

#include "io/file_read.hpp"
#include "io/number_text.hpp"
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
#include <optional>
#include <sstream>

namespace filum::io {
namespace {

constexpr std::size_t kMostMeshBytes = 1u << 30;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

// Bytes of a number of a binary PLY; 0: a type that it does not know.
std::size_t ply_size(const std::string& type) {
  if (type == "char" || type == "uchar" || type == "int8" || type == "uint8") return 1;
  if (type == "short" || type == "ushort" || type == "int16" || type == "uint16") return 2;
  if (type == "double" || type == "float64") return 8;
  return type == "int" || type == "uint" || type == "int32" || type == "uint32" || type == "float" || type == "float32"
             ? 4
             : 0;
}

struct PlyProperty {
  std::size_t counted = 0;  // bytes of the number that says how many follow; 0: it is no list
  std::size_t size = 0;     // of one
};
struct PlyElement {
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
};

// Walks over what the header announces: the library reads on beyond the end.
bool is_whole_ply(const std::string& bytes, std::size_t place, const std::vector<PlyElement>& elements, bool little) {
  for (const PlyElement& element : elements)
    for (std::size_t row = 0; row < element.count; ++row) {
      if (element.properties.empty()) break;
      for (const PlyProperty& property : element.properties) {
        if (bytes.size() - place < property.counted) return false;
        std::size_t many = property.counted > 0 ? 0 : 1;
        for (std::size_t k = 0; k < property.counted; ++k) {
          const auto byte = static_cast<std::uint8_t>(bytes[place + k]);
          many |= std::size_t{byte} << 8 * (little ? k : property.counted - 1 - k);
        }
        place += property.counted;
        if ((bytes.size() - place) / property.size < many) return false;
        place += many * property.size;
      }
    }
  return true;
}

// A binary file whose header is not to the letter makes the library read where nothing is: it gets none such.
std::string cut_short_binary_ply(const std::string& bytes, std::size_t end) {
  if (end == 0 || bytes[end - 1] != '\n') return "its header is no PLY header";
  std::istringstream header(bytes.substr(0, end));
  std::vector<PlyElement> elements;
  for (std::string line; std::getline(header, line);) {
    std::istringstream words(line);
    std::string word, type, counted;
    words >> word;
    if (word != "ply" && word != "format" && word != "comment" && word != "obj_info" && word != "element" &&
        word != "property")
      return "its header is no PLY header: " + line;
    if (word == "element" && words >> type) words >> elements.emplace_back().count;
    if (word != "property" || !(words >> type)) continue;
    PlyProperty property;
    std::string name;
    if (type == "list" && words >> counted >> type >> name) property.counted = ply_size(counted);
    if (property.counted > 0 && name != "vertex_index" && name != "vertex_indices")
      return "expected no list but that of a face's corners, found '" + name + "'";
    property.size = ply_size(type);
    if (elements.empty() || property.size == 0 || property.counted > 4) return "its header is no PLY header: " + line;
    elements.back().properties.push_back(property);
  }
  const std::size_t body = bytes.find('\n', end);
  const bool little = bytes.find("binary_little_endian") < end;
  if (body != std::string::npos && is_whole_ply(bytes, body + 1, elements, little)) return "";
  return "this file ends before its mesh does: its header announces more than is there";
}

// Of text: a line for each vertex, face and whatever else the header announces.
std::string cut_short_ply(const std::string& bytes) {
  const std::size_t end = bytes.find("end_header");
  if (end == std::string::npos) return "";
  if (bytes.find("format ascii") > end) return cut_short_binary_ply(bytes, end);
  std::istringstream header(bytes.substr(0, end));
  std::size_t announced = 0;
  for (std::string line; std::getline(header, line);) {
    std::istringstream words(line);
    std::string word, name;
    std::size_t count = 0;
    if (words >> word >> name >> count && word == "element") announced += count;
  }
  std::istringstream body(bytes.substr(end));
  std::size_t there = 0;
  std::string line;
  std::getline(body, line);  // what is left of the header's last
  while (std::getline(body, line)) there += line.find_first_not_of(" \t\r") != std::string::npos ? 1 : 0;
  if (there >= announced) return "";
  return "this file ends before its mesh does: " + std::to_string(announced) + " lines are announced, " +
         std::to_string(there) + " are there";
}

// Files that end early, which the library reads as far as they go, or says nothing useful of.
std::string cut_short(const std::string& bytes, const std::string& ending) {
  if (ending == ".ply") return cut_short_ply(bytes);
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
  // the library looks for the end of this header for ever
  if (ending == ".ply" && bytes.find("end_header") == std::string::npos)
    return file_error(path, "no mesh that can be read: its header has no end");
  Assimp::Importer importer;
  // the importer's from now on
  importer.SetIOHandler(new FilesBeside(on_disk ? std::optional(folder_of(path)) : std::nullopt));
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const unsigned flags = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices;
  const auto unreadable = [&] {
    return file_error(path, std::string("no mesh that can be read: ") + importer.GetErrorString());
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
  if (const std::string why = cut_short(bytes, ending); !why.empty()) return file_error(file, why);
  Result<MeshFile> mesh = ending == ".iv"                         ? parse_inventor(bytes, file)
                          : ending == ".step" || ending == ".stp" ? parse_step(bytes, file)
                                                                  : by_library(bytes, file, ending, on_disk);
  if (!mesh) return mesh;
  if (mesh->triangles.empty()) return file_error(file, "there is no triangle in this mesh");
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
    for (const int corner : triangle) text += ' ' + std::to_string(corner + 1);
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
