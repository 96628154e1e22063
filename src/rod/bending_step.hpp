// The bending of a spline rod over a whole step in time, whatever its stiffnesses and its shape at rest, such that the work
// it does is what its moments say.
//
// At a place of the curve: v = r′, a = r″, λ = |v|, directors d1, d2 (rod/spline_strain.hpp), at the two ends of the step. A
// bar is the mean of both ends, Δ their difference. With ρ = 1/λ the curvatures are j κ2 = ρ a·d1 and j κ1 = −ρ a·d2, and
//
//     Δ(ρ a·d) = ρ̄ (ā·Δd + d̄·Δa) + mean(a·d) Δρ,     Δd = θ × d̄,     Δρ = −2 v_m·Δv/(λ0 λ1 (λ0 + λ1)),
//
// θ Cayley's vector of the frame's rotation. So moments m1, m2 on the curvatures, with c1 = m2/j, c2 = −m1/j, ĉ = c1 d̄1 + c2 d̄2,
//
//     on a:          ρ̄ ĉ
//     on the frame:  the moment ρ̄ ĉ × ā, which is a force on v and a torque on α (rod/place_turn.hpp)
//     on v besides:  −2 mean(c1 a·d1 + c2 a·d2)/(λ0 λ1 (λ0 + λ1)) v_m,
//
// do exactly the work m·Δκ. With m = EI (mean κ − κ̄) that is the change of the energy. Forces and torque make no moment
// together: ā × ρ̄ĉ and the moment on the frame cancel, so angular momentum is kept. [in the manner of Simo1992; Romero2002]
#pragma once

#include "rod/place_turn.hpp"
#include "rod/spline_strain.hpp"

#include <filum/types.hpp>

namespace filum::rod {

struct BendPlace {
  Vec3 v = Vec3::Zero();
  Vec3 a = Vec3::Zero();
  Mat3 frame = Mat3::Identity();
};

// Mean moments over the step, and how they follow the curvatures at its end.
struct MeanMoment {
  Vec2 value = Vec2::Zero();
  Eigen::Matrix2d slope = Eigen::Matrix2d::Zero();
};

struct BendingStep {
  Vec7 force = Vec7::Zero();  // on (v, a, α)
  Mat7 tangent;               // by (v, a, α) at the step's end; if it is asked for
};

// `angle`: what the frame was turned by about its tangent after it was carried there from the start.
BendingStep bending_step(const BendPlace& start, const BendPlace& end, double angle, double rest_speed,
                         const MeanMoment& moment, bool want_tangent);

}  // namespace filum::rod
