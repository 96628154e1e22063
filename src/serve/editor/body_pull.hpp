// How a hand pulls a free body to where it wants it: as a spring that brakes itself, of bounded force.
//
//   F = m (e/τ² − 2 v/τ) − m g + F_more,   dF_more/dt = m e/(τ² T)
//   M = I (θ/τ² − 2 ω/τ)
//
// e, θ: how far it is from there, not more than the hand's speed makes good, or than it can brake on the way; m, I: of
// the body alone, so that a force which is the same for a whole step Δt ≤ τ/4 cannot overshoot. F_more grows with time T
// to bear whatever hangs on it.
#pragma once

#include "body/rigid_body.hpp"

#include <filum/pose.hpp>
#include <filum/types.hpp>

namespace filum::serve {

struct BodyPull {
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N·m, about its centre
};

struct BodyGoal {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double speed = 0;  // m/s, that the hand can make
  double most = 0;   // N, that it can pull with
};

// For a step of length dt. `more` is F_more, which the hand remembers.
BodyPull pull_body(const body::RigidBody& body, const BodyPose& now, const BodyGoal& goal, const Vec3& gravity,
                   double dt, Vec3& more);

}  // namespace filum::serve
