#include "contact/approach.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::contact {
namespace {

// A span as a polynomial of its parameter.
struct Cubic {
  std::array<Vec3, 4> c;
  double length = 1;

  Cubic(const Span& span, std::span<const Vec3> nodes) : length(span.length) {
    c.fill(Vec3::Zero());
    for (int p = 0; p < span.count; ++p)
      for (int k = 0; k < 4; ++k) c[at(k)] += span.weight(p, k) * nodes[at(span.node[at(p)])];
  }
  [[nodiscard]] Vec3 value(double u) const { return c[0] + u * (c[1] + u * (c[2] + u * c[3])); }
  // by arc length
  [[nodiscard]] Vec3 slope(double u) const { return (c[1] + u * (2 * c[2] + 3 * u * c[3])) / length; }
  [[nodiscard]] Vec3 bend(double u) const { return (2 * c[2] + 6 * u * c[3]) / (length * length); }
};

// E with its derivatives by s and t.
struct Level {
  double energy = 0;
  Vec3 r;
  Vec3 xs, yt;
  double es = 0, et = 0;             // gradient
  double ess = 0, est = 0, ett = 0;  // second derivatives
  double round_s = 0, round_t = 0;   // those of straight lines
};

Level level(const Cubic& a, const Cubic& b, double keep, double u, double v) {
  Level out;
  out.r = a.value(u) - b.value(v);
  out.xs = a.slope(u);
  out.yt = b.slope(v);
  const double off = (u - 0.5) * a.length;
  out.energy = 0.5 * (out.r.squaredNorm() + keep * off * off);
  out.es = out.r.dot(out.xs) + keep * off;
  out.et = -out.r.dot(out.yt);
  out.round_s = out.xs.squaredNorm() + keep;
  out.round_t = out.yt.squaredNorm();
  out.ess = out.round_s + out.r.dot(a.bend(u));
  out.ett = out.round_t - out.r.dot(b.bend(v));
  out.est = -out.xs.dot(out.yt);
  return out;
}

// Which of the two are free to follow the gradient.
struct Free {
  bool s = true;
  bool t = true;
};

// Newton's step where E is convex, that of straight lines elsewhere.
std::array<double, 2> descent(const Level& e, const Free& free) {
  constexpr double kConvex = 1e-3;
  const double ess = e.ess > kConvex * e.round_s ? e.ess : e.round_s;
  const double ett = e.ett > kConvex * e.round_t ? e.ett : e.round_t;
  if (!free.s && !free.t) return {0, 0};
  if (!free.s) return {0, -e.et / ett};
  if (!free.t) return {-e.es / ess, 0};
  double det = e.ess * e.ett - e.est * e.est;
  if (e.ess > 0 && det > kConvex * (e.round_s * e.round_t - e.est * e.est))
    return {(e.est * e.et - e.ett * e.es) / det, (e.est * e.es - e.ess * e.et) / det};
  det = e.round_s * e.round_t - e.est * e.est;
  return {(e.est * e.et - e.round_t * e.es) / det, (e.est * e.es - e.round_s * e.et) / det};
}

// From span to span along a strand, to its end at most.
void walk(std::span<const Span> spans, const Strand& strand, double by, Approach& place) {
  double t = place.v * spans[at(place.b)].length + by;
  int k = place.b - strand.first;
  for (;;) {
    const double length = spans[at(strand.first + k)].length;
    const int next = t < 0 ? k - 1 : t > length ? k + 1 : k;
    const bool beyond = next < 0 || next >= strand.count;
    if (next == k || (beyond && !strand.closed)) {
      place.b = strand.first + k;
      place.v = std::clamp(t / length, 0.0, 1.0);
      return;
    }
    if (next > k) t -= length;
    k = (next + strand.count) % strand.count;
    if (t < 0) t += spans[at(strand.first + k)].length;
  }
}

bool at_start(const Strand& strand, const Approach& place) {
  return !strand.closed && place.b == strand.first && place.v <= 0;
}
bool at_end(const Strand& strand, const Approach& place) {
  return !strand.closed && place.b == strand.first + strand.count - 1 && place.v >= 1;
}

}  // namespace

Vec3 span_point(const Span& span, std::span<const Vec3> nodes, double u) {
  return Cubic(span, nodes).value(u);
}

// x(u) less the chord is (c₂ + 1.5 c₃)(u² − u) + c₃ (u³ − 1.5 u² + 0.5 u).
double span_bulge(const Span& span, std::span<const Vec3> nodes) {
  const Cubic cubic(span, nodes);
  return 0.25 * (cubic.c[2] + 1.5 * cubic.c[3]).norm() + cubic.c[3].norm() / (12 * std::sqrt(3.0));
}

double keeping(const Span& span, double radius) {
  const double slender = radius / span.length;
  return std::min(0.04, 0.16 * slender * slender);
}

