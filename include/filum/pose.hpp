// Pose: what the outside world sees of a state, whichever formulation made it.
//
// Lists run parallel to the scene's (rods, bodies, holds, ropes, winches, sheaves). Along a rod every array has one
// entry per `s`, both material ends included. Force and moment at s are what the part beyond s does to the part before.
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum {

struct BendRadius {
  double value = 0;  // m; infinite for a straight rod
  double s = 0;      // where, m
};

// The largest tension since a run began, of formulations that keep it: blows are looked at in shorter steps than the
// run's own. Nil at rest.
struct PeakTension {
  double value = 0;  // N
  double s = 0;      // where, m
};

struct RodPose {
  std::vector<double> s;            // unstretched arc length, m
  std::vector<Vec3> position;       // m
  std::vector<Vec3> velocity;       // m/s; empty at rest
  std::vector<Quat> frame;          // takes (x, y, z) to (d1, d2, d3)
  std::vector<Vec2> curvature;      // about d1 and d2, 1/m
  std::vector<double> twist;        // rad/m
  std::vector<double> axial_force;  // N, > 0 in tension
  std::vector<Vec3> moment;         // on d1, d2, d3, N·m
  std::vector<Vec3> plastic;        // what stays if it is let go: curvatures about d1, d2, twist, 1/m; empty: it cannot
  std::vector<double> plastic_stretch;  // likewise, as a share of the length
  std::vector<double> yield;        // how far it is or has been strained, times first yield; empty: it cannot
  std::vector<Vec2> outline;        // half-extents of the section along d1 and d2, m
  bool closed = false;              // the last entry is the first again
  double length = 0;                // along the centre line as it is, stretch included, m
  double turns = 0;                 // total twist / 2π, unwrapped
  double writhe = 0;                // of the centre line
  BendRadius min_bend_radius;
  PeakTension peak_tension;
};

struct BodyPose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();  // world frame, rad/s
};

struct HoldPose {
  Vec3 force = Vec3::Zero();   // what the hold does to the rod, N
  Vec3 moment = Vec3::Zero();  // about the held point, N·m
  Vec3 position = Vec3::Zero();
  double s = 0;         // where along the rod, m
  bool popped = false;  // a clip that was pulled open
};

// Where a hold is to be, or was last brought, in the world. `orientation` does not contain the turns, which come on top
// about d3, unwrapped.
struct HoldTarget {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double turns = 0;
};

// A massless rope, from its first point to its last.
struct RopePose {
  std::vector<Vec3> path;       // m; round a wheel as many points as draw its arc
  std::vector<double> tension;  // of each straight part, N
  double length = 0;            // unstretched, m
  bool broken = false;
  double peak_tension = 0;  // since the run began, N
};

struct WinchPose {
  double force = 0;     // the rod's pull on the drum, N
  double torque = 0;    // of the drum, N·m
  double paid_out = 0;  // since the start, m
  double speed = 0;     // m/s, > 0 pays out
};

struct SheavePose {
  double tension_before = 0;  // of the rod where it comes on, seen from its start, N
  double tension_after = 0;   // where it leaves, N
  double angle = 0;           // of wrap, rad
  double slip = 0;            // rod that has run over it since the start, m
};

// One of two things that touch: a rod at an arc length, an obstacle, or a body, each by its place in the scene's list.
// Scenery that is solid counts on behind the obstacles (scene/obstacle_shape.hpp).
struct ContactSide {
  int rod = -1;
  double s = 0;  // m
  int obstacle = -1;
  int body = -1;
};

// Where two things touch. `a` is a rod, or else what moves freely: a body, or an obstacle that it carries.
struct ContactPose {
  ContactSide a;
  ContactSide b;
  Vec3 position = Vec3::Zero();  // where their surfaces meet, m
  Vec3 normal = Vec3::UnitZ();   // out of b
  Vec3 force = Vec3::Zero();     // what b does to a, friction included, N
  double gap = 0;                // m
  Vec3 slip = Vec3::Zero();      // of a along b: in the last step, on a path since the state before, m
  bool stick = false;            // held by friction
  double chafing = 0;            // normal force times way slipped, since the start, N·m

  [[nodiscard]] double normal_force() const { return force.dot(normal); }
};

// In a run elastic + gravity + kinetic − work + dissipated + drained stays what it was, but for the error of the
// integrator.
struct Energy {
  double elastic = 0;
  double gravity = 0;  // −Σ m g·x
  double kinetic = 0;
  double work = 0;        // done since the start by holds, driven bodies, forces and torques
  double dissipated = 0;  // taken since the start by damping
  double drained = 0;     // taken since the start by the integrator, where motion was too violent for its step

  [[nodiscard]] double balance() const { return elastic + gravity + kinetic - work + dissipated + drained; }
};

struct Pose {
  std::vector<RodPose> rods;
  std::vector<BodyPose> bodies;
  std::vector<HoldPose> holds;
  std::vector<RopePose> ropes;
  std::vector<WinchPose> winches;
  std::vector<SheavePose> sheaves;
  std::vector<ContactPose> contacts;  // of what touches, along each rod in turn, then of bodies
  Energy energy;
  Vec3 momentum = Vec3::Zero();          // of rods and free bodies, kg·m/s
  Vec3 angular_momentum = Vec3::Zero();  // about the origin, spin of sections and bodies included, kg·m²/s
};

}  // namespace filum
