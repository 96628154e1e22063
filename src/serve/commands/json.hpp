// JSON of the protocol: vectors, quaternions, numbers that may be infinite.
#pragma once

#include <filum/types.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>

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

// On one line; text that is not UTF-8 is mended, never thrown at.
inline std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace filum::serve
