#include "io/result/whole_folder.hpp"

#include "io/file_read.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

namespace filum {
namespace io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAside = ".filum-part";
constexpr const char* kList = "complete";  // not the name of a file of any result
constexpr std::size_t kMaxListBytes = 1u << 16;

std::string aside_of(const std::string& folder) {
  return folder + "/" + kAside;
}

// The files of a whole result that is not in place yet, and those of the old one that are to go.
struct FileList {
  std::vector<std::string> files;
  std::vector<std::string> obsolete;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Only plain names: the list is ours, but anybody may have put it there.
std::optional<FileList> read_list(const std::string& folder) {
  const Result<std::string> text = read_text_file(aside_of(folder) + "/" + kList, kMaxListBytes);
  if (!text) return std::nullopt;
  FileList list;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 2 || line.find('/') != std::string::npos || line.compare(1, std::string::npos, "..") == 0)
      continue;
    (line[0] == '+' ? list.files : list.obsolete).push_back(line.substr(1));
  }
  return list;
}

std::string list_text(const FileList& list) {
  std::string text;
  for (const std::string& name : list.files) text += "+" + name + "\n";
  for (const std::string& name : list.obsolete) text += "-" + name + "\n";
  return text;
}

// Moves what the list names. Done as often as it takes: what has been moved is passed over.
Status put_in_place(const std::string& folder, const FileList& list) {
  const std::string aside = aside_of(folder);
  std::error_code code;
  for (const std::string& name : list.obsolete) fs::remove(folder + "/" + name, code);
  for (const std::string& name : list.files) {
    if (!fs::exists(fs::symlink_status(aside + "/" + name, code))) continue;
    fs::rename(aside + "/" + name, folder + "/" + name, code);
    if (code) return file_error(folder + "/" + name, "cannot be given its name: " + code.message());
  }
  // the list goes last
  sync_folder(folder);
  fs::remove(aside + "/" + kList, code);
  fs::remove_all(aside, code);
  return Done{};
}

}  // namespace

// An open folder with the lock on it; the system gives the lock back however we end.
class FolderLock {
 public:
  static Result<FolderLock> take(const std::string& folder) {
    FolderLock lock;
    lock.descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock.descriptor_ < 0) return file_error(folder, std::strerror(errno));
    // a file system without locks lets everybody in
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      return file_error(folder, "another run is writing into this folder: wait for it, or name another by --output");
    return lock;
  }
  ~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  FolderLock() = default;
  int descriptor_ = -1;
};

std::string whole_path(const std::string& folder, const std::string& name) {
  const std::string own = folder + "/" + name;
  const std::optional<FileList> list = read_list(folder);
  if (!list) return own;
  // not yet moved, or not yet removed: both are found aside, or not at all
  const std::string aside = aside_of(folder) + "/" + name;
  std::error_code code;
  const bool waits = has(list->files, name) && fs::exists(aside, code);
  return waits || has(list->obsolete, name) ? aside : own;
}

std::string unfinished_in(const std::string& folder) {
  std::error_code code;
  const std::string aside = aside_of(folder);
  const bool there = fs::is_directory(fs::symlink_status(aside, code)) && fs::exists(aside + "/" + kFramesFile, code);
  return there && !fs::exists(aside + "/" + kList, code) ? aside : "";
}

bool is_being_written(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return held;
}

Status write_whole(const std::string& folder, std::vector<FileText> files, const std::vector<std::string>& obsolete) {
  Result<ResultFolder> target = ResultFolder::open(folder);
  if (!target) return target.error();
  for (FileText& file : files) file.path = target->aside() + "/" + file.path;
  if (Status written = write_files(files); !written) return written;
  return target->finish(obsolete);
}

}  // namespace io

using namespace io;

struct ResultFolder::Parts {
  std::string folder;
  std::string aside;
  FolderLock lock;
  bool finished = false;

  // What is aside goes away, unless a run can go on from it.
  ~Parts() {
    std::error_code code;
    if (!finished && !fs::exists(aside + "/" + kCheckpointFile, code)) fs::remove_all(aside, code);
  }
};

ResultFolder::ResultFolder(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ResultFolder::~ResultFolder() = default;
ResultFolder::ResultFolder(ResultFolder&&) noexcept = default;
ResultFolder& ResultFolder::operator=(ResultFolder&&) noexcept = default;

const std::string& ResultFolder::aside() const {
  return parts_->aside;
}

Result<ResultFolder> ResultFolder::open(const std::string& folder) {
  if (Status made = make_folder(folder); !made) return made.error();
  Result<FolderLock> lock = FolderLock::take(folder);
  if (!lock) return lock.error();
  // a whole result that was not yet in place
  if (const auto list = read_list(folder))
    if (Status placed = put_in_place(folder, *list); !placed) return placed.error();
  // one that was not whole, or a link that somebody laid there: neither is followed
  const std::string aside = aside_of(folder);
  std::error_code code;
  fs::remove_all(aside, code);
  if (!fs::create_directory(aside, code))
    return file_error(aside, "the folder cannot be made: " + (code ? code.message() : "it is there already"));
  return ResultFolder(std::unique_ptr<Parts>(new Parts{folder, aside, std::move(*lock), false}));
}

Status ResultFolder::finish(const std::vector<std::string>& obsolete) {
  Parts& p = *parts_;
  std::error_code code;
  FileList list;
  for (auto entry = fs::directory_iterator(p.aside, code); entry != fs::directory_iterator(); entry.increment(code))
    list.files.push_back(entry->path().filename().string());
  if (code) return file_error(p.aside, code.message());
  std::erase(list.files, kCheckpointFile);
  std::sort(list.files.begin(), list.files.end());
  for (const std::string& name : obsolete)
    if (!has(list.files, name)) list.obsolete.push_back(name);
  // what could not be moved is told while the old result still counts
  for (const std::string& name : list.files)
    if (fs::is_directory(fs::symlink_status(p.folder + "/" + name, code)))
      return file_error(p.folder + "/" + name, "cannot be given its name: there is a folder of that name");
  // with the name of the list the new result counts
  if (Status listed = write_files({{p.aside + "/" + kList, list_text(list)}}); !listed) return listed;
  p.finished = true;
  return put_in_place(p.folder, list);
}

}  // namespace filum
