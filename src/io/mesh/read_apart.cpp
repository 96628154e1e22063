#include "io/mesh/read_apart.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <type_traits>
#include <utility>

namespace filum::io {
namespace {

using Clock = std::chrono::steady_clock;

// What goes through the pipe first; then the message, or the mesh as it lies in memory.
struct Header {
  bool ok = false;
  double unit = 0;  // 0: the file does not say
  std::size_t message = 0;
  std::size_t points = 0;
  std::size_t triangles = 0;
};

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

void send(int pipe, const void* bytes, std::size_t size) {
  const auto* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = write(pipe, from, size);
    if (count < 0 && errno != EINTR) return;
    if (count <= 0) continue;
    from += count;
    size -= static_cast<std::size_t>(count);
  }
}

template <class Item>
void send_all(int pipe, const std::vector<Item>& items) {
  static_assert(std::is_trivially_destructible_v<Item>);
  send(pipe, items.data(), items.size() * sizeof(Item));
}

void send_message(int pipe, const std::string& message) {
  Header header;
  header.message = message.size();
  send(pipe, &header, sizeof header);
  send(pipe, message.data(), message.size());
}

[[noreturn]] void answer(int pipe, const std::function<Result<MeshFile>()>& read) {
  become_expendable();
  try {
    if (const Result<MeshFile> mesh = read(); mesh) {
      const Header header{true, mesh->unit.value_or(0), 0, mesh->points.size(), mesh->triangles.size()};
      send(pipe, &header, sizeof header);
      send_all(pipe, mesh->points);
      send_all(pipe, mesh->triangles);
    } else {
      send_message(pipe, mesh.error().message);
    }
  } catch (const std::bad_alloc&) {
    send_message(pipe, "there is not enough memory for this mesh");
  } catch (const std::exception& error) {
    send_message(pipe, std::string("no mesh that can be read: ") + error.what());
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

  // Some of its answer, at most so much, waiting a moment for it. Nothing: there will be no more.
  [[nodiscard]] std::optional<std::size_t> listen(char* into, std::size_t most) const {
    pollfd waiting{pipe_, POLLIN, 0};
    constexpr int kMoment = 50;  // ms
    if (poll(&waiting, 1, kMoment) <= 0) return 0;
    const ssize_t count = ::read(pipe_, into, most);
    if (count > 0) return static_cast<std::size_t>(count);
    return count < 0 && errno == EINTR ? std::optional<std::size_t>(0) : std::nullopt;
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

// What the other process says, as long as it may take.
class Listener {
 public:
  Listener(const Child& child, std::size_t size) : child_(child), until_(Clock::now() + patience(size)), size_(size) {}

  // False: it broke off, or nobody wants to wait any more; then `why` says so.
  bool receive(void* bytes, std::size_t size) {
    auto* into = static_cast<char*>(bytes);
    while (size > 0) {
      const std::optional<std::size_t> count = child_.listen(into, size);
      if (!count) return fail("no mesh that can be read: the importer broke down over it; the file is damaged");
      if (stops(watching, 0, "reading a mesh")) return fail(kStopped);
      if (Clock::now() > until_)
        return fail("no mesh that can be read: after " + std::to_string(patience(size_).count()) +
                    " s there is no end of it");
      into += *count;
      size -= *count;
    }
    return true;
  }

  // Piece by piece: who breaks down may have announced any number.
  template <class Items>
  bool receive_all(Items& items, std::size_t count) {
    constexpr std::size_t kPiece = 1u << 16;
    while (items.size() < count) {
      const std::size_t have = items.size();
      items.resize(std::min(count, have + kPiece));
      if (!receive(items.data() + have, (items.size() - have) * sizeof(items[0]))) return false;
    }
    return true;
  }

  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  bool fail(std::string why) {
    why_ = std::move(why);
    return false;
  }

  const Child& child_;
  Clock::time_point until_;
  std::size_t size_;  // of the file
  std::string why_;
};

Result<MeshFile> received(Listener listener, const std::string& file) {
  Header header;
  MeshFile mesh;
  std::string message;
  if (!listener.receive(&header, sizeof header) || !listener.receive_all(message, header.message) ||
      !listener.receive_all(mesh.points, header.points) || !listener.receive_all(mesh.triangles, header.triangles))
    return file_error(file, listener.why());
  if (!header.ok) return file_error(file, message);
  if (header.unit > 0) mesh.unit = header.unit;
  return mesh;
}

}  // namespace

WatchedReading::WatchedReading(Progress watch) : before_(std::exchange(watching, std::move(watch))) {}

WatchedReading::~WatchedReading() {
  watching = std::move(before_);
}

Result<MeshFile> read_apart(const std::string& file, std::size_t size, const std::function<Result<MeshFile>()>& read) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return file_error(file, std::string("cannot be read: ") + std::strerror(errno));
#ifdef F_SETPIPE_SZ
  (void)fcntl(ends[1], F_SETPIPE_SZ,
              1 << 20);  // fewer changes from one process to the other; if it may not be, no harm
#endif
  const pid_t pid = fork();
  if (pid == 0) answer(ends[1], read);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return file_error(file, std::string("cannot be read: ") + std::strerror(errno));
  }
  const Child child(pid, ends[0]);
  return received({child, size}, file);
}

}  // namespace filum::io
