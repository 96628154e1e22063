#include "flexible/section_cut.hpp"

#include "base/index.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace filum::flexible {
namespace {

using std::numbers::pi;

struct Crossing {
  int odd = -1;  // the corner that lies on the other side than both others; −1: none does
  std::array<double, 3> height;
};

Crossing crossing(const Surface& surface, const Plane& plane, int triangle) {
  Crossing made;
  for (int k = 0; k < 3; ++k)
    made.height[at(k)] = (surface.point[at(surface.triangle[at(triangle)][at(k)])] - plane.origin).dot(plane.normal);
  const auto above = [&](int k) { return made.height[at(k)] >= 0; };
  for (int k = 0; k < 3; ++k)
    if (above(k) != above((k + 1) % 3) && above(k) != above((k + 2) % 3)) made.odd = k;
  return made;
}

// An edge that the plane passes through.
struct Pierced {
  int above = 0;  // points
  int below = 0;
  double high = 0;  // how far they are from the plane
  double low = 0;
};

Pierced pierced(const Surface& surface, const Plane& plane, int triangle, int side) {
  const auto& corners = surface.triangle[at(triangle)];
  const auto height = [&](int point) { return (surface.point[at(point)] - plane.origin).dot(plane.normal); };
  const int a = corners[at(side)];
  const int b = corners[at(side == 2 ? 0 : side + 1)];
  if (height(a) >= 0) return {a, b, height(a), height(b)};
  return {b, a, height(b), height(a)};
}

// Where an edge passes the plane, between the point above it and the one below.
inline Vec3 point_on(const Surface& surface, const Pierced& edge) {
  const Vec3& above = surface.point[at(edge.above)];
  return above + (surface.point[at(edge.below)] - above) * (edge.high / (edge.high - edge.low));
}

// From triangle to triangle, out of each by the edge it did not come in by. True: back where it began.
// Of each triangle only the corner that the one before has not is looked at.
bool follow(const Surface& surface, const Plane& plane, int first, int side, double longest, Cut& made) {
  Pierced edge = pierced(surface, plane, first, side);
  int triangle = first;
  Vec3 last = point_on(surface, edge);
  made.corner.push_back(last);
  const std::size_t most = surface.triangle.size() + 1;
  for (std::size_t steps = 0; steps < most; ++steps) {
    triangle = surface.neighbour[at(triangle)][at(side)];
    if (triangle < 0) return false;
    if (triangle == first) return true;
    const auto& [a, b, c] = surface.triangle[at(triangle)];
    const int third = a + b + c - edge.above - edge.below;
    const double height = (surface.point[at(third)] - plane.origin).dot(plane.normal);
    // on through the edge between the third corner and that of the other side
    const int left = height >= 0 ? std::exchange(edge.above, third) : std::exchange(edge.below, third);
    (height >= 0 ? edge.high : edge.low) = height;
    side = left == a ? 1 : left == b ? 2 : 0;
    made.triangle.push_back(triangle);
    const Vec3 point = point_on(surface, edge);
    made.length += (point - last).norm();
    made.corner.push_back(point);
    last = point;
    if (made.length > longest) return false;
  }
  return false;
}

// Coordinates in the plane of a section.
struct Sheet {
  Vec3 origin, u, v;
  explicit Sheet(const Vec3& at, const Vec3& normal) : origin(at) {
    const Vec3 aside = std::abs(normal.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY();
    u = (aside - aside.dot(normal) * normal).normalized();
    v = normal.cross(u);
  }
  [[nodiscard]] Vec2 flat(const Vec3& p) const { return {(p - origin).dot(u), (p - origin).dot(v)}; }
  [[nodiscard]] Vec3 space(const Vec2& p) const { return origin + p.x() * u + p.y() * v; }
};

// Least squares with rows (a, b, 1): their normal equations. Summed number by number, since circles are fitted by the
// million.
class Normal {
 public:
  void add(double a, double b, double weight, double value) {
    aa_ += weight * a * a;
    ab_ += weight * a * b;
    bb_ += weight * b * b;
    a_ += weight * a;
    b_ += weight * b;
    one_ += weight;
    right_a_ += weight * value * a;
    right_b_ += weight * value * b;
    right_one_ += weight * value;
  }
  // Nothing where the equations say too little: `least` of the cube of their trace.
  [[nodiscard]] std::optional<Vec3> solution(double least) const {
    Mat3 normal;
    normal << aa_, ab_, a_, ab_, bb_, b_, a_, b_, one_;
    const double scale = normal.trace();
    if (!(std::abs(normal.determinant()) > least * scale * scale * scale)) return std::nullopt;
    return normal.inverse() * Vec3(right_a_, right_b_, right_one_);
  }

