// The compiled scene of a chain: what stays as it is while elements come and go.
#pragma once

#include "formulations/chain/chain_variant.hpp"
#include "formulations/chain/mechanism/chain_state.hpp"
#include "formulations/chain/touch/touch_model.hpp"
#include "rod/section_plasticity.hpp"

#include <filum/section.hpp>

#include <memory>
#include <vector>

namespace filum {
struct Scene;
enum class JointKind;
}  // namespace filum

namespace filum::chain {

// Places closer together than this share of a rod's length are one.
inline constexpr double kSamePlace = 1e-9;

// A cross-section between two elements as the scene has it.
struct Boundary {
  double s = 0;                     // arc length, m
  bool is_break = false;            // something is tied here: it stays a boundary
  Vec3 position = Vec3::Zero();     // at the start
  Mat3 frame = Mat3::Identity();    // likewise
  Vec3 rest = Vec3::Zero();         // strain of the joint here when nothing acts, rad
  Vec3 rest_before = Vec3::Zero();  // of the half before the cross-section alone
  Vec3 rest_after = Vec3::Zero();
  double twist = 0;  // of the joint at the start, unwrapped
};

struct RodData {
  double length = 0;  // m
  bool closed = false;
  bool even = false;                 // one section, straight at rest: its elements may be cut anew
  double torque_factor = 0;          // of its lay
  double element = 0;                // length of an ordinary element, m
  double seam = 0;                   // closed: angle by which the frames do not meet at the start
  std::vector<Boundary> boundaries;  // of the elements it begins with, both ends included
  std::vector<Stiffness> stiffness;  // per such element
  std::vector<double> chord;         // per such element: chord of the rest shape / arc length
  std::vector<Mat3> frame;           // per such element: at the start
  std::vector<Vec3> load;            // per such element: distributed force per length, N/m
  std::vector<int> surface;          // per such element: of the materials that rods are made of
  std::vector<int> law;              // per such element: of ModelData::laws, or −1: elastic whatever happens

  // The element it begins with that has this arc length inside.
  [[nodiscard]] int element_at(double s) const;
};

// Where a hold grips a rod.
struct Grip {
  int rod = -1;
  double s = 0;
  int body = -1;                    // the free body that holds it, or none
  Vec3 point = Vec3::Zero();        // of the grip, in that body's frame
  Mat3 section = Mat3::Identity();  // likewise: the cross-section it wants
};

// A winch: the end of a rod that it winds.
struct Reel {
  int rod = 0;
  int side = -1;                    // −1: the rod's start
  int body = -1;                    // that carries the drum, of the scene; −1: the world
  Vec3 point = Vec3::Zero();        // where the rope leaves it, in the body's frame
  Mat3 section = Mat3::Identity();  // likewise: the cross-section that it holds from turning
};

// A sheave with a rod on it.
struct Wheel {
  int rod = 0;
  double s = 0;               // of the rod, about: which of several comes first
  int body = -1;              // that carries it, of the scene; −1: the world
  Vec3 point = Vec3::Zero();  // centre and unit axis, in the body's frame
  Vec3 axis = Vec3::Zero();
  double radius = 0;
  double friction = 0;
  double inertia = 0;
};

// A joint between bodies (body_joints.hpp).
struct JointData {
  JointKind kind{};
  int a = -1;  // bodies of the scene; −1: the world
  int b = 0;
  Vec3 arm_a = Vec3::Zero();  // of the joint from the centre, in the body's frame
  Vec3 arm_b = Vec3::Zero();
  Mat3 base_a = Mat3::Identity();  // its axes, likewise; the third is the one that it is about
  Mat3 base_b = Mat3::Identity();
  double lowest = 0;  // where it stops, rad or m; infinite: nowhere
  double highest = 0;
  double motor = -1;  // its largest torque or force; < 0: there is none
  double rate = 0;    // what it runs at, rad/s or m/s
  double force = 0;   // that drives it, N·m or N
};

// What is constant of anything that moves or is moved.
struct Part {
  bool moves = false;           // else its motion is given
  double mass = 0;              // kg
  Vec3 inertia = Vec3::Zero();  // principal, body axes, kg·m²; an axis without any does not turn
  double drag = 0;              // Rayleigh's α, 1/s
  double air = 0;               // force over the square of the speed, kg/m
  Vec3 load = Vec3::Zero();     // distributed forces on it, N
};

// Where rods are joined: a cross-section that all of them end at or run through, each by its own half element, as at a
// hold. So that it can move it has a little of its elements' mass, which shifts that by half an element: second order in
// their length, as the joints are.
struct Knot {
  struct End {
    int rod = 0;
    double s = 0;                     // of the rod, m
    Vec3 point = Vec3::Zero();        // of its section there, from the knot at the start
    Mat3 section = Mat3::Identity();  // likewise
    double mass = 0;                  // that each element there gives away, kg
    int sides = 1;                    // elements there
  };
  std::vector<End> ends;
  Vec3 position = Vec3::Zero();  // at the start
  Part part;
};

struct ModelData {
  std::shared_ptr<const Scene> scene;  // for those who look into it; kernels need not know what a scene is
  Vec3 gravity = Vec3::Zero();         // m/s²
  ChainVariant variant;
  std::vector<RodData> rods;
  std::vector<Grip> grips;        // per hold
  std::vector<Reel> reels;        // per winch
  std::vector<Wheel> wheels;      // per sheave
  std::vector<JointData> joints;  // per joint
  std::vector<Part> bodies;       // per body of the scene
  std::vector<Knot> knots;        // of its junctions, and of laid ropes that are held from turning alone
  TouchModel touch;               // who may touch whom
  double size = 1;                // the longest rod, m
  // where rods yield or slip: bends and twist, and, as the third component of a law of its own, stretch (link_yield.hpp)
  std::vector<rod::SectionPlasticity> laws;
  std::vector<rod::SectionPlasticity> stretch_laws;
};

// Of a piece of a rod.
[[nodiscard]] const Stiffness& stiffness_of(const ModelData& model, const Element& element);
[[nodiscard]] int law_of(const ModelData& model, const Element& element);

// Mass, inertia and loads of a piece of a rod.
[[nodiscard]] Part element_part(const ModelData& model, const Element& element, double length_factor);

// Where a rod is tied to others: the knot and which of its ends, or none.
struct KnotEnd {
  int knot = -1;
  int end = 0;
};
[[nodiscard]] KnotEnd knot_at(const ModelData& model, int rod, double s);

// Half of its rigid length.
[[nodiscard]] double half_length(const ModelData& model, const Element& element, double length_factor);

// Whether a rod runs over a sheave.
[[nodiscard]] bool runs_over_wheels(const ModelData& model, int rod);

}  // namespace filum::chain
