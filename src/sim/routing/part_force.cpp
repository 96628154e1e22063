#include "sim/routing/part_force.hpp"

#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace filum::sim {

namespace {

// The sections of a rod in order, each from where it begins.
struct Stretch {
  double from = 0;
  Stiffness stiffness;
};

std::vector<Stretch> stretches(const Scene& scene, const Rod& rod) {
  const scene::Names names(scene);
  const auto stiffness_of = [&](const std::string& section, const std::string& material) {
    const Material* made_of = names.material(material);
    return stiffness(*names.section(section), made_of != nullptr ? *made_of : Material{});
  };
  const double length = scene::rod_length(rod);
  std::vector<Stretch> list{{0, stiffness_of(rod.section, rod.material)}};
  for (const Station& station : rod.stations)
    list.push_back({station.s.at(length),
                    stiffness_of(station.section, station.material.empty() ? rod.material : station.material)});
  return list;
}

const Stiffness& at_place(const std::vector<Stretch>& list, double s) {
  const Stretch* found = &list.front();
  for (const Stretch& stretch : list)
    if (stretch.from < s) found = &stretch;
  return found->stiffness;
}

// H at one node.
double configurational(const RodPose& pose, std::size_t i, const Stiffness& b) {
  const double n = pose.axial_force[i];
  const Vec3& m = pose.moment[i];
  const Vec3 bend(pose.curvature[i].x(), pose.curvature[i].y(), pose.twist[i]);
  const double stored = 0.5 * (m.x() * m.x() / b.EI.x() + m.y() * m.y() / b.EI.y() + m.z() * m.z() / b.GJ);
  return n + 0.5 * n * n / b.EA + m.dot(bend) - stored;
}

}  // namespace

PartForce part_force(const Scene& scene, const Rod& rod, const RodPose& pose, const scene::Part& part) {
  const std::vector<Stretch> list = stretches(scene, rod);
  // nodes at its ends show the larger of two sides, of which one is not the part's
  const double margin = 1e-6 * part.length();
  const auto inside = [&](double s, double reach) { return s > part.from + reach && s < part.to - reach; };
  const bool any = std::any_of(pose.s.begin(), pose.s.end(), [&](double s) { return inside(s, margin); });
  PartForce sum;
  sum.largest_tension = -std::numeric_limits<double>::infinity();
  double weight = 0;
  for (std::size_t i = 0; i < pose.s.size(); ++i) {
    if (!inside(pose.s[i], any ? margin : -margin)) continue;
    const double before = pose.s[i > 0 ? i - 1 : i];
    const double after = pose.s[std::min(i + 1, pose.s.size() - 1)];
    const double w = 0.5 * (after - before);
    sum.configurational += w * configurational(pose, i, at_place(list, pose.s[i]));
    sum.tension += w * pose.axial_force[i];
    sum.largest_tension = std::max(sum.largest_tension, pose.axial_force[i]);
    weight += w;
  }
  const auto node_at = [&](double s) {
    const auto nearest = std::min_element(pose.s.begin(), pose.s.end(),
                                          [&](double a, double b) { return std::abs(a - s) < std::abs(b - s); });
    return pose.position[static_cast<std::size_t>(nearest - pose.s.begin())];
  };
  const double chord = (node_at(part.to) - node_at(part.from)).norm();
  sum.straight_tension = part_stiffness(scene, rod, part).EA * (chord / part.length() - 1);
  sum.configurational /= weight;
  sum.tension /= weight;
  return sum;
}

PartStiffness part_stiffness(const Scene& scene, const Rod& rod, const scene::Part& part) {
  PartStiffness found{std::numeric_limits<double>::infinity(), 0};
  const std::vector<Stretch> list = stretches(scene, rod);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const double end = k + 1 < list.size() ? list[k + 1].from : std::numeric_limits<double>::infinity();
    if (end <= part.from || list[k].from >= part.to) continue;
    found.EA = std::min(found.EA, list[k].stiffness.EA);
    found.EI = std::max(found.EI, list[k].stiffness.EI.maxCoeff());
  }
  return found;
}

}  // namespace filum::sim
