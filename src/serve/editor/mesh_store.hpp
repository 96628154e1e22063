// The bytes of the meshes that a scene's scenery names: dropped onto a page, or beside the scene's file.
//
// What was dropped is kept for as long as the server runs, so that undo finds it again, and is written beside the scene
// when that is saved. Where a scene has a file of that name beside it, that one counts unless another was dropped.
#pragma once

#include "io/file_write.hpp"

#include <filum/result.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace filum {
struct Scene;
namespace geometry {
class MeshSurface;
}
}  // namespace filum

namespace filum::serve {

class MeshStore {
 public:
  // Files of these folders may be read; none: any.
  void allow(std::vector<std::filesystem::path> folders) { folders_ = std::move(folders); }
  // Files of these kinds can be drawn.
  static bool knows(const std::string& file);

  // Keeps what was dropped, by the name of its file. Another one of that name takes its place.
  Status keep(const std::string& file, std::string bytes);
  // The bytes that were dropped under this name; null: none.
  using Bytes = std::shared_ptr<const std::string>;
  [[nodiscard]] Bytes dropped(const std::string& file) const;
  // A name for such a file that is not taken by other bytes.
  [[nodiscard]] std::string free_name(const std::string& file, const std::string& bytes) const;

  // The number under which pages find a mesh of a scene that lies at this path (or nowhere yet), and its size; 0: it is
  // not to be found.
  struct Found {
    int id = 0;
    std::size_t bytes = 0;
  };
  Found find(const std::string& file, const std::string& scene_path);
  // Its surface, its numbers times `scale`, as `find` finds it; null: it cannot be read, or was stopped. Made anew
  // only if nobody has it any more.
  using Surface = std::shared_ptr<const geometry::MeshSurface>;
  Surface surface(const std::string& file, const std::string& scene_path, double scale);
  // By that number.
  struct File {
    std::string name;
    std::shared_ptr<const std::string> bytes;
  };
  [[nodiscard]] Result<File> open(int id) const;
  // The same as browsers can draw it.
  [[nodiscard]] Result<File> drawn(int id) const;

  // What was dropped and the scene shows.
  [[nodiscard]] std::vector<File> dropped(const Scene& scene) const;

  // What was dropped and is to be written beside the scene that is about to be saved there. Another file of that name
  // is replaced only with `overwrite`.
  [[nodiscard]] Result<std::vector<io::FileText>> files_beside(const Scene& scene, const std::string& scene_path,
                                                               bool overwrite) const;

 private:
  struct Made {
    double scale = 1;
    std::weak_ptr<const geometry::MeshSurface> surface;
  };
  struct Entry {
    int id = 0;
    std::string file;                          // as scenes name it; of a file on the disk its whole path
    std::shared_ptr<const std::string> bytes;  // null: on the disk
    std::vector<Made> made = {};
    bool broken = false;  // it was tried, and cannot be read
  };
  // The file that a scene at this path means by a name.
  [[nodiscard]] Result<std::filesystem::path> beside(const std::string& scene_path, const std::string& file) const;

  std::vector<Entry> entries_;
  std::vector<std::filesystem::path> folders_;
  int counter_ = 0;
};

}  // namespace filum::serve
