// What is found beside the scene: the movement of its drivers in equilibria, and beams in channels.
#include "serve/commands/base64.hpp"
#include "unit/serve/bench_rig.hpp"

namespace filum::test_beside {

using test::Bench;
using test::Json;

TEST_CASE("base64 as RFC 4648, section 10 has it") {
  CHECK(serve::base64("") == "");
  CHECK(serve::base64("f") == "Zg==");
  CHECK(serve::base64("fo") == "Zm8=");
  CHECK(serve::base64("foobar") == "Zm9vYmFy");
  CHECK(serve::base64(std::string("\xff\x00\xfe", 3)) == "/wD+");
}

TEST_CASE("a path of equilibria: states, the worst of every limit, and the length that is missing") {
  Bench bench;
  bench.open();
  CHECK(bench.refused({{"cmd", "path"}}).find("nothing is driven") != std::string::npos);
  // 0.42 m of hose, led to 0.5 m: EA is 462 N, so that 60 N stretch it by 13 %; it must be 0.5/1.13 m long
  const Json keys = {{{"t", 0}, {"position", {0.4, 0, 0}}}, {{"t", 2}, {"position", {0.5, 0, 0}}}};
  bench.must({{"cmd", "add"}, {"list", "drivers"}, {"value", {{"hold", "far"}, {"path", keys}}}});
  const std::uint64_t before = bench.hash();
  const std::size_t depth = bench.editor().undo_stack().depth();

  const Json found = bench.must({{"cmd", "path"}, {"states", 9}, {"nudge", true}});
  CHECK(found["converged"] == true);
  CHECK(found["frames"].size() == 9);
  CHECK(found["frames"][0].get<std::string>().starts_with("RkxNR"));  // «FLMF»
  // the next ones leave out what is the same: how the points lie along the rod
  CHECK(found["frames"][1].get<std::string>().size() < found["frames"][0].get<std::string>().size());
  REQUIRE(found["shortages"].size() == 1);
  CHECK(found["shortages"][0]["rod"] == "hose");
  CHECK(found["shortages"][0]["missing"].get<double>() == doctest::Approx(0.0225).epsilon(0.05));
  CHECK(found["shortages"][0]["stopped"].get<double>() > 1);
  CHECK(found["shortages"][0]["t"] == 2.0);
  const auto tension = std::find_if(found["checks"].begin(), found["checks"].end(),
                                    [](const Json& check) { return check["unit"] == "N"; });
  REQUIRE(tension != found["checks"].end());
  CHECK((*tension)["t"] == 2.0);
  CHECK((*tension)["violated"] == true);

  // looked for, nothing else
  CHECK(bench.hash() == before);
  CHECK(bench.editor().undo_stack().depth() == depth);
  bench.refused({{"cmd", "path"}, {"states", 1}});
}

TEST_CASE("a path that is stopped leaves everything as it was") {
  Bench bench;
  bench.open();
  const Json keys = {{{"t", 0}, {"position", {0.4, 0, 0}}}, {{"t", 2}, {"position", {0.3, 0, 0}}}};
  bench.must({{"cmd", "add"}, {"list", "drivers"}, {"value", {{"hold", "far"}, {"path", keys}}}});
  const std::uint64_t before = bench.hash();
  int asked = 0;
  bench.editor().watch([&asked] { return std::string(++asked > 20 ? "cancelled" : ""); });
  const Json reply = bench.say({{"cmd", "path"}, {"states", 100}});
  CHECK(reply["stopped"] == true);
  CHECK(bench.hash() == before);
}

TEST_CASE("a channel file is solved beside the scene") {
  Bench bench;
  bench.open();
  const std::uint64_t before = bench.hash();
  const std::string text =
      "channel: {centreline: {line: [[0, 0], [200 mm, 0]]}, width: 8 mm}\n"
      "beam: {length: 150 mm, EI: 2e-5}\nload: {push: {from: 0.05 mm, to: 0.5 mm, steps: 3}}\nsearch: {links: 20, k: "
      "1}\n";
  const Json found = bench.must({{"cmd", "channel"}, {"text", text}});
  CHECK(found["converged"] == true);
  CHECK(found["path"].size() == 4);
  CHECK(found["path"][3]["push_force"].get<double>() > 0);
  CHECK(found["handles"]["kind"] == "line");
  CHECK(found["handles"]["points"] == Json({{0.0, 0.0}, {0.2, 0.0}}));
  CHECK(found["outline"]["left"][0][1].get<double>() == doctest::Approx(0.004));
  CHECK(bench.hash() == before);
  CHECK(bench.refused({{"cmd", "channel"}, {"text", "channel: 3"}}).find("channel") != std::string::npos);
  int asked = 0;
  bench.editor().watch([&asked] { return std::string(++asked > 1 ? "cancelled" : ""); });
  CHECK(bench.say({{"cmd", "channel"}, {"text", text}})["stopped"] == true);
  CHECK(bench.hash() == before);
}

TEST_CASE("a search for many shapes in a channel is stopped between any two of its pieces") {
  Bench bench;
  bench.open();
  const std::string text =
      "channel: {centreline: {arc: {centre: [0, 100 mm], start: [0, 0], angle: 90 deg}}, width: 10 mm}\n"
      "beam: {length: 150 mm, EI: 2e-5}\nload: {force: [-0.5 N, -0.5 N]}\nsearch: {links: 20, k: 3}\n";
  int asked = 0;
  bench.editor().watch([&asked] { return ++asked, std::string(); });
  bench.must({{"cmd", "channel"}, {"text", text}});
  // lattice, catalogue and random starts have dozens of pieces each; what is told of them is a handful
  CHECK(asked > 60);
  const int late = asked / 2;
  asked = 0;
  bench.editor().watch([&asked, late] { return std::string(++asked > late ? "cancelled" : ""); });
  CHECK(bench.say({{"cmd", "channel"}, {"text", text}})["stopped"] == true);
  CHECK(asked <= late + 2);
}

}  // namespace filum::test_beside
