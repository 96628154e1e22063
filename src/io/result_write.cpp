// The result folder: result.json for programs, report.html for people.
#include <filum/files.hpp>

#include "io/result_files.hpp"

namespace filum {

Status write_result(const Scene& scene, const std::string& scene_file, const Outcome& outcome,
                    const std::string& folder) {
  const Status made = io::make_folder(folder);
  if (!made) return made;
  return io::write_files({{folder + "/result.json", result_json(scene, scene_file, outcome)},
                          {folder + "/report.html", report_html(scene, outcome)}});
}

}  // namespace filum
