// Joints between bodies.
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"

namespace filum::scene {

void Checks::joint(const Where& where, const BodyJoint& joint) {
  const std::string which = "joint " + quoted(joint.name);
  const Body* body = names.body(joint.body);
  if (!body) return report.fail(where.in("body"), "there is no body " + quoted(joint.body));
  const Body* other = carrier(where.in("to"), joint.to);
  if (body == other) return report.fail(where.in("to"), which + " joins body " + quoted(joint.body) + " to itself");
  const auto free = [](const Body* each) { return each && each->motion == BodyMotion::Free; };
  if (!report.failed() && !free(body) && !free(other))
    report.fail(where.in("body"), which + " joins nothing that is free to move");
  report.values(where, tables::joint, &joint);
  // it begins between its stops
  const auto around_zero = [&](const std::optional<double>& least, const std::optional<double>& most, const char* low,
                               const char* high) {
    if (least && *least > 0) report.fail(where.in(low), which + " is drawn at zero, below its " + low);
    if (most && *most < 0) report.fail(where.in(high), which + " is drawn at zero, above its " + high);
  };
  around_zero(joint.min_angle, joint.max_angle, "min_angle", "max_angle");
  around_zero(joint.min_travel, joint.max_travel, "min_travel", "max_travel");
  if (joint.spin != 0 && !joint.max_torque)
    report.fail(where.in("spin"), which + " has a spin but no max_torque: what may its motor do?");
  if (joint.speed != 0 && !joint.max_force)
    report.fail(where.in("speed"), which + " has a speed but no max_force: what may its motor do?");
}

void Checks::joints() {
  const Where around{nullptr, "joints"};
  for (std::size_t i = 0; i < scene.joints.size() && !report.failed(); ++i) joint(around.in(i), scene.joints[i]);
}

}  // namespace filum::scene
