#include "report/svg/svg_scene.hpp"

#include "base/index.hpp"
#include "io/colours.hpp"
#include "report/report_units.hpp"
#include "report/svg/svg_axis.hpp"
#include "report/svg/svg_items.hpp"
#include "report/svg/svg_labels.hpp"
#include "report/svg/svg_obstacles.hpp"
#include "report/svg/svg_reeving.hpp"
#include "rod/pose_at.hpp"

#include <filum/scene.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::io {
namespace {

constexpr size_t kPerspectiveSegments = 1500, kParallelSegments = 700;  // drawn in one picture
constexpr size_t kLabelled = 10;                                        // holds with a name in the picture

constexpr size_t kWithAxes = 24;  // more holds than this are drawn without axes

// The frame of the rod where the hold grips it.
Quat frame_of(const SceneView& view, size_t hold) {
  if (hold >= view.scene.holds.size()) return Quat::Identity();
  const int index = index_of(view.scene.rods, view.scene.holds[hold].rod);
  if (index < 0 || at(index) >= view.pose.rods.size()) return Quat::Identity();
  const RodPose& rod = view.pose.rods[at(index)];
  if (rod.s.size() < 2 || rod.frame.size() != rod.s.size()) return Quat::Identity();
  return rod::frame_at(rod, view.pose.holds[hold].s);
}

std::vector<Item> solid_items(const SceneView& view, const Camera& camera, size_t segments, double ball) {
  std::vector<Item> items;
  const size_t budget = std::max<size_t>(3, segments / std::max<size_t>(1, view.pose.rods.size()));
  for (size_t i = 0; i < view.pose.rods.size(); ++i) {
    add_tube(items, camera, view.pose.rods[i], view.colours.share[i], budget);
  }
  add_bodies(items, view, camera);
  add_obstacles(items, view, camera);
  // many holds are dots without axes
  const bool crowd = view.pose.holds.size() > kWithAxes;
  const double arm = crowd ? 0 : 0.065 * view.bounds.size();
  for (size_t i = 0; i < view.pose.holds.size(); ++i) {
    add_hold(items, camera, view.pose.holds[i].position, frame_of(view, i), crowd ? 0.6 * ball : ball, arm);
  }
  add_reeving(items, view, camera, ball);
  return items;
}

// The centre lines of a pose in the picture, optionally moved by `shift`.
template <class Shift>
void draw_lines(Canvas& canvas, const Camera& camera, const Pose& pose, const std::string& style, Shift shift) {
  for (const RodPose& rod : pose.rods) {
    const size_t budget = std::max<size_t>(3, 600 / pose.rods.size());
    std::vector<Vec2> line;
    double width = 2;
    const auto draw = [&] { canvas.polyline(line, fmt::format("stroke-width=\"{:.1f}\" {}", width, style)); };
    for (const size_t i : drawn_nodes(rod, budget)) {
      if (i > 0 && rod::is_gap(rod, i)) draw(), line.clear();
      line.push_back(camera.place(shift(rod.position[i])));
      const double half = i < rod.outline.size() ? rod.outline[i].minCoeff() : 0;
      if (std::isfinite(half)) width = std::max(width, 2 * half * camera.scale);
    }
    draw();
  }
}

void draw_earlier(Canvas& canvas, const SceneView& view, const Camera& camera) {
  for (size_t k = 0; k < view.earlier.size(); ++k) {
    const double share = static_cast<double>(k + 1) / static_cast<double>(view.earlier.size());
    const std::string style = fmt::format("class=\"ghost\" stroke-opacity=\"{:.2f}\"", 0.10 + 0.22 * share);
    draw_lines(canvas, camera, *view.earlier[k], style, [](const Vec3& p) { return p; });
  }
}

void draw_force_arrows(Canvas& canvas, const SceneView& view, const Camera& camera) {
  for (size_t i = 0; i < view.pose.holds.size(); ++i) {
    const Vec2 from = camera.place(view.pose.holds[i].position), to = camera.place(view.arrow_tips[i]);
    if (from.allFinite() && to.allFinite() && from != to)
      canvas.arrow(from, to, 2.4, "class=\"force\"", "class=\"forcehead\"");
  }
}

void draw_contact_arrows(Canvas& canvas, const SceneView& view, const Camera& camera) {
  for (size_t i = 0; i < view.pose.contacts.size(); ++i) {
    const Vec2 from = camera.place(view.pose.contacts[i].position), to = camera.place(view.contact_tips[i]);
    if (from.allFinite() && to.allFinite() && (to - from).norm() > 1)
      canvas.arrow(from, to, 1.2, "stroke=\"#0b7285\"", "fill=\"#0b7285\"");
  }
}

// Rings at the ends of what has parted.
void draw_breaks(Canvas& canvas, const SceneView& view, const Camera& camera) {
  for (const RodPose& rod : view.pose.rods)
    for (size_t i = 1; i < rod.s.size(); ++i)
      for (const size_t end : {i - 1, i})
        if (const Vec2 there = camera.place(rod.position[end]); rod::is_gap(rod, i) && there.allFinite())
          canvas.circle(there, 9, "fill=\"none\" stroke=\"#d6336c\" stroke-width=\"2.5\"");
}

// No label over rods, holds and arrows.
void block_drawn(const SceneView& view, const Camera& camera, Labels& labels) {
  const auto block = [&](const Vec2& at, double half) { labels.block(at - Vec2(half, half), at + Vec2(half, half)); };
  const size_t budget = std::max<size_t>(6, 200 / std::max<size_t>(1, view.pose.rods.size()));
  for (const RodPose& rod : view.pose.rods) {
    for (const size_t i : drawn_nodes(rod, budget)) block(camera.place(rod.position[i]), 4);
  }
  for (size_t i = 0; i < view.pose.holds.size(); ++i) {
    const Vec2 from = camera.place(view.pose.holds[i].position), to = camera.place(view.arrow_tips[i]);
    block(from, 8);
    for (int k = 1; k <= 12; ++k) block(from + k / 12.0 * (to - from), 4);
  }
}

// ResultNames at the holds, values at the arrows; only the largest forces if there are many.
void draw_hold_labels(Canvas& canvas, const SceneView& view, const Camera& camera, Labels& labels) {
  const std::vector<HoldPose>& holds = view.pose.holds;
  std::vector<size_t> order(holds.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto size = [&](size_t i) { return holds[i].force.allFinite() ? holds[i].force.norm() : -1; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return size(a) > size(b); });
  if (order.size() > kLabelled) order.resize(kLabelled);
  block_drawn(view, camera, labels);
  for (const size_t i : order) {
    const Vec2 tip = camera.place(view.arrow_tips[i]);
    labels.write(canvas, camera.place(holds[i].position), 12, name_or(view.names.holds, i, "hold"),
                 "class=\"halo\" font-size=\"12\" font-weight=\"600\"");
    if (view.arrow_tips[i] != holds[i].position) {
      labels.write(canvas, tip, 7, with_unit(size(i), Quantity::Force, 3), "class=\"forcetext halo\" font-size=\"12\"");
    }
  }
}

// World axes as seen by the camera, around `at`; an axis along the line of sight is left out.
void draw_axes(Canvas& canvas, const Camera& camera, const Vec2& at) {
  static const char* const kNames[] = {"x", "y", "z"};
  static const char* const kColours[] = {"#d64545", "#2f9e44", "#3b7dd8"};
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = Vec3::Unit(k);
    const Vec2 seen(camera.right.dot(axis), -camera.up.dot(axis));
    if (seen.norm() < 0.05) continue;
    canvas.arrow(at, at + 30 * seen, 1.8, fmt::format("stroke=\"{}\"", kColours[k]),
                 fmt::format("fill=\"{}\"", kColours[k]));
    canvas.text(at + 30 * seen + 9 * seen.normalized() + Vec2(0, 4), kNames[k], Anchor::Middle,
                "class=\"halo\" font-size=\"12\"");
  }
}

