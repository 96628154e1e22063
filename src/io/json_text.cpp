#include "io/json_text.hpp"

#include <nlohmann/json.hpp>

namespace filum::io {

std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string ordered_json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string json_lines(const nlohmann::ordered_json& json) {
  return json.dump(1) + "\n";
}

nlohmann::json parsed_json(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json parsed_ordered_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text);
}

}  // namespace filum::io
