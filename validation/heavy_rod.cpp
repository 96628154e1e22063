#include "validation/heavy_rod.hpp"

#include <cmath>
#include <numbers>

namespace filum::validation {

namespace {

constexpr double kRadius = 0.005;    // m
constexpr double kDensity = 1000;    // kg/m³
constexpr double kShearPart = 0.75;  // GJ/EI of a round section with Poisson's ratio 1/3

}  // namespace

Section heavy_section(double gamma) {
  const double mass = kDensity * std::numbers::pi * kRadius * kRadius;
  const double EI = mass * kGravity / gamma;
  const double EA = 4 * EI / (kRadius * kRadius);
  return given_section(EA, Vec2(EI, EI), kShearPart * EI, mass);
}

Vec3 heavy_gravity() {
  return {0, 0, -kGravity};
}

Scene heavy_scene(double gamma, int segments) {
  Scene scene = straight_rod(heavy_section(gamma), Vec3::Zero(), Vec3::UnitX(), segments);
  scene.gravity = heavy_gravity();
  scene.holds = {clamp(kStart)};
  return scene;
}

Cantilever heavy_reference(double gamma, double length) {
  const Section section = heavy_section(gamma);
  Cantilever rod;
  rod.length = length;
  rod.EA = section.EA;
  rod.EI = section.EI;
  rod.GJ = section.GJ;
  rod.frame.col(0) = Vec3::UnitY();
  rod.frame.col(1) = Vec3::UnitZ();
  rod.frame.col(2) = Vec3::UnitX();
  rod.load = section.mass_per_length * heavy_gravity();
  return rod;
}

double heavy_tolerance(double gamma) {
  return gamma < 5 ? 5e-6 : gamma < 50 ? 6e-5 : 2e-4;
}

}  // namespace filum::validation