// A bar of round length, its right end at `at`.
void draw_scale_bar(Canvas& canvas, const Vec2& at, double length, double scale) {
  const double px = length * scale;
  const Vec2 left = at - Vec2(px, 0);
  canvas.line(left, at, "class=\"bar\"");
  canvas.line(left - Vec2(0, 4), left + Vec2(0, 4), "class=\"bar\"");
  canvas.line(at - Vec2(0, 4), at + Vec2(0, 4), "class=\"bar\"");
  canvas.text({at.x() - 0.5 * px, at.y() - 8}, with_unit(length, Quantity::Length, 3), Anchor::Middle,
              "class=\"halo\" font-size=\"12\"");
}

// Grid and shadows on a floor below everything.
void draw_ground(Canvas& canvas, const SceneView& view, const Camera& camera, double level, double step) {
  const GroundAxes axes = ground_axes(view.up);
  const double size = view.bounds.size();
  Vec2 low = Vec2::Constant(INFINITY), high = Vec2::Constant(-INFINITY);
  for (const Vec3& p : view.points) {
    if (!p.allFinite()) continue;
    const Vec2 flat(axes.first.dot(p), axes.second.dot(p));
    low = low.cwiseMin(flat);
    high = high.cwiseMax(flat);
  }
  if (!(low.x() <= high.x())) return;
  // wide enough to stand on, ends on grid lines
  for (int k = 0; k < 2; ++k) {
    const double pad = std::max(0.14 * size, 0.5 * (0.45 * size - (high[k] - low[k])));
    low[k] = std::floor((low[k] - pad) / step) * step;
    high[k] = std::ceil((high[k] + pad) / step) * step;
  }
  const auto at = [&](double a, double b) { return camera.place(a * axes.first + b * axes.second + level * view.up); };
  canvas.polygon({at(low.x(), low.y()), at(high.x(), low.y()), at(high.x(), high.y()), at(low.x(), high.y())},
                 "class=\"ground\"");
  for (double a = low.x(); a <= high.x() + 0.5 * step; a += step)
    canvas.line(at(a, low.y()), at(a, high.y()), "class=\"grid\"");
  for (double b = low.y(); b <= high.y() + 0.5 * step; b += step)
    canvas.line(at(low.x(), b), at(high.x(), b), "class=\"grid\"");
  draw_lines(canvas, camera, view.pose, "class=\"shadow\"",
             [&](const Vec3& p) { return Vec3(p + (level - view.up.dot(p)) * view.up); });
}

