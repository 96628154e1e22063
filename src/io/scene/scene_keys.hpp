// Every key a scene file may hold: the one table that the reader, «did you mean» and the schema's test go by.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace filum::io {

struct KeySpec {
  std::string_view name;
  bool supported = true;  // false: documented, but refused as «not yet supported»
};

// The keys of one kind of mapping.
struct MapSpec {
  std::string_view id;    // its definition in docs/scene.schema.json
  std::string_view what;  // for messages: «rod»
  std::span<const KeySpec> keys;

  [[nodiscard]] const KeySpec* find(std::string_view key) const;
  // The known key nearest to a mistyped one, or all of them if none is near: «; did you mean 'length'?»
  [[nodiscard]] std::string hint(std::string_view key) const;
};

namespace keys {
extern const MapSpec scene, material, circle, tube, rectangle, ellipse, given, rod, curve, arc, helix, rest, limits,
    damping, station, body, scenery, hold, fix, orientation, junction, rod_point, force, torque, distributed, driver, keyframe,
    routing, winch, sheave, rope, rope_point, obstacle, plane, simulation, chain, integrator, start, record, probe;
}  // namespace keys

std::span<const MapSpec* const> all_map_specs();

}  // namespace filum::io