 private:
  double aa_ = 0, ab_ = 0, bb_ = 0, a_ = 0, b_ = 0, one_ = 0;
  double right_a_ = 0, right_b_ = 0, right_one_ = 0;
};

// Kåsa's algebraic circle with weights: |x|² = 2 c·x + (r² − |c|²), in units of how far the points are from the origin, so
// that the three unknowns are of one size.
bool algebraic(const std::vector<Vec2>& x, const std::vector<double>& weight, Vec2& centre, double& radius) {
  double size = 0;
  for (const Vec2& p : x) size = std::max(size, p.cwiseAbs().maxCoeff());
  if (!(size > 0)) return false;
  Normal normal;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec2 p = x[i] / size;
    normal.add(2 * p.x(), 2 * p.y(), weight[i], p.squaredNorm());
  }
  const std::optional<Vec3> solution = normal.solution(1e-18);
  if (!solution) return false;
  const double square = (*solution)[2] + solution->head<2>().squaredNorm();
  if (!(square > 0)) return false;
  centre = size * solution->head<2>();
  radius = size * std::sqrt(square);
  return true;
}

// Gauss and Newton on the distances, with Huber's weights: what lies far off pulls no harder than three rms.
double polish(const std::vector<Vec2>& x, const std::vector<double>& weight, Vec2& centre, double& radius) {
  constexpr double kExact = 1e-9;    // rms, share of the radius: the corners lie on the circle
  constexpr double kSettled = 1e-7;  // a step, share of the radius
  std::vector<double> distance(x.size());
  double rms = 0;
  bool settled = false;
  for (int round = 0; round < 5; ++round) {
    double squares = 0;
    double total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      distance[i] = (x[i] - centre).norm();
      const double off = distance[i] - radius;
      squares += weight[i] * off * off;
      total += weight[i];
    }
    rms = std::sqrt(squares / total);
    if (round == 4 || settled || rms < kExact * radius) break;
    Normal normal;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(distance[i] > 0)) continue;
      const double off = distance[i] - radius;
      const double huber = std::abs(off) > 3 * rms && rms > 0 ? 3 * rms / std::abs(off) : 1;
      const Vec2 ray = (x[i] - centre) / distance[i];
      normal.add(ray.x(), ray.y(), weight[i] * huber, off);
    }
    const std::optional<Vec3> step = normal.solution(1e-12);
    if (!step) break;
    centre += step->head<2>();
    radius += (*step)[2];
    settled = step->norm() < kSettled * radius;
  }
  return rms;
}

// Of at most 60°, from what is in proportion to its sine and cosine: twice the arc tangent of its half, by the series of
// that, to 3e-5. For weights, by the million.
double small_angle(double sine, double cosine) {
  const double half = sine / (cosine + std::sqrt(sine * sine + cosine * cosine));
  const double x = half * half;
  return 2 * half * (1 - x * (1 / 3. - x * (1 / 5. - x * (1 / 7. - x * (1 / 9. - x * (1 / 11. - x / 13.))))));
}

// What grows with the angle of a direction as that does, but is none: from −2 to 2.
double order_round(const Vec2& ray) {
  const double share = ray.y() / (std::abs(ray.x()) + std::abs(ray.y()));
  return ray.x() >= 0 ? share : ray.y() >= 0 ? 2 - share : -2 - share;
}

// The largest angle without a corner.
double largest_gap(const std::vector<Vec2>& x, const std::vector<double>& weight, const Vec2& centre) {
  const double most = *std::max_element(weight.begin(), weight.end());
  std::vector<std::pair<double, Vec2>> rays;
  rays.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec2 ray = x[i] - centre;
    if (weight[i] > 0.1 * most && !ray.isZero(0)) rays.emplace_back(order_round(ray), ray);
  }
  if (rays.size() < 2) return 2 * pi;
  std::sort(rays.begin(), rays.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  // the widest by its cosine; beyond half a turn there can be one alone
  double least = 2;
  double gap = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const bool round = i + 1 == rays.size();
    const Vec2& a = rays[i].second;
    const auto& [place, b] = rays[round ? 0 : i + 1];
    const double turned = cross(a, b);
    if (place + (round ? 4 : 0) - rays[i].first > 2) return pi + std::atan2(-turned, -a.dot(b));
    const double cosine = a.dot(b) / std::sqrt(a.squaredNorm() * b.squaredNorm());
    if (cosine >= least) continue;
    least = cosine;
    gap = std::atan2(turned, a.dot(b));
  }
  return gap;
}

