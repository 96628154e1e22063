// The parts of a chain and what joins them: the constants of a step, made from the model and the list of elements.
//
// A link joins two parts at one place: its gap rows keep two points together, its turn rows two cross-sections. Both
// give way as the rod there does (compliance ε ≥ 0 per row; 0 is rigid). [Servin2007, section V]
//
//   gap    p_b − p_a                                       world axes
//   turn   bend about d1 and d2, twist about d3            rod/joint.hpp, less what they are at rest
//
// The joint between two elements of a rod has all six rows. Its compliance is that of the two half elements it joins,
// centre to centre: ε = ℓ/EA for the gap (shear shares it), ℓ/EI and ℓ/GJ for the turn.
//
// A hold on a free body that leaves axes free holds those that the body carries: P (p_b − p_a), P = Σ n nᵀ over the held
// axes n. In world axes again, so that forces are vectors of the world there too; along what is free they are zero.
//
// A laid rope (rod/rope_lay.hpp) has the energy EA/2 (e + γτ)² + (GJ − C²/EA)/2 τ², γ = C/EA = k d. So its gap rows are
// the gap and γ times the twist along the tangent: their force is the tension, and what it does to the turn is the
// torque k d T. A link that leaves the twist free is as stiff as the rope that is free to turn.
#pragma once

#include "formulations/chain/mechanism/chain_model.hpp"
#include "formulations/chain/mechanism/chain_state.hpp"

#include <filum/types.hpp>

#include <array>
#include <vector>

namespace filum::chain {

struct Link {
  int a = 0;  // its parts
  int b = 0;
  int side_a = 0;  // of an element: +1 its end is joined, −1 its beginning; of another part 0
  int side_b = 0;
  Vec3 offset_a = Vec3::Zero();  // of the joined point, body frame: from the side of an element, else from the centre
  Vec3 offset_b = Vec3::Zero();
  Vec3 arm_a = Vec3::Zero();  // of the joined point from the centre, body frame
  Vec3 arm_b = Vec3::Zero();
  Mat3 base_a = Mat3::Identity();  // of the joined cross-section, body frame
  Mat3 base_b = Mat3::Identity();
  std::array<bool, 3> gap{};            // rows present, world axes
  bool carried = false;                 // of holds on free bodies: rows along axes that turn with the body instead
  Mat3 axes = Mat3::Identity();         // these, in its frame
  bool turn = false;                    // rows present, all three
  bool twist_only = false;              // of those: a drum lets the rope bend
  double gap_compliance = 0;            // m/N
  Vec3 turn_compliance = Vec3::Zero();  // rad/(N·m)
  double lay = 0;                       // of a laid rope: how much a rad of twist lengthens it, m
  Vec3 rest = Vec3::Zero();             // strain at rest, rad
  double gap_damping = 0;               // time by which the strain rate counts, s
  Vec3 turn_damping = Vec3::Zero();
  double cell = 0;            // of the rod that its turn stands for, m
  int hold = -1;              // of the scene, if it is one's
  int winch = -1;             // likewise
  bool joins = false;         // it ties its rod to the knot of another one
  int rod = -1;               // whose joint it is
  double arc = 0;             // where, m
  double start_twist = 0;     // unwrapped, as the rod is drawn, rad
  int law = -1;               // by which it yields or slips (link_yield.hpp); −1: elastic whatever happens
  Vec3 yield = Vec3::Ones();  // bends and twist at first yield, rad
  double stretch_yield = 1;   // its gap along the rod likewise, m
  // Whether the part of the rod that it grips is a: an element, or the knot at a hold on a junction.
  [[nodiscard]] bool rod_is_a() const { return side_a > 0 || (side_a == 0 && side_b == 0); }
  [[nodiscard]] bool has_gap() const { return gap[0] || gap[1] || gap[2]; }
  [[nodiscard]] int first_row() const { return has_gap() ? 0 : 3; }
  [[nodiscard]] int rows() const { return (has_gap() ? 3 : 0) + (turn ? 3 : 0); }
};

// A share of a force or torque of the scene that acts on a part.
struct PartLoad {
  int part = 0;
  int index = 0;  // in the scene's list
  double share = 1;
  int side = 0;               // of an element: +1 it acts at its end, −1 at its beginning; of a body 0: at its centre
  Vec3 arm = Vec3::Zero();    // body frame
  Vec3 value = Vec3::Zero();  // in the world, or, if it follows, in the body's frame
  bool follow = false;
};

// A run of elements of one rod with nothing tied to it in between: it swings about its ends as one.
struct Span {
  int first = 0;  // elements
  int last = 0;
  double length = 0;  // unstretched, m
};

// A massless rope: the places it runs through, on their parts.
struct RopeWay {
  struct Place {
    int part = 0;
    Vec3 point = Vec3::Zero();  // body frame
    Vec3 axis = Vec3::Zero();   // of a sheave, body frame, unit
    double radius = 0;
    double friction = 0;
  };
  std::vector<Place> places;
};

struct Mechanism {
  std::vector<Part> parts;
  std::vector<Link> links;
  std::vector<Span> spans;
  std::vector<int> span_of;         // per element
  std::vector<double> half_length;  // per element, m
  std::vector<RopeWay> ropes;       // of the scene
  std::vector<PartLoad> forces;
  std::vector<PartLoad> torques;
  int first_body = 0;  // part of the scene's first body
  int first_knot = 0;  // of the first knot of its junctions
  int first_hold = 0;  // of its first hold
  int world = 0;
  std::vector<Element> elements;  // that it was made of
  std::vector<double> lengths;    // factors of the rods' lengths, likewise
};

// Parts and links for the state's list of elements and present lengths.
[[nodiscard]] Mechanism make_mechanism(const ModelData& model, const ChainState& state);

// Whatever depends on lengths, for a state of the same structure whose elements have become longer or shorter: as a new
// one would be, to the last bit. Does not allocate.
void refit(const ModelData& model, const ChainState& state, Mechanism& mechanism);

}  // namespace filum::chain
