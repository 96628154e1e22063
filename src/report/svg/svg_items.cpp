#include "report/svg/svg_items.hpp"

#include "io/colours.hpp"
#include "rod/pose_at.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace filum::io {
namespace {

constexpr double kThinnest = 1.1;  // px, half of a rod's drawn width at least

// Light from above the viewer's left shoulder, with a highlight: around 1 is the colour itself.
double brightness(const Camera& camera, const Vec3& normal, const Vec3& viewer) {
  const Vec3 light = (-0.5 * camera.right + 0.75 * camera.up + 0.6 * camera.toward).normalized();
  const double diffuse = std::max(0.0, normal.dot(light));
  const double gloss = std::pow(std::max(0.0, normal.dot((light + viewer).normalized())), 24);
  return 0.6 + 0.5 * diffuse + 0.45 * gloss;
}

// The visible half of a section at one node.
struct Ring {
  std::vector<Vec2> points;
  std::vector<double> brightness;
  double depth = 0;
  bool valid = false;
};

// Half-extents of the section at a node, at least `kThinnest` px.
Vec2 half_extents(const Camera& camera, const RodPose& rod, size_t node) {
  const double least = kThinnest / camera.pixels(rod.position[node]);
  const Vec2 outline = node < rod.outline.size() ? rod.outline[node] : Vec2::Zero();
  return outline.allFinite() ? Vec2(outline.cwiseMax(least)) : Vec2::Constant(least);
}

bool drawable(const RodPose& rod, size_t node) {
  return node < rod.frame.size() && rod.position[node].allFinite() && rod.frame[node].coeffs().allFinite();
}

Ring ring_at(const Camera& camera, const RodPose& rod, size_t node, int strips) {
  Ring ring;
  if (!drawable(rod, node)) return ring;
  const Vec3& centre = rod.position[node];
  const Vec2 half = half_extents(camera, rod, node);
  const Vec3 d1 = rod.frame[node] * Vec3::UnitX(), d2 = rod.frame[node] * Vec3::UnitY();
  const Vec3 viewer = camera.to_viewer(centre);
  // the surface at (a cos θ, b sin θ) has normal (cos θ / a, sin θ / b): it faces the viewer within 90° of θ₀
  const double middle = std::atan2(viewer.dot(d2) / half.y(), viewer.dot(d1) / half.x());
  for (int k = 0; k <= strips; ++k) {
    const double angle = middle + std::numbers::pi * (static_cast<double>(k) / strips - 0.5);
    const double c = std::cos(angle), s = std::sin(angle);
    ring.points.push_back(camera.place(centre + half.x() * c * d1 + half.y() * s * d2));
    ring.brightness.push_back(brightness(camera, (c / half.x() * d1 + s / half.y() * d2).normalized(), viewer));
  }
  ring.depth = camera.depth(centre);
  ring.valid = true;
  return ring;
}

// The value that colours the segment between two drawn nodes: what was skipped counts with its largest.
double segment_share(const std::vector<double>& share, size_t from, size_t to) {
  if (to >= share.size()) return std::nan("");
  if (to == from + 1) return 0.5 * (share[from] + share[to]);
  double most = std::nan("");
  for (size_t i = from; i <= to; ++i) {
    if (!(share[i] <= most)) most = share[i];
  }
  return most;
}

Rgb colour_of(double share) {
  return share > 1 ? over_colour() : scale_colour(share);
}

std::string facet_style(const std::string& colour) {
  return fmt::format("fill=\"{0}\" stroke=\"{0}\"", colour);
}

// The flat end of a rod, if it faces the viewer.
void add_cap(std::vector<Item>& items, const Camera& camera, const RodPose& rod, size_t node, double side,
             const Rgb& colour) {
  if (!drawable(rod, node)) return;
  const Vec3& centre = rod.position[node];
  const Vec2 half = half_extents(camera, rod, node);
  const Vec3 out = side * (rod.frame[node] * Vec3::UnitZ()), viewer = camera.to_viewer(centre);
  if (out.dot(viewer) <= 0 || half.maxCoeff() * camera.pixels(centre) < 2) return;
  Item cap{camera.depth(centre) + 0.1 * half.maxCoeff(), {}, "", {}};
  for (int k = 0; k < 16; ++k) {
    const double angle = 2 * std::numbers::pi * k / 16;
    const Vec3 local(half.x() * std::cos(angle), half.y() * std::sin(angle), 0);
    cap.area.push_back(camera.place(centre + rod.frame[node] * local));
  }
  cap.style = facet_style(shaded(colour, 0.72 * brightness(camera, out, viewer)));
  items.push_back(cap);
}

}  // namespace

std::vector<size_t> drawn_nodes(const RodPose& rod, size_t budget) {
  const size_t n = rod.position.size();
  std::vector<size_t> nodes;
  if (n <= budget + 1) {
    for (size_t i = 0; i < n; ++i) nodes.push_back(i);
    return nodes;
  }
  // length and turning up to each node; what is not finite adds nothing
  std::vector<double> length(n, 0), turning(n, 0);
  const auto finite = [](double v) { return std::isfinite(v) ? v : 0.0; };
  for (size_t i = 1; i < n; ++i) {
    length[i] = length[i - 1] + finite((rod.position[i] - rod.position[i - 1]).norm());
    turning[i] = turning[i - 1] + finite(rod.frame[i].angularDistance(rod.frame[i - 1]));
  }
  const auto measure = [&](size_t i) {
    return length[i] / std::max(length[n - 1], 1e-300) + 2 * turning[i] / (turning[n - 1] + 1);
  };
  // a node each time the measure passes another step
  double next = 0;
  for (size_t i = 0; i + 1 < n; ++i) {
    if (measure(i) < next && !rod::is_gap(rod, i + 1) && !(i > 0 && rod::is_gap(rod, i))) continue;
    nodes.push_back(i);
    next = measure(i) + measure(n - 1) / static_cast<double>(budget);
  }
  nodes.push_back(n - 1);
  return nodes;
}

