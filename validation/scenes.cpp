#include "validation/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::validation {

namespace {

Scene empty_scene() {
  Scene scene;
  scene.gravity = Vec3::Zero();
  return scene;
}

Hold hold_at(ArcPosition at, const std::string& rod) {
  Hold hold;
  hold.rod = rod;
  hold.at = at;
  hold.name = "hold of " + rod + " at " + std::to_string(at.fraction) + " + " + std::to_string(at.offset);
  return hold;
}

void turn(Curve& curve, const Quat& rotation) {
  for (Vec3& point : curve.points) point = rotation * point;
  curve.centre = rotation * curve.centre;
  curve.axis = rotation * curve.axis;
  curve.start = rotation * curve.start;
}

// Stands in for a state that could not be computed: whatever is read from it is not a number.
Outcome nothing(const Scene& scene) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vec3 nowhere = Vec3::Constant(nan);
  Outcome outcome;
  Snapshot snapshot;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    RodPose rod;
    rod.s = {0, 1};
    rod.position.assign(2, nowhere);
    rod.frame.assign(2, Quat(nan, nan, nan, nan));
    rod.curvature.assign(2, Vec2::Constant(nan));
    rod.twist.assign(2, nan);
    rod.axial_force.assign(2, nan);
    rod.moment.assign(2, nowhere);
    snapshot.pose.rods.push_back(rod);
  }
  for (std::size_t h = 0; h < scene.holds.size(); ++h) snapshot.pose.holds.push_back({nowhere, nowhere, nowhere, nan});
  outcome.states.push_back(snapshot);
  return outcome;
}

}  // namespace

Section given_section(double EA, const Vec2& EI, double GJ, double mass_per_length) {
  Section section;
  section.shape = SectionShape::Given;
  section.radius = 0.001;
  section.EA = EA;
  section.EI = EI;
  section.GJ = GJ;
  section.mass_per_length = mass_per_length;
  return section;
}

Curve line(const Vec3& from, const Vec3& to) {
  Curve curve;
  curve.kind = CurveKind::Line;
  curve.points = {from, to};
  return curve;
}

Rod& add_rod(Scene& scene, const std::string& name, const Section& section, const Curve& shape, int segments) {
  scene.sections.push_back({name, section});
  Rod rod;
  rod.name = name;
  rod.section = name;
  rod.segments = segments;
  rod.shape = shape;
  scene.rods.push_back(rod);
  return scene.rods.back();
}

Scene straight_rod(const Section& section, const Vec3& from, const Vec3& to, int segments) {
  Scene scene = empty_scene();
  const bool along_y = (to - from).cross(Vec3::UnitY()).norm() < 0.1 * (to - from).norm();
  add_rod(scene, "rod", section, line(from, to), segments).normal = along_y ? Vec3::UnitX() : Vec3::UnitY();
  return scene;
}

Hold clamp(ArcPosition at, const std::string& rod) {
  Hold hold = hold_at(at, rod);
  hold.fix.position = kAllAxes;
  hold.fix.orientation = kAllAxes;
  return hold;
}

Hold pin(ArcPosition at, const std::string& rod) {
  Hold hold = hold_at(at, rod);
  hold.fix.position = kAllAxes;
  return hold;
}

Hold guide(ArcPosition at, const std::string& rod) {
  Hold hold = hold_at(at, rod);
  hold.fix.position = {false, true, true};
  hold.fix.orientation = kAllAxes;
  return hold;
}

Scene turned(Scene scene, const Quat& rotation) {
  scene.gravity = rotation * scene.gravity;
  for (Rod& rod : scene.rods) {
    turn(rod.shape, rotation);
    if (rod.normal) rod.normal = rotation * *rod.normal;
  }
  for (Hold& hold : scene.holds) {
    if (hold.position) hold.position = rotation * *hold.position;
    if (hold.orientation) hold.orientation = rotation * *hold.orientation;
  }
  for (PointForce& force : scene.forces)
    if (!force.follow) force.force = rotation * force.force;
  for (PointTorque& torque : scene.torques)
    if (!torque.follow) torque.torque = rotation * torque.torque;
  for (DistributedForce& load : scene.distributed) load.force_per_length = rotation * load.force_per_length;
  return scene;
}

