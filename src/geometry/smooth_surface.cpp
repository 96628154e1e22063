#include "geometry/smooth_surface.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::geometry {
namespace {

constexpr double kSmooth = 0.9396926207859084;  // cos 20°
constexpr double kBulge = 0.01;                 // of the mesh's size
constexpr double kOwn = 1e-9;                   // a normal that differs by less is the facet's own
constexpr int kMostAround = 4096;               // facets around a corner

std::size_t next(std::size_t k) {
  return (k + 1) % 3;
}
std::size_t before(std::size_t k) {
  return (k + 2) % 3;
}
std::size_t corner_in(const FacetNet& net, int facet, int corner) {
  const auto& of = net.triangles[at(facet)];
  return of[0] == corner ? 0 : of[1] == corner ? 1 : 2;
}

// Visits the facets about a corner on both sides of the first, across edges that `open(facet, edge)` allows, as long as
// visit(facet, corner of it) says so.
template <class Open, class Visit>
void go_round(const FacetNet& net, int facet, std::size_t corner, const Open& open, const Visit& visit) {
  const int vertex = net.triangles[at(facet)][corner];
  if (!visit(facet, corner)) return;
  for (const bool forward : {true, false}) {
    int here = facet;
    std::size_t k = corner;
    for (int count = 0; count < kMostAround; ++count) {
      const std::size_t edge = forward ? before(k) : k;
      if (net.neighbours[at(here)][edge] < 0 || !open(here, edge)) break;
      here = net.neighbours[at(here)][edge];
      if (here == facet) return;
      k = corner_in(net, here, vertex);
      if (!visit(here, k)) return;
    }
  }
}

// Of a facet over one of its edges.
double height_of(const FacetNet& net, int facet, std::size_t edge) {
  const auto& c = net.triangles[at(facet)];
  const Vec3 e = net.corners[at(c[next(edge)])] - net.corners[at(c[edge])];
  return e.cross(net.corners[at(c[before(edge)])] - net.corners[at(c[edge])]).norm() / e.norm();
}

// A step of the weights, whose sum is nil.
Vec3 weights_of(double u, double v) {
  return {-u - v, u, v};
}
// Newton's step towards the place nearest to x, `away` from here; where that would lead uphill without the bend.
Vec3 newton_step(const PatchPoint& here, const Vec3& away) {
  const Vec3& a = here.slope[0];
  const Vec3& b = here.slope[1];
  double aa = a.dot(a) - away.dot(here.bend[0]);
  double ab = a.dot(b) - away.dot(here.bend[1]);
  double bb = b.dot(b) - away.dot(here.bend[2]);
  if (!(aa > 0 && aa * bb - ab * ab > 0)) {
    aa = a.dot(a);
    ab = a.dot(b);
    bb = b.dot(b);
  }
  const double ga = away.dot(a);
  const double gb = away.dot(b);
  const double det = aa * bb - ab * ab;
  return weights_of((bb * ga - ab * gb) / det, (aa * gb - ab * ga) / det);
}
// The first two derivatives along the edge from corner k to the next.
struct AlongEdge {
  Vec3 slope = Vec3::Zero();
  Vec3 bend = Vec3::Zero();
};
AlongEdge along_edge(const PatchPoint& here, std::size_t k) {
  const double u = k == 0 ? 1 : -1;
  const double v = k == 0 ? 0 : 1;
  if (k == 2) return {-here.slope[1], here.bend[2]};
  return {u * here.slope[0] + v * here.slope[1], here.bend[0] + 2 * u * v * here.bend[1] + v * v * here.bend[2]};
}
Vec3 newton_along(const PatchPoint& here, const Vec3& away, std::size_t k) {
  const AlongEdge edge = along_edge(here, k);
  const double square = edge.slope.squaredNorm();
  const double stiff = square - away.dot(edge.bend);
  const double way = away.dot(edge.slope) / (stiff > 0 ? stiff : square);
  Vec3 step = Vec3::Zero();
  step[static_cast<Eigen::Index>(k)] = -way;
  step[static_cast<Eigen::Index>(next(k))] = way;
  return step;
}
// As far as the facet goes. False: no further.
bool take(const Vec3& step, Vec3& weights) {
  double share = 1;
  Eigen::Index out = -1;
  for (Eigen::Index k = 0; k < 3; ++k)
    if (step[k] < 0 && weights[k] < -share * step[k]) {
      share = weights[k] / -step[k];
      out = k;
    }
  weights += share * step;
  if (out >= 0) weights[out] = 0;
  weights = weights.cwiseMax(0);
  return out < 0;
}

}  // namespace

