// result.json: what can be read can be reduced to an instant and exported.
#include "fuzz.hpp"

#include <filum/export.hpp>
#include <filum/result_file.hpp>

using namespace filum;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const Result<StoredResult> result = read_result(folder.put("result.json", fuzz::text_of(data, size)));
  if (!result) return 0;
  const std::string target = (folder.path() / "out").string();
  for (const char* format : {"csv", "vtk", "obj", "gltf"}) (void)export_result(*result, format, target);
  (void)at_instant(*result, 0);
  std::error_code ignored;
  std::filesystem::remove_all(target, ignored);
  return 0;
}
