#include "geometry/shape.hpp"

#include <cmath>

namespace filum::geometry {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// Of a convex function along a segment: golden section, down to where round-off hides the minimum.
template <class Function>
double least_share(const Function& f) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSteps = 40;
  double low = 0;
  double high = 1;
  double a = high - kGolden * (high - low);
  double b = low + kGolden * (high - low);
  double fa = f(a);
  double fb = f(b);
  for (int i = 0; i < kSteps; ++i) {
    if (fa <= fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - kGolden * (high - low);
      fa = f(a);
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + kGolden * (high - low);
      fb = f(b);
    }
  }
  const double middle = 0.5 * (low + high);
  const double value = f(middle);
  if (f(0) <= value) return 0;
  return f(1) <= value ? 1 : middle;
}

// A distance in a frame that is turned against the world.
Distance turned(Distance distance, const Quat& orientation) {
  const Mat3 axes = orientation.toRotationMatrix();
  distance.normal = axes * distance.normal;
  distance.hessian = axes * distance.hessian * axes.transpose();
  return distance;
}

SegmentDistance mesh_distance(const PlacedMesh& mesh, const Segment& segment, double reach) {
  if (!mesh.surface || mesh.surface->empty()) return {};
  const Quat back = mesh.orientation.conjugate();
  const Segment local{back * (segment.from - mesh.position), back * (segment.to - mesh.position)};
  const MeshSurface::Nearest near = mesh.surface->distance(local, reach);
  if (!std::isfinite(near.value)) return {};
  const Vec3 away = mesh.orientation * (local.at(near.share) - near.point);
  const Vec3 normal = (near.value < 0 ? -1 : 1) * away;
  return {near.value, near.share, away.norm() > 0 ? Vec3(normal.normalized()) : Vec3(Vec3::UnitZ())};
}

Box box_of(const Segment& axis, double radius) {
  Box box;
  box.add(axis.from);
  box.add(axis.to);
  return box.grown(radius);
}

// About a box that is turned.
Box turned_box(const Vec3& low, const Vec3& high, const Vec3& position, const Quat& orientation) {
  Box box;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = (corner >> axis) & 1 ? high[axis] : low[axis];
    box.add(position + orientation * p);
  }
  return box;
}

}  // namespace

Distance distance_from(const Shape& shape, const Vec3& x, double reach) {
  return std::visit(
      Overloaded{[&](const HalfSpace& s) { return from_plane(x, s.point, s.normal); },
                 [&](const Ball& s) { return from_sphere(x, s.centre, s.radius); },
                 [&](const Capsule& s) { return from_capsule(x, s.axis, s.radius); },
                 [&](const Cylinder& s) { return from_cylinder(x, s.axis, s.radius); },
                 [&](const Block& s) {
                   return turned(from_box(s.orientation.conjugate() * (x - s.position), s.size), s.orientation);
                 },
                 [&](const PlacedMesh& s) {
                   if (!s.surface || s.surface->empty()) return Distance{kFarAway, Vec3::UnitZ(), {}};
                   return turned(s.surface->smooth_distance(s.orientation.conjugate() * (x - s.position), reach),
                                 s.orientation);
                 }},
      shape);
}

SegmentDistance distance_from(const Shape& shape, const Segment& segment, double reach) {
  if (const auto* mesh = std::get_if<PlacedMesh>(&shape)) return mesh_distance(*mesh, segment, reach);
  // where along it: known of the simple ones, searched for otherwise
  const double share =
      std::visit(Overloaded{[&](const HalfSpace& s) { return s.normal.dot(segment.to - segment.from) < 0 ? 1.0 : 0.0; },
                            [&](const Ball& s) { return closest_on(segment, s.centre); },
                            [&](const Capsule& s) { return closest_between(segment, s.axis).first; },
                            [&](const auto&) {
                              return least_share([&](double at) { return distance_from(shape, segment.at(at)).value; });
                            }},
                 shape);
  const Distance there = distance_from(shape, segment.at(share));
  return {there.value, share, there.normal};
}

Box bounds_of(const Shape& shape) {
  return std::visit(
      Overloaded{[](const HalfSpace&) {
                   return Box{Vec3::Constant(-kFarAway), Vec3::Constant(kFarAway)};
                 },
                 [](const Ball& s) {
                   return Box{s.centre, s.centre}.grown(s.radius);
                 },
                 [](const Capsule& s) { return box_of(s.axis, s.radius); },
                 [](const Cylinder& s) { return box_of(s.axis, s.radius); },
                 [](const Block& s) { return turned_box(-0.5 * s.size, 0.5 * s.size, s.position, s.orientation); },
                 [](const PlacedMesh& s) {
                   if (!s.surface || s.surface->empty()) return Box{};
                   return turned_box(s.surface->bounds().low, s.surface->bounds().high, s.position, s.orientation);
                 }},
      shape);
}

}  // namespace filum::geometry
