// The law of one contact: a point that a solid holds off, with friction.
//
// Normal. The force λ is an unknown of Newton's method, condensed: an iteration leaves 1/(1 + k c) of the gap's error, c
// the compliance of all else, and the result does not depend on k. In balance the gap is nil and the force is λ; on the
// way there λ − k g stands for it. Never clipped: it is a foresight, not a force.
//
// Friction. Coulomb's, implicit, with a stick that is elastic and remembers: a point that sticks is held by a spring of
// stiffness k_t to its anchor, which stays where it is for as long as the contact lasts. What gives way is reversible
// and at most μλ/k_t, so nothing creeps. A point that slips reverses by way of stick only, and one that closes while it
// moves closes in slip.
//
// All vectors are those that the solid sees, so that one that moves carries its contacts along. Notation: g gap, n
// normal, H second derivative of the gap, n̄ direction of the normal force, P = 1 − n nᵀ, w way from the anchor,
// z = −k_t P w, d direction of the friction of a point that slips.
#pragma once

#include <filum/types.hpp>

namespace filum::contact {

enum class Touch { Open = 0, Stick = 1, Slip = 2 };

// What a contact remembers from iteration to iteration and from step to step.
struct Memory {
  Touch touch = Touch::Open;
  double force = 0;            // λ, N
  Vec3 anchor = Vec3::Zero();  // of an open one: where the point was when the step began
  Vec3 slip = Vec3::Zero();    // d
};

struct Stiffness {
  double normal = 0;    // k, N/m: no stiffness of the model
  double stick = 0;     // k_t, N/m
  double friction = 0;  // μ
};

// Where the point is.
struct Gap {
  double value = 0;
  Vec3 normal = Vec3::UnitZ();  // gradient of the gap; of unit length but for what approach.hpp says
  Mat3 hessian = Mat3::Zero();
  Vec3 way = Vec3::Zero();  // w
  // n̄: the normal itself (share 1) or, in a step that keeps energy, its mean over the step (½), which does no work on
  // a point that moves along a plane, a ball or round a cylinder.
  Vec3 push = Vec3::UnitZ();
  double share = 1;  // ∂n̄/∂n
};

// Force on the point, and what of it goes with its position: −∂force/∂x.
struct Reaction {
  Vec3 force = Vec3::Zero();
  Mat3 stiffness = Mat3::Zero();
};
[[nodiscard]] Reaction react(const Stiffness& law, const Gap& gap, const Memory& memory);

// In motion a depth of this share of the size counts as none: with neither force nor gap round-off would open and close
// a contact for ever.
inline constexpr double kNoDepth = 1e-12;

// An open contact whose gap is below −depth closes. True if it did. `small` is a way that counts as none.
bool close(const Stiffness& law, const Gap& gap, double small, double depth, Memory& memory);

// After a linear solve that moves the point by `share` of `moved`, the whole of which was solved for. `may_open`: the gaps
// are near enough to nil for a negative force to be believed. True if it opened, or changed between stick and slip.
bool update(const Stiffness& law, const Gap& gap, const Vec3& moved, double share, bool may_open, Memory& memory);

// The friction of a closed contact in balance.
[[nodiscard]] Vec3 friction_force(const Stiffness& law, const Gap& gap, const Memory& memory);

}  // namespace filum::contact
