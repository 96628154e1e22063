// filum flexibilise: flexible rods from a triangle mesh.
#include "exchange/mesh/flexibilise.hpp"
#include "command.hpp"
#include "io/file_write.hpp"
#include "io/mesh/mesh_read.hpp"
#include "point_argument.hpp"
#include "terminal.hpp"

#include <filum/scene_file.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace filum::app {
namespace {

struct FlexibiliseArguments {
  std::string mesh;
  std::string output;
  std::string unit;
  std::string rest = "as-shaped";
  std::string material = "pvc";
  std::string from;
  std::string to;
  bool partial = false;
  bool every_piece = false;
};

Result<std::optional<double>> asked_unit(const std::string& unit) {
  if (unit.empty()) return std::optional<double>();
  if (unit == "m") return std::optional(1.0);
  if (unit == "mm") return std::optional(1e-3);
  if (unit == "cm") return std::optional(1e-2);
  if (unit == "in") return std::optional(0.0254);
  return bad_input("--unit " + unit + ": expected m, cm, mm or in");
}

Result<exchange::FlexibiliseRequest> request_of(const FlexibiliseArguments& arguments) {
  exchange::FlexibiliseRequest request;
  if (arguments.rest != "straight" && arguments.rest != "as-shaped")
    return bad_input("--rest " + arguments.rest + ": expected straight or as-shaped");
  const auto unit = asked_unit(arguments.unit);
  if (!unit) return unit.error();
  request.unit = *unit;
  request.rest_as_shaped = arguments.rest == "as-shaped";
  request.material = arguments.material;
  request.partial = arguments.partial;
  request.every_piece = arguments.every_piece;
  if (arguments.from.empty() != arguments.to.empty()) return bad_input("--from and --to go together");
  if (arguments.from.empty()) return request;
  const auto from = point_of("--from", arguments.from);
  if (!from) return from.error();
  const auto to = point_of("--to", arguments.to);
  if (!to) return to.error();
  request.between = std::pair(*from, *to);
  return request;
}

int run_flexibilise(const FlexibiliseArguments& arguments) {
  const auto request = request_of(arguments);
  if (!request) return fail(request.error());
  auto mesh = io::read_mesh(arguments.mesh);
  if (!mesh) return fail(mesh.error());
  const std::string output =
      arguments.output.empty() ? std::filesystem::path(arguments.mesh).stem().string() + ".yaml" : arguments.output;
  const auto made = exchange::flexibilise(exchange::tubes_in(std::move(*mesh)), *request,
                                          std::filesystem::path(output).stem().string());
  if (!made) return fail(arguments.mesh + ": " + made.error().message);
  // what comes out can be read, or nothing is written
  const auto scene = parse_scene(made->text, output);
  if (!scene) return fail("this mesh makes no scene that can be solved: " + scene.error().message);
  for (const std::string& note : made->notes) warn(note);
  std::vector<io::FileText> files{{output, made->text}};
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  for (const exchange::PieceFile& piece : made->pieces) files.push_back({(folder / piece.name).string(), piece.text});
  if (const auto written = io::write_files(files); !written) return fail(written.error());
  return emit(fmt::format("{}: {} branches, {} junctions, {} ends, {} other pieces\n", shown(output),
                          scene->rods.size(), scene->junctions.size(), scene->holds.size(), made->others),
              kDone);
}

}  // namespace

void add_flexibilise(CommandLine& line) {
  const auto arguments = std::make_shared<FlexibiliseArguments>();
  Command command =
      line.add("flexibilise", "Make a scene of flexible rods from a mesh: OBJ, STL, PLY, glTF, Inventor, STEP");
  command.positional("MESH", arguments->mesh, "The mesh file");
  command.option("-o,--output", arguments->output, "SCENE", "Scene file to write (default: MESH's name with .yaml)");
  command.option("--unit", arguments->unit, "UNIT",
                 "Of the mesh: m, cm, mm or in (default: as the file says, else guessed)");
  command.option("--rest", arguments->rest, "SHAPE", "The shape that tubes rest in: as-shaped (default) or straight");
  command.option("--material", arguments->material, "NAME", "A common material (default: pvc)");
  command.option("--from", arguments->from, "X,Y,Z",
                 "With --to: make only the way between two points flexible, in the mesh's own coordinates");
  command.option("--to", arguments->to, "X,Y,Z", "The rest stays a mesh");
  command.flag("--partial", arguments->partial, "Go on without what cannot be made flexible");
  command.flag("--every-piece", arguments->every_piece,
               "A body for each piece that is no tube; else more than a thousand that hold nothing are one");
  command.action([arguments] { return run_flexibilise(*arguments); });
}

}  // namespace filum::app
