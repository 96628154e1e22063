#include "io/file_read.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace filum::io {
Result<std::string> read_text_file(const std::string& path) {
  // only regular files: a folder or a device never ends
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) return file_error(path, "no such file");
  if (code) return file_error(path, code.message());
  if (!std::filesystem::is_regular_file(status)) return file_error(path, "not a file");
  const auto size = std::filesystem::file_size(path, code);
  if (code) return file_error(path, code.message());
  if (size > kMaxFileBytes)
    return file_error(path, fmt::format("the file has {} bytes; at most {} are read", size, kMaxFileBytes));
  // all of it at once
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream) return file_error(path, errno != 0 ? std::strerror(errno) : "cannot be read");
  return text;
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace filum::io
