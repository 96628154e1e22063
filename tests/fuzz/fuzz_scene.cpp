// Scene files: what can be read is written and read again as the same scene.
#include "fuzz.hpp"

#include "sim/refusal.hpp"

#include <filum/scene_file.hpp>

using namespace filum;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const Result<Scene> scene = parse_scene(text, "fuzz");
  if (!scene) return 0;
  const Result<Scene> again = parse_scene(write_scene(*scene), "again");
  fuzz::demand(again.ok() && *again == *scene);
  const Result<Scene> rewritten = parse_scene(rewrite_scene(text, "fuzz", *scene), "rewritten");
  fuzz::demand(rewritten.ok() && *rewritten == *scene);
  (void)sim::why_not(*scene);
  (void)sim::why_not_moving(*scene);
  return 0;
}
