// Quaternions that are continuous in time: how a cable keeps count of its turns.
//
// A rotation matrix forgets whole turns, so a joint's twist, known from its two frames only up to 2π, is taken nearest
// to what it was; a leap of more than half a turn in one step would then lose a turn. A quaternion that is multiplied
// by every rotation its frame makes remembers whether the number of turns was even: with the two of a joint its twist
// is known up to 4π, and what a leap may still confuse are two whole turns at once, as if the cable had passed through
// itself, never a single one. Every joint has a sign that says which of the two halves the cable started in.
#pragma once

#include "formulations/cosserat/cosserat_state.hpp"
#include "formulations/discrete/discrete_model.hpp"

namespace filum::cosserat {

// The quaternion of a rotation that lies nearer to `guess`.
Quat lifted(const Mat3& rotation, const Quat& guess);

// Turns a frame by w in the world, then by `spin` about its own third axis, which may be many turns.
void turn(Mat3& frame, Quat& lift, const Vec3& w, double spin = 0);

// Lifts and signs of a state whose frames and twists are right.
void begin_lifts(const discrete::ModelData& model, CableState& state);

// `measured` is right up to 2π; the representative that the lifts allow, nearest to `near`.
double counted_twist(const discrete::ModelData& model, const CableState& state, int joint, double measured,
                     double near);

}  // namespace filum::cosserat