constexpr double kSharp = 0.9;    // of the box about it: sharp corners
constexpr double kWidest = 70;    // quotient of width and height
constexpr double kBar = 1.8;      // likewise; wider ones are ribbons
constexpr double kLikeSides = 4;  // likewise, where the moments do not tell well which way a section lies

bool flat_but_for_convexity(const Profile& profile) {
  if (profile.fill < 0.70 || profile.fill > 1.001) return false;
  const double aspect = profile.half.x() / profile.half.y();
  return aspect < kWidest && (profile.fill > kSharp || aspect > 1.1);
}

// The box about a section that lies along `wide`, and how much of it the area fills.
void enclose(Profile& profile, const std::vector<Vec2>& corner, const Vec2& centre, const Vec2& wide, double area) {
  const Vec2 high(-wide.y(), wide.x());
  profile.half = Vec2::Zero();
  for (const Vec2& p : corner) {
    profile.half.x() = std::max(profile.half.x(), std::abs((p - centre).dot(wide)));
    profile.half.y() = std::max(profile.half.y(), std::abs((p - centre).dot(high)));
  }
  profile.fill = area / (4 * profile.half.x() * profile.half.y());
}

// The way of most of its sides, up to quarters of a turn: of a rectangle its own, also of a square.
Vec2 way_of_sides(const std::vector<Vec2>& corner) {
  Vec2 sum = Vec2::Zero();
  for (std::size_t i = 0; i < corner.size(); ++i) {
    const Vec2 side = corner[(i + 1) % corner.size()] - corner[i];
    const double angle = 4 * std::atan2(side.y(), side.x());
    sum += side.norm() * Vec2(std::cos(angle), std::sin(angle));
  }
  const double angle = std::atan2(sum.y(), sum.x()) / 4;
  return {std::cos(angle), std::sin(angle)};
}

// By the moments of its area, sums over its edges by Green's theorem.
Profile profile_of(const std::vector<Vec2>& corner, const Sheet& sheet) {
  Profile profile;
  const std::size_t count = corner.size();
  double twice = 0;
  Vec2 first = Vec2::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2& a = corner[i];
    const Vec2& b = corner[(i + 1) % count];
    twice += cross(a, b);
    first += cross(a, b) * (a + b);
  }
  if (!(std::abs(twice) > 0)) return profile;
  const Vec2 centre = first / (3 * twice);
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 a = corner[i] - centre;
    const Vec2 b = corner[(i + 1) % count] - centre;
    second +=
        cross(a, b) / twice * (2 * a * a.transpose() + 2 * b * b.transpose() + a * b.transpose() + b * a.transpose());
  }
  if (!(second.determinant() > 0)) return profile;
  // the principal axis of the larger moment
  const double angle = std::atan2(2 * second(0, 1), second(0, 0) - second(1, 1)) / 2;
  Vec2 wide(std::cos(angle), std::sin(angle));
  const double area = std::abs(twice) / 2;
  enclose(profile, corner, centre, wide, area);
  // what is nearly as high as wide may lie along its sides instead
  if (profile.half.x() < kLikeSides * profile.half.y()) {
    Profile box;
    Vec2 side = way_of_sides(corner);
    enclose(box, corner, centre, side, area);
    if (box.fill > kSharp) {
      if (box.half.x() < box.half.y()) {
        std::swap(box.half.x(), box.half.y());
        side = Vec2(-side.y(), side.x());
      }
      profile = box;
      wide = side;
    }
  }
  profile.centre = sheet.space(centre);
  profile.wide = wide.x() * sheet.u + wide.y() * sheet.v;
  return profile;
}

}  // namespace