SmoothSurface::SmoothSurface(const FacetNet& net, double size) {
  find_smooth_edges(net, size);
  while (cut_sharp_corners(net)) {
  }
  patch_.assign(net.triangles.size(), -1);
  for (int facet = 0; facet < static_cast<int>(net.triangles.size()); ++facet) {
    std::array<Vec3, 3> normals;
    bool flat = true;
    for (std::size_t k = 0; k < 3; ++k) {
      normals[k] = corner_normal(net, facet, k);
      flat = flat && (normals[k] - net.normals[at(facet)]).norm() < kOwn;
    }
    if (flat) continue;
    patch_[at(facet)] = static_cast<int>(patch_normals_.size());
    patch_normals_.push_back(normals);
  }
}

std::size_t SmoothSurface::bytes() const {
  return smooth_.capacity() + sizeof(int) * patch_.capacity() + sizeof(std::array<Vec3, 3>) * patch_normals_.capacity();
}

void SmoothSurface::find_smooth_edges(const FacetNet& net, double size) {
  smooth_.assign(net.triangles.size(), 0);
  for (int facet = 0; facet < static_cast<int>(net.triangles.size()); ++facet)
    for (std::size_t k = 0; k < 3; ++k) {
      const int other = net.neighbours[at(facet)][k];
      if (other < 0 || net.normals[at(facet)].dot(net.normals[at(other)]) < kSmooth) continue;
      const std::size_t back = corner_in(net, other, net.triangles[at(facet)][next(k)]);
      if (net.neighbours[at(other)][back] != facet) continue;
      const double turn = (net.normals[at(facet)] - net.normals[at(other)]).norm();
      const double width = std::min(height_of(net, facet, k), height_of(net, other, back));
      if (turn * width / 8 > kBulge * size) continue;
      smooth_[at(facet)] = static_cast<unsigned char>(smooth_[at(facet)] | (1U << k));
    }
}

// About a corner whose normal is far from that of a facet there, the tip of a cone, edges are sharp.
bool SmoothSurface::cut_sharp_corners(const FacetNet& net) {
  std::vector<std::pair<int, std::size_t>> sharp;
  for (int facet = 0; facet < static_cast<int>(net.triangles.size()); ++facet)
    for (std::size_t k = 0; k < 3; ++k)
      if ((smooth(facet, k) || smooth(facet, before(k))) &&
          corner_normal(net, facet, k).dot(net.normals[at(facet)]) < kSmooth)
        for (const std::size_t edge : {k, before(k)})
          if (smooth(facet, edge)) sharp.emplace_back(facet, edge);
  for (const auto& [facet, edge] : sharp) {
    const int other = net.neighbours[at(facet)][edge];
    const std::size_t back = corner_in(net, other, net.triangles[at(facet)][next(edge)]);
    smooth_[at(facet)] = static_cast<unsigned char>(smooth_[at(facet)] & ~(1U << edge));
    smooth_[at(other)] = static_cast<unsigned char>(smooth_[at(other)] & ~(1U << back));
  }
  return !sharp.empty();
}

// By angle, which makes it independent of how a face is cut up, and by the square of the area, so that a large face keeps
// its normal beside small ones.
Vec3 SmoothSurface::corner_normal(const FacetNet& net, int facet, std::size_t corner) const {
  Vec3 sum = Vec3::Zero();
  go_round(
      net, facet, corner, [&](int of, std::size_t edge) { return smooth(of, edge); },
      [&](int of, std::size_t k) {
        const auto& c = net.triangles[at(of)];
        const Vec3 one = net.corners[at(c[next(k)])] - net.corners[at(c[k])];
        const Vec3 other = net.corners[at(c[before(k)])] - net.corners[at(c[k])];
        const double area = one.cross(other).norm();
        sum += std::atan2(area, one.dot(other)) * area * area * net.normals[at(of)];
        return true;
      });
  return sum.normalized();
}

