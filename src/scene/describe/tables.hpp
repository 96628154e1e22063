// The descriptions of all mappings of the scene file; `scene` is the whole of it.
#pragma once

#include "scene/describe/field.hpp"

#include <filum/curve.hpp>

namespace filum::scene {

namespace tables {
// what there is
extern const Table scene, material, section, circle, tube, rectangle, ellipse, given, bundle, bundle_wire, rod, limits, breaking_strain,
    bend_limit, damping, lay, station, body, scenery;
// curves and directions
extern const Table curve, arc, helix, control, rest, orientation;
// what holds it and acts on it
extern const Table hold, clip, clip_strength, clip_capture, fix, junction, rod_point, force, torque, distributed,
    driver, keyframe, routing, wire, wire_part;
extern const Table joint, winch, sheave, rope, rope_point;
// what holds things off
extern const Table obstacle, plane, sphere, box, capsule, cylinder, friction_pair, contact;
// how it is simulated
extern const Table simulation, chain, spline, integrator, start, record, probe;
}  // namespace tables

// Every kind of mapping that has keys of its own, once each, those that others hold before them.
std::span<const Table* const> all_tables();

// The words of curves and rest shapes, which have forms of their own.
extern const std::span<const Word> kCurveKinds, kRestKinds;

// What control points are blended by, drawn and computed with.
inline constexpr Word kCurveBases[] = {{"b-spline", CurveBasis::BSpline},
                                       {"catmull-rom", CurveBasis::CatmullRom},
                                       {"nurbs", CurveBasis::Nurbs}};

}  // namespace filum::scene