bool find_approach(std::span<const Span> spans, const Strand& strand_b, std::span<const Vec3> nodes, double keep,
                   Approach& place) {
  constexpr int kMost = 40;
  constexpr double kFound = 1e-13;  // of a span
  const Cubic a(spans[at(place.a)], nodes);
  int of = place.b;
  Cubic b(spans[at(of)], nodes);
  Level here = level(a, b, keep, place.u, place.v);
  for (int iteration = 0; iteration < kMost; ++iteration) {
    const double reach = std::max(a.length, b.length);
    const Free free{!(place.u <= 0 && here.es > 0) && !(place.u >= 1 && here.es < 0),
                    !(at_start(strand_b, place) && here.et > 0) && !(at_end(strand_b, place) && here.et < 0)};
    std::array<double, 2> step = descent(here, free);
    const double longest = std::max(std::abs(step[0]), std::abs(step[1]));
    if (!std::isfinite(longest)) return false;
    if (longest <= kFound * reach) {
      place.a_slides = place.u > 0 && place.u < 1;
      place.b_slides = !at_start(strand_b, place) && !at_end(strand_b, place);
      return true;
    }
    const double most = std::min(a.length, b.length);
    double share = longest > most ? most / longest : 1;
    // E falls, but for round-off
    bool fell = false;
    for (int halving = 0; halving < 12 && !fell; ++halving, share *= 0.5) {
      Approach next = place;
      next.u = std::clamp(place.u + share * step[0] / a.length, 0.0, 1.0);
      walk(spans, strand_b, share * step[1], next);
      if (next.b != of) {
        of = next.b;
        b = Cubic(spans[at(of)], nodes);
      }
      const Level there = level(a, b, keep, next.u, next.v);
      fell = there.energy <= here.energy * (1 + 1e-14);
      if (!fell) continue;
      place = next;
      here = there;
    }
    if (!fell) {
      place.a_slides = place.u > 0 && place.u < 1;
      place.b_slides = !at_start(strand_b, place) && !at_end(strand_b, place);
      // as far down as round-off lets it be told
      return longest <= 1e-7 * reach;
    }
  }
  return false;
}

namespace {

// Weights of a span's nodes at a place, and how they change by arc length.
struct Weights {
  std::array<double, 4> value{};
  std::array<double, 4> slope{};
};

Weights weights(const Span& span, double u) {
  Weights out;
  for (int p = 0; p < span.count; ++p) {
    const auto w = span.weight.row(p);
    out.value[at(p)] = w[0] + u * (w[1] + u * (w[2] + u * w[3]));
    out.slope[at(p)] = (w[1] + u * (2 * w[2] + 3 * u * w[3])) / span.length;
  }
  return out;
}

}  // namespace

CurveGap curve_gap(std::span<const Span> spans, std::span<const Vec3> nodes, double keep, const Approach& place) {
  const Span& one = spans[at(place.a)];
  const Span& other = spans[at(place.b)];
  const Level e = level(Cubic(one, nodes), Cubic(other, nodes), keep, place.u, place.v);
  const Weights wa = weights(one, place.u);
  const Weights wb = weights(other, place.v);
  CurveGap gap;
  gap.apart = e.r;
  gap.rho = std::sqrt(2 * e.energy);
  gap.crossing = e.xs.cross(e.yt).squaredNorm() / (e.xs.squaredNorm() * e.yt.squaredNorm());
  std::array<std::array<double, CurveGap::kMost>, 2> change{};  // of the weights by s and t
  const auto place_of = [&](int node) {
    for (int k = 0; k < gap.count; ++k)
      if (gap.node[at(k)] == node) return at(k);
    gap.node[at(gap.count)] = node;
    return at(gap.count++);
  };
  for (int p = 0; p < one.count; ++p) {
    const std::size_t k = place_of(one.node[at(p)]);
    gap.weight[k] += wa.value[at(p)];
    change[0][k] += wa.slope[at(p)];
  }
  for (int p = 0; p < other.count; ++p) {
    const std::size_t k = place_of(other.node[at(p)]);
    gap.weight[k] -= wb.value[at(p)];
    change[1][k] -= wb.slope[at(p)];
  }
  const auto add_slide = [&](std::size_t which, const Vec3& r_by) {
    for (int k = 0; k < gap.count; ++k)
      gap.slide[at(gap.slides)][at(k)] = gap.weight[at(k)] * r_by + change[which][at(k)] * e.r;
    gap.by[at(gap.slides)] = r_by;
    gap.change[at(gap.slides)] = change[which];
    ++gap.slides;
  };
  if (place.a_slides) add_slide(0, e.xs);
  if (place.b_slides) add_slide(1, -e.yt);
  if (gap.slides == 2) {
    const double det = e.ess * e.ett - e.est * e.est;
    gap.inverse << e.ett / det, -e.est / det, -e.est / det, e.ess / det;
    if (!(e.ess > 0 && det > 0)) gap.slides = 0;  // no minimum: on the way to one
  } else if (gap.slides == 1) {
    gap.inverse(0, 0) = 1 / (place.a_slides ? e.ess : e.ett);
    if (!(gap.inverse(0, 0) > 0)) gap.slides = 0;
  }
  return gap;
}

Vec3 apart(const CurveGap& gap, std::span<const Vec3> nodes) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < gap.count; ++k) sum += gap.weight[at(k)] * nodes[at(gap.node[at(k)])];
  return sum;
}

}  // namespace filum::contact
