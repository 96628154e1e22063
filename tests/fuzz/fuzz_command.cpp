// Commands of a page, one a line, to a workbench with a small scene; whatever lasts is stopped.
#include "fuzz.hpp"

#include "serve/commands/workbench.hpp"

#include <filum/scene_file.hpp>

using namespace filum;

namespace {

constexpr const char* kScene = R"(filum: 1
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
rods: {c: {section: w, segments: 4, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}, limits: {min_bend_radius: 20 mm}}}
bodies: {b: {box: [0.1, 0.1, 0.1], mass: 1, position: [0.4, 0, 0], motion: driven}}
holds: [{name: a, rod: c, at: start, fix: [position, orientation]}, {name: e, rod: c, at: end, fix: [position], body: b}]
simulation: {formulation: cosserat}
)";
constexpr int kMostLooks = 200;
constexpr int kMostCommands = 20;

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  serve::Workbench bench({{"small", kScene, ""}}, "0");
  bench.allow({folder.path()});
  int looks = 0;
  bench.editor().watch([&] { return ++looks > kMostLooks ? "enough" : ""; });
  (void)bench.answer(serve::Request::read(R"({"cmd": "open", "example": "small"})", 1));

  std::string_view rest = fuzz::text_of(data, size);
  for (int k = 0; k < kMostCommands && !rest.empty(); ++k) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const serve::Request request = serve::Request::read(line, k % 2);
    // large scenes are allowed, and slow: nothing is learned from them here
    if (line.find("segments") != std::string_view::npos && line.find("000") != std::string_view::npos) continue;
    looks = 0;
    const serve::Json reply = bench.answer(request);
    fuzz::demand(reply.contains("ok") && (reply["ok"] == true || reply.contains("error")));
    // the scene that there is now can be read, whatever was done to it
    const serve::Document& document = bench.editor().document();
    if (!document.scene().rods.empty()) fuzz::demand(parse_scene(document.text(), "document").ok());
  }
  (void)bench.scene_message();
  (void)bench.state_message({});
  (void)bench.editor().frame(1);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path(), ignored))
    std::filesystem::remove_all(entry.path(), ignored);
  return 0;
}
