#include "rod/writhe.hpp"

#include "math/lanes.hpp"
#include "math/rotation.hpp"
#include "rod/shortened_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace filum::rod {
namespace {

// Pairs are taken eight at a time, each in a column of its own whatever the processor's width, so that every width gives
// the same bits.
constexpr std::size_t kColumns = math::kMostLanes;

// The nodes of a polyline, a list for each coordinate, filled up beyond the last to whole columns and one more.
struct Nodes {
  std::vector<double> x, y, z;
  std::vector<double> counts;  // 1 or 0: whether the segment from here to the next is one of those looked at

  explicit Nodes(std::size_t count) {
    for (auto* list : {&x, &y, &z, &counts}) list->reserve((count / kColumns + 2) * kColumns);
  }
  void add(const Vec3& node) {
    x.push_back(node.x());
    y.push_back(node.y());
    z.push_back(node.z());
    counts.push_back(1);
  }
  void fill() {
    counts.back() = 0;
    for (auto* list : {&x, &y, &z, &counts}) list->resize((list->size() / kColumns + 2) * kColumns, list->back());
  }
};

// The ways from one point to the nodes.
struct Rays {
  std::vector<double> x, y, z, length;

  explicit Rays(const Nodes& nodes) {
    for (auto* list : {&x, &y, &z, &length}) list->resize(nodes.x.size());
  }

  // From the nodes' columns of `first` on.
  template <class T>
  void aim(const Vec3& from, const Nodes& nodes, std::size_t first) {
    using Memory = math::LaneMemory<T>;
    for (std::size_t j = first / kColumns * kColumns; j < nodes.x.size(); j += math::kLanesOf<T>) {
      const T dx = Memory::load(&nodes.x[j]) - T(from.x());
      const T dy = Memory::load(&nodes.y[j]) - T(from.y());
      const T dz = Memory::load(&nodes.z[j]) - T(from.z());
      Memory::store(&x[j], dx);
      Memory::store(&y[j], dy);
      Memory::store(&z[j], dz);
      Memory::store(&length[j], sqrt(dx * dx + dy * dy + dz * dz));
    }
  }
};

// A sum of angles, each given by a vector (along, up) that makes it: small ones are added as a product of complex numbers
// in each column, which costs no arctangent but one in sixteen.
class AngleSum {
 public:
  AngleSum() { clear(); }

  // To the columns from `column` on.
  template <class T>
  void add(std::size_t column, const T& along, const T& up) {
    using Memory = math::LaneMemory<T>;
    const auto small = math::magnitude(up) < T(kSmall) * along;
    const T tangent = select(small, up, T(0)) / select(small, along, T(1));
    std::array<double, math::kLanesOf<T>> is_small;
    Memory::store(is_small.data(), select(small, T(1), T(0)));
    double all = 0;
    for (const double one : is_small) all += one;
    if (all < math::kLanesOf<T>)
      for (int i = 0; i < math::kLanesOf<T>; ++i)
        if (is_small[static_cast<std::size_t>(i)] == 0 && up[i] != 0) sum_ += std::atan2(up[i], along[i]);
    // (real + i imaginary)(1 + i up/along)
    const T real = Memory::load(&real_[column]);
    const T imaginary = Memory::load(&imaginary_[column]);
    Memory::store(&real_[column], real - imaginary * tangent);
    Memory::store(&imaginary_[column], imaginary + real * tangent);
  }

  // After each round of all columns.
  void next() {
    if (++count_ == kMost) flush();
  }

  [[nodiscard]] double value() {
    flush();
    return sum_;
  }

 private:
  static constexpr double kSmall = 0.1;  // sixteen of these are less than half a turn
  static constexpr int kMost = 16;

  void flush() {
    for (std::size_t i = 0; i < kColumns; ++i) sum_ += std::atan2(imaginary_[i], real_[i]);
    clear();
  }
  void clear() {
    real_.fill(1);
    imaginary_.fill(0);
    count_ = 0;
  }

