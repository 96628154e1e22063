#include "geometry/smooth_patch.hpp"

#include "geometry/jet.hpp"

namespace filum::geometry {
namespace {

// How far the patch stands off its facet along N, as one edge of it has it. `i` to `j` along the edge, `k` the corner
// opposite.
struct EdgeRise {
  EdgeRise(const SmoothPatch& patch, std::size_t i, std::size_t j, std::size_t k)
      : e(patch.corner[j] - patch.corner[i]),
        n(patch.normal[i]),
        dn(patch.normal[j] - n),
        p_in(patch.corner[k] - 0.5 * (patch.corner[i] + patch.corner[j])),
        n_in(patch.normal[k] - 0.5 * (patch.normal[i] + patch.normal[j])),
        first(-n.dot(e)),
        last(-patch.normal[j].dot(e)),
        at_corner(-patch.normal[k].dot(p_in)) {}

  template <class Number>
  [[nodiscard]] Number on_edge(const Number& t) const {
    return t * (1 - t) * (first - (first + last) * t);
  }
  // Its slope from there towards the third corner, so that m·(Q + slope N) = 0 with Q = p_in + rise n_in.
  template <class Number>
  [[nodiscard]] Number inwards(const Number& t) const {
    const Number rise = on_edge(t);
    const Number slope = first - t * (2 * (2 * first + last) - 3 * (first + last) * t);
    // products of N = n + t dn, T = e + slope N + rise dn and Q
    const Number nn = n.dot(n) + t * (2 * n.dot(dn) + dn.dot(dn) * t);
    const Number ndn = n.dot(dn) + dn.dot(dn) * t;
    const Number en = e.dot(n) + e.dot(dn) * t;
    const Number nt = en + slope * nn + rise * ndn;
    const Number tt =
        e.dot(e) + slope * (2 * en + slope * nn + 2 * (rise * ndn)) + rise * (2 * e.dot(dn) + dn.dot(dn) * rise);
    const auto times_q = [&](const Vec3& a) -> Number { return a.dot(p_in) + a.dot(n_in) * rise; };
    const Number nq = times_q(n) + t * times_q(dn);
    const Number tq = times_q(e) + slope * nq + rise * times_q(dn);
    return (nt * tq - nq * tt) / (nn * tt - nt * nt);
  }
  // Beyond the first order such that the third corner has its place and its slope.
  [[nodiscard]] Jet over(const std::array<Jet, 3>& w, std::size_t j, std::size_t k) const {
    const double missing = -on_edge(0.5) - inwards(0.5);
    const double cubic = at_corner - inwards(0.5) - 2 * missing;
    const Jet t = w[j] + 0.5 * w[k];
    return on_edge(t) + w[k] * (inwards(t) + w[k] * (missing - cubic + cubic * w[k]));
  }

  Vec3 e, n, dn;
  Vec3 p_in, n_in;  // into the facet, from the middle of the edge to its third corner
  double first, last, at_corner;
};

}  // namespace

PatchPoint point_on(const SmoothPatch& patch, const Vec3& weights) {
  const Jet u{.value = weights[1], .a = 1};
  const Jet v{.value = weights[2], .b = 1};
  const std::array<Jet, 3> w{1 - u - v, u, v};
  const Vec3 N = weights[0] * patch.normal[0] + weights[1] * patch.normal[1] + weights[2] * patch.normal[2];
  // the edges' shares; at a corner the two that meet there say the same
  std::array<Jet, 3> share;
  for (std::size_t k = 0; k < 3; ++k) {
    const Jet product = w[(k + 1) % 3] * w[(k + 2) % 3];
    share[k] = product * product;
  }
  const Jet sum = share[0] + share[1] + share[2];
  Jet rise{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3;
    const std::size_t j = (k + 2) % 3;
    const Jet part = sum.value > 0 ? share[k] / sum : Jet{.value = w[k].value < 0.5 ? 0.5 : 0};
    rise = rise + part * EdgeRise(patch, i, j, k).over(w, j, k);
  }
  PatchPoint out;
  const Vec3 n1 = patch.normal[1] - patch.normal[0];
  const Vec3 n2 = patch.normal[2] - patch.normal[0];
  out.x = weights[0] * patch.corner[0] + weights[1] * patch.corner[1] + weights[2] * patch.corner[2] + rise.value * N;
  out.slope[0] = patch.corner[1] - patch.corner[0] + rise.a * N + rise.value * n1;
  out.slope[1] = patch.corner[2] - patch.corner[0] + rise.b * N + rise.value * n2;
  out.bend[0] = rise.aa * N + 2 * rise.a * n1;
  out.bend[1] = rise.ab * N + rise.a * n2 + rise.b * n1;
  out.bend[2] = rise.bb * N + 2 * rise.b * n2;
  return out;
}

}  // namespace filum::geometry