// The colour scale at the top left.
void draw_colour_key(Canvas& canvas, const ColourScale& colours) {
  constexpr double kX = 18, kY = 34, kWide = 190, kHigh = 9;
  constexpr int kCells = 38;
  const double top = colours.by_limit ? 1.25 : 1;
  if (!colours.by_limit && colours.largest == 0) return;
  canvas.text({kX, kY - 10}, colours.by_limit ? "Bend radius limit used" : "Curvature |κ|, 1/m", Anchor::Start,
              "font-size=\"12\" font-weight=\"600\"");
  for (int i = 0; i < kCells; ++i) {
    const double share = top * (i + 0.5) / kCells;
    const std::string fill = shaded(share > 1 ? over_colour() : scale_colour(share), 1);
    canvas.rectangle({kX + kWide * i / kCells, kY}, {kWide / kCells + 0.4, kHigh}, "fill=\"" + fill + "\"");
  }
  for (const double share : {0.0, 0.5, 1.0}) {
    const double at = kX + kWide * share / top;
    const std::string label =
        colours.by_limit ? fmt::format("{:.0f} %", 100 * share) : digits(share * colours.largest, 3);
    canvas.line({at, kY + kHigh}, {at, kY + kHigh + 4}, "class=\"axis\"");
    canvas.text({at, kY + kHigh + 16}, label, share == 0 ? Anchor::Start : Anchor::Middle,
                "class=\"soft\" font-size=\"12\"");
  }
}

void draw_gravity(Canvas& canvas, const SceneView& view, const Camera& camera, const Vec2& at) {
  if (view.scene.gravity.isZero() || !view.scene.gravity.allFinite()) return;
  const Vec2 seen(-camera.right.dot(view.up), camera.up.dot(view.up));
  if (seen.norm() < 0.05) return;
  canvas.arrow(at, at + 36 * seen, 2.2, "class=\"bar\"", "class=\"barhead\"");
  canvas.text(at + 18 * seen + Vec2(12, 4), "g", Anchor::Middle, "font-size=\"13\" font-style=\"italic\"");
}

double grid_step(const SceneView& view) {
  return round_step(view.bounds.size() / 6);
}

}  // namespace

