#include "io/file_write.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace filum::io {
namespace {

namespace fs = std::filesystem;

Error failure(const std::string& path, const std::string& what, const std::string& why) {
  return {ErrorCode::File, what + (why.empty() ? "" : ": " + why), path};
}

std::string system_reason() {
  return errno == 0 ? "" : std::strerror(errno);
}

std::string temporary(const std::string& path) {
  return path + ".part";
}

// Writes one temporary file; the stream is checked after closing, since a full disk shows only there.
Status write_temporary(const FileText& file) {
  errno = 0;
  std::ofstream stream(temporary(file.path), std::ios::binary | std::ios::trunc);
  if (!stream) return failure(file.path, "cannot be written", system_reason());
  stream.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
  stream.close();
  if (!stream) return failure(file.path, "could not be written in full", system_reason());
  return Done{};
}

}  // namespace

Status write_files(const std::vector<FileText>& files) {
  Status status = Done{};
  // all under temporary names first
  for (const FileText& file : files) {
    status = write_temporary(file);
    if (!status) break;
  }
  // then the final names
  std::error_code code;
  for (const FileText& file : files) {
    if (!status) break;
    fs::rename(temporary(file.path), file.path, code);
    if (code) status = failure(file.path, "cannot be given its name", code.message());
  }
  // nothing half-done stays behind
  if (!status) {
    for (const FileText& file : files) fs::remove(temporary(file.path), code);
  }
  return status;
}

GrowingFile::GrowingFile(std::string path, std::ofstream stream) : path_(std::move(path)), stream_(std::move(stream)) {}

GrowingFile::GrowingFile(GrowingFile&&) noexcept = default;

// A stream that is still open was not finished.
GrowingFile::~GrowingFile() {
  if (!stream_.is_open()) return;
  stream_.close();
  std::error_code code;
  fs::remove(temporary(path_), code);
}

Result<GrowingFile> GrowingFile::open(const std::string& path) {
  errno = 0;
  std::ofstream stream(temporary(path), std::ios::binary | std::ios::trunc);
  if (!stream) return failure(path, "cannot be written", system_reason());
  return GrowingFile(path, std::move(stream));
}

Status GrowingFile::add(const std::string& bytes) {
  errno = 0;
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) return failure(path_, "could not be written in full", system_reason());
  return Done{};
}

Status GrowingFile::finish() {
  errno = 0;
  stream_.close();
  std::error_code code;
  if (!stream_) {
    const std::string why = system_reason();
    fs::remove(temporary(path_), code);
    return failure(path_, "could not be written in full", why);
  }
  fs::rename(temporary(path_), path_, code);
  if (code) return failure(path_, "cannot be given its name", code.message());
  return Done{};
}

Status make_folder(const std::string& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return failure(folder, "the folder cannot be made", code.message());
  return Done{};
}

Result<std::string> read_file(const std::string& path) {
  std::error_code code;
  if (fs::is_directory(path, code)) return failure(path, "is a folder, not a file", "");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return failure(path, "cannot be read", system_reason());
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  if (stream.bad()) return failure(path, "cannot be read", system_reason());
  return std::move(bytes).str();
}

}  // namespace filum::io
