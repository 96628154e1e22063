// A scene: plain data that says what there is, in SI units, and knows no solver.
//
// Things refer to each other by name, never by pointer, so a scene is a value: copied, compared, kept for undo. The
// order of every list is the order of the file. Reading and writing scenes is the business of <filum/scene_file.hpp>;
// who solves, runs or edits one is told what is wrong with it: references, ranges, doubles.
#pragma once

#include <filum/curve.hpp>
#include <filum/fix.hpp>
#include <filum/result.hpp>
#include <filum/section.hpp>
#include <filum/types.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filum {

namespace geometry {
class MeshSurface;
}

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

// A length, or a multiple of the rod's width in the direction of the bend: the outer diameter of a round one.
struct RadiusLimit {
  double value = 0;  // m, or diameters
  bool diameters = false;
  bool operator==(const RadiusLimit&) const = default;
};

// To which line of a bent rod its radius is measured.
enum class BendLine { Centre, Inside };
struct BendLimit {
  RadiusLimit at_rest;
  std::optional<RadiusLimit> moving;  // in runs and along paths; default: as at rest
  BendLine measured = BendLine::Centre;
  bool operator==(const BendLimit&) const = default;

  // The smallest allowed radius of the centre line, m, of a rod of this half width in the direction of the bend.
  [[nodiscard]] double centre_radius(double half_width, bool moves) const {
    const RadiusLimit& limit = moves && moving ? *moving : at_rest;
    return limit.value * (limit.diameters ? 2 * half_width : 1) + (measured == BendLine::Inside ? half_width : 0);
  }
};

// Total strain of its outermost fibre at which a rod breaks, in a run; default: never. Bending adds to the stretch on one
// side of a section and takes from it on the other; shear is that of twist.
struct BreakingStrain {
  std::optional<double> tension;
  std::optional<double> compression;
  std::optional<double> shear;
  bool operator==(const BreakingStrain&) const = default;
};

struct Limits {
  std::optional<BendLimit> min_bend_radius;
  std::optional<double> max_tension;           // N
  std::optional<double> max_hold_force;        // N, on any hold of the rod
  std::optional<double> max_transverse_force;  // N, likewise: the part square to the rod's tangent
  std::optional<double> breaking_tension;      // N: there the rod breaks, in a run
  BreakingStrain breaking_strain;              // likewise
  std::optional<double> max_length;            // m, unstretched
  std::optional<double> min_clearance;         // m, between its surface and everything else, itself included
  std::optional<double> max_contact_force;     // N, of a stretch that touches one thing
  std::optional<double> max_contact_pressure;  // Pa, on a square of the rod's width
  std::optional<double> max_chafing;           // N·m, normal force times way slipped at one place
  bool operator==(const Limits&) const = default;
  [[nodiscard]] bool may_break() const { return breaking_tension || breaking_strain != BreakingStrain{}; }
};

// From here on the rod has another section (and material, if given).
struct Station {
  ArcPosition s;
  std::string section;
  std::string material;  // empty: the rod's own
  bool operator==(const Station&) const = default;
};

// What takes energy out of a moving rod. All zero: nothing does.
struct Damping {
  double mass = 0;       // Rayleigh's α: a force α·m·v, 1/s
  double stiffness = 0;  // Rayleigh's β: every strain rate met with β times the stiffness of its strain, s
  double bend = 0;       // moment per rate of curvature, N·m²·s
  double twist = 0;      // torque per rate of twist, N·m²·s
  double stretch = 0;    // tension per rate of strain, N·s
  double air = 0;        // force per length and square of the speed, against the velocity, kg/m²
  bool operator==(const Damping&) const = default;
};

// How a rope is laid: a pull makes it turn.
struct Lay {
  double torque_factor = 0;  // torque when it is held from turning, over tension times diameter; > 0: right-hand lay
  bool operator==(const Lay&) const = default;
};

