// The order of the checks, and those of the small parts.
#include "scene/validate.hpp"

#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"

#include <cmath>
#include <unordered_set>

namespace filum::scene {
namespace {

constexpr Where kMaterials{nullptr, "materials"};

// Names in a list: none empty, none twice. Mappings tell a thing by its name, lists by its place.
template <class Things>
void distinct(Report& report, const Things& things, std::string_view list, std::string_view what, bool by_name) {
  const Where around{nullptr, list};
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < things.size(); ++i) {
    const Where thing = by_name ? around.in(things[i].name) : around.in(i);
    const Where where = by_name ? thing : thing.in("name");
    report.name(where, things[i].name);
    if (!seen.insert(things[i].name).second)
      report.fail(where, "double name: there is another " + std::string(what) + " " + quoted(things[i].name));
  }
}

}  // namespace

void Checks::doubles() {
  distinct(report, scene.materials, "materials", "material", true);
  distinct(report, scene.sections, "sections", "section", true);
  distinct(report, scene.rods, "rods", "rod", true);
  distinct(report, scene.bodies, "bodies", "body", true);
  distinct(report, scene.scenery, "scenery", "scenery", true);
  distinct(report, scene.holds, "holds", "hold", false);
  distinct(report, scene.junctions, "junctions", "junction", false);
  distinct(report, scene.joints, "joints", "joint", false);
  distinct(report, scene.obstacles, "obstacles", "obstacle", false);
  distinct(report, scene.wires, "wires", "wire", false);
  // probes stand one level deeper
  const Where record{nullptr, "record"};
  const Where probes = record.in("probes");
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < scene.record.probes.size(); ++i) {
    const Where probe = probes.in(i);
    const std::string& name = scene.record.probes[i].name;
    report.name(probe.in("name"), name);
    if (!seen.insert(name).second) report.fail(probe.in("name"), "double name: there is another probe " + quoted(name));
  }
}

void Checks::materials() {
  report.vector(Where{nullptr, "gravity"}, scene.gravity);
  for (const MaterialEntry& entry : scene.materials) {
    const Where where = kMaterials.in(entry.name);
    report.values(where, tables::material, &entry);
    // thermodynamics: -1 < ν <= 0.5
    const double poisson = entry.material.poisson;
    if (!(poisson > -1 && poisson <= 0.5))
      report.fail(where.in("poisson"), "poisson must be greater than -1 and at most 0.5, found " + text(poisson));
    const Material& made = entry.material;
    if (!made.yield && (made.hardening != 0 || made.isotropic != 0))
      report.fail(where.in(made.hardening != 0 ? "hardening" : "isotropic"), "needs 'yield'");
  }
}

double Checks::place(const Where& where, const RodPoint& point) {
  const Rod* rod = names.rod(point.rod);
  if (!rod) {
    report.fail(where.in("rod"), "there is no rod " + quoted(point.rod));
    return -1;
  }
  return place(where, "at", *rod, point.at);
}

double Checks::place(const Where& where, std::string_view key, const Rod& rod, const ArcPosition& at) {
  const auto length = lengths.find(&rod);
  const double s = length == lengths.end() ? -1 : at.at(length->second);
  // a place at the end, written as a number, may miss it by rounding
  const double slack = length == lengths.end() ? 0 : 1e-9 * length->second;
  if (s >= -slack && s <= length->second + slack) return s;
  report.fail(where.in(key), "s = " + text(s) + " m is outside rod " + quoted(rod.name) + ", which is " +
                                 (length == lengths.end() ? "unknown" : text(length->second) + " m") + " long");
  return -1;
}

void Checks::stepping(const Where& where, const Simulation& simulation) {
  report.values(where, tables::simulation, &simulation);
  if (simulation.iterations < 0)
    report.fail(where.in("iterations"),
                "iterations must be zero (to convergence) or more, found " + std::to_string(simulation.iterations));
  // what it begins from
  if (simulation.start == StartKind::Result && simulation.start_result.empty())
    report.fail(where.in("start"), "a start from a result needs the folder of the result");
}

void Checks::simulation() {
  const Where simulation{nullptr, "simulation"};
  stepping(simulation, scene.simulation);
  // what is recorded
  const Where record{nullptr, "record"};
  const Where probes = record.in("probes");
  report.values(record, tables::record, &scene.record);
  for (std::size_t i = 0; i < scene.record.probes.size(); ++i) place(probes.in(i), scene.record.probes[i].point);
}

std::optional<Problem> validate(const Scene& scene) {
  Checks checks(scene);
  // in this order; a later part may trust what an earlier one has found right
  for (const auto part :
       {&Checks::doubles, &Checks::materials, &Checks::sections, &Checks::rods, &Checks::bodies, &Checks::scenery,
        &Checks::holds, &Checks::junctions, &Checks::loads, &Checks::joints, &Checks::reeving, &Checks::obstacles,
        &Checks::drivers, &Checks::routing, &Checks::wires, &Checks::simulation}) {
    (checks.*part)();
    if (checks.report.failed()) break;
  }
  return checks.report.problem();
}

}  // namespace filum::scene
