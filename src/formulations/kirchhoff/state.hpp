// All that moves in a Kirchhoff model. A value: copying it is undo.
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum::kirchhoff {

struct RodState {
  std::vector<Vec3> position;         // per node
  std::vector<Vec3> edge;             // per edge, kept beside the positions: differences of positions lose digits
  std::vector<Mat3> frame;            // per edge, columns d1, d2, d3 = the edge's direction
  std::vector<double> tension;        // per edge: axial force as Newton's own unknown
  std::vector<double> twist;          // per joint, unwrapped
  std::vector<Mat3> rotor;            // per rotor: world rotation
  std::vector<Mat3> rotor_target;     // per rotor: where its hold last wanted it
  std::vector<double> rotor_turns;    // per rotor: turns its hold has asked for so far
  std::vector<Vec3> tie_force;        // per tie: multiplier, what the tie does to its slave, with the sign reversed
  std::vector<double> slide;          // per slider: arc length gripped
  std::vector<Vec3> slide_force;      // per slider: multiplier
  std::vector<int> slide_stop;        // per slider: −1 stopped at the start, +1 at the end, 0 sliding
  std::vector<double> length_factor;  // per rod: present length / compiled length
};

}  // namespace filum::kirchhoff