// What a rod was part of before it parted. Of no file: who parts rods in a run makes such pieces.
struct RodPiece {
  std::string of;             // the whole rod
  double from = 0;            // shares of its length
  double to = 1;
  std::vector<double> nodes;  // shares of the piece: the whole rod had its nodes there
  bool operator==(const RodPiece&) const = default;
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
  bool extensible = true;        // false: the strain that an inextensible stepper neglects is not to be judged
  Vec3 velocity = Vec3::Zero();  // at the start of a run, m/s
  Vec3 spin = Vec3::Zero();      // likewise, as a rigid body about its centre of mass, rad/s
  Damping damping;
  Lay lay;
  std::optional<RodPiece> piece;
  bool operator==(const Rod&) const = default;
};

// A rigid body. Its position is that of its centre of mass, its axes are the principal ones.
enum class BodyMotion { Fixed, Driven, Free };
enum class BodyShape { Box, Sphere, Cylinder, Capsule, Mesh };
struct Body {
  std::string name;
  BodyShape shape = BodyShape::Box;
  Vec3 box = Vec3::Zero();      // Box: full edge lengths, m; zero: a point
  double sphere = 0;            // Sphere: radius, m
  Vec2 round = Vec2::Zero();    // Cylinder, Capsule: radius and length along its z axis, without the caps, m
  std::string mesh;             // Mesh: file of a closed one, beside the scene's unless its path says otherwise
  double scale = 1;             // Mesh: factor on the file's numbers
  std::shared_ptr<const geometry::MeshSurface> surface;  // Mesh: what the file holds, scaled
  double mass = 0;              // kg; > 0 for a free body, unless there is a density
  double density = 0;           // kg/m³: mass and inertia are those of the shape
  std::optional<Vec3> inertia;  // principal, kg·m²; default: of the shape, of even density
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();  // of a free body at the start of a run, m/s
  Vec3 spin = Vec3::Zero();      // likewise, world frame, rad/s
  BodyMotion motion = BodyMotion::Fixed;
  bool solid = false;   // its box holds rods off
  double friction = 0;  // of a solid one
  std::string material; // its surface's, for pairs of materials that rub; empty: none is said
  friend bool operator==(const Body& a, const Body& b) {
    return a.name == b.name && a.shape == b.shape && a.box == b.box && a.sphere == b.sphere && a.round == b.round &&
           a.mesh == b.mesh && a.scale == b.scale && a.mass == b.mass && a.density == b.density &&
           a.inertia == b.inertia && a.position == b.position && a.orientation.coeffs() == b.orientation.coeffs() && a.velocity == b.velocity &&
           a.spin == b.spin && a.motion == b.motion && a.solid == b.solid && a.friction == b.friction &&
           a.material == b.material;
  }
};

// What a clip bears before it lets the rod go, N; default: everything.
struct ClipStrength {
  std::optional<double> pull;   // out of it, along the hold's axis
  std::optional<double> shear;  // square to the axis and to the rod, either way
  std::optional<double> along;  // along the rod, either way
  bool operator==(const ClipStrength&) const = default;
};

// When an open clip takes hold of its rod.
struct ClipCapture {
  double radius = 0;           // m: the rod has come as near as this
  std::optional<Vec3> passes;  // the direction of a rod that lies in it, either way; default: any
  double cone = 0.5;           // rad: largest angle between that and the rod
  bool direction = false;      // it then holds the orientation too, as it finds it
  bool operator==(const ClipCapture&) const = default;
};

// A hold that is pulled open by its load, and may catch the rod (again).
struct Clip {
  ClipStrength strength;
  std::optional<ClipCapture> capture;
  std::optional<double> insertion_force;  // N: a rod in its mouth must be pushed so hard to snap in
  bool operator==(const Clip&) const = default;
};

