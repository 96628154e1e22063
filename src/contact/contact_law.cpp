#include "contact/contact_law.hpp"

#include <algorithm>

namespace filum::contact {
namespace {

Vec3 across(const Gap& gap, const Vec3& v) {
  return v - gap.normal.dot(v) / gap.normal.squaredNorm() * gap.normal;
}

// The direction of friction of a point that slips: against its way, as long as that does not turn back.
Vec3 slip_direction(const Gap& gap, const Vec3& pull, const Vec3& before) {
  const Vec3 direction = pull.dot(before) > 0 ? pull : across(gap, before);
  return direction.stableNormalized();
}

}  // namespace

Reaction react(const Stiffness& law, const Gap& gap, const Memory& memory) {
  Reaction out;
  if (memory.touch == Touch::Open) return out;
  const Vec3& n = gap.normal;
  const double pressed = memory.force - law.normal * gap.value;
  out.force = pressed * gap.push;
  // the geometric part with λ alone: what λ − k g has beyond it is spurious until the gap is nil
  out.stiffness = law.normal * gap.push * n.transpose() - gap.share * memory.force * gap.hessian;
  if (law.friction == 0) return out;
  const Mat3 tangent = Mat3::Identity() - n * n.transpose() / n.squaredNorm();
  const Vec3 pull = -law.stick * across(gap, gap.way);
  if (memory.touch == Touch::Stick) {
    out.force += pull;
    out.stiffness += law.stick * tangent;
    return out;
  }
  const Vec3 d = slip_direction(gap, pull, memory.slip);
  out.force += law.friction * pressed * d;
  const double limit = law.friction * std::max(0.0, memory.force);
  const double strength = pull.norm();
  const double turning = strength > limit ? limit / strength : 1;
  out.stiffness += law.stick * turning * (tangent - d * d.transpose()) + law.friction * law.normal * d * n.transpose();
  return out;
}

bool close(const Stiffness& law, const Gap& gap, double small, double depth, Memory& memory) {
  if (memory.touch != Touch::Open || !(gap.value < -depth)) return false;
  const Vec3 way = across(gap, gap.way);
  const bool moves = way.norm() > small;
  memory.touch = law.friction == 0 || moves ? Touch::Slip : Touch::Stick;
  memory.slip = moves ? Vec3(-way.normalized()) : Vec3(Vec3::Zero());
  memory.force = 0;
  return true;
}

bool update(const Stiffness& law, const Gap& gap, const Vec3& moved, double share, bool may_open, Memory& memory) {
  if (memory.touch == Touch::Open) return false;
  memory.force -= share * law.normal * (gap.value + gap.normal.dot(moved));
  if (memory.force < 0 && may_open) {
    memory = {Touch::Open, 0, memory.anchor, Vec3::Zero()};
    return true;
  }
  if (law.friction == 0) return false;
  const Vec3 before = -law.stick * across(gap, gap.way);
  const Vec3 pull = -law.stick * across(gap, gap.way + share * moved);
  const double limit = law.friction * std::max(0.0, memory.force);
  if (memory.touch == Touch::Stick) {
    if (pull.norm() <= limit) return false;
    memory.touch = Touch::Slip;
    memory.slip = pull.stableNormalized();
    return true;
  }
  memory.slip = slip_direction(gap, before, memory.slip);
  if (pull.dot(memory.slip) >= limit) return false;
  memory.touch = Touch::Stick;
  return true;
}

Vec3 friction_force(const Stiffness& law, const Gap& gap, const Memory& memory) {
  if (memory.touch == Touch::Open || law.friction == 0) return Vec3::Zero();
  const Vec3 pull = -law.stick * across(gap, gap.way);
  if (memory.touch == Touch::Stick) return pull;
  return law.friction * memory.force * slip_direction(gap, pull, memory.slip);
}

}  // namespace filum::contact
