// What befalls a library over a file befalls nobody else.
#include "io/mesh/read_apart.hpp"

#include <doctest/doctest.h>

#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <stdexcept>

#include <sys/wait.h>

using namespace filum;
using io::MeshFile;

namespace {

Result<MeshFile> read(const std::function<Result<MeshFile>()>& by) {
  Result<MeshFile> mesh = io::read_apart("a.ply", 100, by);
  // no process is left behind, living or dead
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
  return mesh;
}

}  // namespace

TEST_CASE("a mesh that is read apart is the same, to the last bit") {
  MeshFile mesh;
  for (int i = 0; i < 100000; ++i) mesh.points.emplace_back(0.1 * i, -1.0 / (1 + i), 1e-300 * i);
  for (int i = 2; i < 100000; ++i) mesh.triangles.push_back({i - 2, i - 1, i});
  const auto read_back = read([&] { return mesh; });
  REQUIRE(read_back.ok());
  CHECK(read_back->points == mesh.points);
  CHECK(read_back->triangles == mesh.triangles);
  CHECK(!read_back->unit);
  mesh.unit = 0.0254;
  CHECK(read([&] { return mesh; })->unit == 0.0254);
}

TEST_CASE("what is refused apart is refused here, with its reason") {
  const auto refused = read([] { return file_error("a.ply", "there is no triangle in this mesh"); });
  REQUIRE(!refused);
  CHECK(refused.error().message == "there is no triangle in this mesh");
  CHECK(refused.error().file == "a.ply");
  CHECK(read([]() -> Result<MeshFile> { throw std::runtime_error("odd"); }).error().message ==
        "no mesh that can be read: odd");
}

TEST_CASE("a reader that breaks down refuses the file, and this program goes on") {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGKILL}) {
    CAPTURE(signal);
    const auto refused = read([signal]() -> Result<MeshFile> {
      raise(signal);
      return MeshFile{};
    });
    REQUIRE(!refused);
    CHECK(refused.error().message.find("the importer broke down over it") != std::string::npos);
  }
}

TEST_CASE("a reader without end is stopped when somebody asks for it") {
  int looks = 0;
  {
    const io::WatchedReading watched([&](double, const char*) { return ++looks < 3; });
    const auto stopped = read([]() -> Result<MeshFile> {
      for (;;) pause();
    });
    REQUIRE(!stopped);
    CHECK(stopped.error().message == kStopped);
  }
  CHECK(looks == 3);
  CHECK(read([] { return MeshFile{}; }).ok());  // nobody watches any more
}
