#include "scene/check/fault_list.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::scene {

Error Problem::error() const {
  std::string dotted;
  for (const std::string& part : path) {
    if (!dotted.empty()) dotted += '.';
    dotted += part;
  }
  return {ErrorCode::BadInput, dotted + ": " + message, "", 0, 0};
}

void Report::fail(const Where& where, std::string message) {
  if (problem_) return;
  problem_.emplace();
  problem_->message = std::move(message);
  // from the innermost place outwards
  for (const Where* place = &where; place; place = place->around)
    problem_->path.push_back(place->key.data() ? std::string(place->key) : std::to_string(place->index));
  std::reverse(problem_->path.begin(), problem_->path.end());
}

void Report::values(const Where& where, const Table& table, const void* thing) {
  for (const Field& field : table_of(table, thing).fields)
    if (field.get && field.get(thing) && field.applies(thing)) value(where.in(field.key), field, thing);
}

void Report::value(const Where& where, const Field& field, const void* thing) {
  const auto each = [&](const auto& components) {
    for (const double component : components) number(where, component, *field.facts.range);
  };
  switch (field.kind) {
    case Kind::Number:
      if (field.facts.range) number(where, field.value<double>(thing), *field.facts.range);
      break;
    case Kind::Vector2:
      each(field.value<Vec2>(thing));
      break;
    case Kind::Vector3:
      each(field.value<Vec3>(thing));
      if (field.facts.direction) direction(where, field.value<Vec3>(thing));
      break;
    case Kind::Orientation:
      unit_quaternion(where, field.value<Quat>(thing));
      break;
    case Kind::Radius:
      number(where, field.value<RadiusLimit>(thing).value, *field.facts.range);
      break;
    case Kind::Rayleigh:
      each(std::array{field.value<Damping>(thing).mass, field.value<Damping>(thing).stiffness});
      break;
    case Kind::Mapping:
      values(where, *field.table, field.get(thing));
      break;
    default:
      break;
  }
}

void Report::number(const Where& where, double value, const Range& range) {
  if (value >= range.min && value <= range.max) return;
  const std::string_view key = where.key.data() ? where.key : "value";
  // numbers of the right sign, but of no sensible size
  const bool large = std::isfinite(value) && value > range.max;
  const bool small = value > 0 && value < range.min;
  const std::string words = large   ? "at most " + text(range.max)
                            : small ? "at least " + text(range.min)
                                    : std::string(range.words);
  fail(where, std::string(key) + " must be " + words + ", found " + text(value));
}

void Report::vector(const Where& where, const Vec3& value) {
  for (const double component : value) number(where, component, kAny);
}

void Report::direction(const Where& where, const Vec3& value) {
  vector(where, value);
  if (!(value.cwiseAbs().maxCoeff() >= kPositive.min))
    fail(where, std::string(where.key) + " must not be zero, found [" + text(value.x()) + ", " + text(value.y()) +
                    ", " + text(value.z()) + "]");
}

void Report::unit_quaternion(const Where& where, const Quat& value) {
  // rounding aside
  if (!(std::abs(value.coeffs().squaredNorm() - 1) < 1e-9))
    fail(where, "an orientation must be a unit quaternion, found length " + text(value.coeffs().norm()));
}

void Report::name(const Where& where, std::string_view name) {
  // a bound that leaves any name readable as a key, whatever it is made of
  constexpr std::size_t kLongestName = 150;
  if (name.empty()) fail(where, "a name must not be empty");
  if (name.size() > kLongestName) fail(where, "a name has at most " + std::to_string(kLongestName) + " bytes");
}

}  // namespace filum::scene
