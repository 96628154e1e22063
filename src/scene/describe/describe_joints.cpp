// Joints between bodies.
#include "scene/describe/make_field.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene.hpp>

namespace filum::scene {
namespace {

using enum Dimension;
using enum Need;

constexpr Word kKinds[] = {
    {"hinge", JointKind::Hinge}, {"slider", JointKind::Slider}, {"ball", JointKind::Ball}, {"fixed", JointKind::Fixed}};

constexpr When kHinge = only<&BodyJoint::kind, JointKind::Hinge>("{}: only a hinge has this");
constexpr When kSlider = only<&BodyJoint::kind, JointKind::Slider>("{}: only a slider has this");
bool turns(const void* joint) {
  const JointKind kind = static_cast<const BodyJoint*>(joint)->kind;
  return kind == JointKind::Hinge || kind == JointKind::Ball;
}
bool has_axis(const void* joint) {
  return static_cast<const BodyJoint*>(joint)->kind != JointKind::Fixed;
}

constexpr Field kJointFields[] = {
    field<&BodyJoint::name>("name", {.need = Shown, .fallback = "`joint 1`, …"}),
    choice<&BodyJoint::kind>(
        "kind", kKinds,
        {.need = Required,
         .doc = "`hinge`: turns about the axis; `slider`: moves along it; `ball`: turns about the point; `fixed`"}),
    field<&BodyJoint::body>("body", {.need = Required, .doc = "the body that it carries"}),
    field<&BodyJoint::to>("to", {.fallback = "the world", .doc = "the body that it is joined to"}),
    field<&BodyJoint::point>(
        "point",
        {.dimension = Length, .fallback = "the body's position", .doc = "where they meet, in the world as drawn"}),
    field<&BodyJoint::axis>("axis", {.direction = true,
                                     .doc = "in the world as drawn; of a ball: of the cone that `max_angle` speaks of",
                                     .when = {.applies = has_axis, .otherwise = "{}: a fixed joint has no axis"}}),
    field<&BodyJoint::min_angle>("min_angle",
                                 {.dimension = Angle,
                                  .doc = "of a hinge: there it stops. Zero is as drawn, so no more than zero",
                                  .when = kHinge}),
    field<&BodyJoint::max_angle>("max_angle",
                                 {.dimension = Angle,
                                  .doc = "likewise, no less than zero. Of a ball: how far its axis may tilt",
                                  .when = {.applies = turns, .otherwise = "{}: only a hinge or a ball has this"}}),
    field<&BodyJoint::min_travel>("min_travel",
                                  {.dimension = Length,
                                   .doc = "of a slider: there it stops. Zero is as drawn, so no more than zero",
                                   .when = kSlider}),
    field<&BodyJoint::max_travel>("max_travel",
                                  {.dimension = Length, .doc = "likewise, no less than zero", .when = kSlider}),
    field<&BodyJoint::spin>("spin", {.dimension = Spin,
                                     .free = true,
                                     .doc = "of a hinge: what its motor runs at, with `max_torque`; may be driven",
                                     .when = kHinge}),
    field<&BodyJoint::max_torque>("max_torque",
                                  {.dimension = Moment,
                                   .range = &kNotNegative,
                                   .free = true,
                                   .doc = "the motor's; with a spin of zero it is a brake, or dry friction",
                                   .when = kHinge}),
    field<&BodyJoint::torque>(
        "torque", {.dimension = Moment, .free = true, .doc = "that drives a hinge; may be driven", .when = kHinge}),
    field<&BodyJoint::speed>("speed", {.dimension = Velocity,
                                       .free = true,
                                       .doc = "of a slider: what its motor runs at, with `max_force`; may be driven",
                                       .when = kSlider}),
    field<&BodyJoint::max_force>("max_force",
                                 {.dimension = Force,
                                  .range = &kNotNegative,
                                  .free = true,
                                  .doc = "the motor's; with a speed of zero it is a brake, or dry friction",
                                  .when = kSlider}),
    field<&BodyJoint::force>(
        "force", {.dimension = Force, .free = true, .doc = "that drives a slider; may be driven", .when = kSlider})};

}  // namespace

namespace tables {
constinit const Table joint{.id = "joint",
                            .what = "joint",
                            .fields = kJointFields,
                            .doc = "How a body may move against another one, or against the world",
                            .type = &kType<BodyJoint>,
                            .name = &kJointFields[0]};
}  // namespace tables

}  // namespace filum::scene
