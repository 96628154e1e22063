#include "serve/editor/mesh_store.hpp"

#include "io/file_read.hpp"
#include "io/mesh/mesh_read.hpp"
#include "io/outside_path.hpp"

#include <filum/progress.hpp>
#include <filum/scene.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace filum::serve {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 256;
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr std::size_t kLargestFile = std::size_t{64} << 20U;

// The size of a file that may be read, or nothing.
std::optional<std::size_t> size_of(const std::string& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return std::nullopt;
  const auto size = fs::file_size(path, code);
  if (code || size > kLargestFile) return std::nullopt;
  return static_cast<std::size_t>(size);
}

template <std::size_t Count>
bool ends_in_one_of(const std::string& file, const std::array<std::string_view, Count>& endings) {
  std::string ending = fs::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

// Kinds that browsers read, and others that they get as OBJ.
constexpr std::array<std::string_view, 5> kRead = {".obj", ".stl", ".ply", ".gltf", ".glb"};
constexpr std::array<std::string_view, 3> kTurnedToObj = {".iv", ".step", ".stp"};

}  // namespace

bool MeshStore::knows(const std::string& file) {
  return ends_in_one_of(file, kRead) || ends_in_one_of(file, kTurnedToObj);
}

Result<MeshStore::File> MeshStore::drawn(int id) const {
  Result<File> file = open(id);
  if (!file || !ends_in_one_of(file->name, kTurnedToObj)) return file;
  const Result<io::MeshFile> mesh = io::parse_mesh(*file->bytes, file->name);
  if (!mesh) return mesh.error();
  return File{file->name + ".obj", std::make_shared<const std::string>(io::obj_text(mesh->points, mesh->triangles))};
}

Result<fs::path> MeshStore::beside(const std::string& scene_path, const std::string& file) const {
  return io::checked_path(file, {{}, folders_, fs::path(scene_path).parent_path()});
}

MeshStore::Bytes MeshStore::dropped(const std::string& file) const {
  for (const Entry& entry : entries_)
    if (entry.bytes && entry.file == file) return entry.bytes;
  return nullptr;
}

std::string MeshStore::free_name(const std::string& file, const std::string& bytes) const {
  const fs::path path(file);
  for (int n = 1;; ++n) {
    std::string name = n == 1 ? file : path.stem().string() + " " + std::to_string(n) + path.extension().string();
    const bool taken = std::any_of(entries_.begin(), entries_.end(),
                                   [&](const Entry& e) { return e.bytes && e.file == name && *e.bytes != bytes; });
    if (!taken) return name;
  }
}

Status MeshStore::keep(const std::string& file, std::string bytes) {
  if (auto name = io::checked_name(file); !name) return name.error();
  if (!knows(file)) return file_error(file, "a mesh is a file .obj, .stl, .ply, .gltf, .glb, .iv or .step");
  // what browsers cannot read is read here, or refused
  if (ends_in_one_of(file, kTurnedToObj))
    if (const Result<io::MeshFile> mesh = io::parse_mesh(bytes, file); !mesh) return mesh.error();
  std::size_t total = bytes.size();
  for (const Entry& entry : entries_) total += entry.bytes ? entry.bytes->size() : 0;
  if (entries_.size() >= kMostFiles || total > kMostBytes)
    return file_error(file, "there are too many meshes: save the scene and start the server anew");
  std::erase_if(entries_, [&](const Entry& entry) { return entry.bytes && entry.file == file; });
  entries_.push_back({++counter_, file, std::make_shared<const std::string>(std::move(bytes))});
  return Done{};
}

MeshStore::Found MeshStore::find(const std::string& file, const std::string& scene_path) {
  for (const Entry& entry : entries_)
    if (entry.bytes && entry.file == file) return {entry.id, entry.bytes->size()};
  if (scene_path.empty() || !knows(file)) return {};
  const Result<fs::path> there = beside(scene_path, file);
  if (!there) return {};
  const std::string path = there->string();
  const std::optional<std::size_t> size = size_of(path);
  if (!size) return {};
  for (const Entry& entry : entries_)
    if (!entry.bytes && entry.file == path) return {entry.id, *size};
  if (entries_.size() >= kMostFiles) return {};
  entries_.push_back({++counter_, path, nullptr});
  return {counter_, *size};
}

Result<MeshStore::File> MeshStore::open(int id) const {
  for (const Entry& entry : entries_) {
    if (entry.id != id) continue;
    if (entry.bytes) return File{entry.file, entry.bytes};
    if (!size_of(entry.file)) break;
    Result<std::string> bytes = io::read_text_file(entry.file);
    if (!bytes) return bytes.error();
    return File{entry.file, std::make_shared<const std::string>(std::move(*bytes))};
  }
  return file_error({}, "there is no such mesh");
}

MeshStore::Surface MeshStore::surface(const std::string& file, const std::string& scene_path, double scale) {
  const int id = find(file, scene_path).id;
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.id == id; });
  if (entry == entries_.end() || entry->broken) return nullptr;
  for (const Made& made : entry->made)
    if (Surface known = made.surface.lock(); known && made.scale == scale) return known;
  std::erase_if(entry->made, [](const Made& made) { return made.surface.expired(); });
  entry->broken = true;
  const Result<File> bytes = open(id);
  if (!bytes) return nullptr;
  Result<io::MeshFile> mesh = io::parse_mesh(*bytes->bytes, bytes->name);
  if (!mesh) {
    entry->broken = mesh.error().message != kStopped;
    return nullptr;
  }
  const auto surface = io::surface_of(std::move(*mesh), scale, bytes->name);
  if (!surface) return nullptr;
  entry->broken = false;
  entry->made.push_back({scale, *surface});
  return *surface;
}

std::vector<MeshStore::File> MeshStore::dropped(const Scene& scene) const {
  std::vector<File> list;
  for (const Entry& entry : entries_) {
    const auto shows = [&](const Scenery& item) { return item.mesh == entry.file; };
    if (entry.bytes && std::any_of(scene.scenery.begin(), scene.scenery.end(), shows))
      list.push_back({entry.file, entry.bytes});
  }
  return list;
}

Result<std::vector<io::FileText>> MeshStore::files_beside(const Scene& scene, const std::string& scene_path,
                                                          bool overwrite) const {
  std::vector<io::FileText> files;
  for (const Scenery& item : scene.scenery)
    for (const Entry& entry : entries_) {
      if (!entry.bytes || entry.file != item.mesh) continue;
      const Result<fs::path> path = beside(scene_path, entry.file);
      if (!path) return path.error();
      std::error_code code;
      const bool there = fs::exists(*path, code);
      const Result<std::string> old = there ? io::read_text_file(path->string()) : Result<std::string>(std::string());
      if (there && old && *old == *entry.bytes) continue;
      if (there && !overwrite)
        return file_error(path->string(), "there is another file of that name beside the scene already");
      const bool twice = std::any_of(files.begin(), files.end(), [&](const auto& f) { return f.path == *path; });
      if (!twice) files.push_back({path->string(), *entry.bytes});
    }
  return files;
}

}  // namespace filum::serve
