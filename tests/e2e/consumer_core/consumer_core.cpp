// The core of the library from outside: a scene made in C++, its equilibrium, a second of its motion. Every number is
// printed with all its digits: whatever this file is compiled with, the library gives the same bits.
#include <filum/run.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <cstdio>

namespace {

filum::Scene cantilever() {
  filum::Scene scene;
  scene.gravity = {0, 0, -10};
  filum::Section section;
  section.shape = filum::SectionShape::Given;
  section.EA = 1e6;
  section.EI = {1, 1};
  section.GJ = 1;
  section.mass_per_length = 0.1;
  section.radius = 0.003;
  scene.sections.push_back({"wire", section});
  filum::Rod rod;
  rod.name = "wire";
  rod.section = "wire";
  rod.shape.points = {{0, 0, 0}, {1, 0, 0}};
  scene.rods.push_back(rod);
  filum::Hold hold;
  hold.name = "wall";
  hold.rod = "wire";
  hold.fix.position = hold.fix.orientation = filum::kAllAxes;
  scene.holds.push_back(hold);
  return scene;
}

void tell(const char* what, const filum::Pose& pose) {
  const filum::Vec3& tip = pose.rods[0].position.back();
  const filum::Quat& frame = pose.rods[0].frame.back();
  std::printf("%s %.17g %.17g %.17g, turned %.17g %.17g %.17g %.17g\n", what, tip.x(), tip.y(), tip.z(), frame.w(),
              frame.x(), frame.y(), frame.z());
}

}  // namespace

int main() {
  const filum::Scene scene = cantilever();
  const auto outcome = filum::solve(scene);
  if (!outcome) return std::puts(outcome.error().text().c_str()), 1;
  tell("tip", outcome->states.back().pose);

  auto session = filum::Session::begin(scene);
  if (!session) return std::puts(session.error().text().c_str()), 1;
  if (!session->twist_hold("wall", 0.2)) return 1;
  for (int k = 0; k < 60; ++k)
    if (!session->step()) return 3;
  tell("a second later", session->pose());
  return outcome->solve.converged ? 0 : 3;
}
