// Commands: cables, their lengths, new ones.
#include "serve/commands/workbench.hpp"

#include "base/index.hpp"
#include "rod/pose_at.hpp"
#include "scene/lookup.hpp"

#include <filum/edit.hpp>

#include <cmath>

namespace filum::serve {

namespace {

void set_length(Workbench& bench, const Request& request, Json&) {
  const std::string rod = request.text("rod");
  const double length = request.number("length");
  must(bench.editor().change("length of " + scene::quoted(rod),
                             [&](Scene& s) { return edit::set_length(s, rod, length); }));
}

void change_length(Workbench& bench, const Request& request, Json&) {
  const std::string rod = request.text("rod");
  const double by = request.number("by");
  const auto kind = request.flag_or("relative", false) ? edit::Change::Relative : edit::Change::Absolute;
  must(bench.editor().change("length of " + scene::quoted(rod),
                             [&](Scene& s) { return edit::change_length(s, rod, by, kind); }));
}

void find_length(Workbench& bench, const Request& request, Json& reply) {
  reply["length"] = must(bench.editor().find_length(request.text("rod"), request.number_or("tension", 0)));
}

void prolong(Workbench& bench, const Request& request, Json&) {
  const std::string rod = request.text("rod");
  const std::string end = request.text("end");
  if (end != "start" && end != "end") refuse("'end': expected \"start\" or \"end\"");
  must(bench.editor().change("prolong " + scene::quoted(rod), [&](Scene& scene) {
    return edit::prolong(scene, rod, request.number("by"), end == "start" ? edit::RodEnd::Start : edit::RodEnd::End);
  }));
}

void lengthen_between(Workbench& bench, const Request& request, Json&) {
  const std::string rod = request.text("rod");
  must(bench.editor().change("lengthen " + scene::quoted(rod), [&](Scene& scene) {
    return edit::lengthen_between(scene, rod, request.place("from"), request.place("to"), request.number("by"));
  }));
}

void split(Workbench& bench, const Request& request, Json& reply) {
  const std::string rod = request.text("rod");
  must(bench.editor().change("split " + scene::quoted(rod), [&](Scene& scene) {
    return edit::split(scene, rod, request.place("at"), request.text_or("second", {}), request.text_or("junction", {}));
  }));
  const Scene& scene = bench.editor().scene();
  // the second part comes right behind the first
  reply["first"] = rod;
  reply["second"] = scene.rods[at(index_of(scene.rods, rod) + 1)].name;
  reply["junction"] = scene.junctions.back().name;
}

void remove_rod(Workbench& bench, const Request& request, Json&) {
  const std::string rod = request.text("rod");
  must(bench.editor().change("remove " + scene::quoted(rod),
                             [&](Scene& scene) { return edit::remove_rod(scene, rod); }));
}

// One end of a new cable: a point in space, on a body, or on another rod.
struct CableEnd {
  Vec3 position = Vec3::Zero();
  std::string body;
  std::optional<RodPoint> joined;
};

CableEnd read_end(const Workbench& bench, const Request& request, const char* key) {
  const Json& value = request.json(key);
  CableEnd end;
  if (!value.is_object()) {
    end.position = read_vector(value, key);
    return end;
  }
  const Request fields(value, request.client());
  if (fields.has("body")) {
    end.body = fields.text("body");
    if (index_of(bench.editor().scene().bodies, end.body) < 0) refuse("there is no body " + scene::quoted(end.body));
    end.position = read_vector(fields.json("position"), key);
    return end;
  }
  end.joined = RodPoint{fields.text("rod"), fields.place("at")};
  const int rod = index_of(bench.editor().scene().rods, end.joined->rod);
  if (rod < 0) refuse("there is no rod " + scene::quoted(end.joined->rod));
  const RodPose& pose = bench.editor().pose().rods[at(rod)];
  end.position = rod::position_at(pose, bench.editor().place_now(rod, end.joined->at));
  return end;
}

template <class List>
std::string free_name(const List& list, const std::string& stem) {
  for (int n = 1;; ++n)
    if (std::string name = stem + " " + std::to_string(n); index_of(list, name) < 0) return name;
}

// A name for a section or material: the one given, else that of the last rod, else a plain one that is added.
void choose_make(Scene& scene, const Request& request, Rod& rod) {
  const Rod* like = scene.rods.empty() ? nullptr : &scene.rods.back();
  rod.material = request.text_or("material", like != nullptr ? like->material : "pvc");
  rod.section = request.text_or("section", like != nullptr ? like->section : "cable");
  if (!request.has("section") && index_of(scene.sections, rod.section) < 0) {
    SectionEntry entry;
    entry.name = rod.section;
    entry.section.shape = SectionShape::Circle;
    entry.section.radius = 3e-3;
    scene.sections.push_back(entry);
  }
}

// A cable that hangs between the ends: a circular arc in the plane of gravity, as long as the cable.
Curve hanging_arc(const Scene& scene, const Vec3& from, const Vec3& to, double length) {
  const Vec3 chord = to - from;
  const double distance = chord.norm();
  Vec3 down = scene.gravity.norm() > 0 ? Vec3(scene.gravity.normalized()) : Vec3(-Vec3::UnitZ());
  down -= down.dot(chord) / (distance * distance) * chord;
  if (down.norm() < 1e-6) down = chord.unitOrthogonal();
  down.normalize();
  // half the angle a of the arc: sin a / a = distance / length
  double low = 0;
  double high = 3.0;
  for (int k = 0; k < 60; ++k) {
    const double a = 0.5 * (low + high);
    (std::sin(a) / a > distance / length ? low : high) = a;
  }
  const double half = 0.5 * (low + high);
  Curve curve;
  if (half < 1e-3) {
    curve.points = {from, to};
    return curve;
  }
  const double radius = 0.5 * length / half;
  curve.kind = CurveKind::Arc;
  curve.centre = from + 0.5 * chord - radius * std::cos(half) * down;
  curve.axis = down.cross(chord / distance).normalized() * -1;
  curve.start = from;
  curve.angle = 2 * half;
  // counter-clockwise about the axis the arc must come to `to`
  if ((CurvePath(curve).at(length).position - to).norm() > 1e-6 * length) curve.axis = -curve.axis;
  return curve;
}

// The junction at this place of a rod, or null.
Junction* junction_at(Scene& scene, const RodPoint& place) {
  const int rod = index_of(scene.rods, place.rod);
  const double length = rod < 0 ? 0 : scene::rod_length(scene.rods[at(rod)]);
  for (Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      if (point.rod == place.rod && std::abs(point.at.at(length) - place.at.at(length)) <= 1e-6 * length)
        return &junction;
  return nullptr;
}

void new_cable(Workbench& bench, const Request& request, Json& reply) {
  const CableEnd from = read_end(bench, request, "from");
  const CableEnd to = read_end(bench, request, "to");
  const double distance = (to.position - from.position).norm();
  if (!(distance > 0) || !std::isfinite(distance)) refuse("the two points are the same");
  const double length = request.has("length") ? request.number("length")
                                              : distance * (1 + std::max(0.0, request.number_or("slack", 0.05)));
  if (!(length > 0)) refuse("'length': expected a length above zero");
  const bool pose = request.flag_or("pose", false);
  const int segments = request.integer_or("segments", 50, 1, 20'000);
  std::string name = request.text_or("name", {});
  must(bench.editor().change("new cable", [&](Scene& scene) -> Status {
    Rod rod;
    if (name.empty()) name = free_name(scene.rods, "cable");
    rod.name = name;
    choose_make(scene, request, rod);
    rod.length = length;
    rod.segments = segments;
    rod.shape = hanging_arc(scene, from.position, to.position, std::max(length, distance));
    scene.rods.push_back(rod);
    for (const bool start : {true, false}) {
      const CableEnd& end = start ? from : to;
      const ArcPosition place{start ? 0.0 : 1.0, 0};
      if (end.joined) {
        // a third branch belongs to the junction that is there
        if (Junction* there = junction_at(scene, *end.joined)) {
          there->rods.push_back({name, place});
          continue;
        }
        Junction junction;
        junction.name = free_name(scene.junctions, "junction");
        junction.rods = {*end.joined, {name, place}};
        scene.junctions.push_back(junction);
        continue;
      }
      Hold hold;
      hold.name = name + (start ? " start" : " end");
      if (index_of(scene.holds, hold.name) >= 0) hold.name = free_name(scene.holds, hold.name);
      hold.rod = name;
      hold.at = place;
      hold.fix.position = kAllAxes;
      if (pose) hold.fix.orientation = kAllAxes;
      hold.position = end.position;
      hold.body = end.body;
      scene.holds.push_back(hold);
    }
    return Done{};
  }));
  reply["rod"] = name;
}

}  // namespace

const std::vector<Command>& cable_commands() {
  static const std::vector<Command> commands = {
      {"set_length", "rod length", set_length},
      {"change_length", "rod by relative", change_length},
      {"find_length", "rod tension", find_length},
      {"prolong", "rod by end", prolong},
      {"lengthen_between", "rod from to by", lengthen_between},
      {"new_cable", "from to name material section length slack segments pose", new_cable},
      {"remove_rod", "rod", remove_rod},
      {"split", "rod at second junction", split},
  };
  return commands;
}

}  // namespace filum::serve
