#include "rod/writhe.hpp"

#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::rod {
namespace {

// The ways from one point to the nodes of a polyline, a list for each coordinate: what is done to all of them in one go
// is done in a vector's lanes.
struct Rays {
  std::vector<double> x, y, z, length;

  explicit Rays(std::size_t nodes) : x(nodes), y(nodes), z(nodes), length(nodes) {}

  // To the nodes from `first` on.
  void aim(const Vec3& from, std::span<const Vec3> nodes, std::size_t first = 0) {
    for (std::size_t j = first; j < nodes.size(); ++j) {
      x[j] = nodes[j].x() - from.x();
      y[j] = nodes[j].y() - from.y();
      z[j] = nodes[j].z() - from.z();
      length[j] = std::sqrt(x[j] * x[j] + y[j] * y[j] + z[j] * z[j]);
    }
  }
};

// A sum of angles, each given by a vector (along, up) that makes it: small ones are added as a product of complex numbers,
// which costs no arctangent but one in sixteen.
class AngleSum {
 public:
  void add(double along, double up) {
    if (!(std::abs(up) < kSmall * along)) {
      sum_ += up == 0 ? 0 : std::atan2(up, along);
      return;
    }
    // (real + i imaginary)(1 + i up/along)
    const double tangent = up / along;
    const double real = real_ - imaginary_ * tangent;
    imaginary_ += real_ * tangent;
    real_ = real;
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
    sum_ += std::atan2(imaginary_, real_);
    real_ = 1;
    imaginary_ = 0;
    count_ = 0;
  }

  double sum_ = 0;
  double real_ = 1;
  double imaginary_ = 0;
  int count_ = 0;
};

// ∬ (x1 − x2)·(dx1 × dx2)/|x1 − x2|³ over pairs of segments, one of them from p0 to p1, the others those of a polyline: each
// is the solid angle of the parallelogram of the differences x2 − x1, whose corners a, b, c, d come in the order that
// dx1 × dx2 turns. Segments that touch or lie in one plane give 0.
//
// Each of the triangles abc and acd has tan(Ω/2) = a·(b×c)/(|a||b||c| + a·b|c| + b·c|a| + c·a|b|)
// [VanOosterom1983]. Both lie in one plane, so their angles have one sign and add up to less than 2π: one arctangent does
// for both. `from`, `to`: the ways from p0 and p1 to the nodes.
class GaussRow {
 public:
  explicit GaussRow(std::size_t nodes) : along_(nodes), up_(nodes) {}

  // Adds half the angles of the segments between nodes `first` and `last`.
  void add(const Rays& from, const Rays& to, std::size_t first, std::size_t last, AngleSum& sum) {
    for (std::size_t j = first; j < last; ++j) {
      const double ax = from.x[j], ay = from.y[j], az = from.z[j], a = from.length[j];
      const double bx = to.x[j], by = to.y[j], bz = to.z[j], b = to.length[j];
      const double cx = to.x[j + 1], cy = to.y[j + 1], cz = to.z[j + 1], c = to.length[j + 1];
      const double dx = from.x[j + 1], dy = from.y[j + 1], dz = from.z[j + 1], d = from.length[j + 1];
      // the parts that the triangles share: c × a, |a||c| + a·c
      const double nx = cy * az - cz * ay;
      const double ny = cz * ax - cx * az;
      const double nz = cx * ay - cy * ax;
      const double product = a * c + (cx * ax + cy * ay + cz * az);
      // numerators and denominators of both tangents
      const double up1 = bx * nx + by * ny + bz * nz;
      const double up2 = -(dx * nx + dy * ny + dz * nz);
      const double along1 = b * product + (ax * bx + ay * by + az * bz) * c + (bx * cx + by * cy + bz * cz) * a;
      const double along2 = d * product + (ax * dx + ay * dy + az * dz) * c + (dx * cx + dy * cy + dz * cz) * a;
      along_[j] = along1 * along2 - up1 * up2;
      up_[j] = up1 * along2 + up2 * along1;
    }
    for (std::size_t j = first; j < last; ++j) sum.add(along_[j], up_[j]);
  }

 private:
  std::vector<double> along_, up_;
};

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
  std::vector<Vec3> nodes;
  for (const std::size_t i : thinned(points.size() - 1, max_segments)) nodes.push_back(points[i]);
  const std::size_t segments = nodes.size() - 1;
  Rays from(nodes.size());
  Rays to(nodes.size());
  GaussRow row(nodes.size());
  AngleSum half;
  from.aim(nodes[0], nodes, 2);
  // neighbours share a point and hence a plane: they add nothing
  for (std::size_t i = 0; i + 2 < segments; ++i) {
    to.aim(nodes[i + 1], nodes, i + 2);
    row.add(from, to, i + 2, closed && i == 0 ? segments - 1 : segments, half);
    std::swap(from, to);
  }
  return half.value() / math::kPi;
}

double linking_number(std::span<const Vec3> first, std::span<const Vec3> second) {
  if (first.empty() || second.empty()) return 0;
  Rays from(second.size());
  Rays to(second.size());
  GaussRow row(second.size());
  AngleSum half;
  from.aim(first[0], second);
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    to.aim(first[i + 1], second);
    row.add(from, to, 0, second.size() - 1, half);
    std::swap(from, to);
  }
  return half.value() / (2 * math::kPi);
}

}  // namespace filum::rod