Quat skew_rotation() {
  return Quat(Eigen::AngleAxisd(1.234, Vec3(0.31, -0.74, 0.52).normalized()));
}

Outcome Sheet::solve(Scene scene, const SolveOptions& options) {
  scene.simulation.formulation = formulation_;
  Result<Outcome> outcome = filum::solve(scene, options);
  if (!outcome) {
    fail(outcome.error().text());
    return nothing(scene);
  }
  if (!outcome->solve.converged) fail("no equilibrium: " + outcome->solve.why);
  return std::move(*outcome);
}

bool Sheet::stable(const Scene& scene) {
  const Outcome outcome = solve(scene);
  if (!outcome.solve.stable) fail("no word on stability: " + outcome.solve.why);
  return outcome.solve.stable.value_or(false);
}

void Sheet::absolute(std::string quantity, double ours, double reference, double tolerance, std::string reason) {
  rows_.push_back({std::move(quantity), reference, ours, Comparison::Absolute, tolerance, std::move(reason)});
}

void Sheet::relative(std::string quantity, double ours, double reference, double tolerance, std::string reason) {
  rows_.push_back({std::move(quantity), reference, ours, Comparison::Relative, tolerance, std::move(reason)});
}

void Sheet::at_least(std::string quantity, double ours, double bound, std::string reason) {
  rows_.push_back({std::move(quantity), bound, ours, Comparison::AtLeast, 0, std::move(reason)});
}

void Sheet::at_most(std::string quantity, double ours, double bound, std::string reason) {
  rows_.push_back({std::move(quantity), bound, ours, Comparison::AtMost, 0, std::move(reason)});
}

Result<std::vector<Row>> Sheet::result() && {
  if (!failure_.empty()) return Error{ErrorCode::BadInput, failure_, {}, 0, 0};
  return std::move(rows_);
}

void Sheet::fail(const std::string& why) {
  if (failure_.empty()) failure_ = why;
}

const RodPose& rod_pose(const Outcome& outcome) {
  return outcome.states.back().pose.rods.front();
}

Vec3 tip(const Outcome& outcome) {
  return rod_pose(outcome).position.back();
}

Vec3 position_at(const RodPose& rod, double s) {
  // the four nodes around s, fewer on a very short rod
  const int count = static_cast<int>(rod.s.size());
  const int after = static_cast<int>(std::lower_bound(rod.s.begin(), rod.s.end(), s) - rod.s.begin());
  const int used = std::min(4, count);
  const int first = std::clamp(after - 2, 0, count - used);
  // Lagrange's form
  Vec3 position = Vec3::Zero();
  for (int i = first; i < first + used; ++i) {
    double weight = 1;
    for (int j = first; j < first + used; ++j)
      if (j != i) {
        const auto a = static_cast<std::size_t>(i);
        const auto b = static_cast<std::size_t>(j);
        weight *= (s - rod.s[b]) / (rod.s[a] - rod.s[b]);
      }
    position += weight * rod.position[static_cast<std::size_t>(i)];
  }
  return position;
}

double onset(double stable, double unstable, const std::function<bool(double)>& is_stable) {
  // both ends must be what they are called, or there is nothing to find
  if (!is_stable(stable) || is_stable(unstable)) return std::numeric_limits<double>::quiet_NaN();
  while (std::abs(unstable - stable) > 1e-5 * std::abs(unstable)) {
    const double middle = 0.5 * (stable + unstable);
    (is_stable(middle) ? stable : unstable) = middle;
  }
  return 0.5 * (stable + unstable);
}

double observed_order(const std::vector<double>& errors, const std::vector<double>& segments) {
  double order = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < errors.size(); ++i)
    order = std::min(order, std::log(errors[i - 1] / errors[i]) / std::log(segments[i] / segments[i - 1]));
  return order;
}

}  // namespace filum::validation
