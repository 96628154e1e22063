// JSON as text, and text as JSON. The library's writer and reader take long to compile: this is the one place that does.
//
// `ordered`: keys stay as they came; otherwise they are sorted.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace filum::io {

// On one line. Bytes that are no UTF-8 become U+FFFD: the text is valid whatever the names are.
[[nodiscard]] std::string json_text(const nlohmann::json& json);
[[nodiscard]] std::string ordered_json_text(const nlohmann::ordered_json& json);

// Over as many lines as it has values, for people to read.
[[nodiscard]] std::string json_lines(const nlohmann::ordered_json& json);

// Text that is no JSON gives a discarded value.
[[nodiscard]] nlohmann::json parsed_json(std::string_view text);
// Likewise an exception of the library that says where.
[[nodiscard]] nlohmann::ordered_json parsed_ordered_json(std::string_view text);

}  // namespace filum::io
