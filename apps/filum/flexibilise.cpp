// filum flexibilise: flexible rods from a triangle mesh.
#include "command.hpp"
#include "exchange/mesh/tube_scene.hpp"
#include "flexible/tube_tree.hpp"
#include "io/file_write.hpp"
#include "io/mesh/mesh_read.hpp"
#include "terminal.hpp"

#include <filum/scene_file.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace filum::app {
namespace {

struct FlexibiliseArguments {
  std::string mesh;
  std::string output;
  std::string unit;
  std::string rest = "as-shaped";
  std::string material = "pvc";
};

// Metres of one unit of the mesh: as asked for, as the file says, or guessed and told.
Result<double> unit_of(const FlexibiliseArguments& arguments, const io::MeshFile& mesh) {
  if (arguments.unit == "m") return 1.0;
  if (arguments.unit == "mm") return 1e-3;
  if (arguments.unit == "cm") return 1e-2;
  if (arguments.unit == "in") return 0.0254;
  if (!arguments.unit.empty()) return bad_input("--unit " + arguments.unit + ": expected m, cm, mm or in");
  if (mesh.unit) return *mesh.unit;
  const double guess = io::guessed_unit(mesh);
  warn(std::string("the file does not say its unit; by its size it is taken to be in ") +
       (guess == 1 ? "metres" : "millimetres") + " (--unit says otherwise)");
  return guess;
}

int run_flexibilise(const FlexibiliseArguments& arguments) {
  if (arguments.rest != "straight" && arguments.rest != "as-shaped")
    return fail("--rest " + arguments.rest + ": expected straight or as-shaped");
  const auto mesh = io::read_mesh(arguments.mesh);
  if (!mesh) return fail(mesh.error());
  const auto unit = unit_of(arguments, *mesh);
  if (!unit) return fail(unit.error());
  const flexible::TubeTree tree = flexible::find_tubes(mesh->points, mesh->triangles);
  if (tree.branches.empty()) {
    const std::string why = tree.notes.empty() ? "" : ": " + tree.notes.front();
    return fail(arguments.mesh + ": there is no tube in this mesh" + why);
  }
  const std::string output =
      arguments.output.empty() ? std::filesystem::path(arguments.mesh).stem().string() + ".yaml" : arguments.output;
  const exchange::FlexibleOptions options{*unit, arguments.rest == "as-shaped", arguments.material};
  const exchange::FlexibleScene made = tube_scene(*mesh, tree, options, std::filesystem::path(output).stem().string());
  // what comes out can be read, or nothing is written
  const auto scene = parse_scene(made.text, output);
  if (!scene) return fail("this mesh makes no scene that can be solved: " + scene.error().message);
  for (const std::string& note : made.notes) warn(note);
  std::vector<io::FileText> files{{output, made.text}};
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  for (const exchange::PieceFile& piece : made.pieces) files.push_back({(folder / piece.name).string(), piece.text});
  if (const auto written = io::write_files(files); !written) return fail(written.error());
  return emit(fmt::format("{}: {} branches, {} junctions, {} ends, {} other pieces\n", shown(output),
                          scene->rods.size(), scene->junctions.size(), scene->holds.size(), made.pieces.size()),
              kDone);
}

}  // namespace

void add_flexibilise(CommandLine& line) {
  const auto arguments = std::make_shared<FlexibiliseArguments>();
  Command command = line.add("flexibilise", "Make a scene of flexible rods from a mesh: OBJ, STL, PLY, glTF, Inventor");
  command.positional("MESH", arguments->mesh, "The mesh file");
  command.option("-o,--output", arguments->output, "SCENE", "Scene file to write (default: MESH's name with .yaml)");
  command.option("--unit", arguments->unit, "UNIT",
                 "Of the mesh: m, cm, mm or in (default: as the file says, else guessed)");
  command.option("--rest", arguments->rest, "SHAPE", "The shape that tubes rest in: as-shaped (default) or straight");
  command.option("--material", arguments->material, "NAME", "A common material (default: pvc)");
  command.action([arguments] { return run_flexibilise(*arguments); });
}

}  // namespace filum::app
