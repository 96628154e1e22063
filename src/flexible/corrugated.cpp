#include "flexible/corrugated.hpp"

#include "base/index.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace filum::flexible {
namespace {

// The triangles and vertices between two planes across an axis, near it, that hang together.
struct Band {
  std::vector<int> triangles;
  std::vector<int> vertices;
};

struct Axis {
  Vec3 centre = Vec3::Zero();
  Vec3 tangent = Vec3::UnitZ();
  double radius = 0;
  [[nodiscard]] double along(const Vec3& p) const { return (p - centre).dot(tangent); }
  [[nodiscard]] double out(const Vec3& p) const { return (p - centre - along(p) * tangent).norm(); }
};

class Follower {
 public:
  Follower(const Surface& surface, const std::vector<int>& owner, CorrugatedSearch& search)
      : surface_(surface), owner_(owner), search_(search) {}

  std::optional<TracedTube> run(const Cut& across) {
    search_.in_vain = across.triangle;
    if (!is_rough(across)) return std::nullopt;
    std::optional<Axis> start = settle(across);
    if (!start) return std::nullopt;
    TracedTube tube;
    tube.kind = TubeKind::Corrugated;
    const Band first = band(*start, across.triangle, -kBand, kBand);
    std::vector<Station> ahead = march(*start, first.triangles, tube.ring);
    start->tangent = -start->tangent;
    std::vector<Station> behind;
    if (!tube.ring) behind = march(*start, first.triangles, tube.ring);
    std::reverse(behind.begin(), behind.end());
    for (Station& station : behind) station.tangent = -station.tangent;
    tube.stations = std::move(behind);
    tube.stations.push_back(station_of({start->centre, -start->tangent, start->radius}, first));
    for (Station& station : ahead) tube.stations.push_back(std::move(station));
    if (tube.length() < kShortestCorrugated * start->radius) return std::nullopt;
    return tube;
  }

 private:
  static constexpr double kBand = 0.5;      // half of a band's width, radii
  static constexpr double kLook = 2.5;      // half of what is looked at to begin with, radii
  static constexpr double kStep = 0.25;     // radii
  static constexpr double kLookedBack = 2;  // radii over which the direction is taken
  static constexpr double kDeep = 0.03;     // how far the radius goes to and fro at least, share of it
  static constexpr double kEven = 0.05;     // how far vertices of a slice are from their mean distance, radii
  static constexpr double kRough = 0.16;    // rms of a band's vertices from their circle, at most
  static constexpr double kSmooth =
      0.08;  // quotient of the moments of the normals along and across, at most, of a smooth tube
  static constexpr double kInner = 0.55;  // of the radius: what may be a vertex of the tube
  static constexpr double kOuter = 1.5;
  static constexpr std::size_t kMost = 200'000;  // triangles of a band

  static Station station_of(const Axis& axis, const Band& band) {
    Station station;
    station.centre = axis.centre;
    station.tangent = axis.tangent;
    station.radius = axis.radius;
    station.triangles = band.triangles;
    return station;
  }

