// Commands: the scene's values by path; holds, junctions, names.
#include "serve/commands/workbench.hpp"

#include "base/index.hpp"
#include "io/json_text.hpp"
#include "io/yaml/yaml_scalar.hpp"
#include "scene/lookup.hpp"

#include <filum/edit.hpp>

#include <algorithm>

namespace filum::serve {

namespace {

// A value as YAML has it on one line: JSON is YAML, and a text may carry a unit.
std::string yaml_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : io::json_text(value);
}

// About this value of the scene, whatever is wrong.
void must_at(const Status& status, const std::string& path) {
  if (!status) throw Refusal{status.error(), path};
}

void set(Workbench& bench, const Request& request, Json&) {
  const std::string path = request.text("path");
  const Json& value = request.json("value");
  must_at(bench.editor().change_text("set " + path,
                                     [&](Document& document) -> Status {
                                       if (value.is_null()) return document.remove(path);
                                       Status done = document.set(path, yaml_of(value));
                                       // a text that means something to YAML as it stands: in quotes
                                       if (!done && value.is_string()) {
                                         Status again = document.set(path, io::yaml_scalar(value.get<std::string>()));
                                         if (again) return again;
                                       }
                                       return done;
                                     }),
          path);
}

void add(Workbench& bench, const Request& request, Json&) {
  const std::string list = request.text("list");
  const std::string name = request.text_or("name", {});
  must_at(bench.editor().change_text(
              "add to " + list,
              [&](Document& document) { return document.add(list, yaml_of(request.json("value")), name); }),
          list);
}

void remove(Workbench& bench, const Request& request, Json&) {
  const std::string path = request.text("path");
  must_at(bench.editor().change_text("remove " + path, [&](Document& document) { return document.remove(path); }),
          path);
}

Hold& find_hold(Scene& scene, const std::string& name) {
  const int index = index_of(scene.holds, name);
  if (index < 0) refuse("there is no hold " + scene::quoted(name));
  return scene.holds[at(index)];
}

void add_hold(Workbench& bench, const Request& request, Json& reply) {
  Hold hold;
  hold.name = request.text_or("name", {});
  hold.rod = request.text("rod");
  hold.at = request.place("at");
  hold.fix = request.has("fix") ? request.fix("fix") : Fix{kAllAxes, {}};
  hold.slide = request.flag_or("slide", false);
  hold.body = request.text_or("body", {});
  must(bench.editor().change("hold " + scene::quoted(hold.rod), [&](Scene& scene) -> Status {
    Hold placed = hold;
    bench.editor().grip_where_it_is(scene, placed);
    return edit::add_hold(scene, std::move(placed));
  }));
  reply["hold"] = bench.editor().scene().holds.back().name;
}

void fix_hold(Workbench& bench, const Request& request, Json&) {
  const std::string name = request.text("hold");
  const Fix fix = request.fix("fix");
  must(bench.editor().change("fix hold " + scene::quoted(name), [&](Scene& scene) -> Status {
    Hold& hold = find_hold(scene, name);
    const Hold before = hold;
    hold.fix = fix;
    bench.editor().grip_where_it_is(scene, hold);
    // what it had hold of stays as it was
    if (before.holds_position() && hold.holds_position()) hold.position = before.position;
    if (before.holds_orientation() && hold.holds_orientation()) hold.orientation = before.orientation;
    // a clip that is opened stays where it is
    const std::size_t index = filum::at(index_of(scene.holds, name));
    if (hold.clip && !hold.holds_position())
      hold.position = before.position ? *before.position : bench.editor().pose().holds[index].position;
    return Done{};
  }));
}

void move_hold_along(Workbench& bench, const Request& request, Json&) {
  const std::string name = request.text("hold");
  const ArcPosition at = request.place("at");
  const std::vector<HoldPose>& poses = bench.editor().pose().holds;
  must(bench.editor().change("move hold " + scene::quoted(name) + " along", [&](Scene& scene) -> Status {
    Hold& hold = find_hold(scene, name);
    const int index = index_of(scene.holds, name);
    hold.at = at;
    if (hold.holds_position() && filum::at(index) < poses.size() && hold.body.empty() && !hold.position)
      hold.position = poses[filum::at(index)].position;
    return Done{};
  }));
}

void remove_hold(Workbench& bench, const Request& request, Json&) {
  const std::string name = request.text("hold");
  must(bench.editor().change("remove hold " + scene::quoted(name),
                             [&](Scene& scene) { return edit::remove_hold(scene, name); }));
}

// The names of what is new in a list.
template <class List>
Json names_since(const List& list, std::size_t before) {
  Json names = Json::array();
  for (std::size_t i = before; i < list.size(); ++i) names.push_back(list[i].name);
  return names;
}

// Something holds or joins an end of the rod already.
bool end_is_taken(const Scene& scene, const std::string& rod) {
  const int index = index_of(scene.rods, rod);
  if (index < 0 || scene.rods[at(index)].closed) return false;
  const double length = scene::rod_length(scene.rods[at(index)]);
  const auto at_end = [&](const std::string& name, const ArcPosition& place) {
    const double s = place.at(length);
    return name == rod && std::min(s, length - s) <= 1e-6 * length;
  };
  return std::any_of(scene.holds.begin(), scene.holds.end(), [&](const Hold& h) { return at_end(h.rod, h.at); }) ||
         std::any_of(scene.junctions.begin(), scene.junctions.end(), [&](const Junction& junction) {
           return std::any_of(junction.rods.begin(), junction.rods.end(),
                              [&](const RodPoint& point) { return at_end(point.rod, point.at); });
         });
}

// From end to end, or in between where the ends are taken.
Status spread(Scene& scene, const std::string& rod, int count, edit::Grip grip, const std::string& name) {
  if (!end_is_taken(scene, rod)) return edit::spread_holds(scene, rod, count, grip, name);
  int number = 0;
  for (int k = 1; k <= count; ++k) {
    Hold hold;
    do hold.name = name + " " + std::to_string(++number);
    while (index_of(scene.holds, hold.name) >= 0);
    hold.rod = rod;
    hold.at.fraction = static_cast<double>(k) / (count + 1);
    hold.fix.position = kAllAxes;
    if (grip == edit::Grip::PositionAndOrientation) hold.fix.orientation = kAllAxes;
    if (auto added = edit::add_hold(scene, std::move(hold)); !added) return added;
  }
  return Done{};
}

void spread_holds(Workbench& bench, const Request& request, Json& reply) {
  const std::string rod = request.text("rod");
  const int count = request.integer("count", 1, 1000);
  const auto grip = request.flag_or("pose", false) ? edit::Grip::PositionAndOrientation : edit::Grip::Position;
  const std::string name = request.text_or("name", "clip");
  const std::size_t before = bench.editor().scene().holds.size();
  must(bench.editor().change("spread holds on " + scene::quoted(rod), [&](Scene& scene) -> Status {
    if (auto done = spread(scene, rod, count, grip, name); !done) return done;
    for (std::size_t h = before; h < scene.holds.size(); ++h) bench.editor().grip_where_it_is(scene, scene.holds[h]);
    return Done{};
  }));
  reply["holds"] = names_since(bench.editor().scene().holds, before);
}

void join(Workbench& bench, const Request& request, Json& reply) {
  Junction junction;
  junction.name = request.text_or("name", {});
  const Json& rods = request.json("rods");
  if (!rods.is_array()) refuse("'rods': expected a list of places {\"rod\": …, \"at\": …}");
  for (const Json& place : rods) {
    if (!place.is_object()) refuse("'rods': expected a list of places {\"rod\": …, \"at\": …}");
    const Request fields(place, request.client());
    junction.rods.push_back({fields.text("rod"), fields.place("at")});
  }
  must(bench.editor().change("join", [&](Scene& scene) { return edit::join(scene, junction); }));
  reply["junction"] = bench.editor().scene().junctions.back().name;
}

void connect(Workbench& bench, const Request& request, Json& reply) {
  const std::string first = request.text("first");
  const std::string second = request.text("second");
  const std::string fit = request.text_or("fit", "as placed");
  if (fit != "as placed" && fit != "continue") refuse("'fit': expected \"as placed\" or \"continue\"");
  const std::string name = request.text_or("name", {});
  must(bench.editor().change("connect " + scene::quoted(first) + " and " + scene::quoted(second), [&](Scene& scene) {
    return edit::connect_in_series(scene, first, second, fit == "continue" ? edit::Fit::Continue : edit::Fit::AsPlaced,
                                   name);
  }));
  reply["junction"] = bench.editor().scene().junctions.back().name;
}

void separate(Workbench& bench, const Request& request, Json&) {
  const std::string junction = request.text("junction");
  const std::string rod = request.text_or("rod", {});
  must(bench.editor().change("separate " + scene::quoted(junction), [&](Scene& scene) {
    return rod.empty() ? edit::separate(scene, junction) : edit::separate(scene, junction, rod);
  }));
}

void move_junction(Workbench& bench, const Request& request, Json&) {
  const std::string name = request.text("junction");
  const std::string rod = request.text("rod");
  const ArcPosition at = request.place("at");
  must(bench.editor().change("move junction " + scene::quoted(name), [&](Scene& scene) -> Status {
    const int index = index_of(scene.junctions, name);
    if (index < 0) refuse("there is no junction " + scene::quoted(name));
    for (RodPoint& point : scene.junctions[filum::at(index)].rods)
      if (point.rod == rod) {
        point.at = at;
        return Done{};
      }
    refuse("junction " + scene::quoted(name) + " does not join rod " + scene::quoted(rod));
  }));
}

// Every place where a thing of this kind is called by its name.
void rename_all(Scene& scene, const std::string& kind, const std::string& from, const std::string& to) {
  const auto swap = [&](std::string& name) {
    if (name == from) name = to;
  };
  const auto swap_driver = [&](DriverKind driven) {
    for (Driver& driver : scene.drivers)
      if (driver.kind == driven) swap(driver.target);
  };
  if (kind == "rod") {
    for (Rod& rod : scene.rods) swap(rod.name);
    for (Hold& hold : scene.holds) swap(hold.rod);
    for (Junction& junction : scene.junctions)
      for (RodPoint& point : junction.rods) swap(point.rod);
    for (PointForce& force : scene.forces) swap(force.point.rod);
    for (PointTorque& torque : scene.torques) swap(torque.point.rod);
    for (DistributedForce& load : scene.distributed) swap(load.rod);
    for (Probe& probe : scene.record.probes) swap(probe.point.rod);
    for (Routing& routing : scene.routing) swap(routing.rod);
    for (Wire& wire : scene.wires)
      for (WirePart& part : wire.along) swap(part.rod);
    for (Winch& winch : scene.winches) swap(winch.rod);
    for (Sheave& sheave : scene.sheaves) swap(sheave.rod);
    swap_driver(DriverKind::Rod);
  } else if (kind == "hold") {
    for (Hold& hold : scene.holds) swap(hold.name);
    swap_driver(DriverKind::Hold);
  } else if (kind == "body") {
    for (Body& body : scene.bodies) swap(body.name);
    for (Hold& hold : scene.holds) swap(hold.body);
    for (PointForce& force : scene.forces) swap(force.body);
    for (PointTorque& torque : scene.torques) swap(torque.body);
    for (Winch& winch : scene.winches) swap(winch.body);
    for (Sheave& sheave : scene.sheaves) swap(sheave.body);
    for (Rope& rope : scene.ropes)
      for (RopePoint& point : rope.through) swap(point.body);
    for (Scenery& item : scene.scenery) swap(item.body);
    for (Obstacle& obstacle : scene.obstacles) swap(obstacle.body);
    for (BodyJoint& joint : scene.joints) swap(joint.body), swap(joint.to);
    swap_driver(DriverKind::Body);
  } else if (kind == "obstacle") {
    for (Obstacle& obstacle : scene.obstacles) swap(obstacle.name);
  } else if (kind == "scenery") {
    for (Scenery& item : scene.scenery) swap(item.name);
  } else if (kind == "junction") {
    for (Junction& junction : scene.junctions) swap(junction.name);
  } else if (kind == "material") {
    for (MaterialEntry& entry : scene.materials) swap(entry.name);
    for (Rod& rod : scene.rods) {
      swap(rod.material);
      for (Station& station : rod.stations) swap(station.material);
    }
    for (Obstacle& obstacle : scene.obstacles) swap(obstacle.material);
    for (Body& body : scene.bodies) swap(body.material);
    for (Scenery& item : scene.scenery) swap(item.material);
    for (FrictionPair& pair : scene.contact.pairs) swap(pair.material), swap(pair.against);
  } else {
    for (SectionEntry& entry : scene.sections) swap(entry.name);
    for (Rod& rod : scene.rods) {
      swap(rod.section);
      for (Station& station : rod.stations) swap(station.section);
    }
  }
}

bool knows(const Scene& scene, const std::string& kind, const std::string& name) {
  if (kind == "rod") return index_of(scene.rods, name) >= 0;
  if (kind == "hold") return index_of(scene.holds, name) >= 0;
  if (kind == "body") return index_of(scene.bodies, name) >= 0;
  if (kind == "junction") return index_of(scene.junctions, name) >= 0;
  if (kind == "material") return index_of(scene.materials, name) >= 0;
  if (kind == "section") return index_of(scene.sections, name) >= 0;
  if (kind == "scenery") return index_of(scene.scenery, name) >= 0;
  if (kind == "obstacle") return index_of(scene.obstacles, name) >= 0;
  refuse("'kind': expected rod, hold, body, junction, material, section, obstacle or scenery");
}

void rename(Workbench& bench, const Request& request, Json&) {
  const std::string kind = request.text("kind");
  const std::string name = request.text("name");
  const std::string to = request.text("to");
  if (!knows(bench.editor().scene(), kind, name)) refuse("there is no " + kind + " " + scene::quoted(name));
  if (to.empty()) refuse("'to': expected a name");
  if (knows(bench.editor().scene(), kind, to)) refuse("there is already a " + kind + " " + scene::quoted(to));
  must(bench.editor().change("rename " + kind + " " + scene::quoted(name), [&](Scene& scene) -> Status {
    rename_all(scene, kind, name, to);
    return Done{};
  }));
}

void remove_body(Workbench& bench, const Request& request, Json&) {
  const std::string name = request.text("body");
  if (!knows(bench.editor().scene(), "body", name)) refuse("there is no body " + scene::quoted(name));
  must(bench.editor().change("remove body " + scene::quoted(name), [&](Scene& scene) -> Status {
    std::vector<std::string> held;
    for (const Hold& hold : scene.holds)
      if (hold.body == name) held.push_back(hold.name);
    for (const std::string& hold : held)
      if (auto done = edit::remove_hold(scene, hold); !done) return done;
    const auto on_body = [&](const auto& load) { return load.body == name; };
    const bool loaded = std::any_of(scene.forces.begin(), scene.forces.end(), on_body) ||
                        std::any_of(scene.torques.begin(), scene.torques.end(), on_body);
    if (loaded) refuse("body " + scene::quoted(name) + " carries a load: remove that first");
    std::erase_if(scene.drivers,
                  [&](const Driver& driver) { return driver.kind == DriverKind::Body && driver.target == name; });
    // what it is made of to others goes with it
    std::erase_if(scene.obstacles, [&](const Obstacle& obstacle) { return obstacle.body == name; });
    // what was drawn with it stays in the scene, where the body would have put it
    const int index = index_of(scene.bodies, name);
    for (Scenery& item : scene.scenery) {
      if (item.body != name) continue;
      const Body& body = scene.bodies[at(index)];
      item.position = body.position + body.orientation * item.position;
      item.orientation = (body.orientation * item.orientation).normalized();
      item.body.clear();
    }
    std::erase_if(scene.bodies, [&](const Body& body) { return body.name == name; });
    return Done{};
  }));
}

}  // namespace

const std::vector<Command>& edit_commands() {
  static const std::vector<Command> commands = {
      {"set", "path value", set},
      {"add", "list value name", add},
      {"remove", "path", remove},
      {"add_hold", "rod at fix name body slide", add_hold},
      {"fix_hold", "hold fix", fix_hold},
      {"move_hold_along", "hold at", move_hold_along},
      {"remove_hold", "hold", remove_hold},
      {"release", "hold",
       [](Workbench& bench, const Request& request, Json&) { must(bench.editor().release(request.text("hold"))); }},
      {"spread_holds", "rod count pose name", spread_holds},
      {"join", "rods name", join},
      {"connect", "first second fit name", connect},
      {"separate", "junction rod", separate},
      {"move_junction", "junction rod at", move_junction},
      {"remove_body", "body", remove_body},
      {"rename", "kind name to", rename},
  };
  return commands;
}

}  // namespace filum::serve
