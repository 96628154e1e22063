#include "io/file_read.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace filum::io {

Result<InputFile> InputFile::open(const std::string& path) {
  if (path.find('\0') != std::string::npos) return file_error(path.c_str(), "a path cannot hold a NUL");
  // without waiting: a pipe that nobody writes to would keep us for ever
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return file_error(path, errno == ENOENT ? "no such file" : std::strerror(errno));
  InputFile file(descriptor, 0);
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return file_error(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return file_error(path, "is a folder, not a file");
  if (!S_ISREG(status.st_mode)) return file_error(path, "not a file");
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

void InputFile::read(std::string& bytes, std::size_t count) {
  bytes.resize(count);
  std::size_t got = 0;
  while (got < count) {
    const ssize_t more = ::read(descriptor_, bytes.data() + got, count - got);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  bytes.resize(got);
}

bool InputFile::pass_over(std::uint64_t count) {
  return ::lseek(descriptor_, static_cast<off_t>(count), SEEK_CUR) >= 0;
}

Result<std::string> read_text_file(const std::string& path, std::size_t most) {
  Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  if (file->size() > most)
    return file_error(path, fmt::format("the file has {} bytes; at most {} are read", file->size(), most));
  // all of it at once
  std::string text;
  errno = 0;
  file->read(text, file->size());
  if (text.size() < file->size()) return file_error(path, errno != 0 ? std::strerror(errno) : "cannot be read");
  return text;
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace filum::io
