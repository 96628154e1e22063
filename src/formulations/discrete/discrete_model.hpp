// The compiled scene: nodes, edges, joints, rotors and the constraints that tie them, constant once made.
//
// An edge's frame has the edge as its d3. A «rotor» is a world rotation of its own: the orientation that a hold
// imposes, that the rods of a junction share, or that a torque turns. A «section» is a cross-section fixed to a rotor,
// and a joint joins two frames: edge to edge, or edge to section. Which of positions, angles, rotations and forces are
// unknowns is each formulation's own matter.
#pragma once

#include "contact/approach.hpp"
#include "formulations/discrete/rod_mesh.hpp"
#include "formulations/discrete/solid_feature.hpp"
#include "geometry/shape.hpp"
#include "rod/joint.hpp"
#include "rod/plastic_joint.hpp"

#include <filum/fix.hpp>
#include <filum/section.hpp>
#include <filum/types.hpp>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace filum {
struct Scene;
}

namespace filum::discrete {

struct Edge {
  int a = 0;  // its nodes
  int b = 0;
  int rod = 0;
  double rest_length = 0;            // m, at the rod's own length: the chord where the rest shape is a curve
  double axial_stiffness = 0;        // EA, N; of a laid rope: when it is free to turn
  double mass = 0;                   // kg
  double spin_inertia = 0;           // about itself, kg·m²
  Vec2 tilt_inertia = Vec2::Zero();  // of its cross-sections about d1 and d2, beside that of its nodes' masses
  double axial_viscosity = 0;        // tension per rate of strain, N·s
  Vec3 distributed = Vec3::Zero();   // force on it, N