void add_tube(std::vector<Item>& items, const Camera& camera, const RodPose& rod, const std::vector<double>& share,
              size_t budget) {
  const std::vector<size_t> nodes = drawn_nodes(rod, budget);
  if (nodes.empty()) return;
  // as many strips as the width deserves
  double width = 0;
  for (const size_t node : nodes) {
    if (drawable(rod, node))
      width = std::max(width, half_extents(camera, rod, node).maxCoeff() * camera.pixels(rod.position[node]));
  }
  const bool coarse = budget < 12;  // a crowd of rods: outlines only
  const int strips = width < 1.6 || coarse ? 1 : width < 3 ? 3 : width < 7 ? 5 : 8;
  Ring before = ring_at(camera, rod, nodes[0], strips);
  for (size_t k = 1; k < nodes.size(); ++k) {
    const Ring after = ring_at(camera, rod, nodes[k], strips);
    const Rgb colour = colour_of(segment_share(share, nodes[k - 1], nodes[k]));
    if (rod::is_gap(rod, nodes[k])) {
      add_cap(items, camera, rod, nodes[k - 1], 1, colour_of(segment_share(share, nodes[k - 1], nodes[k - 1])));
      add_cap(items, camera, rod, nodes[k], -1, colour_of(segment_share(share, nodes[k], nodes[k])));
      before = after;
      continue;
    }
    for (int j = 0; before.valid && after.valid && j < strips; ++j) {
      const auto a = static_cast<size_t>(j), b = a + 1;
      const double light =
          0.25 * (before.brightness[a] + before.brightness[b] + after.brightness[a] + after.brightness[b]);
      items.push_back({0.5 * (before.depth + after.depth),
                       {before.points[a], before.points[b], after.points[b], after.points[a]},
                       facet_style(shaded(colour, light)),
                       {}});
    }
    before = after;
  }
  if (rod.closed || nodes.size() < 2) return;
  add_cap(items, camera, rod, nodes.front(), -1, colour_of(segment_share(share, nodes[0], nodes[1])));
  add_cap(items, camera, rod, nodes.back(), 1, colour_of(segment_share(share, nodes[nodes.size() - 2], nodes.back())));
}

void add_body(std::vector<Item>& items, const Camera& camera, const Vec3& box, const BodyPose& pose) {
  if (!pose.position.allFinite() || !pose.orientation.coeffs().allFinite()) return;
  if (box.isZero()) {
    const Vec2 at = camera.place(pose.position);
    items.push_back({camera.depth(pose.position), {}, "", [at](Canvas& canvas) {
                       canvas.rectangle(at - Vec2(4, 4), Vec2(8, 8), "class=\"body\" stroke-width=\"1\"");
                     }});
    return;
  }
  // six faces: axis, side
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const Vec3 normal = pose.orientation * Vec3(side * Vec3::Unit(axis));
      Vec3 middle = Vec3::Zero();
      middle[axis] = 0.5 * side * box[axis];
      const Vec3 centre = pose.position + pose.orientation * middle;
      Item face{camera.depth(centre), {}, "", {}};
      for (const auto& [p, q] : std::array<std::array<double, 2>, 4>{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}) {
        Vec3 corner = middle;
        corner[u] = 0.5 * p * box[u];
        corner[v] = 0.5 * q * box[v];
        face.area.push_back(camera.place(pose.position + pose.orientation * corner));
      }
      // faces turned away show as thin edges behind the glass
      const Vec3 viewer = camera.to_viewer(centre);
      const bool front = normal.dot(viewer) > 0;
      const double light = brightness(camera, normal, viewer);
      face.style =
          front ? fmt::format("class=\"body\" fill-opacity=\"{:.2f}\"", std::clamp(0.75 - 0.4 * light, 0.15, 0.6))
                : "class=\"bodyback\"";
      items.push_back(face);
    }
  }
}

void add_hold(std::vector<Item>& items, const Camera& camera, const Vec3& at, const Quat& frame, double radius,
              double arm) {
  if (!at.allFinite()) return;
  const Vec2 centre = camera.place(at);
  std::array<Vec2, 3> tips;
  for (int k = 0; k < 3; ++k) tips[static_cast<size_t>(k)] = camera.place(at + arm * (frame * Vec3(Vec3::Unit(k))));
  const auto draw = [=](Canvas& canvas) {
    static const char* const kAxes[] = {"#d64545", "#2f9e44", "#3b7dd8"};
    for (size_t k = 0; k < 3; ++k) {
      const std::string line = fmt::format("stroke=\"{}\"", kAxes[k]), head = fmt::format("fill=\"{}\"", kAxes[k]);
      canvas.arrow(centre, tips[k], 1.8, line, head);
    }
    canvas.circle(centre, radius, "fill=\"#4c5a70\" class=\"ball\"");
    canvas.circle(centre + Vec2(-0.3, -0.35) * radius, 0.42 * radius, "fill=\"#fff\" fill-opacity=\".45\"");
  };
  // in front of the tube it grips
  items.push_back({camera.depth(at) + 2 * arm, {}, "", draw});
}

void paint(Canvas& canvas, std::vector<Item>& items) {
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.depth < b.depth; });
  canvas.open_group("stroke-width=\".6\" stroke-linejoin=\"round\"");
  for (const Item& item : items) {
    if (item.draw) {
      item.draw(canvas);
    } else {
      canvas.polygon(item.area, item.style);
    }
  }
  canvas.close_group();
}

}  // namespace filum::io
