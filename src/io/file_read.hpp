// Files read whole and with bounds.
#pragma once

#include <filum/result.hpp>

#include <cstddef>
#include <string>

namespace filum::io {

// What is read at most: beyond it nobody wrote it by hand.
inline constexpr std::size_t kMaxFileBytes = 64u << 20;

// A regular file of bounded size; anything else is an error that says why.
Result<std::string> read_text_file(const std::string& path);

// The folder a file stands in, "." for a bare name.
std::string folder_of(const std::string& path);

}  // namespace filum::io
