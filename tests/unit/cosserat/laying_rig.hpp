// A cosserat model on the rig: its parts in the open, so that tests may see the course of every solve.
#pragma once

#include "formulations/cosserat/cosserat_equilibrium.hpp"
#include "formulations/cosserat/lift.hpp"
#include "formulations/cosserat/predict.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "rod/linking_number.hpp"
#include "sim/drivers.hpp"

#include <filum/scene.hpp>

#include <utility>
#include <vector>

namespace filum::test {

// A cable of 0.5 m between two held ends 0.4 m apart.
inline Scene cable_scene(int segments, double length = 0.5) {
  Scene scene;
  scene.simulation.formulation = "cosserat";
  Section section;
  section.shape = SectionShape::Given;
  section.radius = 0.003;
  section.EA = 1e5;
  section.EI = {0.02, 0.02};
  section.GJ = 0.015;
  section.mass_per_length = 0.1;
  scene.sections.push_back({"cable", section});
  Rod rod;
  rod.name = "cable";
  rod.section = "cable";
  rod.length = length;
  rod.segments = segments;
  rod.shape.kind = CurveKind::Line;
  rod.shape.points = {Vec3::Zero(), Vec3(0.8 * length, 0, 0)};
  scene.rods.push_back(rod);
  for (const char* name : {"a", "b"}) {
    Hold hold;
    hold.name = name;
    hold.rod = "cable";
    hold.at = {name[0] == 'a' ? 0.0 : 1.0, 0};
    hold.fix.position = kAllAxes;
    hold.fix.orientation = kAllAxes;
    scene.holds.push_back(hold);
  }
  return scene;
}

class LayingRig {
 public:
  explicit LayingRig(const Scene& scene)
      : model_(discrete::compile_model(scene)),
        network_(cosserat::make_network(model_)),
        system_(model_, network_),
        targets(sim::resting_targets(scene)) {
    cable.rods = discrete::start_state(model_, targets);
    cable.span_force.assign(network_.chains.size(), Vec3::Zero());
    cable.peg_force.assign(network_.pegs.size(), Vec3::Zero());
    cosserat::begin_lifts(model_, cable);
  }

  SolveReport solve() {
    cosserat::follow_holds(model_, network_, targets, cable);
    system_.set_targets(targets, cable);
    SolveReport report = cosserat::find_minimum(system_, cable, {}, &course);
    cosserat::judge_stability(system_, cable, model_.conservative, report);
    system_.place_nodes(cable);
    return report;
  }

  [[nodiscard]] double turns() const {
    double sum = 0;
    for (const double twist : cable.rods.twist) sum += twist;
    return sum / (2 * math::kPi);
  }

  // The held cross-section at an end of the only rod.
  [[nodiscard]] Mat3 end_frame(bool last) const {
    const discrete::Joint& joint = last ? model_.joints.back() : model_.joints.front();
    const discrete::Section& section =
        model_.sections[static_cast<std::size_t>(last ? joint.right.section : joint.left.section)];
    return cable.rods.rotor[static_cast<std::size_t>(section.rotor)] * section.base;
  }

  [[nodiscard]] rod::LinkView view() const { return {turns(), cable.rods.position, end_frame(false), end_frame(true)}; }
  [[nodiscard]] cosserat::System& system() { return system_; }

 private:
  cosserat::ModelData model_;
  cosserat::Network network_;
  cosserat::System system_;

 public:
  Targets targets;
  cosserat::CableState cable;
  cosserat::Course course;
};

}  // namespace filum::test
