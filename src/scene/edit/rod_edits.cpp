// Rods: cut in two, removed with what hangs on them.
#include <filum/edit.hpp>

#include "scene/check/fault_list.hpp"
#include "scene/edit/curve_edits.hpp"
#include "scene/edit/edit_kit.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace filum::edit {
namespace {

using scene::quoted;

struct Cut {
  double s = 0;       // where, m
  double length = 0;  // of the whole rod, m
  std::string second;

  // Rounding does not push a place over the cut.
  [[nodiscard]] bool beyond(double place) const { return place > s + 1e-9 * length; }
  [[nodiscard]] bool short_of(double place) const { return place < s - 1e-9 * length; }
  // A place on the whole rod as one on its part.
  [[nodiscard]] ArcPosition before(const ArcPosition& at) const { return on_part(at.at(length), s); }
  [[nodiscard]] ArcPosition after(const ArcPosition& at) const { return on_part(at.at(length) - s, length - s); }

 private:
  [[nodiscard]] ArcPosition on_part(double place, double part) const {
    if (place > part - 1e-9 * length) return {1, 0};
    return {0, place < 1e-9 * length ? 0 : place};
  }
};

// Materials and sections: what holds at the cut is the second part's own, stations go where they lie.
void cut_stations(const Rod& whole, const Cut& cut, Rod& first, Rod& second) {
  first.stations.clear();
  second.stations.clear();
  for (const Station& station : whole.stations) {
    const double s = station.s.at(cut.length);
    const std::string& material = station.material.empty() ? whole.material : station.material;
    if (cut.short_of(s)) first.stations.push_back({cut.before(station.s), station.section, station.material});
    if (cut.beyond(s)) {
      second.stations.push_back({cut.after(station.s), station.section, material});
    } else {
      second.section = station.section;
      second.material = material;
    }
  }
}

// Both parts, lying as the whole did.
std::pair<Rod, Rod> cut_rod(const Rod& whole, const Cut& cut) {
  Rod first = whole;
  Rod second = whole;
  second.name = cut.second;
  const double share = cut.s / cut.length;
  // shapes, and rest curves from the frames that they have at the cut
  const double drawn = curve_length(whole.shape);
  first.shape = part_of(whole.shape, 0, share * drawn);
  second.shape = part_of(whole.shape, share * drawn, drawn);
  const Mat3 frame = scene::RodLayout(whole).at(cut.s).frame;
  Mat3 rest_frame = Mat3::Identity();
  if (whole.rest.kind == RestKind::Curve) {
    const double rest = curve_length(whole.rest.curve);
    first.rest.curve = part_of(whole.rest.curve, 0, share * rest);
    second.rest.curve = part_of(whole.rest.curve, share * rest, rest);
    const std::vector<double> place{cut.s};
    rest_frame = scene::place_along(CurvePath(whole.rest.curve), cut.length, rest_start_frame(whole), place)[0].frame;
  }
  set_start_frame(second, frame, rest_frame);
  // amounts
  if (whole.length) {
    first.length = cut.s;
    second.length = cut.length - cut.s;
  }
  first.twist = share * whole.twist;
  second.twist = whole.twist - first.twist;
  first.segments =
      std::clamp(static_cast<int>(std::lround(whole.segments * share)), 1, std::max(whole.segments - 1, 1));
  second.segments = std::max(whole.segments - first.segments, 1);
  cut_stations(whole, cut, first, second);
  return {std::move(first), std::move(second)};
}

// A load over the cut becomes two.
void cut_distributed(Scene& scene, const std::string& rod, const Cut& cut) {
  std::vector<DistributedForce> loads;
  for (const DistributedForce& load : scene.distributed) {
    if (load.rod != rod) {
      loads.push_back(load);
      continue;
    }
    const bool starts_before = cut.short_of(load.from.at(cut.length));
    const bool ends_beyond = cut.beyond(load.to.at(cut.length));
    if (starts_before) {
      const ArcPosition end = ends_beyond ? ArcPosition{1, 0} : cut.before(load.to);
      loads.push_back({load.rod, cut.before(load.from), end, load.force_per_length});
    }
    if (ends_beyond) {
      const ArcPosition start = starts_before ? ArcPosition{} : cut.after(load.from);
      loads.push_back({cut.second, start, cut.after(load.to), load.force_per_length});
    }
  }
  scene.distributed = std::move(loads);
}

// Both parts find their lengths as the whole did; a pulled part over the cut becomes two.
void cut_routing(Scene& scene, const std::string& rod, const Cut& cut) {
  std::vector<Routing> list;
  for (const Routing& routing : scene.routing) {
    const bool whole = routing.mode == RoutingMode::SelfFinding;
    if (routing.rod != rod) list.push_back(routing);
    if (routing.rod == rod && (whole || cut.short_of(routing.from.at(cut.length)))) {
      list.push_back(routing);
      list.back().from = whole ? ArcPosition{} : cut.before(routing.from);
      list.back().to = whole || cut.beyond(routing.to.at(cut.length)) ? ArcPosition{1, 0} : cut.before(routing.to);
    }
    if (routing.rod == rod && (whole || cut.beyond(routing.to.at(cut.length)))) {
      list.push_back(routing);
      list.back().rod = cut.second;
      const bool begun = whole || !cut.beyond(routing.from.at(cut.length));
      list.back().from = begun ? ArcPosition{} : cut.after(routing.from);
      list.back().to = whole ? ArcPosition{1, 0} : cut.after(routing.to);
    }
  }
  scene.routing = std::move(list);
}

// A wire runs along both parts.
void cut_wires(Scene& scene, const std::string& rod, const Cut& cut) {
  for (Wire& wire : scene.wires)
    for (std::size_t i = 0; i < wire.along.size(); ++i)
      if (wire.along[i].rod == rod) wire.along.insert(wire.along.begin() + static_cast<long>(++i), {cut.second});
}

}  // namespace

