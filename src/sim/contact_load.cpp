#include "sim/contact_load.hpp"

#include "base/index.hpp"
#include "rod/pose_at.hpp"
#include "scene/obstacle_shape.hpp"

#include <algorithm>
#include <vector>

namespace filum::sim {
namespace {

// A contact of one rod, seen from that rod.
struct Mark {
  double s = 0;
  double force = 0;
  double chafing = 0;
  ContactSide other;
  double length = 0;  // of rod that it stands for, m
};

bool same(const ContactSide& a, const ContactSide& b) {
  return a.rod == b.rod && a.obstacle == b.obstacle && a.body == b.body;
}

std::vector<Mark> marks_of(const Pose& pose, int rod) {
  std::vector<Mark> marks;
  for (const ContactPose& contact : pose.contacts) {
    if (contact.a.rod == rod) marks.push_back({contact.a.s, contact.normal_force(), contact.chafing, contact.b});
    if (contact.b.rod == rod) marks.push_back({contact.b.s, contact.normal_force(), contact.chafing, contact.a});
  }
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.s < b.s; });
  return marks;
}

// Neighbours along a rod touch one and the same stretch if no node between them is free.
double spacing_at(const RodPose& rod, double s) {
  const std::size_t after = rod::pose_place(rod.s, s).after;
  double widest = rod.s[after] - rod.s[after - 1];
  if (after + 1 < rod.s.size()) widest = std::max(widest, rod.s[after + 1] - rod.s[after]);
  if (after > 1) widest = std::max(widest, rod.s[after - 1] - rod.s[after - 2]);
  return widest;
}

bool neighbours(const RodPose& rod, const Mark& a, const Mark& b) {
  return same(a.other, b.other) && b.s - a.s <= 1.01 * spacing_at(rod, a.s);
}

void share_lengths(const RodPose& rod, double width, std::vector<Mark>& marks) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const auto half = [&](std::size_t before) {
      const bool shared = before + 1 < marks.size() && neighbours(rod, marks[before], marks[before + 1]);
      return 0.5 * (shared ? marks[before + 1].s - marks[before].s : width);
    };
    marks[i].length = (i > 0 ? half(i - 1) : 0.5 * width) + half(i);
  }
}

}  // namespace

ObjectRef thing(const Scene& scene, const ContactSide& side) {
  // a stored result may name what its scene no longer has
  const auto name = [](const auto& list, int index) {
    return index >= 0 && at(index) < list.size() ? list[at(index)].name : std::string("?");
  };
  if (side.rod >= 0) return {ObjectKind::Rod, name(scene.rods, side.rod)};
  if (side.body >= 0) return {ObjectKind::Body, name(scene.bodies, side.body)};
  return scene::obstacle_named(scene, side.obstacle);
}

ContactLoad contact_load(const Scene& scene, const Pose& pose, int rod) {
  ContactLoad load;
  const RodPose& along = pose.rods[at(rod)];
  std::vector<Mark> marks = marks_of(pose, rod);
  const double width = 2 * rod::half_width(along);
  if (marks.empty() || along.s.size() < 2 || !(width > 0)) return load;
  share_lengths(along, width, marks);
  // stretches
  for (std::size_t first = 0; first < marks.size();) {
    std::size_t last = first;
    double force = 0;
    std::size_t most = first;
    for (;; ++last) {
      force += marks[last].force;
      if (marks[last].force > marks[most].force) most = last;
      if (last + 1 >= marks.size() || !neighbours(along, marks[last], marks[last + 1])) break;
    }
    ++load.stretches;
    if (force > load.force) {
      load.force = force;
      load.force_s = marks[most].s;
      load.on = thing(scene, marks[first].other);
    }
    first = last + 1;
  }
  // the worst stretch as long as the rod is wide
  for (std::size_t first = 0; first < marks.size(); ++first) {
    double force = 0, chafing = 0, length = 0;
    for (std::size_t k = first; k < marks.size() && length < width && marks[k].s - marks[first].s < width; ++k) {
      force += marks[k].force;
      chafing += marks[k].chafing;
      length += marks[k].length;
    }
    const double share = width / std::max(width, length);
    if (const double pressure = share * force / (width * width); pressure > load.pressure) {
      load.pressure = pressure;
      load.pressure_s = marks[first].s;
    }
    if (share * chafing > load.chafing) {
      load.chafing = share * chafing;
      load.chafing_s = marks[first].s;
    }
  }
  return load;
}

std::vector<SolidLoad> solid_loads(const Scene& scene, const Pose& pose) {
  std::vector<SolidLoad> loads;
  for (const ContactPose& contact : pose.contacts) {
    if (contact.a.rod >= 0) continue;
    const ObjectRef of = thing(scene, contact.a), on = thing(scene, contact.b);
    auto load = std::find_if(loads.begin(), loads.end(),
                             [&](const SolidLoad& known) { return known.of == of && known.on == on; });
    if (load == loads.end()) load = loads.insert(load, SolidLoad{of, on});
    ++load->places;
    load->normal += contact.normal_force();
    load->friction += (contact.force - contact.normal_force() * contact.normal).norm();
    load->force += contact.force;
    load->chafing += contact.chafing;
  }
  return loads;
}

}  // namespace filum::sim
