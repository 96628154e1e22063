// All that moves in a model of spline rods. A value: copying it is undo.
#pragma once

#include "formulations/discrete/slider_memory.hpp"
#include "rod/plastic_memory.hpp"

#include <filum/types.hpp>

#include <span>
#include <vector>

namespace filum::spline {

struct SplineState : discrete::SliderMemory {
  std::vector<Vec3> control;          // per control point of the rods, then the free bodies' positions
  std::vector<Vec3> leg;              // per control point: to the next one, kept beside them
                                      // for its digits
  std::vector<Mat3> node_frame;       // per node of the rods: columns d1, d2, t
  std::vector<Mat3> bend_frame;       // per bend point
  std::vector<double> twist;          // per segment: of the material from one node to
                                      // the next, unwrapped, rad
  std::vector<double> tension;        // per stretch point: axial force as Newton's own unknown
  std::vector<Mat3> rotor;            // per rotor: world rotation
  std::vector<Mat3> rotor_target;     // per rotor: where its hold last wanted it
  std::vector<double> rotor_turns;    // per rotor: turns its hold has asked for so far
  std::vector<Vec3> grip;             // per grip: multipliers, N
  std::vector<double> length_factor;  // per rod: present length / compiled length
  rod::PlasticMemory plastic;         // what sites that yield remember (spline_plastic.hpp)

  // In motion. A state at rest has zeros here.
  bool moving = false;               // a step has been taken: tensions and multipliers are
                                     // those that acted during it
  std::vector<Vec3> velocity;        // per control point
  std::vector<Vec3> rotor_spin;      // per rotor of a free body: own frame, Rᵀω
  std::vector<double> node_spin;     // per node of the rods: about its tangent, rad/s
  std::vector<double> strain_step;   // per stretch point: how its strain changed in the last step, if that damped flips
  std::vector<double> force_scale;   // per force of the scene: its factor at the
                                     // end of the last step
  std::vector<double> torque_scale;  // per torque: likewise
  double work = 0;                   // done by holds, driven bodies and forces since the start
  double dissipated = 0;             // by damping since the start
  double drained = 0;                // by steps that damp flips since the start
  double drain_left = 0;             // for how long steps go on damping axial waves, s
  double last_step = 0;              // length of the last step, s

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f(self.control), f(self.leg), f(self.node_frame), f(self.bend_frame), f(self.twist), f(self.tension);
    f(self.rotor), f(self.rotor_target), f(self.rotor_turns), f(self.grip), f(self.length_factor), f(self.plastic);
    f(self.slide), f(self.slide_anchor), f(self.slide_force), f(self.slide_stop);
    f(self.moving), f(self.velocity), f(self.rotor_spin), f(self.node_spin), f(self.strain_step);
    f(self.force_scale), f(self.torque_scale), f(self.work), f(self.dissipated), f(self.drained), f(self.drain_left),
        f(self.last_step);
  }
};

std::vector<double> pack_state(const SplineState& state);

// Overwrites a state of the same model. False, and nothing changed, if the lengths of its lists differ.
bool unpack_state(std::span<const double> values, SplineState& state);

}  // namespace filum::spline