  [[nodiscard]] bool tilts() const { return !tilt_inertia.isZero(0); }
  // Of its cross-sections, in its own frame.
  [[nodiscard]] Vec3 inertia() const { return {tilt_inertia[0], tilt_inertia[1], spin_inertia}; }
};

// One side of a joint: an edge's frame or a section's.
struct Side {
  int edge = -1;
  int section = -1;
  [[nodiscard]] bool is_edge() const { return edge >= 0; }
};

struct Joint {
  int node = 0;
  int rod = 0;
  Side left;
  Side right;
  double offset = 0;        // turn of the left frame about its d3 before comparing: the seam of a closed rod
  double length = 0;        // that its bending stands for, m
  double cell = 0;          // half of each edge it joins: what its twist and its rest strain stand for, m
  double cell_share = 0.5;  // where its node lies within the cell
  double share = 0.5;       // where its node lies within it, 0 at the left frame, 1 at the right
  rod::JointElasticity elasticity;
  Vec3 viscosity = Vec3::Zero();  // moment per rate of strain, N·m·s
  Vec2 lay = Vec2::Zero();        // by which unit stretch of its left and its right edge unlays it, rad
};

// A rigid body that moves freely: a node for its centre of mass, with no edge, and a rotor that has inertia. A hold on
// it is a tie of the rod's node to the body's and, where it holds the orientation, a section on the body's rotor.
struct FreeBody {
  int body = 0;  // in the scene's list
  int node = 0;
  int rotor = 0;
};

// A material cross-section fixed to a rotor: frame = R · base.
struct Section {
  int rotor = 0;
  Mat3 base = Mat3::Identity();
};

struct Rotor {
  int hold = -1;                // the hold that gives its orientation, or none
  int hold_section = -1;        // the section that the hold grips
  FixedAxes fixed{};            // rotation about world axes
  int node = 0;                 // whose position it turns about
  int body = -1;                // the free body it belongs to: an index into ModelData::bodies, or none
  Mat3 inertia = Mat3::Zero();  // at R = 1, kg·m²
  [[nodiscard]] bool spins() const { return body >= 0 || !inertia.isZero(0); }
};

// Node `slave` keeps its place relative to node `master` turned with the rotor: x_slave = x_master + R·arm.
struct Tie {
  int slave = 0;
  int master = 0;
  int rotor = 0;
  Vec3 arm = Vec3::Zero();
};

// A hold through which the rod slides: it grips the point of the rod at an arc length that is itself unknown. One that
// holds the tangent too is a short guide: two sliders, a segment apart along the hold's d3. A free body may carry it; then
// one that leaves axes of the body free need not slide.
struct Slider {
  int hold = 0;
  int rod = 0;
  FixedAxes fixed{};
  double offset = 0;        // from the hold along its d3, m
  double friction = 0;      // force along the rod up to which it sticks, N
  double stick = 0;         // with this stiffness, N/m
  int body = -1;            // that carries it: an index into ModelData::bodies, or none
  Vec3 arm = Vec3::Zero();  // where it grips, from the body's centre at the start
  bool slides = true;
  [[nodiscard]] bool carried() const { return body >= 0; }
};

struct PointLoad {
  int node = 0;
  int rotor = -1;  // whose rotation a following load takes part in; torques always have one
  int index = 0;   // in the scene's list
  bool follow = false;
  Vec3 value = Vec3::Zero();
};

// A node that distributed forces act on.
struct LoadedNode {
  int node = 0;
  int rod = 0;
  Vec3 force = Vec3::Zero();
};

// The frame that carries a station beside the centre line of a flat rod.
struct StationFrame {
  int edge = 0;
  double share = 1;           // of a node between two edges: half of each
  Vec3 reach = Vec3::Zero();  // to the far end of the section, in the frame
};

// A point of a rod that may touch something: a node, or a point between two; of a flat rod beside those.
struct ContactStation {
  int rod = 0;
  double s = 0;  // m
  int a = 0;     // its nodes
  int b = -1;    // −1: it is the first of them
  double share = 0;
  double radius = 0;            // of the rod there, m; of a flat one: that of its rounded edges
  double normal_stiffness = 0;  // of the contact law, N/m
  double stick_stiffness = 0;   // likewise
  int surface = 0;              // of ModelData::surfaces
  int frames = 0;               // 0: the rod is round
  std::array<StationFrame, 2> frame{};
  double across = 0;  // −1 to 1: of the reach
  [[nodiscard]] bool flat() const { return frames > 0; }
};

// An obstacle that holds rods off.
struct Solid {
  geometry::Shape shape;
  geometry::Box bounds;
  int obstacle = 0;                    // in the scene's list; −1: the box of `body`
  int body = -1;                       // that carries it, or the world
  int free = -1;                       // of ModelData::bodies, if that body moves freely
  double friction = 0;                 // its own coefficient
  std::string material;                // of its surface, or none
  std::vector<double> rod_friction;    // against rods, per surface of theirs (friction_of.hpp)
  std::vector<SolidFeature> features;  // where solids touch solids
};

// Two solids of which one at least moves freely; the features of `a` are held off by the distance from `b`.
struct SolidPair {
  int a = 0;
  int b = 0;
  double friction = 0;  // its coefficient
  double stick = 0;     // of the contact law, N/m
  double mass = 0;      // of the lighter that moves freely, kg
  double size = 0;      // of the smaller solid, m
};

// The numbers of the contact law (contact/contact_law.hpp) for contacts of an edge, N/m.
struct SpanLaw {
  double normal = 0;
  double stick = 0;
};

// Places of rods that belong together: joined, or held side by side.
struct JoinedPlaces {
  int rod_a = 0;
  double s_a = 0;  // m
  int rod_b = 0;
  double s_b = 0;
};

// Where rods yield or slip: laws of their sections, and where in RodState::plastic joints and edges keep their memory.
struct PlasticPlace {
  int law = -1;  // −1: elastic whatever happens
  int memory = 0;
  Vec3 yield = Vec3::Ones();  // bends and twist of a joint at first yield, rad; an edge has its strain in the first
};
// The squares of the shortest and the longest that an edge may be without yielding, over that of its rest length.
struct ElasticLengths {
  double shortest = 0;
  double longest = std::numeric_limits<double>::infinity();
};
struct Plasticity {
  std::vector<rod::SectionPlasticity> laws;
  std::vector<PlasticPlace> joints;     // per joint, if there is a law at all
  std::vector<PlasticPlace> edges;      // per edge, likewise
  std::vector<rod::YieldGauge> gauges;  // per joint: of its strain over its rod's length as a share of the compiled one
  std::vector<ElasticLengths> elastic;  // per edge
  int memory = 0;                       // numbers in all
  [[nodiscard]] bool empty() const { return laws.empty(); }
};

struct RodRange {
  RodMesh mesh;
  double drawn_length = 0;  // of the scene's shape, m
  int first_node = 0;
  int first_edge = 0;
  int first_joint = 0;
  int joints = 0;
  std::vector<Stiffness> edge_stiffness;  // per edge
  std::vector<int> edge_law;              // per edge: of ModelData::plasticity, or −1
  std::vector<int> edge_surface;          // per edge: of ModelData::surfaces
};

struct ModelData {
  std::shared_ptr<const Scene> scene;  // for those who look into it; kernels need not know what a scene is
  Vec3 gravity = Vec3::Zero();         // m/s²
  std::vector<RodRange> rods;
  std::vector<Edge> edges;
  std::vector<Joint> joints;
  std::vector<Section> sections;
  std::vector<Rotor> rotors;
  std::vector<Tie> ties;
  std::vector<FreeBody> bodies;
  std::vector<Slider> sliders;
  std::vector<PointLoad> forces;
  std::vector<PointLoad> torques;
  std::vector<LoadedNode> loaded;
  std::vector<ContactStation> stations;  // along each rod in turn; none if nothing holds rods off
  std::vector<Solid> solids;
  std::vector<SolidPair> solid_pairs;  // who touches whom among them
  Plasticity plasticity;
  std::vector<char> apart;           // per pair of station and solid: they are no contact
  std::vector<contact::Span> spans;  // per edge: the centre line; none if rods do not hold each other off
  std::vector<SpanLaw> span_laws;    // per edge, likewise
  std::vector<JoinedPlaces> joined;
  std::vector<std::string> surfaces;  // the materials that rods are made of
  std::vector<double> rod_friction;   // of rods on rods, per pair of surfaces; none if they do not hold each other off