SmoothPatch SmoothSurface::patch_of(const FacetNet& net, int facet) const {
  const auto& c = net.triangles[at(facet)];
  SmoothPatch patch;
  for (std::size_t k = 0; k < 3; ++k) {
    patch.corner[k] = net.corners[at(c[k])];
    patch.normal[k] = patch_[at(facet)] < 0 ? net.normals[at(facet)] : patch_normals_[at(patch_[at(facet)])][k];
  }
  return patch;
}

bool SmoothSurface::curved_about(const FacetNet& net, const Place& place) const {
  if (patch_[at(place.facet)] >= 0) return true;
  bool curved = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto opposite = static_cast<Eigen::Index>(before(k));
    const int other = net.neighbours[at(place.facet)][k];
    if (place.weights[opposite] == 0 && other >= 0) curved = curved || patch_[at(other)] >= 0;
    if (place.weights[static_cast<Eigen::Index>(k)] != 1) continue;
    go_round(
        net, place.facet, k, [](int, std::size_t) { return true; },
        [&](int of, std::size_t) {
          curved = patch_[at(of)] >= 0;
          return !curved;
        });
  }
  return curved;
}

// Among the facets about a corner one into which the way to x leads.
bool SmoothSurface::leave_corner(const FacetNet& net, const Vec3& x, std::size_t corner, Place& place) const {
  constexpr double kDown = 1e-12;
  bool found = false;
  const Place from = place;
  go_round(
      net, from.facet, corner, [&](int of, std::size_t edge) { return smooth(of, edge); },
      [&](int of, std::size_t k) {
        Vec3 weights = Vec3::Zero();
        weights[static_cast<Eigen::Index>(k)] = 1;
        const PatchPoint here = point_on(patch_of(net, of), weights);
        const std::array<Vec3, 3> by{Vec3::Zero(), here.slope[0], here.slope[1]};
        const Vec3 away = x - here.x;
        for (const std::size_t to : {next(k), before(k)}) {
          const Vec3 way = by[to] - by[k];
          if (away.dot(way) <= kDown * away.norm() * way.norm()) continue;
          // a little way along that side, from where Newton's method goes on
          weights[static_cast<Eigen::Index>(to)] = 1e-3;
          weights[static_cast<Eigen::Index>(k)] = 1 - 1e-3;
          place = {of, weights};
          found = true;
          return false;
        }
        return true;
      });
  return found;
}

// Newton's method for the nearest place, from patch to patch, along sharp edges where it is beyond them.
std::optional<SmoothSurface::Foot> SmoothSurface::walk(const FacetNet& net, const Vec3& x, Place place) const {
  constexpr int kMostSteps = 80;
  constexpr double kSettled = 1e-8;  // of an edge: the next step is the square of it
  bool last = false;
  int crossed = -1;  // the facet that was left for this one without a way since
  for (int step = 0; step < kMostSteps; ++step) {
    Foot foot{place, point_on(patch_of(net, place.facet), place.weights)};
    // who holds the place in: sharp edges, and smooth ones that lead there and back
    const Vec3 away = x - foot.at.x;
    Vec3 wanted = newton_step(foot.at, away);
    int held = -1;
    bool crosses = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto opposite = static_cast<Eigen::Index>(before(k));
      if (place.weights[opposite] != 0 || wanted[opposite] >= 0) continue;
      if (held >= 0) {
        foot.corner = true;
        break;
      }
      held = static_cast<int>(k);
      const int other = net.neighbours[at(place.facet)][k];
      crosses = smooth(place.facet, k) && other != crossed;
    }
    if (held >= 0 && crosses && !foot.corner) {
      crossed = place.facet;
      place = across(net, place, static_cast<std::size_t>(held));
      continue;
    }
    if (held >= 0 && !foot.corner) {
      const auto k = static_cast<std::size_t>(held);
      wanted = newton_along(foot.at, away, k);
      if (!smooth(place.facet, k)) foot.along = held;
      const auto i = static_cast<Eigen::Index>(k);
      const auto j = static_cast<Eigen::Index>(next(k));
      foot.corner = (place.weights[i] == 0 && wanted[i] < 0) || (place.weights[j] == 0 && wanted[j] < 0);
    }
    if (last) return foot;
    if (foot.corner) {
      Eigen::Index corner = 0;
      place.weights.maxCoeff(&corner);
      if (!leave_corner(net, x, static_cast<std::size_t>(corner), place)) return foot;
      crossed = -1;
      continue;
    }
    last = take(wanted, place.weights) && wanted.cwiseAbs().maxCoeff() < kSettled;
    if (wanted.cwiseAbs().maxCoeff() > kSettled) crossed = -1;
  }
  return std::nullopt;
}

