// describe_scene: writes the files that follow from the descriptions of the scene (src/scene/describe): the schema for
// editors, the tables of keys in docs/scene-format.md and the page's types. The tests compare them.
#include "io/scene/scene_schema.hpp"
#include "serve/commands/scene_types.hpp"

#include <fstream>
#include <iterator>
#include <string>

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream(FILUM_SOURCE_DIR "/" + path) << text;
}

std::string read(const std::string& path) {
  std::ifstream stream(FILUM_SOURCE_DIR "/" + path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

int main() {
  write("docs/scene.schema.json", filum::io::scene_schema());
  write("docs/scene-format.md", filum::io::with_key_tables(read("docs/scene-format.md")));
  write("web/src/protocol/scene_keys.generated.ts", filum::serve::scene_types());
}
