// Single texts in YAML: shown in a message, or written so that they read back as they were.
#pragma once

#include <string>
#include <string_view>

namespace filum::io {

// For messages: in quotes, cut when long, «nothing» when empty.
std::string shown(std::string_view text);

// As a YAML scalar on one line: plain if that is safe anywhere (also as a key and within brackets), otherwise quoted.
std::string yaml_scalar(std::string_view text);

}  // namespace filum::io
