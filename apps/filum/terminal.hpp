// What the program says and where: results on stdout, everything else on stderr; plain unless a person is looking.
#pragma once

#include <filum/result.hpp>

#include <string>
#include <string_view>

namespace filum::app {

// Writes `text` to stdout and returns `code`; a reader that closed its end is no error, a full disk is.
int emit(std::string_view text, int code);

// «filum: message» on stderr; returns the exit code for bad input.
int fail(const std::string& message);
int fail(const Error& error);

// «filum: warning: message» on stderr.
void warn(const std::string& message);

// Names and titles are somebody else's: control characters in them, which could move the cursor or rewrite what was
// said, become «\x1b». The marks of `bold`, `good` and `bad` pass.
std::string shown(std::string_view text);

// Marks text for a person at a terminal; gives it back unchanged when stdout is not one or NO_COLOR is set.
std::string bold(const std::string& text);
std::string good(const std::string& text);
std::string bad(const std::string& text);

}  // namespace filum::app
