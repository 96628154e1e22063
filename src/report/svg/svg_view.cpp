// What the pictures of a scene have in common: what is seen, its bounds, colours, the lengths of force arrows.
#include "report/svg/svg_scene.hpp"

#include "report/svg/svg_reeving.hpp"
#include "rod/pose_at.hpp"
#include "scene/obstacle_shape.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

constexpr size_t kEarlier = 10;  // faded states at most
constexpr double kRoundOff = 1e-6;
constexpr double kArrow = 0.2;  // longest force arrow in sizes of the scene
constexpr double kContactArrow = 0.08;

double finite_or(double value, double other) {
  return std::isfinite(value) ? value : other;
}

void take_pose(std::vector<Vec3>& points, const Pose& pose, const Scene& scene) {
  for (const RodPose& rod : pose.rods) {
    // at most a few hundred points of a rod decide the bounds
    const size_t stride = std::max<size_t>(1, rod.position.size() / 400);
    for (size_t i = 0; i < rod.position.size(); i += stride) points.push_back(rod.position[i]);
    if (!rod.position.empty()) points.push_back(rod.position.back());
  }
  for (const HoldPose& hold : pose.holds) points.push_back(hold.position);
  take_reeving(points, pose, scene);
  for (size_t i = 0; i < pose.bodies.size(); ++i) {
    const Vec3 half = i < scene.bodies.size() ? scene::half_extents(scene.bodies[i]) : Vec3::Zero();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      points.push_back(pose.bodies[i].position + pose.bodies[i].orientation * Vec3(half.cwiseProduct(sign)));
    }
  }
}

ColourScale colour_scale(const Scene& scene, const Pose& pose) {
  ColourScale colours;
  for (const Rod& rod : scene.rods) colours.by_limit = colours.by_limit || rod.limits.min_bend_radius.has_value();
  for (const RodPose& rod : pose.rods) {
    for (const Vec2& k : rod.curvature) colours.largest = std::max(colours.largest, finite_or(k.norm(), 0));
  }
  // a straight rod's round-off is no curvature
  double length = 0;
  for (const RodPose& rod : pose.rods) length = std::max(length, finite_or(rod.length, 0));
  if (colours.largest * length < 1e-9) colours.largest = 0;
  for (size_t i = 0; i < pose.rods.size(); ++i) {
    // share of the limit is κ R_min; a rod without a limit stays grey among rods with one
    double factor = colours.largest > 0 ? 1 / colours.largest : 0;
    if (colours.by_limit) {
      const RodPose& rod = pose.rods[i];
      const bool limited = i < scene.rods.size() && scene.rods[i].limits.min_bend_radius.has_value();
      factor = limited ? scene.rods[i].limits.min_bend_radius->centre_radius(rod::half_width(rod), rod::moves(rod))
                       : std::nan("");
    }
    auto& share = colours.share.emplace_back();
    for (const Vec2& k : pose.rods[i].curvature) share.push_back(factor * k.norm());
  }
  return colours;
}

// The largest axial force in a rod, or moment over the size of the scene.
double largest_inner_force(const Pose& pose, double size) {
  double most = 0;
  for (const RodPose& rod : pose.rods) {
    for (const double force : rod.axial_force) most = std::max(most, finite_or(std::abs(force), 0));
    for (const Vec3& moment : rod.moment) most = std::max(most, size > 0 ? finite_or(moment.norm() / size, 0) : 0);
  }
  return most;
}

}  // namespace

SceneView scene_view(const Scene& scene, const Outcome& outcome, const ResultNames& names) {
  SceneView view{scene, names, outcome.states.back().pose, {}, {}, Vec3::UnitZ(), {}, {}, {}, {}};
  // some earlier states, evenly chosen
  const size_t before = outcome.states.size() - 1;
  const size_t faded = std::min(before, kEarlier);
  for (size_t k = 0; k < faded; ++k) view.earlier.push_back(&outcome.states[k * before / faded].pose);
  view.colours = colour_scale(scene, view.pose);
  if (scene.gravity.allFinite() && scene.gravity.norm() > 0) view.up = -scene.gravity.normalized();
  take_pose(view.points, view.pose, scene);
  for (const Pose* pose : view.earlier) take_pose(view.points, *pose, scene);
  view.bounds = bounds_of(view.points);
  // force arrows: the largest force sets the scale; what is round-off beside the forces in the rods gets none
  double most = 0;
  for (const HoldPose& hold : view.pose.holds) most = std::max(most, finite_or(hold.force.norm(), 0));
  const double least = kRoundOff * std::max(most, largest_inner_force(view.pose, view.bounds.size()));
  for (const HoldPose& hold : view.pose.holds) {
    const double scale = hold.force.norm() > least ? kArrow * view.bounds.size() / most : 0;
    view.arrow_tips.push_back(scale > 0 ? Vec3(hold.position + scale * hold.force) : hold.position);
  }
  // contacts have a scale of their own: along a face each bears only a little
  double hardest = 0;
  for (const ContactPose& contact : view.pose.contacts) hardest = std::max(hardest, finite_or(contact.force.norm(), 0));
  for (const ContactPose& contact : view.pose.contacts) {
    const double scale = hardest > 0 ? kContactArrow * view.bounds.size() / hardest : 0;
    view.contact_tips.push_back(contact.position + scale * contact.force);
  }
  return view;
}

}  // namespace filum::io
