// Channel files on the bench: planar ones and tubes are solved, saved and found again.
#include "unit/serve/bench_rig.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace filum::test_channel_commands {

using test::Bench;
using test::Json;

namespace {

const char* const kTube = R"(filum: 1
title: Wire in a helix
tube:
  centreline: {helix: {centre: [0, 80 mm, 0], start: [0, 0, 0], pitch: 120 mm, angle: 180 deg}}
  radius: 8 mm
beam: {length: 230 mm, EI: 5e-5}
load: {force: [0.3 N, 0, -0.3 N]}
search: {links: 12, rings: 1}
)";

}  // namespace

TEST_CASE("a tube in space is solved with its shape inside it") {
  Bench bench;
  const Json reply = bench.must({{"cmd", "channel"}, {"text", kTube}, {"name", "helix"}});
  CHECK(reply["converged"] == true);
  CHECK(reply["shapes"].empty());
  const Json& tube = reply["tube"];
  CHECK(tube["radius"] == 0.008);
  CHECK(tube["centreline"].front() == Json({0.0, 0.0, 0.0}));
  REQUIRE(tube["shapes"].size() >= 1);
  CHECK(tube["shapes"][0]["positions"].size() == 13);
  // every node is as near to some point of the centreline as the tube is wide; the points drawn are 2 mm apart
  for (const Json& node : tube["shapes"][0]["positions"]) {
    double nearest = 1;
    for (const Json& point : tube["centreline"])
      nearest = std::min(
          nearest, Vec3(node[0].get<double>() - point[0].get<double>(), node[1].get<double>() - point[1].get<double>(),
                        node[2].get<double>() - point[2].get<double>())
                       .norm());
    CHECK(nearest < 0.008 + 0.0015);
  }
}

TEST_CASE("a channel file is saved once, replaced when that is wanted, and is not taken for a scene") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "filum-test-channel";
  fs::remove_all(folder);
  fs::create_directories(folder);
  Bench bench;
  bench.bench.allow({folder});
  const std::string path = (folder / "wire.yaml").string();
  CHECK(bench.must({{"cmd", "save_channel"}, {"path", path}, {"text", kTube}})["path"] == path);
  CHECK(bench.say({{"cmd", "save_channel"}, {"path", path}, {"text", "x"}})["exists"] == true);
  CHECK(!bench.refused({{"cmd", "save_channel"}, {"path", "/etc/wire.yaml"}, {"text", "x"}}).empty());
  const Json opened = bench.must({{"cmd", "open"}, {"path", path}});
  CHECK(opened["channel"]["text"] == kTube);
  CHECK(opened["channel"]["name"] == "wire");
  CHECK(bench.state()["undo"]["depth"] == 0);
  // unsaved changes are left by a scene, not by a channel
  bench.must({{"cmd", "set"}, {"path", "title"}, {"value", "not saved"}});
  CHECK(bench.must({{"cmd", "open"}, {"path", path}, {"if_saved", true}}).contains("channel"));
  bench.must({{"cmd", "save_channel"}, {"path", path}, {"text", "filum: 1\n"}, {"overwrite", true}});
  CHECK(bench.say({{"cmd", "open"}, {"path", path}, {"if_saved", true}})["dirty"] == true);
  CHECK(bench.state()["document"]["path"] == "");
  bench.must({{"cmd", "open"}, {"path", path}});
  CHECK(bench.state()["document"]["path"] == path);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == "filum: 1\n");
  fs::remove_all(folder);
}

}  // namespace filum::test_channel_commands
