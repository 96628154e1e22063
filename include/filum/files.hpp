// Scene files in, result folders out.
#pragma once

#include <filum/outcome.hpp>
#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace filum {

// Reads and validates a scene file. Every error names file, line and column.
Result<Scene> read_scene(const std::string& path);

// The same from text in memory; `name` stands for the file in messages, and relative files are looked up beside it.
Result<Scene> parse_scene(std::string_view text, const std::string& name);

// The scene as a fresh YAML text that parses back to an equal scene.
std::string write_scene(const Scene& scene);

// Changes one value in a scene's text, «rods.hose.length» = «0.45», and leaves every other byte, comments included, as
// it was. The new text is parsed and validated before it is returned.
Result<std::string> patch_scene(std::string_view text, const std::string& name, std::string_view path,
                                std::string_view value);

// result.json as text.
std::string result_json(const Scene& scene, const std::string& scene_file, const Outcome& outcome);

// A self-contained page: pictures, plots, numbers. No network.
std::string report_html(const Scene& scene, const Outcome& outcome);

// Writes result.json and report.html into `folder`, which is made if needed.
Status write_result(const Scene& scene, const std::string& scene_file, const Outcome& outcome,
                    const std::string& folder);

// Reads a result folder (or its result.json) back, for `check` and `export`.
struct StoredResult {
  std::string title;
  std::vector<std::string> rod_names;
  std::vector<std::string> body_names;
  std::vector<std::string> hold_names;
  std::vector<std::string> probe_names;
  Outcome outcome;
};
Result<StoredResult> read_result(const std::string& folder);

// «csv», «vtk», «obj», «gltf»: files written into (or named by) `target`; returns their paths.
Result<std::vector<std::string>> export_result(const StoredResult& result, std::string_view format,
                                               const std::string& target);

}  // namespace filum