  double sum_ = 0;
  std::array<double, kColumns> real_{};
  std::array<double, kColumns> imaginary_{};
  int count_ = 0;
};

// ∬ (x1 − x2)·(dx1 × dx2)/|x1 − x2|³ over pairs of segments, one of them from p0 to p1, the others those of a polyline: each
// is the solid angle of the parallelogram of the differences x2 − x1, whose corners a, b, c, d come in the order that
// dx1 × dx2 turns. Segments that touch or lie in one plane give 0.
//
// Each of the triangles abc and acd has tan(Ω/2) = a·(b×c)/(|a||b||c| + a·b|c| + b·c|a| + c·a|b|)
// [VanOosterom1983]. Both lie in one plane, so their angles have one sign and add up to less than 2π: one arctangent does
// for both. `from`, `to`: the ways from p0 and p1 to the nodes. Adds half the angles of the segments from node `j` on to
// the columns from `column` on.
template <class T>
void add_pairs(const Nodes& nodes, const Rays& from, const Rays& to, std::size_t j, std::size_t column, AngleSum& sum) {
  const auto load = [](const std::vector<double>& list, std::size_t k) { return math::LaneMemory<T>::load(&list[k]); };
  const T ax = load(from.x, j), ay = load(from.y, j), az = load(from.z, j), a = load(from.length, j);
  const T bx = load(to.x, j), by = load(to.y, j), bz = load(to.z, j), b = load(to.length, j);
  const T cx = load(to.x, j + 1), cy = load(to.y, j + 1), cz = load(to.z, j + 1), c = load(to.length, j + 1);
  const T dx = load(from.x, j + 1), dy = load(from.y, j + 1), dz = load(from.z, j + 1), d = load(from.length, j + 1);
  // the parts that the triangles share: c × a, |a||c| + a·c
  const T nx = cy * az - cz * ay;
  const T ny = cz * ax - cx * az;
  const T nz = cx * ay - cy * ax;
  const T product = a * c + (cx * ax + cy * ay + cz * az);
  // numerators and denominators of both tangents
  const T up1 = bx * nx + by * ny + bz * nz;
  const T up2 = -(dx * nx + dy * ny + dz * nz);
  const T along1 = b * product + (ax * bx + ay * by + az * bz) * c + (bx * cx + by * cy + bz * cz) * a;
  const T along2 = d * product + (ax * dx + ay * dy + az * dz) * c + (dx * cx + dy * cy + dz * cz) * a;
  // what does not count has no angle
  const T counts = load(nodes.counts, j);
  const T along = along1 * along2 - up1 * up2;
  const T up = up1 * along2 + up2 * along1;
  sum.add(column, T(counts * along + (T(1) - counts)), T(counts * up));
}

// Of the segments that count, the first of them at node `first` or later.
template <class T>
void add_row(const Nodes& nodes, const Rays& from, const Rays& to, std::size_t first, AngleSum& sum) {
  for (std::size_t block = first / kColumns * kColumns; block + kColumns < nodes.x.size(); block += kColumns) {
    for (std::size_t column = 0; column < kColumns; column += math::kLanesOf<T>)
      add_pairs<T>(nodes, from, to, block + column, column, sum);
    sum.next();
  }
}

// Triangles of directions of any length, a list for each coordinate of each corner, one behind the other.
class Triangles {
 public:
  // Room for `most` of them.
  explicit Triangles(std::size_t most) : stride_((most / kColumns + 1) * kColumns), corner_(9 * stride_) {}
  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    double* to = &corner_[count_++];
    for (const Vec3* corner : {&a, &b, &c})
      for (Eigen::Index axis = 0; axis < 3; ++axis, to += stride_) *to = (*corner)[axis];
  }

  // Half of their solid angles, together [VanOosterom1983].
  [[nodiscard]] double half_angles() {
    // those that fill up the last columns are points
    while (count_ % kColumns != 0) add(Vec3::UnitX(), Vec3::UnitX(), Vec3::UnitX());
    AngleSum sum;
    math::in_lanes([&]<class T>() {
      for (std::size_t block = 0; block < count_; block += kColumns) {
        for (std::size_t column = 0; column < kColumns; column += math::kLanesOf<T>)
          add_angles<T>(block + column, column, sum);
        sum.next();
      }
    });
    return sum.value();
  }

 private:
  template <class T>
  void add_angles(std::size_t j, std::size_t column, AngleSum& sum) const {
    const auto load = [&](std::size_t list) { return math::LaneMemory<T>::load(&corner_[list * stride_ + j]); };
    const T ax = load(0), ay = load(1), az = load(2);
    const T bx = load(3), by = load(4), bz = load(5);
    const T cx = load(6), cy = load(7), cz = load(8);
    const T a = sqrt(ax * ax + ay * ay + az * az);
    const T b = sqrt(bx * bx + by * by + bz * bz);
    const T c = sqrt(cx * cx + cy * cy + cz * cz);
    const T up = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const T along = (a * b + (ax * bx + ay * by + az * bz)) * c + (bx * cx + by * cy + bz * cz) * a +
                    (cx * ax + cy * ay + cz * az) * b;
    sum.add(column, along, up);
  }

  std::size_t stride_;
  std::size_t count_ = 0;
  std::vector<double> corner_;  // list after list
};

