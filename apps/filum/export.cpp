// filum export: a result in the formats of other programs.
#include "command.hpp"
#include "terminal.hpp"

#include <filum/export.hpp>
#include <filum/result_file.hpp>
#include <filum/scene.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace filum::app {
namespace {

struct ExportArguments {
  std::string result;
  std::string format;
  std::string target;
  std::optional<double> at;
  std::optional<double> tolerance;  // mm
};

// Beside the result: in its folder.
std::string default_target(const std::string& result) {
  std::error_code code;
  if (std::filesystem::is_directory(result, code)) return result;
  const auto parent = std::filesystem::path(result).parent_path();
  return parent.empty() ? "." : parent.string();
}

int run_export(const ExportArguments& arguments) {
  auto stored = read_result(arguments.result);
  if (stored && arguments.at) stored = at_instant(std::move(*stored), *arguments.at);
  if (!stored) return fail(stored.error());
  if (!stored->notice.empty()) warn(stored->notice);
  if (auto scene = read_result_scene(arguments.result))
    stored->scene = std::make_shared<const Scene>(std::move(*scene));
  const std::optional<double> tolerance =
      arguments.tolerance ? std::optional(1e-3 * *arguments.tolerance) : std::nullopt;
  const auto files =
      export_result(*stored, arguments.format,
                    arguments.target.empty() ? default_target(arguments.result) : arguments.target, tolerance);
  if (!files) return fail(files.error());
  std::string list;
  for (const std::string& file : *files) list += shown(file) + "\n";
  return emit(list, kDone);
}

}  // namespace

void add_export(CommandLine& line) {
  const auto arguments = std::make_shared<ExportArguments>();
  Command command = line.add(
      "export", "Write a result for other programs: csv, vtk, obj, stl, gltf, animation, usd, step, vdafs, dxf, bends");
  command.positional("RESULT", arguments->result, "The result folder");
  command.required_option("--to", arguments->format, "FORMAT",
                          "csv, vtk, obj, stl, gltf, animation, usd, step, vdafs, dxf or bends");
  command.option(
      "--at", arguments->at, "T",
      "The recorded instant nearest to T, in seconds (default: all in csv, vtk, animation and usd, else the last)");
  command.option("--tolerance", arguments->tolerance, "MM",
                 "How far step, vdafs (default 0.01) and bends (default 1) may be from the rods, in millimetres");
  command.option("-o,--output", arguments->target, "TARGET",
                 "Folder or file to write (default: into the result folder)");
  command.action([arguments] { return run_export(*arguments); });
}

}  // namespace filum::app
