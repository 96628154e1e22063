// What the workbench holds in memory, and what it refuses to hold.
#include "bench_rig.hpp"

#include "geometry/mesh_surface.hpp"
#include "serve/editor/scene_bytes.hpp"

#include <filesystem>
#include <fstream>

namespace filum::test::test_memory {

TEST_CASE("undo counts the text of the scenes it keeps, once for all points that share it") {
  Bench bench;
  bench.open();
  const std::size_t size = std::size_t{30} << 20U;
  bench.must({{"cmd", "open"}, {"text", kHose + std::string("# ") + std::string(size, 'x') + "\n"}, {"name", "large"}});
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.43}});
  const std::size_t once = bench.editor().undo_stack().bytes();
  CHECK(once > size);
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.44}});
  CHECK(bench.editor().undo_stack().bytes() < once + size);
  // eight such scenes are more than it may keep
  for (int k = 0; k < 10; ++k)
    bench.must(
        {{"cmd", "open"}, {"text", kHose + std::string("# ") + std::string(size, 'y') + "\n"}, {"name", "large"}});
  CHECK(bench.editor().undo_stack().bytes() <= std::size_t{256} << 20U);
  CHECK(bench.editor().undo_stack().depth() < 10);
}

TEST_CASE("undo counts the meshes of obstacles that only it keeps, each once") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "filum-test-memory";
  std::filesystem::create_directories(folder);
  // a floor of 2 · 100² triangles, below the hose
  std::ofstream mesh(folder / "floor.obj");
  for (int i = 0; i <= 100; ++i)
    for (int j = 0; j <= 100; ++j) mesh << "v " << 0.01 * i << ' ' << 0.01 * j - 0.5 << " -1\n";
  for (int i = 0; i < 100; ++i)
    for (int j = 1; j <= 100; ++j) {
      const int a = 101 * i + j;
      mesh << "f " << a << ' ' << a + 101 << ' ' << a + 1 << "\nf " << a + 1 << ' ' << a + 101 << ' ' << a + 102
           << '\n';
    }
  mesh.close();
  std::ofstream(folder / "scene.yaml") << kHose << "obstacles: [{name: floor, mesh: floor.obj}]\n";
  Bench bench;
  bench.open();
  bench.must({{"cmd", "open"}, {"path", (folder / "scene.yaml").string()}});
  std::filesystem::remove_all(folder);
  const std::size_t size = bench.editor().scene().obstacles.at(0).surface->bytes();
  CHECK(size > 1'000'000);
  // the scene that is open has it anyway
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.43}});
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.44}});
  CHECK(bench.editor().undo_stack().bytes() < size);
  // behind another scene undo alone keeps it
  bench.open();
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.45}});
  CHECK(bench.editor().undo_stack().bytes() >= size);
  CHECK(bench.editor().undo_stack().bytes() < 2 * size);
}

TEST_CASE("more segments than the workbench takes are refused and nothing changes") {
  Bench bench;
  bench.open();
  const auto before = bench.hash();
  CHECK(bench.refused({{"cmd", "set"}, {"path", "rods.hose.segments"}, {"value", 1'000'000}}).find("at most") !=
        std::string::npos);
  CHECK(bench.hash() == before);
  CHECK(bench.editor().scene().rods[0].segments == 16);
}

TEST_CASE("what is stopped leaves everything as it was") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.43}});
  const auto before = bench.hash();
  int calls = 0;
  bench.editor().watch([&] { return ++calls == 2 ? "it was cancelled" : ""; });
  const Json reply = bench.say({{"cmd", "find_length"}, {"rod", "hose"}, {"tension", 1}});
  CHECK(reply["ok"] == false);
  CHECK(reply["stopped"] == true);
  CHECK(bench.hash() == before);
  CHECK(bench.editor().scene().rods[0].length == 0.43);
  CHECK(bench.editor().undo_stack().depth() == 2);
  bench.editor().watch([]() -> std::string { throw std::bad_alloc(); });
  CHECK(bench.refused({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.5}}).find("memory") != std::string::npos);
  CHECK(bench.hash() == before);
  bench.editor().watch({});
  bench.must({{"cmd", "settle"}});
}

}  // namespace filum::test::test_memory
