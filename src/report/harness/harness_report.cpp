#include "report/harness/harness_report.hpp"

#include "rod/pose_at.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"
#include "scene/parts.hpp"
#include "sim/clearance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::io {
namespace {

// Where something grips a rod now, and where the scene put it.
struct Stop {
  double now = 0;
  double drawn = 0;
  RodPlace place;
};

// Both ends and all holds and junctions, ascending; those that rounding alone tells apart are one, a hold before all.
std::vector<Stop> stops_of(const Scene& scene, const Rod& rod, const RodPose& shape, const Pose& pose) {
  const double drawn = scene::rod_length(rod);
  const double now = shape.s.back();
  std::vector<Stop> stops;
  for (std::size_t h = 0; h < scene.holds.size() && h < pose.holds.size(); ++h)
    if (scene.holds[h].rod == rod.name)
      stops.push_back({pose.holds[h].s, scene.holds[h].at.at(drawn), {PlaceKind::Hold, scene.holds[h].name}});
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      if (point.rod == rod.name)
        stops.push_back({point.at.at(now), point.at.at(drawn), {PlaceKind::Junction, junction.name}});
  stops.push_back({0, 0, {PlaceKind::Start, {}}});
  stops.push_back({now, drawn, {PlaceKind::End, {}}});
  std::stable_sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.now < b.now; });
  const auto same = [&](const Stop& a, const Stop& b) { return b.now - a.now <= 1e-7 * now; };
  stops.erase(std::unique(stops.begin(), stops.end(), same), stops.end());
  stops.back().now = now;
  return stops;
}

std::string source_of(const Scene& scene, const Rod& rod, double s) {
  std::string name = rod.section;
  for (const Station& station : rod.stations)
    if (station.s.at(scene::rod_length(rod)) <= s) name = station.section;
  const Section* section = scene::Names(scene).section(name);
  if (!section || section->shape != SectionShape::Bundle) return "section " + name;
  return "bundle of " + std::to_string(bundle_facts(*section).wires) + " wires";
}

// Twist along a part, trapezoids between its nodes, in turns.
double turns_between(const RodPose& rod, double from, double to) {
  double sum = 0;
  for (std::size_t i = 1; i < rod.s.size(); ++i) {
    const double a = std::max(rod.s[i - 1], from);
    const double b = std::min(rod.s[i], to);
    if (b > a) sum += (b - a) * (rod.twist[i - 1] + rod.twist[i]) / 2;
  }
  // what rounding leaves is none
  constexpr double kNone = 1e-12;
  return std::abs(sum) < kNone ? 0 : sum / (2 * std::numbers::pi);
}

// The figures of one part in one state.
SegmentRow row_of(const Rod& rod, const RodPose& shape, const Stop& from, const Stop& to, bool moves, double t) {
  SegmentRow row;
  row.rod = rod.name;
  row.from = from.place;
  row.to = to.place;
  row.found = to.now - from.now;
  row.radius = std::numeric_limits<double>::infinity();
  row.t = t;
  row.turns = turns_between(shape, from.now, to.now);
  const double slack = 1e-9 * shape.s.back();
  bool any = false;
  for (std::size_t i = 0; i < shape.s.size(); ++i) {
    if (shape.s[i] < from.now - slack || shape.s[i] > to.now + slack) continue;
    row.tension = any ? std::max(row.tension, shape.axial_force[i]) : shape.axial_force[i];
    any = true;
    const double bent = shape.curvature[i].norm();
    const double half = i < shape.outline.size() ? shape.outline[i].maxCoeff() : 0;
    const double limit = rod.limits.min_bend_radius ? rod.limits.min_bend_radius->centre_radius(half, moves) : 0;
    // by use where there is a limit, else by radius
    const bool tighter = rod.limits.min_bend_radius ? limit * bent > row.use : bent > 0 && 1 / bent < row.radius;
    if (rod.limits.min_bend_radius && !row.limit) row.limit = limit;
    if (!tighter) continue;
    row.radius = 1 / bent;
    row.radius_s = shape.s[i];
    row.use = limit * bent;
    if (rod.limits.min_bend_radius) row.limit = limit;
  }
  const double middle = (from.now + to.now) / 2;
  const auto place = rod::pose_place(shape.s, middle);
  if (place.after < shape.outline.size()) row.diameter = 2 * shape.outline[place.after].maxCoeff();
  return row;
}

template <class Row>
void sort_by_use(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.use > b.use; });
}

}  // namespace

double LengthRule::adapted(double found) const {
  const double longer = found * (1 + extra) + allowance;
  // what rounding leaves above a whole number of steps is none; divided, 47 steps of 5 mm are 0.235 m to the last digit
  return step > 0 ? std::ceil(longer / step - 1e-9) / (1 / step) : longer;
}

HarnessReporter::HarnessReporter(const Scene& scene, const LengthRule& rule)
    : scene_(scene), cables_(scene), rule_(rule) {
  cables_.bodies.clear();
  cables_.obstacles.clear();
  cables_.scenery.clear();
}

void HarnessReporter::add(const Snapshot& state, bool driven) {
  add_segments(state, driven);
  add_clips(state);
  add_gaps(state);
  lengths_.clear();
  for (const RodPose& rod : state.pose.rods) lengths_.push_back(rod.s.back());
}