  int nodes = 0;                                  // of the rods first, then one per free body
  std::vector<Vec3> start_position;               // per node: where the shape puts it
  std::vector<Mat3> start_frame;                  // per edge
  std::vector<double> start_twist;                // per joint
  std::vector<std::array<int, 3>> position_hold;  // per node and world axis: the hold that fixes it, or −1
  std::vector<int> hold_node;                     // per hold: the node it grips, −1 if it slides
  std::vector<int> hold_rotor;                    // per hold: the rotor it turns, or −1
  std::vector<int> hold_tie;                      // per hold: the tie to its free body, or −1
  std::vector<char> hold_carried;                 // per hold: a free body carries its grips
  std::vector<int> hold_section;                  // per hold: the section whose orientation it holds, or −1
  std::vector<double> node_mass;                  // lumped: half of each edge; a free body's whole mass
  std::vector<double> node_drag;                  // per node: Rayleigh's α times the mass, kg/s
  std::vector<double> node_air;                   // per node: force over the square of the speed, kg/m
  std::vector<Vec3> distributed;                  // per node, N
  std::vector<bool> spin_free;                    // per rod: nothing gives its angles a reference
  std::vector<int> root;     // per rod: the one node it hangs on, −1 if there are several (or it is closed)
  bool conservative = true;  // no torques, no following forces
  bool damped = false;       // some rod has damping
  bool laid = false;         // some rod is a laid rope
  bool outlines = false;     // some rod touches by an outline that is not round
  double size = 1;           // length scale: the longest rod, m
};

}  // namespace filum::discrete
