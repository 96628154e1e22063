#include "geometry/solid_mass.hpp"

#include <numbers>

namespace filum::geometry {

namespace {

SolidMass round_solid(double volume, double across, double along) {
  return {volume, Vec3::Zero(), Vec3(across, across, along).asDiagonal()};
}

}  // namespace

SolidMass mass_of_mesh(const MeshSurface& mesh) {
  // from a point of the mesh, so that one far from the origin loses no digits
  const Vec3 origin = 0.5 * (mesh.bounds().low + mesh.bounds().high);
  double six_volumes = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    const Triangle face = mesh.triangle(static_cast<int>(k));
    const Vec3 a = face.a - origin;
    const Vec3 b = face.b - origin;
    const Vec3 c = face.c - origin;
    const Vec3 s = a + b + c;
    const double d = a.dot(b.cross(c));
    six_volumes += d;
    first += d * s;
    second += d * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  SolidMass mass;
  mass.volume = six_volumes / 6;
  const Vec3 centre = first / (24 * mass.volume);
  mass.centre = origin + centre;
  const Mat3 about = second / 120 - mass.volume * centre * centre.transpose();
  mass.inertia = about.trace() * Mat3::Identity() - about;
  return mass;
}

SolidMass mass_of_box(const Vec3& edges) {
  const double volume = edges.prod();
  const Vec3 squares = edges.cwiseAbs2();
  const Vec3 inertia = volume / 12 * (squares.sum() * Vec3::Ones() - squares);
  return {volume, Vec3::Zero(), inertia.asDiagonal()};
}

SolidMass mass_of_sphere(double radius) {
  const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
  const double inertia = 0.4 * volume * radius * radius;
  return round_solid(volume, inertia, inertia);
}

SolidMass mass_of_cylinder(double radius, double length) {
  const double square = radius * radius;
  const double volume = std::numbers::pi * square * length;
  return round_solid(volume, volume * (3 * square + length * length) / 12, 0.5 * volume * square);
}

SolidMass mass_of_capsule(double radius, double length) {
  const SolidMass pipe = mass_of_cylinder(radius, length);
  const SolidMass ball = mass_of_sphere(radius);
  // the centre of a half ball lies ⅜ of its radius from its flat side: both halves together have the ball's inertia
  // about their own flat sides, moved out by half the length
  const double half = 0.5 * length;
  const double across = pipe.inertia(0, 0) + ball.inertia(0, 0) + ball.volume * (half * half + 0.75 * half * radius);
  return round_solid(pipe.volume + ball.volume, across, pipe.inertia(2, 2) + ball.inertia(2, 2));
}

}  // namespace filum::geometry