// The same place on the facet across an edge.
SmoothSurface::Place SmoothSurface::across(const FacetNet& net, const Place& place, std::size_t edge) const {
  const int other = net.neighbours[at(place.facet)][edge];
  Place out{other, Vec3::Zero()};
  for (const std::size_t k : {edge, next(edge)}) {
    const std::size_t there = corner_in(net, other, net.triangles[at(place.facet)][k]);
    out.weights[static_cast<Eigen::Index>(there)] = place.weights[static_cast<Eigen::Index>(k)];
  }
  return out;
}

std::optional<SmoothSurface::Nearest> SmoothSurface::distance(const FacetNet& net, const Vec3& x, int facet,
                                                              const Vec3& weights) const {
  if (empty() || !curved_about(net, {facet, weights})) return std::nullopt;
  std::optional<Foot> best = walk(net, x, {facet, weights});
  if (!best) return std::nullopt;
  // who is beyond a sharp edge may be nearer
  const auto try_from = [&](const Place& place) {
    const std::optional<Foot> other = walk(net, x, place);
    if (other && (x - other->at.x).squaredNorm() < (x - best->at.x).squaredNorm()) best = other;
  };
  const Foot first = *best;
  if (first.corner) {
    Eigen::Index corner = 0;
    first.place.weights.maxCoeff(&corner);
    go_round(
        net, first.place.facet, static_cast<std::size_t>(corner), [](int, std::size_t) { return true; },
        [&](int of, std::size_t k) {
          Place place{of, Vec3::Zero()};
          place.weights[static_cast<Eigen::Index>(k)] = 1;
          try_from(place);
          return true;
        });
  } else if (first.along >= 0 && net.neighbours[at(first.place.facet)][at(first.along)] >= 0) {
    try_from(across(net, first.place, at(first.along)));
  }
  return distance_at(x, *best);
}

SmoothSurface::Nearest SmoothSurface::distance_at(const Vec3& x, const Foot& foot) {
  Nearest out;
  const Vec3 away = x - foot.at.x;
  const Vec3 normal = foot.at.normal();
  out.at_edge = foot.corner || foot.along >= 0;
  if (out.at_edge) {
    const double value = away.norm();
    out.distance = {value, value > 0 ? Vec3(away / value) : normal, Mat3::Zero()};
    if (!(value > 0)) return out;
    Mat3 turn = Mat3::Identity() - out.distance.normal * out.distance.normal.transpose();
    if (!foot.corner) {
      const AlongEdge edge = along_edge(foot.at, at(foot.along));
      turn -= edge.slope * edge.slope.transpose() / (edge.slope.squaredNorm() - away.dot(edge.bend));
    }
    out.distance.hessian = turn / value;
    return out;
  }
  // x = S + d n:  ∂n = −J G⁻¹ B (G − d B)⁻¹ Jᵀ ∂x,  G and B the first and the second fundamental form
  const double value = away.dot(normal);
  Eigen::Matrix<double, 3, 2> J;
  J << foot.at.slope[0], foot.at.slope[1];
  const Eigen::Matrix2d G = J.transpose() * J;
  Eigen::Matrix2d B;
  B << foot.at.bend[0].dot(normal), foot.at.bend[1].dot(normal), foot.at.bend[1].dot(normal),
      foot.at.bend[2].dot(normal);
  const Mat3 turn = J * (G.inverse() * B * (G - value * B).inverse()) * J.transpose();
  out.distance = {value, normal, -0.5 * (turn + turn.transpose())};
  return out;
}

}  // namespace filum::geometry
