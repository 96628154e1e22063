// The compiled scene of spline rods: constant once made.
//
// What holds, joins and loads the rods is that of the discrete model: its nodes are the knots, its breaks double knots,
// its rotors, sections, ties and loads act as they do there. Here is what lies between the nodes: control points,
// places where strain is sampled, and the rows by which the curve is gripped.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/mobility.hpp"
#include "rod/cubic_spline.hpp"
#include "rod/section_plasticity.hpp"

#include <filum/types.hpp>

#include <array>
#include <vector>

namespace filum::spline {

// Bending and the directors are sampled at three Gauss points a segment.
inline constexpr int kBendPoints = 3;

struct Segment {
  int rod = 0;
  int first = 0;                                 // control point; it is made of four
  std::array<int, 2> node{};                     // at its ends
  std::array<int, 2> turner{};                   // which of the four has the angle of that node beside it
  double width = 0;                              // m
  std::array<std::array<double, 3>, 3> slope{};  // weights of r′ at its start, middle and end
  double rest_twist = 0;                         // rad
  double seam = 0;                               // of a closed rod's last: what the frame at its end is turned by
  Stiffness stiffness;
  bool round = true;                            // bends alike in all directions, straight at rest
  int law = -1;                                 // of SplineMemory, −1: elastic whatever happens
  double axial = 0;                             // EA, of a laid rope that of one free to turn, N
  double lay = 0;                               // β of a laid rope: by how much stretch unlays it, rad/m
  std::array<int, 2> stretch{};                 // its stretch points: the first, and the one after the last
  std::array<std::array<double, 4>, 4> mass{};  // μ ∫ b_p b_q du of its four control points, kg
};

struct BendPoint {
  double share = 0;   // of its segment
  double weight = 0;  // m
  std::array<double, 3> slope{};
  std::array<double, 3> bend{};
  double rest_speed = 1;
  Vec2 rest{0, 0};  // curvature at rest, on the directors
};

struct StretchPoint {
  int segment = 0;
  double share = 0;
  double weight = 0;
  std::array<double, 3> slope{};
  double rest_speed = 1;
};

// A node as part of the curve: r = Σ value P, r′ = Σ slope D. A free body's is one control point of its own.
struct NodeCurve {
  int rod = -1;  // −1: a free body's
  int first = 0;
  int points = 4;
  std::array<double, 4> value{};
  std::array<double, 3> slope{};
  int angle = -1;           // the control point that has this node's angle beside it
  int section = -1;         // cross-section that is gripped there, or none
  double spin_inertia = 0;  // about the tangent, of half of each segment beside it, kg·m²
};

// Three rows that grip a node: its position in space, its position relative to another node, or its cross-section.
enum class GripKind { Place, Tie, Section };
struct Grip {
  GripKind kind = GripKind::Place;
  int node = 0;
  int tie = -1;      // Tie: which
  int control = 0;   // the control point beside which its rows stand
  FixedAxes rows{};  // which of the three there are
};

struct RodSpline {
  rod::SplineKnots knots;
  int first_control = 0;
  int first_segment = 0;
  int first_stretch = 0;
  int stretches = 0;
  std::vector<Mat3> drawn_frame;  // per node: the layout's, with its twist
};

// Where rods yield or slip: laws, and where in SplineState::plastic the sites keep what they remember.
struct SplineMemory {
  // those of the discrete model, one part of each: bends; twist; stretch in the place of twist
  std::vector<rod::SectionPlasticity> bend;
  std::vector<rod::SectionPlasticity> twist;
  std::vector<rod::SectionPlasticity> stretch;
  std::vector<int> bend_place;     // per bend point
  std::vector<int> twist_place;    // per segment
  std::vector<int> stretch_place;  // per stretch point
  int size = 0;                    // numbers in all
  [[nodiscard]] bool empty() const { return bend.empty(); }
};

struct SplineModel {
  discrete::ModelData nodes;  // what holds, joins and loads
  std::vector<discrete::Component> components;
  std::vector<RodSpline> rods;
  std::vector<Segment> segments;
  std::vector<BendPoint> bends;  // kBendPoints of each segment
  std::vector<StretchPoint> stretches;
  std::vector<NodeCurve> curve;  // per node
  std::vector<Grip> grips;
  SplineMemory memory;
  bool laid = false;                 // some rod is
  std::vector<double> control_mass;  // per control point: ∫ b μ du, kg; then of the free bodies
  std::vector<Vec3> control_load;    // per control point: of distributed forces, N
  int controls = 0;                  // of the rods, then one per free body
  std::vector<int> own;              // per control point: itself, or whose ghost it is (rod/cubic_spline.hpp)
};

SplineModel compile_spline(const Scene& scene);

}  // namespace filum::spline
