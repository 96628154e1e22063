#include "report/svg/modes_pictures.hpp"

#include "report/svg/svg_camera.hpp"
#include "report/svg/svg_canvas.hpp"
#include "report/svg/svg_chart.hpp"

#include <algorithm>
#include <array>

namespace filum::io {
namespace {

constexpr double kAmplitude = 0.12;  // of the picture's size: the largest displacement
constexpr double kModeWidth = 540, kModeTallest = 300, kModeLeast = 70, kModeMargin = 26, kModeHead = 34;
constexpr std::size_t kMostPoints = 600;  // of a rod

struct DrawingPlane {
  const char* title;
  Vec3 right, up;
};
const std::array<DrawingPlane, 3>& planes() {
  static const std::array<DrawingPlane, 3> all = {DrawingPlane{"Front, x–z", Vec3::UnitX(), Vec3::UnitZ()},
                                                  DrawingPlane{"Top, x–y", Vec3::UnitX(), Vec3::UnitY()},
                                                  DrawingPlane{"Side, y–z", Vec3::UnitY(), Vec3::UnitZ()}};
  return all;
}

double largest_displacement(const NaturalMode& mode) {
  double largest = 0;
  for (const NaturalMode::RodShape& rod : mode.rods)
    for (const Vec3& u : rod.displacement) largest = std::max(largest, u.norm());
  for (const Vec3& u : mode.body_displacement) largest = std::max(largest, u.norm());
  return largest;
}

// How much of the swing a plane shows: displacement across the rod counts in full, along it a little.
double shown(const DrawingPlane& plane, const Pose& pose, const NaturalMode& mode) {
  const auto flat = [&](const Vec3& v) { return Vec2(plane.right.dot(v), plane.up.dot(v)); };
  double sum = 0;
  for (std::size_t r = 0; r < mode.rods.size(); ++r) {
    const RodPose& rod = pose.rods[r];
    for (std::size_t i = 0; i + 1 < rod.position.size(); ++i) {
      const Vec2 u = flat(mode.rods[r].displacement[i]);
      const Vec2 t = flat((rod.position[i + 1] - rod.position[i]).normalized());
      sum += std::abs(u.x() * t.y() - u.y() * t.x()) + 0.1 * u.norm();
    }
  }
  for (const Vec3& u : mode.body_displacement) sum += flat(u).norm();
  return sum;
}

// The rods, displaced by `amplitude` times the mode.
std::vector<std::vector<Vec3>> lines(const Pose& pose, const NaturalMode& mode, double amplitude) {
  std::vector<std::vector<Vec3>> out;
  for (std::size_t r = 0; r < pose.rods.size(); ++r) {
    const std::vector<Vec3>& position = pose.rods[r].position;
    const std::size_t stride = 1 + position.size() / kMostPoints;
    std::vector<Vec3>& line = out.emplace_back();
    for (std::size_t i = 0; i < position.size(); i += stride)
      line.push_back(position[i] + amplitude * mode.rods[r].displacement[i]);
    if (!position.empty()) line.push_back(position.back() + amplitude * mode.rods[r].displacement.back());
  }
  return out;
}

std::string picture(const DrawingPlane& plane, const Scene& scene, const Pose& pose, const NaturalMode& mode,
                    double amplitude, const std::vector<Vec3>& points) {
  Camera camera = parallel_camera(plane.right, plane.up, bounds_of(points));
  const double scale = fitting_scale(camera, points, {kModeWidth - 2 * kModeMargin, kModeTallest});
  camera.scale = scale;
  double low = 0;
  double high = 0;
  for (const Vec3& p : points) {
    low = std::min(low, plane.up.dot(p - camera.target));
    high = std::max(high, plane.up.dot(p - camera.target));
  }
  const double tall = std::clamp(scale * (high - low), kModeLeast, kModeTallest);
  centre_on(camera, points, {kModeMargin, kModeHead}, {kModeWidth - 2 * kModeMargin, tall});

  Canvas canvas(kModeWidth, kModeHead + tall + kModeMargin);
  canvas.text({10, 20}, plane.title, Anchor::Start, "class=\"halo\" font-size=\"13\" font-weight=\"600\"");
  const auto draw = [&](double factor, const char* style) {
    for (const std::vector<Vec3>& line : lines(pose, mode, factor * amplitude)) {
      std::vector<Vec2> placed;
      for (const Vec3& p : line) placed.push_back(camera.place(p));
      canvas.polyline(placed, style);
    }
    for (std::size_t b = 0; b < pose.bodies.size(); ++b)
      if (scene.bodies[b].motion == BodyMotion::Free)
        canvas.circle(camera.place(pose.bodies[b].position + factor * amplitude * mode.body_displacement[b]), 5,
                      "class=\"body\"");
  };
  draw(0, "class=\"ghost\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\"");
  draw(-1, "class=\"force\" stroke-width=\"1.6\" stroke-opacity=\"0.35\"");
  draw(1, "class=\"force\" stroke-width=\"2.4\"");
  for (const HoldPose& hold : pose.holds) canvas.circle(camera.place(hold.position), 4, "class=\"barhead\"");
  return canvas.finish(plane.title);
}

std::string turn_chart(const Scene& scene, const Pose& pose, const NaturalMode& mode) {
  Chart chart;
  chart.title = "Turn about the tangent, rad";
  chart.x_name = "s";
  for (std::size_t r = 0; r < mode.rods.size(); ++r)
    chart.series.push_back({scene.rods[r].name, pose.rods[r].s, mode.rods[r].turn});
  return chart_svg(chart);
}

}  // namespace

std::vector<std::string> mode_svgs(const Scene& scene, const Pose& pose, const NaturalMode& mode) {
  const double largest = largest_displacement(mode);
  if (largest < 0.5) return {turn_chart(scene, pose, mode)};

  // what must be in the picture at either end of the swing
  std::vector<Vec3> points;
  for (const std::vector<Vec3>& line : lines(pose, mode, 0)) points.insert(points.end(), line.begin(), line.end());
  for (const BodyPose& body : pose.bodies) points.push_back(body.position);
  const double amplitude = kAmplitude * bounds_of(points).size() / largest;
  for (const double sign : {-1.0, 1.0}) {
    for (const std::vector<Vec3>& line : lines(pose, mode, sign * amplitude))
      points.insert(points.end(), line.begin(), line.end());
    for (std::size_t b = 0; b < pose.bodies.size(); ++b)
      points.push_back(pose.bodies[b].position + sign * amplitude * mode.body_displacement[b]);
  }
  std::vector<DrawingPlane> order(planes().begin(), planes().end());
  std::stable_sort(order.begin(), order.end(), [&](const DrawingPlane& a, const DrawingPlane& b) {
    // round-off must not choose between planes that show the same
    return shown(a, pose, mode) > (1 + 1e-6) * shown(b, pose, mode);
  });
  return {picture(order[0], scene, pose, mode, amplitude, points),
          picture(order[1], scene, pose, mode, amplitude, points)};
}

}  // namespace filum::io
