// All that moves in a model of discrete rods. A value: copying it is undo.
#pragma once

#include "formulations/discrete/slider_memory.hpp"
#include "rod/plastic_memory.hpp"

#include <filum/types.hpp>

#include <vector>

namespace filum::discrete {

// A list whose length is part of the state.
template <class T>
struct Varying {
  std::vector<T> list;
};

// A contact of two strands that touches (rod_contact.hpp).
struct RodTouch {
  int a = 0;  // edges, and where on each, 0 to 1
  int b = 0;
  double u = 0;
  double v = 0;
  int touch = 0;     // stick, slip
  double force = 0;  // N
  Vec3 drift = Vec3::Zero();
  Vec3 slip = Vec3::Zero();  // direction of friction, while it slips
  Vec3 way = Vec3::Zero();   // slipped in the last step, or since the equilibrium before
  double chafing = 0;        // normal force times way slipped, for as long as it has touched, N·m

  static constexpr std::size_t kNumbers = 16;
  template <class F>
  void each_number(F&& f) {
    f(a), f(b), f(u), f(v), f(touch), f(force), f(chafing);
    for (int axis = 0; axis < 3; ++axis) f(drift[axis]), f(slip[axis]), f(way[axis]);
  }
};

// A contact of two solids that touches (body_contact.hpp).
struct BodyTouch {
  int pair = 0;  // of ModelData::solid_pairs
  int feature = 0;
  double share = 0;          // of a row: where it touches, 0 to 1
  int touch = 0;             // stick, slip
  double force = 0;          // N
  Vec3 give = Vec3::Zero();  // of friction's spring, as the solid sees it
  Vec3 slip = Vec3::Zero();  // direction of friction, while it slips
  Vec3 way = Vec3::Zero();   // slipped in the last step, likewise
  double chafing = 0;        // normal force times way slipped, for as long as it has touched, N·m

  static constexpr std::size_t kNumbers = 15;
  template <class F>
  void each_number(F&& f) {
    f(pair), f(feature), f(share), f(touch), f(force), f(chafing);
    for (int axis = 0; axis < 3; ++axis) f(give[axis]), f(slip[axis]), f(way[axis]);
  }
};

// What a file says is believed as far as it can be.
inline bool is_possible(const RodTouch& touch, int edges) {
  const auto within = [](double u) { return u >= 0 && u <= 1; };
  return touch.a >= 0 && touch.a < edges && touch.b >= 0 && touch.b < edges && touch.a != touch.b && within(touch.u) &&
         within(touch.v);
}

struct RodState : SliderMemory {
  std::vector<Vec3> position;         // per node
  std::vector<Vec3> edge;             // per edge, kept beside the positions: differences of positions lose digits
  std::vector<Mat3> frame;            // per edge, columns d1, d2, d3 = the edge's direction
  std::vector<double> tension;        // per edge: axial force as Newton's own unknown; of a moving rod, what acted last
  std::vector<double> twist;          // per joint, unwrapped
  std::vector<Mat3> rotor;            // per rotor: world rotation
  std::vector<Mat3> rotor_target;     // per rotor: where its hold last wanted it
  std::vector<double> rotor_turns;    // per rotor: turns its hold has asked for so far
  std::vector<Vec3> tie_force;        // per tie: multiplier, what the tie does to its slave, with the sign reversed
  std::vector<double> length_factor;  // per rod: present length / compiled length

  rod::PlasticMemory plastic;  // what joints and edges that yield remember (discrete_model.hpp, Plasticity)

  // In motion. A state at rest has zeros here.
  bool moving = false;               // a step has been taken: forces below are those that acted during it
  std::vector<Vec3> velocity;        // per node
  std::vector<double> edge_spin;     // per edge: rate of its angle about itself, where that has inertia
  std::vector<Vec2> edge_tilt;       // per edge: its spin about d1 and d2, likewise
  std::vector<Vec3> rotor_spin;      // per rotor: in the rotor's own frame, Rᵀω
  std::vector<Vec3> hold_force;      // per hold: on the rod, mean over the last step
  std::vector<Vec3> hold_moment;     // per hold: likewise
  std::vector<double> force_scale;   // per force of the scene: its factor at the end of the last step
  std::vector<double> torque_scale;  // per torque: likewise
  double work = 0;                   // done by holds, driven bodies, forces and torques since the start
  double dissipated = 0;             // by damping since the start
  double drained = 0;                // by steps that damp flips since the start
  double drain_left = 0;             // for how long steps go on doing that, s
  double last_step = 0;              // length of the last step, s

