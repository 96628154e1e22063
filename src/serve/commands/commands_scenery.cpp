// Commands: meshes that are looked at.
#include "serve/commands/workbench.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace filum::serve {

namespace {

Scenery& find_scenery(Scene& scene, const std::string& name) {
  const int index = index_of(scene.scenery, name);
  if (index < 0) refuse("there is no scenery " + scene::quoted(name));
  return scene.scenery[at(index)];
}

// Where it is now, seen from a body or from the world.
void see_from(const Editor& editor, Scenery& item, const std::string& body) {
  const Scene& scene = editor.scene();
  const auto pose_of = [&](const std::string& name) {
    const int index = index_of(scene.bodies, name);
    if (!name.empty() && index < 0) refuse("there is no body " + scene::quoted(name));
    return name.empty() ? BodyPose{} : editor.pose().bodies[at(index)];
  };
  const BodyPose from = pose_of(item.body);
  const BodyPose to = pose_of(body);
  const Vec3 world = from.position + from.orientation * item.position;
  const Quat turn = from.orientation * item.orientation;
  item.position = to.orientation.conjugate() * (world - to.position);
  item.orientation = (to.orientation.conjugate() * turn).normalized();
  item.body = body;
}

void place(Workbench& bench, const Request& request, Json&) {
  const std::string name = request.text("name");
  must(bench.editor().change("move scenery " + scene::quoted(name), [&](Scene& scene) -> Status {
    Scenery& item = find_scenery(scene, name);
    if (request.has("body")) see_from(bench.editor(), item, request.text("body"));
    item.position = request.vector("position").value_or(item.position);
    item.orientation = request.quaternion("orientation").value_or(item.orientation).normalized();
    item.scale = request.number_or("scale", item.scale);
    if (!(item.scale > 0)) refuse("'scale': expected a number above zero");
    return Done{};
  }));
}

void remove_scenery(Workbench& bench, const Request& request, Json&) {
  const std::string name = request.text("name");
  must(bench.editor().change("remove scenery " + scene::quoted(name), [&](Scene& scene) -> Status {
    find_scenery(scene, name);
    std::erase_if(scene.scenery, [&](const Scenery& item) { return item.name == name; });
    return Done{};
  }));
}

}  // namespace

const std::vector<Command>& scenery_commands() {
  static const std::vector<Command> commands = {
      {"place_scenery", "name position orientation scale body", place},
      {"remove_scenery", "name", remove_scenery},
  };
  return commands;
}

}  // namespace filum::serve
