// A scene: plain data that says what there is, in SI units, and knows no solver.
//
// Things refer to each other by name, never by pointer, so a scene is a value: copied, compared, kept for undo. The
// order of every list is the order of the file. Reading and writing scenes is the business of `io`; `validate` (below)
// checks what a single value cannot know: references, ranges, doubles.
#pragma once

#include <filum/curve.hpp>
#include <filum/result.hpp>
#include <filum/section.hpp>
#include <filum/types.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace filum {

// A place along a rod. Fractions are kept as written, because the rod's length may be driven.
struct ArcPosition {
  double fraction = 0;  // of the rod's length
  double offset = 0;    // m
  // start: {0, 0}; end: {1, 0}; middle: {0.5, 0}; `50 %`: {0.5, 0}; an arc length: {0, s}
  [[nodiscard]] double at(double length) const { return fraction * length + offset; }
  bool operator==(const ArcPosition&) const = default;
};

struct MaterialEntry {
  std::string name;
  Material material;
  bool operator==(const MaterialEntry&) const = default;
};

struct SectionEntry {
  std::string name;
  Section section;
  bool operator==(const SectionEntry&) const = default;
};

struct Limits {
  std::optional<double> min_bend_radius;  // m
  std::optional<double> max_tension;      // N
  std::optional<double> max_hold_force;   // N, on any hold of the rod
  bool operator==(const Limits&) const = default;
};

// From here on the rod has another section (and material, if given).
struct Station {
  ArcPosition s;
  std::string section;
  std::string material;  // empty: the rod's own
  bool operator==(const Station&) const = default;
};

struct Rod {
  std::string name;
  std::string material;  // may be empty when every section is `given`
  std::string section;
  std::optional<double> length;  // m; default: the length of `shape`
  int segments = 50;             // >= 1
  Curve shape;
  RestShape rest;
  std::optional<Vec3> normal;  // d1 at the start, made square to the tangent; default: any
  Limits limits;
  bool closed = false;
  double twist = 0;  // initial material twist, total, evenly spread, rad
  std::vector<Station> stations;
  bool operator==(const Rod&) const = default;
};

enum class BodyMotion { Fixed, Driven };
struct Body {
  std::string name;
  Vec3 box = Vec3::Zero();  // full edge lengths, m; zero: a point
  double mass = 0;          // kg
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  BodyMotion motion = BodyMotion::Fixed;
  friend bool operator==(const Body& a, const Body& b) {
    return a.name == b.name && a.box == b.box && a.mass == b.mass && a.position == b.position &&
           a.orientation.coeffs() == b.orientation.coeffs() && a.motion == b.motion;
  }
};

// Grips a rod at one place. What is not fixed stays free.
struct Hold {
  std::string name;  // «hold 1», … if the file gives none
  std::string rod;
  ArcPosition at;
  std::array<bool, 3> fix_position{false, false, false};  // world axes x, y, z
  std::array<bool, 3> fix_orientation{false, false,
                                      false};  // rotation about world x, y, z; all, none, or two (a hinge)
  bool slide = false;                          // the rod may slide through: `at` is where it starts
  std::string body;                            // held to this body; empty: to the world
  std::optional<Vec3> position;                // default: where the shape puts it
  std::optional<Quat> orientation;             // takes (x, y, z) to (d1, d2, d3); default: likewise
  friend bool operator==(const Hold& a, const Hold& b) {
    return a.name == b.name && a.rod == b.rod && a.at == b.at && a.fix_position == b.fix_position &&
           a.fix_orientation == b.fix_orientation && a.slide == b.slide && a.body == b.body &&
           a.position == b.position && a.orientation.has_value() == b.orientation.has_value() &&
           (!a.orientation || a.orientation->coeffs() == b.orientation->coeffs());
  }
  [[nodiscard]] bool holds_position() const { return fix_position[0] || fix_position[1] || fix_position[2]; }
  [[nodiscard]] bool holds_orientation() const {
    return fix_orientation[0] || fix_orientation[1] || fix_orientation[2];
  }
};

// A place on a named rod.
struct RodPoint {
  std::string rod;
  ArcPosition at;
  bool operator==(const RodPoint&) const = default;
};

// Joins rods rigidly: their relative positions and orientations stay as the shapes put them.
struct Junction {
  std::string name;  // «junction 1», … if the file gives none
  std::vector<RodPoint> rods;
  bool operator==(const Junction&) const = default;
};

struct PointForce {
  RodPoint point;
  Vec3 force = Vec3::Zero();  // N
  bool follow = false;        // turns with the rod's section; otherwise keeps its direction in space
  bool operator==(const PointForce&) const = default;
};

struct PointTorque {
  RodPoint point;
  Vec3 torque = Vec3::Zero();  // N·m
  bool follow = false;
  bool operator==(const PointTorque&) const = default;
};

struct DistributedForce {
  std::string rod;
  ArcPosition from;
  ArcPosition to{1, 0};
  Vec3 force_per_length = Vec3::Zero();  // N/m of the unstretched rod
  bool operator==(const DistributedForce&) const = default;
};

// A prescribed motion: values at given times, interpolated between them, held before the first and after the last.
enum class DriverKind { Body, Hold, Force, Torque, Rod };
struct Keyframe {
  double t = 0;
  std::optional<Vec3> position;     // Body, Hold
  std::optional<Quat> orientation;  // Body, Hold
  std::optional<double> turns;      // Hold: about the rod's own tangent, unwrapped
  std::optional<double> scale;      // Force, Torque: factor on the listed value
  std::optional<double> length;     // Rod, m
  friend bool operator==(const Keyframe& a, const Keyframe& b) {
    return a.t == b.t && a.position == b.position && a.turns == b.turns && a.scale == b.scale && a.length == b.length &&
           a.orientation.has_value() == b.orientation.has_value() &&
           (!a.orientation || a.orientation->coeffs() == b.orientation->coeffs());
  }
};
struct Driver {
  DriverKind kind = DriverKind::Body;
  std::string target;          // Body, Hold, Rod: its name
  int index = 0;               // Force, Torque: its place in the list
  std::vector<Keyframe> path;  // sorted by t, at least one
  bool operator==(const Driver&) const = default;
};

struct Probe {
  std::string name;
  RodPoint point;
  bool operator==(const Probe&) const = default;
};

enum class Mode { Statics, Dynamics };
struct Simulation {
  std::string formulation = "kirchhoff";
  Mode mode = Mode::Statics;
  double step = 1.0 / 60;  // s
  double end = 0;          // s
  bool operator==(const Simulation&) const = default;
};

struct Record {
  double every = 0;  // s; 0: every step
  std::vector<Probe> probes;
  bool operator==(const Record&) const = default;
};

struct Scene {
  std::string title;
  Vec3 gravity{0, 0, -9.81};  // m/s²
  std::vector<MaterialEntry> materials;
  std::vector<SectionEntry> sections;
  std::vector<Rod> rods;
  std::vector<Body> bodies;
  std::vector<Hold> holds;
  std::vector<Junction> junctions;
  std::vector<PointForce> forces;
  std::vector<PointTorque> torques;
  std::vector<DistributedForce> distributed;
  std::vector<Driver> drivers;
  Simulation simulation;
  Record record;
  bool operator==(const Scene&) const = default;
};

// What a person should know though nothing is wrong: a rod that nothing holds, a shape stretched beyond its length.
std::vector<std::string> warnings(const Scene& scene);

}  // namespace filum
