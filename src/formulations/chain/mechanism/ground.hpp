// Planes that parts rest and slide on: loads set down, slack rope on the floor.
//
// A part touches a plane by its corners (a body's box) or its two ends (an element, with its radius). Each touching
// point is held off by a stiff spring taken implicitly, which adds to the part's own mass matrix and to nothing else:
//
//     f = −k (gap + h n·v),   M̃ += h² k Jᵀ J,   k = 100 m/h²,
//
// m the part's mass over its touching points: it sinks in by g h²/100, about 0.03 mm at 1/60 s, and does not bounce. A
// point that would be pulled is let go and the step solved again. Friction: every touching point is tied by the same
// spring to the place where it stuck (the ends of elements, which come and go, to where they are); one that would be
// held by more than μ times its normal force N slides instead, against just that force, and the step is solved again.
// Where a body rocks as it slides, who presses and who slides may not settle. The last solve then takes sliding as a
// drag, −(μN/|v|) v with N and |v| as they were: it is about right, and it only ever takes energy.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"

#include <vector>

namespace filum::chain {

class Ground {
 public:
  // Points that may touch, of the parts of a mechanism.
  void lay_out(const Mechanism& mechanism, const Scene& scene, const std::vector<Vec2>& outlines);
  [[nodiscard]] bool is_there() const { return !points_.empty(); }

  // Before a step: which points touch, foreseen with the velocities that the parts would have without them.
  void find(const Mechanism& mechanism, const Scene& scene, const ChainState& state, const std::vector<Vec6>& velocity,
            double dt);

  // Adds the touching points to the parts' masses and to their free velocities; what slides as a drag, if it is not to
  // be asked again.
  void press(const ChainState& state, std::vector<Mobility>& mobility, std::vector<Vec6>& velocity, double dt,
             bool as_drag);

  // After a solve: lets go of points that would be pulled or held beyond their friction, and presses again on those
  // that came down after all. Whether there were any.
  bool let_go(const ChainState& state, const std::vector<Vec6>& velocity, const ConstraintSet& set, double dt);

  // After the last solve, with the new velocities: forces and what the corners remember; what friction took.
  void take(ChainState& state, const std::vector<Vec6>& velocity, double dt);

 private:
  struct Point {
    int part = 0;
    int plane = 0;
    Vec3 arm = Vec3::Zero();  // body frame
    double radius = 0;
    double friction = 0;
    int memory = -1;    // in the state's list, of a body's corner
    bool near = false;  // it was foreseen to touch
    bool touches = false;
    bool slides = false;
    double gap = 0;
    double stiffness = 0;
    Vec3 away = Vec3::Zero();    // from where it stuck
    Vec3 rubbed = Vec3::Zero();  // force of one that slides, N
    double drag = 0;             // h μN/|v| as of the step before, kg
  };
  std::vector<Point> points_;
  std::vector<Vec3> normals_;  // of the planes, unit
  std::vector<Mat6> coupled_;  // mobilities of parts that touch
  bool as_drag_ = false;       // the last solve took sliding so
};

}  // namespace filum::chain
