// JSON of the protocol: vectors, quaternions, numbers that may be infinite.
#pragma once

#include <filum/types.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace filum::serve {

using Json = nlohmann::json;

inline Json json_of(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
inline Json json_of(const Vec2& v) {
  return {v.x(), v.y()};
}
inline Json json_of(const Quat& q) {
  return {q.w(), q.x(), q.y(), q.z()};
}
// JSON has no infinity: null.
inline Json json_of(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}

}  // namespace filum::serve