// Grips a rod at one place. What is not fixed stays free.
struct Hold {
  std::string name;  // «hold 1», … if the file gives none
  std::string rod;
  ArcPosition at;
  Fix fix;
  bool slide = false;               // the rod may slide through: `at` is where it starts
  double friction = 0;              // N: a sliding hold keeps the rod up to this force along it
  std::string body;                 // held to this body; empty: to the world
  std::optional<Vec3> position;     // default: where the shape puts it
  std::optional<Quat> orientation;  // takes (x, y, z) to (d1, d2, d3); default: likewise
  std::optional<double> max_pull;   // N: largest allowed force along the rod
  std::optional<double> max_shear;  // N: largest allowed force square to it
  Vec3 axis{0, 0, 1};               // of a clip: the way out of it; turns with its body
  std::optional<Clip> clip;
  friend bool operator==(const Hold& a, const Hold& b) {
    return a.name == b.name && a.rod == b.rod && a.at == b.at && a.fix == b.fix && a.slide == b.slide &&
           a.friction == b.friction && a.body == b.body && a.max_pull == b.max_pull && a.max_shear == b.max_shear &&
           a.axis == b.axis && a.clip == b.clip && a.position == b.position &&
           a.orientation.has_value() == b.orientation.has_value() &&
           (!a.orientation || a.orientation->coeffs() == b.orientation->coeffs());
  }
  [[nodiscard]] bool holds_position() const { return fixes_any(fix.position); }
  [[nodiscard]] bool holds_orientation() const { return fixes_any(fix.orientation); }
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

// On a place of a rod, or on a free body's centre of mass.
struct PointForce {
  RodPoint point;
  std::string body;           // if not empty: on this body, and `point` means nothing
  Vec3 force = Vec3::Zero();  // N
  bool follow = false;        // turns with the rod's section or the body; otherwise keeps its direction in space
  bool operator==(const PointForce&) const = default;
};

struct PointTorque {
  RodPoint point;
  std::string body;            // as for a force
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

// How a body may move against another one, or against the world. Places and axes as the scene is drawn, in the world.
enum class JointKind { Hinge, Slider, Ball, Fixed };
struct BodyJoint {
  std::string name;  // «joint 1», … if the file gives none
  JointKind kind = JointKind::Hinge;
  std::string body;
  std::string to;                    // the other body; empty: the world
  std::optional<Vec3> point;         // where they meet; default: the body's position
  Vec3 axis{0, 0, 1};                // Hinge: turns about it; Slider: moves along it; Ball: of its cone
  std::optional<double> min_angle;   // Hinge, rad: there it stops; zero as drawn
  std::optional<double> max_angle;   // likewise; Ball: between the axis of the one and of the other
  std::optional<double> min_travel;  // Slider, m: likewise
  std::optional<double> max_travel;
  double spin = 0;                   // Hinge: what its motor runs at, rad/s
  std::optional<double> max_torque;  // of that motor, N·m; none: there is no motor
  double torque = 0;                 // that drives it, N·m
  double speed = 0;                  // Slider: as the hinge's, m/s
  std::optional<double> max_force;   // N
  double force = 0;                  // N
  bool operator==(const BodyJoint&) const = default;
};

// A drum that pays a rod out and hauls it in at its start or end (docs/theory/hoisting.md).
struct Winch {
  std::string name;  // «winch 1», … as the file gives it
  std::string rod;
  ArcPosition at;                   // start or end
  std::string body;                 // the drum sits on this body; empty: on the world
  std::optional<Vec3> point;        // where the rod leaves the drum, in the body's frame (the world's without one);
                                    // default: where the shape puts that end
  double drum_radius = 0;           // m: for torque and drum speed; zero: neither is known
  double speed = 0;                 // m/s, > 0 pays out
  std::optional<double> max_force;  // N: beyond it the brake slips
  std::optional<double> shortest;   // of the free length, m: there it stops
  std::optional<double> longest;    // likewise
  std::string geared_to;            // a winch whose drum turns this one; empty: it turns by itself
  double ratio = 1;                 // geared: pays out so much per metre of the other one
  bool operator==(const Winch&) const = default;
};

// A wheel over which a rod runs: its elements pass over it with bending and twist.
struct Sheave {
  std::string name;
  std::string rod;
  ArcPosition at;             // the place of the rod that lies on the middle of the wrap at the start
  std::string body;           // the wheel sits on this body; empty: on the world
  Vec3 point = Vec3::Zero();  // centre, in the body's frame (the world's without one)
  Vec3 axis{0, 1, 0};         // likewise; from start to end the rod goes round it in its sense (right hand)
  double radius = 0;          // m, of the rod's centre line
  double friction = 0;        // of rod on wheel: the tensions differ by a factor of up to exp(friction·angle)
  double inertia = 0;         // of the wheel about its axis, kg·m²
  bool operator==(const Sheave&) const = default;
};

// Where a massless rope passes: an eye, or a wheel (radius > 0), on a body.
struct RopePoint {
  std::string body;           // empty: the world
  Vec3 point = Vec3::Zero();  // of the eye or the wheel's centre, in the body's frame (the world's without one)
  double radius = 0;          // m
  std::optional<Vec3> axis;   // of the wheel, as a sheave's; none: whichever way the rope bends there
  double friction = 0;        // as a sheave's
  bool operator==(const RopePoint&) const = default;
};

// Massless, and straight between the points that it runs through.
enum class RopeEnd { Start, End };
struct Rope {
  std::string name;
  double stiffness = 0;                    // N/m of the whole rope; zero: it does not stretch
  std::optional<double> length;            // m; default: as it lies at the start
  std::vector<RopePoint> through;          // at least two; tied to the first and the last, which have no radius
  std::optional<double> breaking_tension;  // N
  RopeEnd wound = RopeEnd::Start;          // where its length changes when that is driven
  bool tied = true;                        // false: it begins untied, and a driver ties it
  bool operator==(const Rope&) const = default;
};

// What things come to lie on, or must keep clear of: in the world, or carried by a body and then seen from it.
enum class ObstacleShape { Plane, Sphere, Box, Capsule, Cylinder, Mesh };
struct Obstacle {
  std::string name;  // «obstacle 1», … if the file gives none
  ObstacleShape shape = ObstacleShape::Plane;
  Vec3 point = Vec3::Zero();  // Plane: any of its points; Sphere: its centre
  Vec3 normal{0, 0, 1};       // Plane: what is on its side is outside
  double friction = 0;
  std::string material;          // its surface's, for pairs of materials that rub; empty: none is said
  std::string body;              // empty: the world
  Vec3 from = Vec3::Zero();      // Capsule, Cylinder: the ends of the axis
  Vec3 to = Vec3::Zero();        // likewise
  double radius = 0;             // Sphere, Capsule, Cylinder, m
  Vec3 size = Vec3::Zero();      // Box: full edge lengths, m
  Vec3 position = Vec3::Zero();  // Box, Mesh
  Quat orientation = Quat::Identity();
  std::string mesh;  // Mesh: file, beside the scene's unless its path says otherwise
  double scale = 1;  // Mesh: factor on the file's numbers
  std::shared_ptr<const geometry::MeshSurface> surface;  // Mesh: what the file holds, scaled
  friend bool operator==(const Obstacle& a, const Obstacle& b) {
    return a.name == b.name && a.shape == b.shape && a.point == b.point && a.normal == b.normal &&
           a.friction == b.friction && a.material == b.material && a.body == b.body && a.from == b.from &&
           a.to == b.to && a.radius == b.radius &&
           a.size == b.size && a.position == b.position && a.orientation.coeffs() == b.orientation.coeffs() &&
           a.mesh == b.mesh && a.scale == b.scale;
  }
};

// Two materials that rub on each other, in either order.
struct FrictionPair {
  std::string material;
  std::string against;
  double friction = 0;
  bool operator==(const FrictionPair&) const = default;
};

// Which things hold each other off. Those that do not are watched all the same: what passes through is told.
struct Contact {
  bool obstacles = true;  // rods and bodies against obstacles
  bool rods = false;      // rods against each other and themselves
  double friction = 0;    // coefficient of rods against rods
  std::vector<FrictionPair> pairs;  // where both materials are known they say more than any other coefficient
  bool operator==(const Contact&) const = default;
};

// A mesh to look at, in the world or carried by a body: it touches nothing, unless it is solid.
struct Scenery {
  std::string name;
  std::string mesh;              // file, beside the scene's unless its path says otherwise
  Vec3 position = Vec3::Zero();  // relative to the body, if there is one
  Quat orientation = Quat::Identity();
  double scale = 1;
  std::string body;                                      // drawn with this body; empty: the world
  bool solid = false;                                    // holds things off, as an obstacle does
  double friction = 0;                                   // of a solid one
  std::string material;                                  // likewise: its surface's; empty: none is said
  std::shared_ptr<const geometry::MeshSurface> surface;  // what the file holds, scaled; null: nobody has read it, and
                                                         // it holds nothing off
  friend bool operator==(const Scenery& a, const Scenery& b) {
    return a.name == b.name && a.mesh == b.mesh && a.position == b.position &&
           a.orientation.coeffs() == b.orientation.coeffs() && a.scale == b.scale && a.body == b.body &&
           a.solid == b.solid && a.friction == b.friction && a.material == b.material;
  }
};

// A prescribed motion: values at given times, interpolated between them, held before the first and after the last.
enum class DriverKind { Body, Hold, Force, Torque, Rod, Winch, Rope, Joint };
struct Keyframe {
  double t = 0;
  std::optional<Vec3> position;     // Body, Hold
  std::optional<Quat> orientation;  // Body, Hold
  std::optional<double> turns;      // Hold: about the rod's own tangent, unwrapped
  std::optional<double> scale;      // Force, Torque, Joint: factor on the listed value
  std::optional<double> length;     // Rod, Rope, m
  std::optional<double> speed;      // Winch, m/s
  std::optional<bool> tied;         // Rope: from this time on, in a run; tied again it is as long as it then lies
  std::optional<Fix> fix;           // Hold: from this time on it fixes this, in a run; grips what it finds where it is
  friend bool operator==(const Keyframe& a, const Keyframe& b) {
    return a.t == b.t && a.position == b.position && a.turns == b.turns && a.scale == b.scale && a.length == b.length &&
           a.speed == b.speed && a.tied == b.tied && a.fix == b.fix && a.orientation.has_value() == b.orientation.has_value() &&
           (!a.orientation || a.orientation->coeffs() == b.orientation->coeffs());
  }
};
struct Driver {
  DriverKind kind = DriverKind::Body;
  std::string target;          // Body, Hold, Rod, Winch, Rope, Joint: its name
  int index = 0;               // Force, Torque: its place in the list
  std::vector<Keyframe> path;  // sorted by t, at least one
  bool operator==(const Driver&) const = default;
};

// A rod that finds its own length in statics (docs/routing.md).
enum class RoutingMode {
  SelfFinding,  // each part between neighbouring holds or junctions: bending and twist against the pull
  Pulled        // between two places it gets longer, never shorter, as far as the pull asks
};
struct Routing {
  std::string rod;
  RoutingMode mode = RoutingMode::SelfFinding;
  std::optional<double> pull;     // N; Pulled: default 1e-4 of the stretch stiffness EA
  ArcPosition from;               // Pulled
  ArcPosition to{1, 0};           // Pulled
  std::optional<double> longest;  // m, of the rod as a whole; default: ten times its drawn shape
  bool operator==(const Routing&) const = default;
};

struct Probe {
  std::string name;
  RodPoint point;
  bool operator==(const Probe&) const = default;
};

enum class Mode { Statics, Dynamics };

// How rods are moved in time, by formulations that leave a choice.
// A wire of a harness: it runs along whole rods, whose bundles have its mass and stiffness already. Its length is told.
struct WirePart {
  std::string rod;
  bool operator==(const WirePart&) const = default;
};
struct Wire {
  std::string name;             // «wire 1», … if the file gives none
  std::vector<WirePart> along;  // from end to end
  bool operator==(const Wire&) const = default;
};

enum class Stepper {
  Implicit,    // Newton to convergence; stretchable rods
  Projection,  // symplectic Euler and fast projection onto the inextensible rods
  Variational  // discrete Euler-Lagrange equations with inextensibility by Picard's iteration
};

// Of the implicit stepper; RungeKutta, which is explicit, of the formulation spline alone.
enum class Integrator { EnergyMomentum, ImplicitEuler, Bdf2, GeneralisedAlpha, RungeKutta };

// What the chain formulation alone asks for, and judges (docs/theory/hoisting.md).
struct ChainOptions {
  int sweeps = 0;      // 0: one direct solve over the whole graph; else so many block Gauss-Seidel sweeps
  double damping = 0;  // of the joints: stress from the strain and `damping` times its rate, s
  double detail = 0;   // how far, as a share of the rod's length, merged elements may leave the curve; 0: none merge
  bool operator==(const ChainOptions&) const = default;
};

// What the spline formulation alone asks for (docs/theory/spline.md).
struct SplineOptions {
  CurveBasis basis = CurveBasis::BSpline;
  double detail = 0;  // how far, as a share of the rod's length, knots may leave the curve; 0: they stay as they are
  bool operator==(const SplineOptions&) const = default;
};

// What a run begins from. Relaxed: the shapes, and rods that were drawn longer or shorter than they are at their own
// length.
enum class StartKind { AsShaped, Equilibrium, Result, Relaxed };

// What a scene is solved by that names no formulation.
inline constexpr const char* kDefaultFormulation = "kirchhoff";

struct Simulation {
  std::string formulation = kDefaultFormulation;
  Mode mode = Mode::Statics;
  double step = 1.0 / 60;  // s
  double end = 0;          // s
  Stepper stepper = Stepper::Implicit;
  Integrator integrator = Integrator::EnergyMomentum;
  double spectral_radius = 0.5;     // of generalised-α at infinite frequency, in [0, 1]
  bool rotary_inertia = false;      // of sections about all their axes; see the integrators for what they have anyway
  std::optional<double> tolerance;  // adaptive step: error allowed per step, share of the longest rod; `step` is the
                                    // largest then
  int iterations = 0;               // > 0: bounded cost, at most so many Newton iterations a step
  StartKind start = StartKind::Relaxed;
  std::string start_result;  // StartKind::Result: the folder of the result whose last state it is
  ChainOptions chain;
  SplineOptions spline;
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
  std::vector<BodyJoint> joints;
  std::vector<PointForce> forces;
  std::vector<PointTorque> torques;
  std::vector<DistributedForce> distributed;
  std::vector<Winch> winches;
  std::vector<Sheave> sheaves;
  std::vector<Rope> ropes;
  std::vector<Obstacle> obstacles;
  Contact contact;
  std::vector<Scenery> scenery;
  std::vector<Driver> drivers;
  std::vector<Routing> routing;
  std::vector<Wire> wires;
  Simulation simulation;
  Record record;

  // As the compiler makes them, but once, in scene/scene.cpp: every user would compile them again otherwise.
  Scene();
  Scene(const Scene&);
  Scene(Scene&&) noexcept;
  Scene& operator=(const Scene&);
  Scene& operator=(Scene&&) noexcept;
  ~Scene();
  bool operator==(const Scene&) const;
};

// What a person should know though nothing is wrong: a rod that nothing holds, a shape stretched beyond its length.
std::vector<std::string> warnings(const Scene& scene);

}  // namespace filum
