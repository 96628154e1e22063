#include "io/mesh/read_apart.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <type_traits>
#include <utility>

namespace filum::io {
namespace {

using Clock = std::chrono::steady_clock;

// ---- what goes through the pipe: a word on how it went, then a message or a mesh, as they lie in memory

template <class Value>
void put(std::string& bytes, const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Item>
void put_all(std::string& bytes, const std::vector<Item>& items) {
  put(bytes, items.size());
  bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
}

std::string packed(const Result<MeshFile>& mesh) {
  std::string bytes;
  put(bytes, mesh.ok());
  if (!mesh) return bytes + mesh.error().message;
  put(bytes, mesh->unit.value_or(0));
  put_all(bytes, mesh->points);
  put_all(bytes, mesh->triangles);
  return bytes;
}

// Takes from the front of `bytes`; false: there is less.
template <class Value>
bool take(std::string_view& bytes, Value& value) {
  if (bytes.size() < sizeof value) return false;
  std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

template <class Item>
bool take_all(std::string_view& bytes, std::vector<Item>& items) {
  std::size_t count = 0;
  if (!take(bytes, count) || bytes.size() / sizeof(Item) < count) return false;
  items.resize(count);
  if (count > 0) std::memcpy(static_cast<void*>(items.data()), bytes.data(), count * sizeof(Item));
  bytes.remove_prefix(count * sizeof(Item));
  return true;
}

// Nothing: whoever packed it did not come to its end.
std::optional<Result<MeshFile>> unpacked(std::string_view bytes, const std::string& file) {
  bool ok = false;
  if (!take(bytes, ok)) return std::nullopt;
  if (!ok) return file_error(file, std::string(bytes));
  MeshFile mesh;
  double unit = 0;
  if (!take(bytes, unit) || !take_all(bytes, mesh.points) || !take_all(bytes, mesh.triangles)) return std::nullopt;
  if (unit > 0) mesh.unit = unit;
  return mesh;
}

// ---- the other process

// It ends with this one and by every signal, and is the first to go when memory is short.
void become_expendable() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE})
    std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::ofstream("/proc/self/oom_score_adj") << 1000;
}

[[noreturn]] void answer(int pipe, const std::function<Result<MeshFile>()>& read) {
  become_expendable();
  std::string bytes;
  try {
    bytes = packed(read());
  } catch (const std::bad_alloc&) {
    bytes = packed(Error{ErrorCode::BadInput, "there is not enough memory for this mesh", {}, 0, 0});
  } catch (const std::exception& error) {
    bytes = packed(Error{ErrorCode::BadInput, std::string("no mesh that can be read: ") + error.what(), {}, 0, 0});
  }
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t count = write(pipe, rest.data(), rest.size());
    if (count < 0 && errno != EINTR) break;
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
  _exit(0);  // nothing of this process is put in order twice
}

// Whatever way it goes, no process stays behind.
class Child {
 public:
  explicit Child(pid_t pid, int pipe) : pid_(pid), pipe_(pipe) {}
  ~Child() {
    close(pipe_);
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // More of its answer, waiting a moment for it; false: there will be no more.
  bool listen(std::string& bytes) const {
    pollfd waiting{pipe_, POLLIN, 0};
    constexpr int kMoment = 50;  // ms
    if (poll(&waiting, 1, kMoment) <= 0) return true;
    char piece[1 << 16];
    const ssize_t count = ::read(pipe_, piece, sizeof piece);
    if (count > 0) bytes.append(piece, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
  }

 private:
  pid_t pid_;
  int pipe_;
};

// Of this thread.
thread_local Progress watching;

// No file takes longer that is read at all: 10 s a megabyte is twenty times what solids in STEP take.
std::chrono::seconds patience(std::size_t size) {
  return std::chrono::seconds(30 + 10 * (size >> 20));
}

}  // namespace

WatchedReading::WatchedReading(Progress watch) : before_(std::exchange(watching, std::move(watch))) {}

WatchedReading::~WatchedReading() {
  watching = std::move(before_);
}

Result<MeshFile> read_apart(const std::string& file, std::size_t size, const std::function<Result<MeshFile>()>& read) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return file_error(file, std::string("cannot be read: ") + std::strerror(errno));
  const pid_t pid = fork();
  if (pid == 0) answer(ends[1], read);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return file_error(file, std::string("cannot be read: ") + std::strerror(errno));
  }
  const Child child(pid, ends[0]);
  const Clock::time_point until = Clock::now() + patience(size);
  std::string bytes;
  while (child.listen(bytes)) {
    if (stops(watching, 0, "reading a mesh")) return file_error(file, kStopped);
    if (Clock::now() > until)
      return file_error(file, "no mesh that can be read: after " + std::to_string(patience(size).count()) +
                                  " s there is no end of it");
  }
  if (auto mesh = unpacked(bytes, file)) return *std::move(mesh);
  return file_error(file, "no mesh that can be read: the importer broke down over it; the file is damaged");
}

}  // namespace filum::io
