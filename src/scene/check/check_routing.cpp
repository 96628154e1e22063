// Rods that find their own lengths.
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"
#include "scene/parts.hpp"

#include <algorithm>

namespace filum::scene {

void Checks::wires() {
  const Where around{nullptr, "wires"};
  for (std::size_t i = 0; i < scene.wires.size(); ++i) {
    const Where where = around.in(i);
    const Where along = where.in("along");
    for (std::size_t k = 0; k < scene.wires[i].along.size(); ++k)
      if (const std::string& rod = scene.wires[i].along[k].rod; !names.rod(rod))
        report.fail(along.in(k).in("rod"), "there is no rod " + quoted(rod));
  }
}

void Checks::routing() {
  const Where around{nullptr, "routing"};
  for (std::size_t i = 0; i < scene.routing.size(); ++i) {
    route(around.in(i), i);
    if (report.failed()) return;
  }
}

void Checks::route(const Where& where, std::size_t index) {
  const Routing& routing = scene.routing[index];
  const Rod* rod = names.rod(routing.rod);
  if (!rod) return report.fail(where.in("rod"), "there is no rod " + quoted(routing.rod));
  const std::string which = "rod " + quoted(rod->name);
  if (rod->closed) return report.fail(where.in("rod"), which + " is closed: a ring does not find its length");
  if (std::any_of(scene.drivers.begin(), scene.drivers.end(),
                  [&](const Driver& driver) { return driver.kind == DriverKind::Rod && driver.target == rod->name; }))
    return report.fail(where.in("rod"), which + " has a driven length and cannot find another");
  if (std::any_of(scene.winches.begin(), scene.winches.end(),
                  [&](const Winch& winch) { return winch.rod == rod->name; }))
    return report.fail(where.in("rod"), which + " is on a winch, which sets its length");
  const bool self_finding = routing.mode == RoutingMode::SelfFinding;
  if (routing.pull)
    report.number(where.in("pull"), *routing.pull, self_finding ? kNotNegative : kPositive);
  else if (self_finding)
    report.fail(where, "missing key 'pull' in routing " + std::to_string(index) + ": a self-finding rod needs one");
  report.values(where, tables::routing, &routing);

  // the part, or the parts
  std::vector<Part> parts = held_parts(scene, *rod);
  if (!self_finding) {
    const double from = place(where, "from", *rod, routing.from);
    if (report.failed()) return;
    const double to = place(where, "to", *rod, routing.to);
    if (report.failed()) return;
    if (!(to - from > 1e-6 * lengths[rod]))
      return report.fail(where.in("to"), "to (" + text(to) + " m) must lie beyond from (" + text(from) + " m)");
    parts = {{from, to}};
  }
  if (parts.empty())
    return report.fail(where.in("rod"),
                       which + " is held or joined at fewer than two places: nothing tells its length");
  if (parts.size() > 1 || !is_whole(*rod, parts[0]))
    if (const auto why = fixed_along(scene, *rod)) report.fail(where.in("rod"), *why);
  overlaps(where, index);
}

// Two entries may not both change a part of a rod.
void Checks::overlaps(const Where& where, std::size_t index) {
  const Routing& routing = scene.routing[index];
  for (std::size_t j = 0; j < index; ++j) {
    const Routing& other = scene.routing[j];
    if (other.rod != routing.rod) continue;
    const double length = lengths[names.rod(routing.rod)];
    const bool apart =
        routing.mode == RoutingMode::Pulled && other.mode == RoutingMode::Pulled &&
        (routing.from.at(length) >= other.to.at(length) || other.from.at(length) >= routing.to.at(length));
    if (!apart)
      report.fail(where.in("rod"), "rod " + quoted(routing.rod) + " finds its length already: routing " +
                                       std::to_string(j) + " covers this part");
  }
}

}  // namespace filum::scene
