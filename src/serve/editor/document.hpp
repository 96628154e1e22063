// The scene that is worked on, as a file: its text, its name, where it lies.
//
// The scene is what counts. The text is the one that was opened, with the changes that were made through it; changes of
// the scene are written into it when somebody asks for the text, so that comments and order survive.
#pragma once

#include "io/file_write.hpp"

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace filum::serve {

class Document {
 public:
  // Nothing yet.
  Document();
  // `folders`: where the files may lie that it names, now and after any change; none: anywhere.
  using Folders = std::vector<std::filesystem::path>;
  static Result<Document> from_text(std::string text, const std::string& name, const Folders& folders);
  static Result<Document> from_file(const std::string& path, const Folders& folders);
  // What was made of the file at this path (empty: of none) and not saved: it counts as changed.
  static Result<Document> restored(const std::string& path, const std::string& name, const std::string& text,
                                   const Folders& folders);

  [[nodiscard]] const Scene& scene() const { return scene_; }
  // Of what was opened once: the same for all copies of it, and for no other that the editor opens.
  [[nodiscard]] int number() const { return number_; }
  void set_number(int number) { number_ = number; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // The file it came from or was last saved to; empty: none.
  [[nodiscard]] const std::string& path() const { return path_; }
  // Differs from what was opened or saved.
  [[nodiscard]] bool dirty() const { return !(scene_ == *saved_); }
  // What would be saved.
  [[nodiscard]] std::string text() const;

  // What a mesh of the scenery holds: seen, and no change of the document. True: it is another than before.
  bool see(std::size_t item, std::shared_ptr<const geometry::MeshSurface> surface) {
    return std::exchange(scene_.scenery[item].surface, surface) != surface;
  }
  // What is kept of it to be undone has no meshes: they are seen anew.
  void forget_surfaces() {
    for (Scenery& item : scene_.scenery) item.surface.reset();
  }
  void set_scene(Scene scene) { scene_ = std::move(scene); }
  // To what an older or newer copy says. A copy of the same document leaves alone where it was saved last.
  void become(const Document& other);

  // By path, as patch_scene, add_to_scene and remove_from_scene do it.
  Status set(const std::string& path, const std::string& value);
  Status add(const std::string& path, const std::string& value, const std::string& key);
  Status remove(const std::string& path);

  // To this file, which is its own from then on, together with others that belong to it: all of them or none. A path as
  // io::checked_path gives it.
  Status save(const std::string& path, const std::vector<io::FileText>& others = {});
  // Whether there is a file that is not its own.
  [[nodiscard]] bool would_replace(const std::string& path) const;
  // Whether that is its own file and somebody else has written to it since it was opened or saved.
  [[nodiscard]] bool changed_outside(const std::string& path) const;

  // What copies of it share, and how large that is: for who counts memory.
  struct Shared {
    const void* what;
    std::size_t bytes;
  };
  [[nodiscard]] std::vector<Shared> shared() const;

 private:
  Status take(Result<std::string> text);
  // What messages call it, and beside what its files lie.
  [[nodiscard]] const std::string& label() const { return path_.empty() ? name_ : path_; }

  std::shared_ptr<const int> identity_;  // the same for all copies of what was opened once
  int number_ = 1;
  std::shared_ptr<const std::string> text_;  // shared by the copies that undo keeps
  Scene scene_;
  std::shared_ptr<const Scene> saved_;
  std::shared_ptr<const std::string> saved_text_;  // what its file held then
  std::string name_;
  std::string path_;
  Folders folders_;
};

}  // namespace filum::serve