void HarnessReporter::add_segments(const Snapshot& state, bool driven) {
  std::vector<SegmentRow> rows;
  for (std::size_t r = 0; r < scene_.rods.size() && r < state.pose.rods.size(); ++r) {
    const Rod& rod = scene_.rods[r];
    const RodPose& shape = state.pose.rods[r];
    const std::vector<Stop> stops = stops_of(scene_, rod, shape, state.pose);
    const double per_length = scene::RodLayout(rod).shape_length() / scene::rod_length(rod);
    for (std::size_t k = 1; k < stops.size(); ++k) {
      SegmentRow row = row_of(rod, shape, stops[k - 1], stops[k], driven || rod::moves(shape), state.t);
      row.drawn = per_length * (stops[k].drawn - stops[k - 1].drawn);
      row.adapted = rule_.adapted(row.found);
      row.source = source_of(scene_, rod, (stops[k].drawn + stops[k - 1].drawn) / 2);
      rows.push_back(std::move(row));
    }
  }
  // the worst so far, with the lengths of now
  if (rows.size() == report_.segments.size())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SegmentRow& before = report_.segments[i];
      rows[i].tension = std::max(rows[i].tension, before.tension);
      const bool worse = before.limit ? before.use > rows[i].use : before.radius < rows[i].radius;
      if (!worse) continue;
      rows[i].radius = before.radius;
      rows[i].radius_s = before.radius_s;
      rows[i].limit = before.limit;
      rows[i].use = before.use;
      rows[i].t = before.t;
    }
  report_.segments = std::move(rows);
}

void HarnessReporter::add_clips(const Snapshot& state) {
  report_.clips.resize(scene_.holds.size());
  for (std::size_t h = 0; h < scene_.holds.size() && h < state.pose.holds.size(); ++h) {
    const Hold& hold = scene_.holds[h];
    const HoldPose& held = state.pose.holds[h];
    const auto rod =
        std::find_if(scene_.rods.begin(), scene_.rods.end(), [&](const Rod& each) { return each.name == hold.rod; });
    if (rod == scene_.rods.end()) continue;
    const RodPose& shape = state.pose.rods[static_cast<std::size_t>(rod - scene_.rods.begin())];
    const Vec3 tangent = rod::tangent_at(shape, held.s);
    ClipRow& row = report_.clips[h];
    const bool first = row.hold.empty();
    if (!first && held.force.norm() <= std::hypot(row.along, row.across)) continue;
    row = {hold.name,          hold.rod, held.s, std::abs(held.force.dot(tangent)), held.force.cross(tangent).norm(),
           held.moment.norm(), state.t,  0};
    if (hold.max_pull) row.use = row.along / *hold.max_pull;
    if (hold.max_shear) row.use = std::max(row.use, row.across / *hold.max_shear);
  }
}

void HarnessReporter::add_gaps(const Snapshot& state) {
  const std::vector<double> everywhere(state.pose.rods.size(), geometry::kFarAway);
  const std::vector<sim::Clearance> found = sim::clearances(cables_, state.pose, everywhere);
  report_.gaps.resize(scene_.rods.size());
  for (std::size_t r = 0; r < scene_.rods.size() && r < found.size(); ++r) {
    const sim::Clearance& near = found[r];
    GapRow& row = report_.gaps[r];
    if (near.other.name.empty() || (!row.rod.empty() && near.value >= row.gap)) continue;
    row = {scene_.rods[r].name,
           near.s,
           near.other.name,
           near.other_s,
           near.value,
           scene_.rods[r].limits.min_clearance,
           0,
           state.t};
    if (row.limit) row.use = row.gap > 0 ? *row.limit / row.gap : std::numeric_limits<double>::infinity();
  }
}

HarnessReport HarnessReporter::report() const {
  HarnessReport out = report_;
  // a cable alone is near to nothing
  std::erase_if(out.gaps, [](const GapRow& row) { return row.rod.empty(); });
  std::stable_sort(out.gaps.begin(), out.gaps.end(), [](const GapRow& a, const GapRow& b) { return a.gap < b.gap; });
  sort_by_use(out.gaps);
  sort_by_use(out.segments);
  sort_by_use(out.clips);
  for (const Wire& wire : scene_.wires) {
    WireRow& row = out.wires.emplace_back();
    row.wire = wire.name;
    for (const WirePart& part : wire.along) {
      row.along += (row.along.empty() ? "" : ", ") + part.rod;
      for (std::size_t r = 0; r < scene_.rods.size() && r < lengths_.size(); ++r)
        if (scene_.rods[r].name == part.rod) row.found += lengths_[r];
    }
    row.cut = rule_.adapted(row.found);
  }
  for (const SectionEntry& entry : scene_.sections)
    if (entry.section.shape == SectionShape::Bundle) out.bundles.push_back({entry.name, bundle_facts(entry.section)});
  return out;
}

bool is_harness(const Scene& scene) {
  return !scene.wires.empty() ||
         std::any_of(scene.sections.begin(), scene.sections.end(),
                     [](const SectionEntry& entry) { return entry.section.shape == SectionShape::Bundle; });
}

}  // namespace filum::io
