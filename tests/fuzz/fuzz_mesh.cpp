// Meshes that are posted: the first line is the name, the rest the bytes. None leaves the folder of the scene.
#include "fuzz.hpp"

#include "serve/commands/workbench.hpp"

using namespace filum;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const std::string_view bytes = fuzz::text_of(data, size);
  const std::string name(bytes.substr(0, bytes.find('\n')));
  const std::filesystem::path scenes = folder.path() / "scenes";
  std::filesystem::create_directories(scenes);
  serve::Workbench bench({}, "0");
  bench.allow({scenes});
  const auto added = bench.add_mesh(name, std::string(bytes.substr(std::min(size, name.size() + 1))));
  (void)bench.scene_message();
  const std::string path = (scenes / "scene.yaml").string();
  const serve::Json saved = bench.answer(serve::Request(serve::Json{{"cmd", "save"}, {"path", path}}, 1));
  fuzz::demand(!added || saved["ok"] == true);
  // what was saved lies beside the scene and nowhere else
  std::size_t others = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) others += entry.path() != scenes;
  fuzz::demand(others == 0);
  std::filesystem::remove_all(scenes);
  return 0;
}
