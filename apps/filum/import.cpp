// filum import: a harness of KBL or VEC as a scene.
#include "command.hpp"
#include "exchange/harness/harness_scene.hpp"
#include "io/file_read.hpp"
#include "io/file_write.hpp"
#include "terminal.hpp"

#include <filum/scene_file.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace filum::app {
namespace {

struct ImportArguments {
  std::string file;
  std::string output;
  std::string curve = "by-file";
  std::string rest = "straight";
  std::string fixings;
};

Result<exchange::ImportOptions> options_of(const ImportArguments& arguments) {
  exchange::ImportOptions options;
  if (arguments.curve == "clamped")
    options.reading = exchange::CurveReading::Clamped;
  else if (arguments.curve == "unclamped")
    options.reading = exchange::CurveReading::Unclamped;
  else if (arguments.curve != "by-file")
    return bad_input("--curve " + arguments.curve + ": expected by-file, clamped or unclamped");
  if (arguments.rest != "straight" && arguments.rest != "as-shaped")
    return bad_input("--rest " + arguments.rest + ": expected straight or as-shaped");
  options.rest_as_shaped = arguments.rest == "as-shaped";
  if (arguments.fixings.empty()) return options;
  const auto text = io::read_text_file(arguments.fixings);
  if (!text) return text.error();
  auto kinds = exchange::parse_fixing_kinds(*text, arguments.fixings);
  if (!kinds) return kinds.error();
  options.fixings = std::move(*kinds);
  return options;
}

int run_import(const ImportArguments& arguments) {
  const auto options = options_of(arguments);
  if (!options) return fail(options.error());
  const auto harness = exchange::read_harness(arguments.file);
  if (!harness) return fail(harness.error());
  const exchange::Import made =
      exchange::import_harness(*harness, *options, std::filesystem::path(arguments.file).stem().string());
  // what comes out can be read, or nothing is written
  const auto scene = parse_scene(made.text, arguments.file);
  if (!scene) return fail("this harness makes no scene that can be solved: " + scene.error().message);
  for (const std::string& note : made.notes) warn(note);
  const std::string output =
      arguments.output.empty() ? std::filesystem::path(arguments.file).stem().string() + ".yaml" : arguments.output;
  if (const auto written = io::write_files({{output, made.text}}); !written) return fail(written.error());
  return emit(fmt::format("{}: {} rods, {} junctions, {} holds, {} wires\n", shown(output), scene->rods.size(),
                          scene->junctions.size(), scene->holds.size(), scene->wires.size()),
              kDone);
}

}  // namespace

void add_import(CommandLine& line) {
  const auto arguments = std::make_shared<ImportArguments>();
  Command command = line.add("import", "Make a scene of a harness: KBL 2.2 to 2.5, VEC 1.1 to 2.1, also zipped");
  command.positional("FILE", arguments->file, "The harness file");
  command.option("-o,--output", arguments->output, "SCENE", "Scene file to write (default: FILE's name with .yaml)");
  command.option(
      "--curve", arguments->curve, "HOW",
      "How curves without knots are read: by-file (default: as their ends and lengths tell), clamped or unclamped");
  command.option("--rest", arguments->rest, "SHAPE", "The shape that bundles rest in: straight (default) or as-shaped");
  command.option("--fixings", arguments->fixings, "TABLE",
                 "File with a line «type = clamp», pin, guide or free for each type of fixing");
  command.action([arguments] { return run_import(*arguments); });
}

}  // namespace filum::app