  // A first, cheap look: on a smooth tube no normal near the polygon leans along it.
  [[nodiscard]] bool is_rough(const Cut& across) {
    constexpr double kRadii = 0.7;
    constexpr std::size_t kEnough = 20;  // triangles for each that the polygon cuts
    const double reach = kRadii * across.length / (2 * std::numbers::pi);
    Vec3 centre = Vec3::Zero();
    for (const Vec3& p : across.corner) centre += p / static_cast<double>(across.corner.size());
    Vec3 area = Vec3::Zero();
    for (std::size_t i = 0; i < across.corner.size(); ++i)
      area += (across.corner[i] - centre).cross(across.corner[(i + 1) % across.corner.size()] - centre);
    const Vec3 normal = area.normalized();
    Mat3 sum = Mat3::Zero();
    const int walk = ++search_.walk;
    std::vector<int>& open = search_.in_vain;
    for (const int t : open) search_.seen_triangle[at(t)] = walk;
    for (std::size_t i = 0; i < open.size() && i < kEnough * across.triangle.size(); ++i) {
      const auto& [a, b, c] = surface_.triangle[at(open[i])];
      const Vec3& p = surface_.point[at(a)];
      const double weight = (surface_.point[at(b)] - p).cross(surface_.point[at(c)] - p).norm();
      sum += weight * surface_.normal[at(open[i])] * surface_.normal[at(open[i])].transpose();
      for (const int n : surface_.neighbour[at(open[i])]) {
        if (n < 0 || owner_[at(n)] >= 0 || std::abs((surface_.centroid(n) - centre).dot(normal)) > reach) continue;
        if (std::exchange(search_.seen_triangle[at(n)], walk) != walk) open.push_back(n);
      }
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(sum, Eigen::EigenvaluesOnly);
    return eigen.eigenvalues()[0] > kSmooth * eigen.eigenvalues()[1];
  }

  // From some triangles over the surface, between two planes at so many radii along the axis. Each triangle is looked at
  // once, when it is met.
  [[nodiscard]] Band band(const Axis& axis, const std::vector<int>& from, double low, double high) {
    Band found;
    const int walk = ++search_.walk;
    std::vector<int>& open = search_.open;
    open = from;
    for (const int t : from) {
      search_.seen_triangle[at(t)] = walk;
      (void)look_at(axis, t, low, high, found);
    }
    for (std::size_t i = 0; i < open.size() && open.size() < kMost; ++i)
      for (const int n : surface_.neighbour[at(open[i])]) {
        if (n < 0 || owner_[at(n)] >= 0 || search_.seen_triangle[at(n)] == walk) continue;
        search_.seen_triangle[at(n)] = walk;
        if (look_at(axis, n, low, high, found)) open.push_back(n);
      }
    return found;
  }

  // Whether a triangle reaches between the planes, or lies between them and where the search began. What of it lies in the
  // band is added.
  bool look_at(const Axis& axis, int triangle, double low, double high, Band& band) {
    const double r = axis.radius;
    double least = high * r;
    double most = low * r;
    bool near = true;
    std::array<bool, 3> within{};
    const std::array<int, 3>& corners = surface_.triangle[at(triangle)];
    for (int k = 0; k < 3; ++k) {
      const Vec3 off = surface_.point[at(corners[at(k)])] - axis.centre;
      const double along = off.dot(axis.tangent);
      const double out = off.squaredNorm() - along * along;  // its square
      least = std::min(least, along);
      most = std::max(most, along);
      near = near && out <= kOuter * kOuter * r * r;
      within[at(k)] = along >= low * r && along <= high * r && out >= kInner * kInner * r * r;
    }
    if (!near || least > high * r || most < std::min(low, -0.1) * r) return false;
    for (int k = 0; k < 3; ++k)
      if (within[at(k)] && std::exchange(search_.seen_point[at(corners[at(k)])], search_.walk) != search_.walk)
        band.vertices.push_back(corners[at(k)]);
    if (within[0] || within[1] || within[2]) band.triangles.push_back(triangle);
    return true;
  }

  // The circle through a band's vertices, seen along the axis.
  [[nodiscard]] std::optional<Axis> fitted(const Axis& axis, const Band& band) const {
    if (band.vertices.size() < 12) return std::nullopt;
    std::vector<Vec3> points;
    Vec3 mean = Vec3::Zero();
    for (const int v : band.vertices) {
      const Vec3& p = surface_.point[at(v)];
      points.push_back(p - axis.along(p) * axis.tangent);
      mean += axis.along(p) / static_cast<double>(band.vertices.size()) * axis.tangent;
    }
    const Circle circle = fit_circle(points, std::vector<double>(points.size(), 1), axis.tangent);
    if (!circle.found || circle.rms > kRough || circle.gap > 1.3) return std::nullopt;
    if (std::abs(circle.radius / axis.radius - 1) > 0.4) return std::nullopt;
    // in its plane, where the circle is, not where the vertices' mean lies along
    const Vec3 centre = circle.centre + (axis.centre - circle.centre).dot(axis.tangent) * axis.tangent;
    return Axis{centre, axis.tangent, circle.radius};
  }

  // A first axis: the long way of what lies about the polygon, if that goes to and fro.
  [[nodiscard]] std::optional<Axis> settle(const Cut& across) {
    Axis axis;
    for (const Vec3& p : across.corner) axis.centre += p / static_cast<double>(across.corner.size());
    Vec3 area = Vec3::Zero();
    for (std::size_t i = 0; i < across.corner.size(); ++i)
      area += (across.corner[i] - axis.centre).cross(across.corner[(i + 1) % across.corner.size()] - axis.centre);
    if (!(area.norm() > 0)) return std::nullopt;
    axis.tangent = area.normalized();
    axis.radius = across.length / (2 * std::numbers::pi);
    for (int round = 0; round < 3; ++round) {
      const Band about = band(axis, across.triangle, -kLook, kLook);
      if (round == 0) set_in_vain(axis, about);
      if (about.vertices.size() < std::size_t{kFewestCorrugatedPoints}) return std::nullopt;
      Vec3 mean = Vec3::Zero();
      for (const int v : about.vertices) mean += surface_.point[at(v)] / static_cast<double>(about.vertices.size());
      Mat3 spread = Mat3::Zero();
      for (const int v : about.vertices)
        spread += (surface_.point[at(v)] - mean) * (surface_.point[at(v)] - mean).transpose();
      const Eigen::SelfAdjointEigenSolver<Mat3> eigen(spread);
      if (eigen.eigenvalues()[2] < 1.4 * eigen.eigenvalues()[1]) return std::nullopt;
      axis.tangent = eigen.eigenvectors().col(2);
      const std::optional<Axis> better = fitted(axis, band(axis, across.triangle, -kBand, kBand));
      if (!better) return std::nullopt;
      axis = *better;
    }
    return goes_to_and_fro(axis, band(axis, across.triangle, -kLook, kLook)) ? std::optional(axis) : std::nullopt;
  }

  // If there is no axis to be found from here, then from beside it neither.
  void set_in_vain(const Axis& axis, const Band& about) {
    constexpr double kBeside = 1.5;  // radii
    for (const int t : about.triangles)
      if (std::abs(axis.along(surface_.centroid(t))) < kBeside * axis.radius) search_.in_vain.push_back(t);
  }

  // Mean distances of the vertices from the axis, in slices along it.
  [[nodiscard]] bool goes_to_and_fro(const Axis& axis, const Band& band) const {
    constexpr int kSlices = 100;
    std::array<double, kSlices> sum{};
    std::array<double, kSlices> squares{};
    std::array<int, kSlices> count{};
    for (const int v : band.vertices) {
      const Vec3& p = surface_.point[at(v)];
      const double share = (axis.along(p) / axis.radius + kLook) / (2 * kLook);
      const int slice = std::clamp(static_cast<int>(share * kSlices), 0, kSlices - 1);
      sum[at(slice)] += axis.out(p) / axis.radius;
      squares[at(slice)] += std::pow(axis.out(p) / axis.radius, 2);
      ++count[at(slice)];
    }
    int turns = 0;
    double way = 0;
    double extreme = -1;
    int used = 0;
    int uneven = 0;
    for (int k = 0; k < kSlices; ++k) {
      if (count[at(k)] < 3) continue;
      const double out = sum[at(k)] / count[at(k)];
      // all round as far from the axis, but for flanks
      ++used;
      uneven += std::sqrt(std::max(0.0, squares[at(k)] / count[at(k)] - out * out)) > kEven ? 1 : 0;
      if (extreme < 0 || (out - extreme) * way > 0) extreme = out;
      if (std::abs(out - extreme) < kDeep) continue;
      turns += way * (out - extreme) < 0 ? 1 : 0;
      way = out - extreme;
      extreme = out;
    }
    return turns >= 4 && 3 * uneven < used;
  }

  // `ring` is set where it comes back to where it began.
  std::vector<Station> march(const Axis& start, std::vector<int> triangles, bool& ring) {
    std::vector<Station> way;
    const Station seed = station_of(start, {});
    double gone = 0;
    Axis last = start;
    std::vector<Vec3> centres{start.centre};
    while (way.size() < 400'000) {
      Axis next = last;
      next.centre += kStep * last.radius * last.tangent;
      const Band ahead = band(next, triangles, -kBand, kBand);
      const std::optional<Axis> found = fitted(next, ahead);
      if (!found || !reaches(*found, ahead)) return way;
      const double jump = (found->centre - next.centre).norm();
      if (jump > 0.2 * last.radius || std::abs(found->radius / start.radius - 1) > 0.3) return way;
      const Vec3 before = last.centre;
      centres.push_back(found->centre);
      last = *found;
      last.tangent = direction(centres, last);
      triangles = ahead.triangles;
      Station station = station_of(last, ahead);
      gone += (last.centre - before).norm();
      ring = gone > kShortestRing * start.radius && comes_back(seed, start.tangent, before, station);
      if (ring) return way;
      way.push_back(std::move(station));
    }
    return way;
  }

  // Whether there are vertices beyond the middle of the band: at an open end there are none.
  [[nodiscard]] bool reaches(const Axis& axis, const Band& band) const {
    return std::any_of(band.vertices.begin(), band.vertices.end(),
                       [&](int v) { return axis.along(surface_.point[at(v)]) > 0; });
  }

  static Vec3 direction(const std::vector<Vec3>& centres, const Axis& last) {
    double gone = 0;
    std::size_t from = centres.size() - 1;
    while (from > 0 && gone < kLookedBack * last.radius) {
      gone += (centres[from] - centres[from - 1]).norm();
      --from;
    }
    if (gone < 0.9 * last.radius) return last.tangent;
    // of the chord, then as much on as it has turned since its middle
    const Vec3 chord = (centres.back() - centres[from]).normalized();
    const Vec3 recent = (centres.back() - centres[(from + centres.size() - 1) / 2]).normalized();
    return (2 * recent - chord).normalized();
  }

  const Surface& surface_;
  const std::vector<int>& owner_;
  CorrugatedSearch& search_;
};

}  // namespace

std::optional<TracedTube> trace_corrugated(const Surface& surface, const std::vector<int>& owner, const Cut& across,
                                           CorrugatedSearch& search) {
  return Follower(surface, owner, search).run(across);
}

}  // namespace filum::flexible