std::string perspective_svg(const SceneView& view) {
  const Vec2 corner(36, 66), size(828, 416);
  Canvas canvas(900, 530);
  // floor a little below the lowest point, or where the scene has one
  double lowest = INFINITY;
  for (const Vec3& p : view.points) {
    if (p.allFinite()) lowest = std::min(lowest, view.up.dot(p));
  }
  const double below = (std::isfinite(lowest) ? lowest : view.up.dot(view.bounds.low)) - 0.07 * view.bounds.size();
  const double level = floor_level(view.scene, view.up).value_or(below);
  // what must fit: the scene, its arrows, its shadow
  std::vector<Vec3> fit = view.points;
  fit.insert(fit.end(), view.arrow_tips.begin(), view.arrow_tips.end());
  for (const Vec3& p : view.points) fit.push_back(p + (level - view.up.dot(p)) * view.up);
  fit.push_back(view.bounds.centre());
  Camera camera = perspective_camera(view.points, view.bounds, view.up);
  camera.scale = fitting_scale(camera, fit, size);
  centre_on(camera, fit, corner, size);
  draw_ground(canvas, view, camera, level, grid_step(view));
  draw_earlier(canvas, view, camera);
  std::vector<Item> items = solid_items(view, camera, kPerspectiveSegments, 6);
  paint(canvas, items);
  draw_contact_arrows(canvas, view, camera);
  draw_force_arrows(canvas, view, camera);
  draw_breaks(canvas, view, camera);
  // furniture in the corners, then labels where there is room
  Labels labels;
  labels.block({0, 0}, {230, 64});
  labels.block({0, 440}, {110, 530});
  labels.block({680, 480}, {900, 530});
  labels.block({840, 0}, {900, 70});
  draw_colour_key(canvas, view.colours);
  draw_axes(canvas, camera, {52, 484});
  draw_gravity(canvas, view, camera, {868, 22});
  draw_scale_bar(canvas, {876, 512}, round_step(150 / camera.scale), camera.scale);
  draw_hold_labels(canvas, view, camera, labels);
  return canvas.finish("Perspective picture of the scene");
}

std::array<std::string, 3> parallel_svgs(const SceneView& view) {
  constexpr double kWide = 360, kTallest = 300, kLeast = 96, kMargin = 30, kHead = 34, kFoot = 46;
  static const char* const kTitles[] = {"Front, x–z", "Side, y–z", "Top, x–y"};
  std::array<Camera, 3> cameras = {parallel_camera(Vec3::UnitX(), Vec3::UnitZ(), view.bounds),
                                   parallel_camera(Vec3::UnitY(), Vec3::UnitZ(), view.bounds),
                                   parallel_camera(Vec3::UnitX(), Vec3::UnitY(), view.bounds)};
  std::vector<Vec3> fit = view.points;
  fit.insert(fit.end(), view.arrow_tips.begin(), view.arrow_tips.end());
  const std::vector<Vec3> planes = plane_points(view);
  fit.insert(fit.end(), planes.begin(), planes.end());
  fit.push_back(view.bounds.low);
  fit.push_back(view.bounds.high);
  // one scale for all three, then only as tall as needed
  double scale = INFINITY;
  for (const Camera& camera : cameras) {
    scale = std::min(scale, fitting_scale(camera, fit, {kWide - 2 * kMargin, kTallest}));
  }
  const Bounds all = bounds_of(fit);
  const double tall =
      std::clamp(scale * std::max(all.high.z() - all.low.z(), all.high.y() - all.low.y()), kLeast, kTallest);
  const double bar = round_step(90 / scale);
  std::array<std::string, 3> pictures;
  for (size_t k = 0; k < 3; ++k) {
    Camera& camera = cameras[k];
    camera.scale = scale;
    centre_on(camera, fit, {kMargin, kHead}, {kWide - 2 * kMargin, tall});
    Canvas canvas(kWide, kHead + tall + kFoot);
    draw_plane_lines(canvas, view, camera);
    draw_earlier(canvas, view, camera);
    std::vector<Item> items = solid_items(view, camera, kParallelSegments, 4);
    paint(canvas, items);
    draw_contact_arrows(canvas, view, camera);
    draw_force_arrows(canvas, view, camera);
    draw_breaks(canvas, view, camera);
    canvas.text({10, 20}, kTitles[k], Anchor::Start, "class=\"halo\" font-size=\"13\" font-weight=\"600\"");
    draw_axes(canvas, camera, {16, kHead + tall + kFoot - 14});
    draw_scale_bar(canvas, {kWide - 14, kHead + tall + kFoot - 12}, bar, scale);
    pictures[k] = canvas.finish(kTitles[k]);
  }
  return pictures;
}

std::string picture_key(const SceneView& view) {
  std::string key;
  const size_t holds = view.pose.holds.size();
  if (holds > 0 && holds <= kWithAxes) {
    key = "Balls: holds, with the section's axes d1 (red), d2 (green), d3 along the rod (blue). ";
  }
  if (holds > 0) key += "Arrows: what a hold does to its rod. ";
  if (!view.pose.contacts.empty()) key += "Thin arrows: what presses on a rod or a body where it touches something. ";
  key += reeving_key(view);
  if (!view.earlier.empty()) key += "Faded: earlier states. ";
  return key + "Floor grid " + with_unit(grid_step(view), Quantity::Length, 3) + ".";
}

}  // namespace filum::io