  // What single steppers and integrators remember of the past; empty where nobody asks.
  std::vector<Vec3> mean_velocity;      // per node: over the last step
  std::vector<Vec3> trend;              // per node: rate at which the mean velocity changes
  std::vector<Vec3> trend_change;       // per node: by which that changed in the last step
  double trend_goes_on = 0;             // how much of such a change was seen to come again, 0 to 1
  std::vector<Vec3> rotor_mean_spin;    // per rotor of a body: over the last step, own frame
  std::vector<Vec3> past_position;      // per node: one step before
  std::vector<Vec3> past_velocity;      // per node: one step before
  std::vector<Vec3> acceleration;       // per node: at the end of the last step
  std::vector<Vec3> mean_acceleration;  // per node: generalised-α's own
  std::vector<Mat3> past_rotor;         // per rotor
  std::vector<Vec3> past_rotor_spin;
  std::vector<double> axial_change;  // per edge: of its axial strain in the last step, if that damped flips
  std::vector<Vec3> strain_change;   // per joint: of its strain, likewise
  std::vector<Vec3> joint_moment;    // per joint: mean moment of the last step on its strains, as Newton's own unknown
  std::vector<double> edge_lead;     // per edge: its turn about itself in the last step
  std::vector<Vec3> rotor_lead;      // per rotor without inertia: likewise, its own
  std::vector<double> multiplier;    // per edge: of inextensibility, to start the next step from
  std::vector<Vec3> past_strain;     // per joint: in the last step, in the stepper's own measure
  std::vector<double> mean_tension;  // per edge: over about the time a stretch wave takes through its rod and back

  // Contact, per pair of station and solid; what the solid sees (contact/contact_law.hpp).
  std::vector<int> contact_touch;  // open, stick, slip
  std::vector<double> contact_force;
  std::vector<Vec3> contact_anchor;
  std::vector<Vec3> contact_slip;
  std::vector<Vec3> contact_way;        // slipped in the last step, or since the equilibrium before
  std::vector<double> contact_chafing;  // normal force times way slipped since the start, N·m
  std::vector<Vec3> solid_position;     // per solid: at the end of the last step
  std::vector<Mat3> solid_rotation;
  Varying<RodTouch> rod_touch;    // rods that touch each other
  Varying<BodyTouch> body_touch;  // solids likewise

  // Calls f on every member that is a list of numbers or a number: for packing.
  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f(self.position), f(self.edge), f(self.frame), f(self.tension), f(self.twist), f(self.rotor), f(self.rotor_target);
    f(self.rotor_turns), f(self.tie_force), f(self.slide), f(self.slide_anchor), f(self.slide_force),
        f(self.slide_stop);
    f(self.length_factor), f(self.plastic), f(self.moving), f(self.velocity), f(self.edge_spin), f(self.edge_tilt),
        f(self.rotor_spin);
    f(self.hold_force), f(self.hold_moment), f(self.force_scale), f(self.torque_scale), f(self.work),
        f(self.dissipated), f(self.drained), f(self.drain_left), f(self.last_step);
    f(self.mean_velocity), f(self.trend), f(self.trend_change), f(self.trend_goes_on), f(self.rotor_mean_spin), f(self.past_position), f(self.past_velocity),
        f(self.acceleration), f(self.mean_acceleration), f(self.past_rotor);
    f(self.past_rotor_spin), f(self.axial_change), f(self.strain_change), f(self.joint_moment), f(self.edge_lead);
    f(self.rotor_lead), f(self.multiplier), f(self.past_strain), f(self.mean_tension);
    f(self.contact_touch), f(self.contact_force), f(self.contact_anchor), f(self.contact_slip), f(self.contact_way),
        f(self.contact_chafing), f(self.solid_position), f(self.solid_rotation), f(self.rod_touch), f(self.body_touch);
  }
};

}  // namespace filum::discrete