Status split(Scene& scene, std::string_view rod, const ArcPosition& place, std::string_view second,
             std::string_view junction) {
  Draft draft(scene);
  Rod* whole = find_rod(draft.now, rod);
  if (!whole) return no_such("rod", rod);
  const std::string which = "rod " + quoted(rod);
  if (whole->closed) return bad_input(which + " is closed and cannot be split in two");
  if (length_driver(draft.now, rod)) return bad_input(which + " has a driven length and cannot be split");
  if (!whole->spin.isZero(0)) return bad_input(which + " spins at the start and cannot be split");
  if (Status drawn = check_drawn(*whole); !drawn) return drawn;
  const Result<double> s = place_on(*whole, place);
  if (!s) return s.error();
  Cut cut;
  cut.s = *s;
  cut.length = scene::rod_length(*whole);
  cut.second = second;
  if (!(cut.s > 1e-6 * cut.length && cut.s < cut.length * (1 - 1e-6)))
    return bad_input("a cut of " + which + " must lie between its ends, found s = " + scene::text(cut.s) + " m of " +
                     scene::text(cut.length) + " m");
  if (cut.second.empty()) cut.second = free_name(scene.rods, rod);

  // what lies beyond the cut goes to the second part
  for_each_place(draft.now, rod, [&](std::string& name, ArcPosition& at) {
    const bool over = cut.beyond(at.at(cut.length));
    at = over ? cut.after(at) : cut.before(at);
    if (over) name = cut.second;
  });
  cut_distributed(draft.now, whole->name, cut);
  cut_routing(draft.now, whole->name, cut);
  cut_wires(draft.now, whole->name, cut);
  // the parts, one behind the other
  auto [first_part, second_part] = cut_rod(*whole, cut);
  const int index = index_of(draft.now.rods, rod);
  draft.now.rods[at(index)] = std::move(first_part);
  draft.now.rods.insert(draft.now.rods.begin() + index + 1, std::move(second_part));
  Junction made{std::string(junction), {{std::string(rod), {1, 0}}, {cut.second, {0, 0}}}};
  if (made.name.empty()) made.name = free_name(scene.junctions, "junction");
  draft.now.junctions.push_back(std::move(made));
  return draft.finish();
}

Status remove_rod(Scene& scene, std::string_view rod) {
  const int index = index_of(scene.rods, rod);
  if (index < 0) return no_such("rod", rod);
  Draft draft(scene);
  Scene& now = draft.now;
  remove_holds(now, rod);
  remove_loads(now, rod);
  remove_reeving(now, rod);
  remove_driver(now, DriverKind::Rod, rod);
  std::erase_if(now.record.probes, [&](const Probe& probe) { return probe.point.rod == rod; });
  for (Junction& junction : now.junctions)
    std::erase_if(junction.rods, [&](const RodPoint& point) { return point.rod == rod; });
  std::erase_if(now.junctions, [](const Junction& junction) { return junction.rods.size() < 2; });
  std::erase_if(now.routing, [&](const Routing& routing) { return routing.rod == rod; });
  for (Wire& wire : now.wires) std::erase_if(wire.along, [&](const WirePart& part) { return part.rod == rod; });
  std::erase_if(now.wires, [](const Wire& wire) { return wire.along.empty(); });
  now.rods.erase(now.rods.begin() + index);
  return draft.finish();
}

}  // namespace filum::edit