std::vector<Vec2> convex_hull(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(),
            [](const Vec2& a, const Vec2& b) { return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y()); });
  // Andrew's chains: the lower one, then the upper one
  std::vector<Vec2> hull;
  for (int chain = 0; chain < 2; ++chain) {
    const std::size_t first = hull.size();
    for (const Vec2& p : points) {
      while (hull.size() > first + 1 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // the other chain begins with it
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

void sort_round(std::vector<Vec2>& points) {
  std::vector<std::pair<double, Vec2>> rays;
  rays.reserve(points.size());
  for (const Vec2& p : points) rays.emplace_back(p.isZero(0) ? 0 : order_round(p), p);
  std::sort(rays.begin(), rays.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < rays.size(); ++i) points[i] = rays[i].second;
}

bool crosses(const Surface& surface, const Plane& plane, int triangle) {
  return crossing(surface, plane, triangle).odd >= 0;
}

Cut cut(const Surface& surface, const Plane& plane, int triangle, double longest) {
  Cut made;
  const Crossing cross = crossing(surface, plane, triangle);
  if (cross.odd < 0) return made;
  constexpr std::size_t kUsual = 32;
  made.corner.reserve(kUsual);
  made.triangle.reserve(kUsual);
  made.triangle.push_back(triangle);
  const int before = (cross.odd + 2) % 3;
  made.closed = follow(surface, plane, triangle, cross.odd, longest, made);
  if (made.length > longest) return {};
  if (made.closed) {
    // first the corner by which the first triangle was entered
    made.corner.insert(made.corner.begin(), made.corner.back());
    made.corner.pop_back();
    made.length += (made.corner.front() - made.corner[1]).norm();
    return made;
  }
  // open: also the other way from the first triangle
  std::reverse(made.corner.begin(), made.corner.end());
  std::reverse(made.triangle.begin(), made.triangle.end());
  Cut back;
  (void)follow(surface, plane, triangle, before, longest, back);
  if (made.length + back.length > longest) return {};
  made.length += back.length + (made.corner.back() - back.corner.front()).norm();
  made.corner.insert(made.corner.end(), back.corner.begin(), back.corner.end());
  made.triangle.insert(made.triangle.end(), back.triangle.begin(), back.triangle.end());
  return made;
}

Circle fit_circle(const std::vector<Vec3>& points, const std::vector<double>& weights, const Vec3& normal) {
  constexpr double kNoCircle = 0.2;  // rms that nobody takes for one
  Circle circle;
  if (points.size() < 3) return circle;
  Vec3 mean = Vec3::Zero();
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    mean += weights[i] * points[i];
    total += weights[i];
  }
  if (!(total > 1e-9)) return circle;
  const Sheet sheet(mean / total, normal);
  std::vector<Vec2> flat;
  flat.reserve(points.size());
  for (const Vec3& p : points) flat.push_back(sheet.flat(p));
  Vec2 centre = Vec2::Zero();
  if (!algebraic(flat, weights, centre, circle.radius)) return circle;
  const double rms = polish(flat, weights, centre, circle.radius);
  if (!(circle.radius > 0) || !std::isfinite(circle.radius)) return circle;
  circle.rms = rms / circle.radius;
  circle.centre = sheet.space(centre);
  if (circle.rms < kNoCircle) circle.gap = largest_gap(flat, weights, centre);
  circle.found = true;
  return circle;
}

Circle fit_circle(const Cut& polygon, const Vec3& normal) {
  // corners that are one count once
  std::vector<Vec3> corner;
  corner.reserve(polygon.corner.size());
  const double tiny = 1e-7 * polygon.length;
  const auto apart = [&](const Vec3& a, const Vec3& b) { return (a - b).squaredNorm() > tiny * tiny; };
  for (const Vec3& p : polygon.corner)
    if (corner.empty() || apart(p, corner.back())) corner.push_back(p);
  while (polygon.closed && corner.size() > 1 && !apart(corner.front(), corner.back())) corner.pop_back();
  const std::size_t count = corner.size();
  if (count < 4) return {};
  std::vector<double> weight(count, 0);
  for (std::size_t i = polygon.closed ? 0 : 1; i + (polygon.closed ? 0 : 1) < count; ++i) {
    const Vec3 in = corner[i] - corner[i > 0 ? i - 1 : count - 1];
    const Vec3 out = corner[i + 1 < count ? i + 1 : 0] - corner[i];
    const double across = in.cross(out).norm();
    const double along = in.dot(out);
    weight[i] = across >= std::numbers::sqrt3 * along ? pi / 3 : small_angle(across, along);
  }
  Circle circle = fit_circle(corner, weight, normal);
  Vec3 twice = Vec3::Zero();
  for (std::size_t i = 0; i < count; ++i)
    twice += (corner[i] - circle.centre).cross(corner[i + 1 < count ? i + 1 : 0] - circle.centre);
  circle.area = twice.norm() / 2;
  return circle;
}

bool is_compact(const Cut& polygon) {
  if (!polygon.closed) return false;
  const Vec3& first = polygon.corner.front();
  Vec3 twice = Vec3::Zero();
  for (std::size_t i = 2; i < polygon.corner.size(); ++i)
    twice += (polygon.corner[i - 1] - first).cross(polygon.corner[i] - first);
  return 2 * pi * twice.norm() > 0.6 * polygon.length * polygon.length;
}

bool is_round(const Cut& polygon, const Circle& circle) {
  if (!circle.found || !polygon.closed || circle.rms > 0.04 || circle.gap > 2.0) return false;
  const double filled = circle.area / (pi * circle.radius * circle.radius);
  return filled > 0.70 && filled < 1.1;
}

Profile fit_profile(const std::vector<Vec3>& points, const Vec3& normal) {
  if (points.size() < 4) return {};
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += p / static_cast<double>(points.size());
  const Sheet sheet(mean, normal);
  std::vector<Vec2> flat;
  for (const Vec3& p : points) flat.push_back(sheet.flat(p));
  sort_round(flat);
  return profile_of(flat, sheet);
}

Profile fit_profile(const Cut& polygon, const Vec3& normal) {
  if (!polygon.closed || polygon.corner.size() < 4) return {};
  const Sheet sheet(polygon.corner.front(), normal);
  std::vector<Vec2> flat;
  flat.reserve(polygon.corner.size());
  for (const Vec3& p : polygon.corner) flat.push_back(sheet.flat(p));
  return profile_of(flat, sheet);
}

void align(Profile& profile, const Vec3& wide, const Vec3& normal) {
  constexpr double kByChance = 1.2;  // quotient of width and height
  const Vec3 high = normal.cross(profile.wide);
  const bool by_chance = profile.half.x() < kByChance * profile.half.y();
  if (by_chance && std::abs(high.dot(wide)) > std::abs(profile.wide.dot(wide))) {
    profile.wide = high;
    std::swap(profile.half.x(), profile.half.y());
  }
  if (profile.wide.dot(wide) < 0) profile.wide = -profile.wide;
}

bool is_bar(const Vec2& half, double fill) {
  return fill > kSharp && half.x() < kBar * half.y();
}

bool is_convex(const Profile& profile, const std::vector<Vec3>& corners, const Vec3& normal) {
  constexpr double kConvex = 0.9;  // of the area of its hull; two circles side by side have 0.88
  const Sheet sheet(profile.centre, normal);
  std::vector<Vec2> flat;
  flat.reserve(corners.size());
  for (const Vec3& p : corners) flat.push_back(sheet.flat(p));
  const std::vector<Vec2> hull = convex_hull(std::move(flat));
  double twice = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) twice += cross(hull[i], hull[i + 1 < hull.size() ? i + 1 : 0]);
  return 8 * profile.fill * profile.half.x() * profile.half.y() > kConvex * twice;
}

bool is_flat(const Profile& profile, const Cut& polygon, const Vec3& normal) {
  return flat_but_for_convexity(profile) && is_convex(profile, polygon.corner, normal);
}

bool is_nearly_flat(const Profile& profile) {
  return profile.fill > 0.4 && profile.half.x() < 1.5 * kWidest * profile.half.y();
}

Vec3 axis_of(const Surface& surface, const Cut& polygon) {
  Mat3 sum = Mat3::Zero();
  for (std::size_t i = 0; i < polygon.triangle.size(); ++i) {
    const Vec3& from = polygon.corner[i];
    const Vec3& to = polygon.corner[(i + 1) % polygon.corner.size()];
    const Vec3& n = surface.normal[at(polygon.triangle[i])];
    sum += (to - from).norm() * n * n.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(sum);
  if (eigen.eigenvalues()[0] > 0.3 * eigen.eigenvalues()[1]) return Vec3::Zero();
  return eigen.eigenvectors().col(0);
}

}  // namespace filum::flexible
