#include "serve/commands/request.hpp"

#include "io/json_text.hpp"
#include "io/yaml/units.hpp"

#include <utility>

namespace filum::serve {

namespace {

constexpr int kDeepest = 64;  // brackets within brackets
constexpr std::size_t kLongestId = 100;

// Are there more brackets within each other than anybody needs?
bool too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > kDeepest) return true;
  }
  return false;
}

[[noreturn]] void refuse_kind(std::string_view key, const char* expected, const Json& found) {
  std::string shown = io::json_text(found);
  constexpr std::size_t kMost = 60;
  if (shown.size() > kMost) shown = std::string(found.type_name());
  refuse("'" + std::string(key) + "': expected " + expected + ", found " + shown);
}

FixedAxes read_axes(const Json& value, const char* key) {
  if (value.is_boolean()) return value.get<bool>() ? FixedAxes{true, true, true} : FixedAxes{};
  if (!value.is_array()) refuse_kind(key, "true, false or axes [\"x\", \"y\", \"z\"]", value);
  FixedAxes axes{};
  for (const Json& item : value) {
    const std::string name = item.is_string() ? item.get<std::string>() : "";
    if (name != "x" && name != "y" && name != "z") refuse_kind(key, "an axis \"x\", \"y\" or \"z\"", item);
    axes[static_cast<std::size_t>(name[0] - 'x')] = true;
  }
  return axes;
}

}  // namespace

void refuse(std::string message) {
  throw Refusal{{ErrorCode::BadInput, std::move(message), {}, 0, 0}, {}};
}

void must(const Status& status) {
  if (!status) throw Refusal{status.error(), {}};
}

Vec3 read_vector(const Json& value, const char* what) {
  const bool three =
      value.is_array() && value.size() == 3 && value[0].is_number() && value[1].is_number() && value[2].is_number();
  if (!three) refuse_kind(what, "three numbers [x, y, z]", value);
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

ArcPosition read_place(const Json& value, const char* what) {
  if (value.is_number()) return {0, value.get<double>()};
  if (!value.is_string()) refuse_kind(what, "a place along a rod, such as 0.3 or \"50 %\"", value);
  io::ArcQuantity place = io::parse_arc_position(value.get<std::string>());
  if (!place.problem.empty()) refuse("'" + std::string(what) + "': " + place.problem);
  return place.value;
}

Request Request::read(std::string_view text, int client, std::string page) {
  if (!too_deep(text)) return {io::parsed_json(text), client, std::move(page)};
  Request request(Json(), client, std::move(page));
  request.fault_ = "too many brackets within each other";
  return request;
}

Request::Request(Json message, int client, std::string page)
    : message_(std::move(message)), client_(client), page_(std::move(page)) {
  if (!message_.is_object()) {
    fault_ = message_.is_discarded() ? "this is not JSON" : "expected an object {\"cmd\": …}";
    return;
  }
  const Json id = message_.value("id", Json());
  const bool short_text = id.is_string() && id.get_ref<const std::string&>().size() <= kLongestId;
  if (id.is_number() || short_text) id_ = id;
  const Json command = message_.value("cmd", Json());
  if (command.is_string()) command_ = command.get<std::string>();
  if (!command.is_string()) fault_ = "the field 'cmd' is missing";
  const Json hand = message_.value("hand", Json());
  if (command_ == "move" && hand.is_string()) hand_ = hand.get<std::string>();
}

Caller Request::caller() const {
  const Json number = message_.is_object() ? message_.value("change", Json()) : Json();
  return {page_, number.is_number() ? number.get<double>() : 0};
}

void Request::check() const {
  if (!fault_.empty()) refuse(fault_);
}

bool Request::overtakes(const Request& earlier) const {
  if (hand_.empty() || hand_ != earlier.hand_ || client_ != earlier.client_) return false;
  for (const char* key : {"position", "orientation", "turns"})
    if (message_.contains(key) != earlier.message_.contains(key)) return false;
  return true;
}

void Request::check_fields(std::string_view known) const {
  const std::string all = " id cmd gesture change " + std::string(known) + " ";
  for (const auto& [key, value] : message_.items())
    if (all.find(" " + key + " ") == std::string::npos || key.find(' ') != std::string::npos)
      refuse("'" + command_ + "' does not know the field '" + key.substr(0, 40) + "'");
}

const Json& Request::json(const char* key) const {
  const auto found = message_.find(key);
  if (found == message_.end()) refuse("the field '" + std::string(key) + "' is missing");
  return *found;
}

std::string Request::text(const char* key) const {
  const Json& value = json(key);
  if (!value.is_string()) refuse_kind(key, "a text", value);
  return value.get<std::string>();
}

std::string Request::text_or(const char* key, std::string other) const {
  return has(key) ? text(key) : std::move(other);
}

double Request::number(const char* key) const {
  const Json& value = json(key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) refuse_kind(key, "a number", value);
  return value.get<double>();
}

double Request::number_or(const char* key, double other) const {
  return has(key) ? number(key) : other;
}

int Request::integer(const char* key, int least, int most) const {
  const double value = number(key);
  if (value != std::floor(value) || value < least || value > most)
    refuse("'" + std::string(key) + "': expected a whole number from " + std::to_string(least) + " to " +
           std::to_string(most));
  return static_cast<int>(value);
}

int Request::integer_or(const char* key, int other, int least, int most) const {
  return has(key) ? integer(key, least, most) : other;
}

bool Request::flag_or(const char* key, bool other) const {
  if (!has(key)) return other;
  if (!json(key).is_boolean()) refuse_kind(key, "true or false", json(key));
  return json(key).get<bool>();
}

std::optional<Vec3> Request::vector(const char* key) const {
  if (!has(key)) return std::nullopt;
  return read_vector(json(key), key);
}

std::optional<Quat> Request::quaternion(const char* key) const {
  if (!has(key)) return std::nullopt;
  const Json& value = json(key);
  const bool four = value.is_array() && value.size() == 4 && value[0].is_number() && value[1].is_number() &&
                    value[2].is_number() && value[3].is_number();
  if (!four) refuse_kind(key, "a quaternion [w, x, y, z]", value);
  const Quat found(value[0].get<double>(), value[1].get<double>(), value[2].get<double>(), value[3].get<double>());
  if (!(found.norm() > 0) || !std::isfinite(found.norm())) refuse_kind(key, "a quaternion that is not zero", value);
  return found.normalized();
}

ArcPosition Request::place(const char* key) const {
  return read_place(json(key), key);
}

Fix Request::fix(const char* key) const {
  const Json& value = json(key);
  Fix fix;
  if (value.is_object()) {
    for (const auto& [name, axes] : value.items()) {
      if (name != "position" && name != "orientation") refuse_kind(key, "position and orientation", value);
      (name == "position" ? fix.position : fix.orientation) = read_axes(axes, key);
    }
    return fix;
  }
  if (!value.is_array()) refuse_kind(key, "a list of \"position\" and \"orientation\"", value);
  for (const Json& item : value) {
    const bool position = item == "position";
    if (!position && item != "orientation") refuse_kind(key, "\"position\" or \"orientation\"", item);
    (position ? fix.position : fix.orientation) = {true, true, true};
  }
  return fix;
}

}  // namespace filum::serve
