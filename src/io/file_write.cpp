#include "io/file_write.hpp"

#include "io/file_read.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

namespace filum::io {
namespace {

namespace fs = std::filesystem;

Error failure_of(const std::string& path, const std::string& what, const std::string& why) {
  return {ErrorCode::File, what + (why.empty() ? "" : ": " + why), path};
}

std::string temporary(const std::string& path) {
  return path + ".part";
}

// Each file by itself waits for the disk some milliseconds; of thousands the whole file system is asked once.
#ifdef __linux__
constexpr std::size_t kMostSingly = 16;

// All that was written to the file system of this folder is on disk when this returns.
Status sync_file_system(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = descriptor >= 0 && ::syncfs(descriptor) == 0;
  const int fault = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!done) return failure_of(folder, "could not be written in full", std::strerror(fault));
  return Done{};
}
#else
constexpr std::size_t kMostSingly = std::numeric_limits<std::size_t>::max();

Status sync_file_system(const std::string&) {
  return Done{};
}
#endif

// Writes one temporary file; on disk when this returns, if it is to be.
Status write_temporary(const FileText& file, bool safe) {
  Result<OutputFile> out = OutputFile::create(temporary(file.path), file.path);
  if (!out) return out.error();
  out->take_mode_of(file.path);
  if (Status written = out->write(file.bytes); !written) return written;
  if (Status synced = safe ? out->sync() : Status(Done{}); !synced) return synced;
  return out->close();
}

// All of them, on disk when this returns.
Status write_temporaries(const std::vector<FileText>& files) {
  const bool singly = files.size() <= kMostSingly;
  std::set<std::string> folders;
  for (const FileText& file : files) {
    if (Status written = write_temporary(file, singly); !written) return written;
    if (!singly) folders.insert(folder_of(file.path));
  }
  for (const std::string& folder : folders)
    if (Status synced = sync_file_system(folder.empty() ? "." : folder); !synced) return synced;
  return Done{};
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path, const std::string& shown) {
  if (path.find('\0') != std::string::npos) return file_error(path.c_str(), "a path cannot hold a NUL");
  // what a run that was ended by force has left, or a link that somebody laid there
  ::unlink(path.c_str());
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) return failure_of(shown, "cannot be written", std::strerror(errno));
  return OutputFile(descriptor, shown);
}

OutputFile::~OutputFile() {
  if (is_open()) ::close(descriptor_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), shown_(std::move(other.shown_)) {}

Error OutputFile::failure() const {
  return failure_of(shown_, "could not be written in full", std::strerror(errno));
}

Status OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

Status OutputFile::sync() {
  // a file system that has no such thing says EINVAL
  if (::fsync(descriptor_) != 0 && errno != EINVAL) return failure();
  return Done{};
}

Status OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) return failure();
  return Done{};
}

void OutputFile::take_mode_of(const std::string& path) const {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    (void)!::fchmod(descriptor_, status.st_mode & 07777);
}

Status write_files(const std::vector<FileText>& files) {
  // all under temporary names first
  Status status = write_temporaries(files);
  // then the final names
  std::error_code code;
  for (const FileText& file : files) {
    if (!status) break;
    fs::rename(temporary(file.path), file.path, code);
    if (code) status = failure_of(file.path, "cannot be given its name", code.message());
  }
  // nothing half-done stays behind
  if (!status) {
    for (const FileText& file : files) fs::remove(temporary(file.path), code);
    return status;
  }
  if (!files.empty()) sync_folder(folder_of(files.front().path));
  return status;
}

GrowingFile::GrowingFile(std::string path, OutputFile file) : path_(std::move(path)), file_(std::move(file)) {}

GrowingFile::GrowingFile(GrowingFile&&) noexcept = default;

// A file that is still open was not finished.
GrowingFile::~GrowingFile() {
  if (file_.is_open()) ::unlink(temporary(path_).c_str());
}

Result<GrowingFile> GrowingFile::open(const std::string& path) {
  Result<OutputFile> file = OutputFile::create(temporary(path), path);
  if (!file) return file.error();
  file->take_mode_of(path);
  return GrowingFile(path, std::move(*file));
}

Status GrowingFile::add(std::string_view bytes) {
  return file_.write(bytes);
}

Status GrowingFile::finish() {
  std::error_code code;
  if (Status closed = file_.close(); !closed) {
    fs::remove(temporary(path_), code);
    return closed;
  }
  fs::rename(temporary(path_), path_, code);
  if (code) return failure_of(path_, "cannot be given its name", code.message());
  return Done{};
}

Status make_folder(const std::string& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return failure_of(folder, "the folder cannot be made", code.message());
  return Done{};
}

void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)!::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace filum::io
