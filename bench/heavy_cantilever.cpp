#include "bench/heavy_cantilever.hpp"

#include <numbers>
#include <utility>

namespace filum::bench {
namespace {

constexpr double kGamma = 10;  // ρAgL³/EI

}  // namespace

Hold clamp(std::string name, ArcPosition at) {
  Hold hold;
  hold.name = std::move(name);
  hold.rod = "rod";
  hold.at = at;
  hold.fix.position = kAllAxes;
  hold.fix.orientation = kAllAxes;
  return hold;
}

Scene heavy_cantilever(int segments) {
  Scene scene;
  Section section;
  section.radius = 0.005;
  const double area = std::numbers::pi * section.radius * section.radius;
  const double inertia = area * section.radius * section.radius / 4;
  scene.materials.push_back({"stuff", {1000 * area * 9.81 / (kGamma * inertia), 1.0 / 3, 1000}});
  scene.sections.push_back({"round", section});
  Rod rod;
  rod.name = "rod";
  rod.material = "stuff";
  rod.section = "round";
  rod.segments = segments;
  rod.shape.points = {Vec3::Zero(), Vec3::UnitX()};
  rod.normal = Vec3::UnitY();
  scene.rods.push_back(rod);
  scene.holds.push_back(clamp("clamp", {0, 0}));
  return scene;
}

}  // namespace filum::bench
