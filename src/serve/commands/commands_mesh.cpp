// Commands: tubes of a mesh that is looked at, shown and made flexible.
#include "serve/commands/workbench.hpp"

#include "base/index.hpp"
#include "io/mesh/mesh_read.hpp"

#include <filum/edit.hpp>

#include <filesystem>

namespace filum::serve {

namespace {

const Scenery& scenery_named(const Workbench& bench, const std::string& name) {
  const Scene& scene = bench.editor().scene();
  const int index = index_of(scene.scenery, name);
  if (index < 0) refuse("there is no scenery " + scene::quoted(name));
  return scene.scenery[at(index)];
}

BodyPose carrier_of(const Workbench& bench, const std::string& body) {
  if (body.empty()) return {};
  return bench.editor().pose().bodies[at(index_of(bench.editor().scene().bodies, body))];
}

// Where the mesh is drawn, in metres of the world.
exchange::MeshTubes tubes_in_world(Workbench& bench, const Scenery& item) {
  const BodyPose carrier = carrier_of(bench, item.body);
  return exchange::placed(bench.tubes_of(item), item.scale, carrier.orientation * item.orientation,
                          carrier.position + carrier.orientation * item.position);
}

// What is known of the tubes, for a page to draw over the mesh.
void find_tubes(Workbench& bench, const Request& request, Json& reply) {
  const exchange::MeshTubes found = tubes_in_world(bench, scenery_named(bench, request.text("scenery")));
  reply["nodes"] = reply["branches"] = Json::array();
  for (const flexible::TreeNode& node : found.tree.nodes)
    reply["nodes"].push_back({{"position", json_of(node.position)}, {"degree", node.degree}});
  for (const flexible::TreeBranch& branch : found.tree.branches) {
    Json points = Json::array();
    // as many as a picture shows
    const std::size_t stride = 1 + branch.centre.size() / 200;
    for (std::size_t i = 0; i + 1 < branch.centre.size(); i += stride) points.push_back(json_of(branch.centre[i]));
    points.push_back(json_of(branch.centre.back()));
    reply["branches"].push_back({{"points", std::move(points)},
                                 {"radius", branch.mean_radius()},
                                 {"length", branch.length()},
                                 {"start", branch.start},
                                 {"end", branch.end}});
  }
  reply["pieces"] = found.tree.pieces.size();
}

exchange::FlexibiliseRequest wanted(const Request& request) {
  exchange::FlexibiliseRequest made;
  made.unit = 1;
  made.partial = true;
  made.rest_as_shaped = !request.flag_or("straight", false);
  made.material = request.text_or("material", made.material);
  if (request.has("from") != request.has("to")) refuse("'from' and 'to' go together");
  if (request.has("from")) made.between = std::pair(*request.vector("from"), *request.vector("to"));
  return made;
}

// Meshes of pieces are kept under names of their own; ends are held by what carried the mesh, and so is what stays one.
void settle_pieces(Workbench& bench, const Scenery& item, exchange::FlexibleScene& made) {
  for (exchange::PieceFile& piece : made.pieces) {
    const std::string name = bench.meshes().free_name(piece.name, piece.text);
    for (Scenery& each : made.scene.scenery)
      if (each.mesh == piece.name) each.mesh = name;
    must(bench.meshes().keep(name, std::move(piece.text)));
  }
  if (item.body.empty()) return;
  for (Hold& hold : made.scene.holds)
    if (hold.body.empty()) hold.body = item.body;
  const BodyPose carrier = carrier_of(bench, item.body);
  for (Scenery& each : made.scene.scenery) {
    if (!each.body.empty()) continue;
    each.body = item.body;
    each.orientation = carrier.orientation.conjugate();
    each.position = each.orientation * -carrier.position;
  }
}

void make_flexible(Workbench& bench, const Request& request, Json& reply) {
  const std::string name = request.text("scenery");
  const Scenery item = scenery_named(bench, name);
  exchange::FlexibleScene made = must(exchange::flexibilise(tubes_in_world(bench, item), wanted(request),
                                                            std::filesystem::path(item.mesh).stem().string()));
  settle_pieces(bench, item, made);
  const std::size_t before = bench.editor().scene().rods.size();
  must(bench.editor().change("make " + scene::quoted(name) + " flexible", [&](Scene& scene) -> Status {
    std::erase_if(scene.scenery, [&](const Scenery& each) { return each.name == name; });
    // harnesses want the formulation that lays them at interactive rate
    if (scene.rods.empty()) scene.simulation.formulation = made.scene.simulation.formulation;
    return edit::add_parts(scene, made.scene);
  }));
  for (const std::string& note : made.notes) bench.editor().note(Level::Warning, note);
  const Scene& scene = bench.editor().scene();
  reply["rods"] = reply["notes"] = Json::array();
  for (std::size_t i = before; i < scene.rods.size(); ++i) reply["rods"].push_back(scene.rods[i].name);
  for (const std::string& note : made.notes) reply["notes"].push_back(note);
}

}  // namespace

const exchange::MeshTubes& Workbench::tubes_of(const Scenery& item) {
  const MeshStore::Found mesh = meshes_.find(item.mesh, editor_.document().path());
  if (mesh.id == 0) refuse("the mesh " + scene::quoted(item.mesh) + " is not to be found");
  if (!tubes_ || tubes_->mesh != mesh.id) {
    const MeshStore::File file = must(meshes_.open(mesh.id));
    tubes_.emplace(KnownTubes{mesh.id, exchange::tubes_in(must(io::parse_mesh(*file.bytes, file.name)))});
  }
  return tubes_->found;
}

const std::vector<Command>& mesh_commands() {
  static const std::vector<Command> commands = {
      {"find_tubes", "scenery", find_tubes},
      {"make_flexible", "scenery from to straight material", make_flexible},
  };
  return commands;
}

}  // namespace filum::serve