// Pairs of segments of one polyline; half of 2π times its writhe.
double half_pairs(std::span<const Vec3> points, bool closed) {
  const std::size_t segments = points.size() - 1;
  Nodes nodes(points.size());
  for (const Vec3& point : points) nodes.add(point);
  nodes.fill();
  Rays from(nodes);
  Rays to(nodes);
  AngleSum half;
  math::in_lanes([&]<class T>() {
    from.aim<T>(points[0], nodes, 2);
    // neighbours share a point and hence a plane: they add nothing
    nodes.counts[0] = 0;
    for (std::size_t i = 0; i + 2 < segments; ++i) {
      to.aim<T>(points[i + 1], nodes, i + 2);
      nodes.counts[i + 1] = 0;
      nodes.counts[segments - 1] = closed && i == 0 ? 0 : 1;
      add_row<T>(nodes, from, to, i + 2, half);
      std::swap(from, to);
    }
  });
  return half.value();
}

// Half of the area on the sphere of tangents between the path of a line and that of its chords. Corner `kept[k]` of
// the line is the k-th of the chords'.
double half_strip(std::span<const Vec3> points, std::span<const std::size_t> kept, bool closed) {
  const std::size_t segments = points.size() - 1;
  const std::size_t chords = kept.size() - 1;
  const auto tangent = [&](std::size_t i) -> Vec3 { return points[i + 1] - points[i]; };
  const auto chord = [&](std::size_t k) -> Vec3 { return points[kept[k + 1]] - points[kept[k]]; };
  Triangles strip(segments + 2 * chords);
  for (std::size_t k = 0; k < chords; ++k) {
    const Vec3 apex = chord(k);
    for (std::size_t i = kept[k]; i + 1 < kept[k + 1]; ++i) strip.add(apex, tangent(i), tangent(i + 1));
    if (k + 1 == chords && !closed) break;
    const Vec3 next = tangent(kept[k + 1] % segments);
    strip.add(apex, tangent(kept[k + 1] - 1), next);
    strip.add(apex, next, chord((k + 1) % chords));
  }
  return strip.half_angles();
}

}  // namespace

// Of the parallelogram of differences two corners have gone to infinity along the ray: what is left is the
// triangle of the other two and the ray's direction.
double half_rays(std::span<const Vec3> points, const Vec3& start_tangent, const Vec3& end_tangent) {
  Triangles seen(2 * points.size());
  const Vec3& first = points.front();
  const Vec3& last = points.back();
  // a ray and the segment that it meets lie in one plane
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    seen.add(points[i] - first, points[i + 1] - first, start_tangent);
    seen.add(last - points[i - 1], last - points[i], end_tangent);
  }
  return seen.half_angles();
}

namespace {

// By a line of fewer segments that can be moved into this one without a crossing: then the writhes of both, closed or
// prolonged by rays, differ by the area between their tangents over 2π [Fuller1978]. The same but for round-off, at a
// fraction of the cost.
double half_writhe(std::span<const Vec3> points, bool closed) {
  const std::vector<std::size_t> kept = shortened_line(points, closed);
  if (kept.empty()) return half_pairs(points, closed);
  std::vector<Vec3> chords;
  chords.reserve(kept.size());
  for (const std::size_t i : kept) chords.push_back(points[i]);
  const double line = half_pairs(chords, closed) + half_strip(points, kept, closed);
  if (closed) return line;
  const Vec3 start = points[1] - points[0];
  const Vec3 end = points[points.size() - 1] - points[points.size() - 2];
  return line + half_rays(chords, start, end) - half_rays(points, start, end);
}

}  // namespace

std::vector<std::size_t> thinned(std::size_t segments, int max_segments) {
  const auto allowed = static_cast<std::size_t>(std::max(max_segments, 1));
  const std::size_t stride = (segments + allowed - 1) / allowed;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < segments; i += stride) kept.push_back(i);
  kept.push_back(segments);
  return kept;
}

double writhe(std::span<const Vec3> points, bool closed, int max_segments) {
  if (points.size() < 4) return 0;
  if (points.size() - 1 <= static_cast<std::size_t>(std::max(max_segments, 1)))
    return half_writhe(points, closed) / math::kPi;
  std::vector<Vec3> nodes;
  for (const std::size_t i : thinned(points.size() - 1, max_segments)) nodes.push_back(points[i]);
  return half_writhe(nodes, closed) / math::kPi;
}

double linking_number(std::span<const Vec3> first, std::span<const Vec3> second) {
  if (first.empty() || second.empty()) return 0;
  Nodes nodes(second.size());
  for (const Vec3& node : second) nodes.add(node);
  nodes.fill();
  Rays from(nodes);
  Rays to(nodes);
  AngleSum half;
  math::in_lanes([&]<class T>() {
    from.aim<T>(first[0], nodes, 0);
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
      to.aim<T>(first[i + 1], nodes, 0);
      add_row<T>(nodes, from, to, 0, half);
      std::swap(from, to);
    }
  });
  return half.value() / (2 * math::kPi);
}

}  // namespace filum::rod
