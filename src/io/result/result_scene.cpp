// The scene that lies beside a result.
#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>

#include "io/file_read.hpp"
#include "io/result/whole_folder.hpp"

#include <filesystem>

namespace filum {

Result<Scene> read_result_scene(const std::string& folder) {
  std::error_code code;
  const bool is_folder = std::filesystem::is_directory(folder, code);
  const std::string path = io::whole_path(is_folder ? folder : io::folder_of(folder), io::kSceneFile);
  if (!std::filesystem::exists(path, code))
    return file_error(folder, std::string("this result has no ") + io::kSceneFile +
                                  ", the scene as it was solved; solve or run the scene again");
  return read_scene(path);
}

}  // namespace filum
