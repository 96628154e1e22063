// Commands of pages: edits of every kind, and everything that is not a command.
#include "unit/serve/bench_rig.hpp"

#include <random>

namespace filum::test_commands {

using test::Bench;
using test::Json;

TEST_CASE("values are set, added and taken away by path") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "set"}, {"path", "rods.hose.length"}, {"value", "45 cm"}});
  CHECK(bench.scene()["rods"][0]["length"] == 0.45);
  bench.must({{"cmd", "set"}, {"path", "rods.hose.limits.min_bend_radius"}, {"value", nullptr}});
  CHECK(bench.scene()["rods"][0]["limits"]["min_bend_radius"].is_null());
  bench.must({{"cmd", "set"}, {"path", "holds.far.fix"}, {"value", {"position"}}});
  CHECK(bench.scene()["holds"][1]["fix"]["orientation"] == Json({false, false, false}));
  bench.must({{"cmd", "set"}, {"path", "title"}, {"value", "Tom's hose: #2"}});
  CHECK(bench.scene()["title"] == "Tom's hose: #2");
  bench.must({{"cmd", "set"}, {"path", "sections.hose.outer_radius"}, {"value", 0.006}});
  bench.must(
      {{"cmd", "add"}, {"list", "forces"}, {"value", {{"rod", "hose"}, {"at", "50 %"}, {"force", {0, 0, -0.5}}}}});
  CHECK(bench.scene()["forces"][0]["s"].get<double>() == doctest::Approx(0.225));
  bench.must({{"cmd", "add"},
              {"list", "materials"},
              {"name", "soft"},
              {"value", {{"young", "1 MPa"}, {"poisson", 0.4}, {"density", 1000}}}});
  bench.must({{"cmd", "set"}, {"path", "rods.hose.material"}, {"value", "soft"}});
  bench.must({{"cmd", "remove"}, {"path", "forces.0"}});
  CHECK(bench.scene()["forces"].empty());

  // what cannot be: told with the path, and nothing has changed
  const std::uint64_t before = bench.hash();
  const Json reply = bench.say({{"id", 4}, {"cmd", "set"}, {"path", "rods.hose.length"}, {"value", "long"}});
  CHECK(reply["ok"] == false);
  CHECK(reply["id"] == 4);
  CHECK(reply["path"] == "rods.hose.length");
  CHECK(reply["line"].get<int>() > 0);
  bench.refused({{"cmd", "set"}, {"path", "rods.none.length"}, {"value", 1}});
  bench.refused({{"cmd", "remove"}, {"path", "materials.soft"}});
  bench.refused({{"cmd", "set"}, {"path", "rods.hose.segments"}, {"value", -4}});
  CHECK(bench.hash() == before);
  CHECK(bench.scene()["rods"][0]["length"] == 0.45);
}

TEST_CASE("what belongs to one gesture is undone at once") {
  Bench bench;
  bench.open();
  const std::uint64_t before = bench.hash();
  for (int k = 1; k <= 5; ++k)
    bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.42 + 0.01 * k}, {"gesture", "slider 1"}});
  CHECK(bench.state()["undo"]["depth"] == 2);
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.5}, {"gesture", "slider 2"}});
  CHECK(bench.state()["undo"]["depth"] == 3);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["rods"][0]["length"].get<double>() == doctest::Approx(0.47));
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == before);
}

TEST_CASE("who holds on to what is taken away holds nothing") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "grab"}, {"hand", "a"}, {"rod", "hose"}, {"s", 0.2}});
  bench.must({{"cmd", "move"}, {"hand", "a"}, {"position", {0.2, 0.01, 0}}});
  bench.must({{"cmd", "grab"}, {"hand", "b"}, {"hold", "far"}}, 2);
  bench.must({{"cmd", "remove_hold"}, {"hold", "far"}});
  CHECK(bench.refused({{"cmd", "drop"}, {"hand", "b"}}, 2) == "hand 'b' holds nothing");
  bench.must({{"cmd", "remove_rod"}, {"rod", "hose"}});
  CHECK(bench.refused({{"cmd", "move"}, {"hand", "a"}, {"position", {0, 0, 0}}}) == "hand 'a' holds nothing");
}

TEST_CASE("holds come, go, change, and spread") {
  Bench bench;
  bench.open();
  CHECK(bench.must({{"cmd", "add_hold"}, {"rod", "hose"}, {"at", "25 %"}, {"name", "clip"}})["hold"] == "clip");
  bench.must({{"cmd", "fix_hold"}, {"hold", "clip"}, {"fix", {"position", "orientation"}}});
  CHECK(bench.scene()["holds"][2]["orientation"].is_array());
  bench.must({{"cmd", "move_hold_along"}, {"hold", "clip"}, {"at", 0.12}});
  CHECK(bench.scene()["holds"][2]["s"].get<double>() == doctest::Approx(0.12));
  bench.must({{"cmd", "rename"}, {"kind", "hold"}, {"name", "clip"}, {"to", "p-clip"}});
  CHECK(bench.refused({{"cmd", "rename"}, {"kind", "hold"}, {"name", "p-clip"}, {"to", "far"}}) ==
        "there is already a hold 'far'");
  bench.must({{"cmd", "remove_hold"}, {"hold", "p-clip"}});
  bench.must({{"cmd", "remove_hold"}, {"hold", "near"}});
  bench.must({{"cmd", "remove_hold"}, {"hold", "far"}});
  bench.must({{"cmd", "spread_holds"}, {"rod", "hose"}, {"count", 4}});
  CHECK(bench.scene()["holds"].size() == 4);
  CHECK(bench.scene()["holds"][3]["position"].is_array());
  bench.must({{"cmd", "rename"}, {"kind", "rod"}, {"name", "hose"}, {"to", "v1.2"}});
  CHECK(bench.scene()["holds"][3]["rod"] == "v1.2");
  while (bench.state()["undo"]["depth"] != 1) bench.must({{"cmd", "undo"}});
  CHECK(bench.state()["document"]["dirty"] == false);
}

TEST_CASE("a cable from nothing: drawn, lengthened, cut, joined, removed") {
  Bench bench;
  const std::string rod = bench.must({{"cmd", "new_cable"}, {"from", {0, 0, 0}}, {"to", {0.5, 0, 0}}})["rod"];
  CHECK(bench.scene()["rods"][0]["length"].get<double>() == doctest::Approx(0.525));
  CHECK(bench.state()["solve"]["converged"] == true);
  // it hangs below its ends
  double lowest = 0;
  for (const Vec3& p : bench.editor().pose().rods[0].position) lowest = std::min(lowest, p.z());
  CHECK(lowest < -0.02);
  bench.must({{"cmd", "change_length"}, {"rod", rod}, {"by", 0.1}, {"relative", true}});
  CHECK(bench.scene()["rods"][0]["length"].get<double>() == doctest::Approx(0.5775));
  bench.must({{"cmd", "split"}, {"rod", rod}, {"at", "50 %"}, {"second", "tail"}});
  CHECK(bench.scene()["junctions"].size() == 1);
  bench.must(
      {{"cmd", "new_cable"}, {"from", {{"rod", "tail"}, {"at", "50 %"}}}, {"to", {0.4, 0.2, 0}}, {"name", "branch"}});
  CHECK(bench.scene()["junctions"].size() == 2);
  CHECK(bench.state()["solve"]["converged"] == true);
  bench.must({{"cmd", "separate"}, {"junction", bench.scene()["junctions"][1]["name"]}});
  bench.must({{"cmd", "remove_rod"}, {"rod", "branch"}});
  bench.must({{"cmd", "prolong"}, {"rod", "tail"}, {"by", 0.05}, {"end", "end"}});
  bench.must({{"cmd", "remove_rod"}, {"rod", "tail"}});
  bench.must({{"cmd", "remove_rod"}, {"rod", rod}});
  CHECK(bench.scene()["empty"] == true);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["rods"].size() == 1);
  CHECK(bench.refused({{"cmd", "new_cable"}, {"from", {0, 0, 0}}, {"to", {0, 0, 0}}}) == "the two points are the same");
}

TEST_CASE("a length that finds itself has the tension that was asked for") {
  Bench bench;
  bench.open();
  const double length = bench.must({{"cmd", "find_length"}, {"rod", "hose"}, {"tension", 2}})["length"];
  CHECK(length < 0.42);
  double mean = 0;
  for (const double force : bench.editor().pose().rods[0].axial_force) mean += force;
  mean /= static_cast<double>(bench.editor().pose().rods[0].axial_force.size());
  // EA = 462 N: a length to 1e-5 is a tension to 5e-3 N
  CHECK(mean == doctest::Approx(2).epsilon(0.02));
  CHECK(bench.scene()["rods"][0]["length"] == length);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["rods"][0]["length"] == 0.42);
}

TEST_CASE("options of a formulation do not keep a scene in it, and come back with it by undo") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "formulation"}, {"formulation", "spline"}});
  bench.must({{"cmd", "set"}, {"path", "simulation.spline.detail"}, {"value", 1e-3}});
  bench.must({{"cmd", "set"}, {"path", "simulation.integrator"}, {"value", "runge-kutta"}});
  CHECK(bench.scene()["refusals"].empty());
  const Json other = bench.must({{"cmd", "compare"}, {"formulation", "kirchhoff"}});
  CHECK(other["converged"] == true);
  bench.must({{"cmd", "formulation"}, {"formulation", "kirchhoff"}});
  CHECK(bench.scene()["simulation"]["spline"]["detail"] == 0);
  CHECK(bench.scene()["simulation"]["integrator"] == "energy-momentum");
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["simulation"]["spline"]["detail"] == 1e-3);
  CHECK(bench.scene()["simulation"]["integrator"] == "runge-kutta");
}

TEST_CASE("the same scene in another formulation, switched and compared") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "place_hold"}, {"hold", "far"}, {"position", {0.3, 0.02, 0}}});
  const Json other = bench.must({{"cmd", "compare"}, {"formulation", "cosserat"}});
  CHECK(other["converged"] == true);
  CHECK(other["rods"][0]["distance"].get<double>() < 0.005);
  const std::uint64_t before = bench.hash();
  bench.must({{"cmd", "formulation"}, {"formulation", "cosserat"}});
  CHECK(bench.scene()["simulation"]["formulation"] == "cosserat");
  CHECK((bench.end() - Vec3(0.3, 0.02, 0)).norm() < 1e-9);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == before);
  bench.refused({{"cmd", "formulation"}, {"formulation", "none"}});
  CHECK(bench.hash() == before);
}

TEST_CASE("limits are told as alarms with the place to fly to") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "place_hold"}, {"hold", "far"}, {"position", {0.05, 0, 0}}});
  const Json checks = bench.must({{"cmd", "check"}})["checks"];
  REQUIRE(checks.size() == 3);
  // so short a way it does not go without meeting itself
  CHECK(checks[2]["name"] == "passes through");
  CHECK(checks[2]["object"] == "rod 'hose', itself");
  CHECK(checks[0]["name"] == "bend radius");
  CHECK(checks[0]["target"] == "hose");
  CHECK(checks[0]["kind"] == "rod");
  CHECK(checks[0]["bound"] == "least");
  CHECK(checks[0]["unit"] == "m");
  CHECK(checks[0]["position"].size() == 3);
  CHECK(checks[0]["violated"] == (checks[0]["value"] < checks[0]["limit"]));
  CHECK(bench.state()["alarms"] == checks);
}

TEST_CASE("a move overtakes an earlier one of the same hand that names the same things") {
  const auto move = [](Json fields, int client = 1) {
    fields["cmd"] = fields.value("cmd", "move");
    return serve::Request::read(io::json_text(fields), client);
  };
  const serve::Request first = move({{"id", 1}, {"hand", "m"}, {"position", {0, 0, 0}}});
  CHECK(first.hand() == "m");
  CHECK(first.id() == 1);
  CHECK(move({{"id", 2}, {"hand", "m"}, {"position", {1, 0, 0}}}).overtakes(first));
  CHECK_FALSE(move({{"hand", "n"}, {"position", {1, 0, 0}}}).overtakes(first));
  CHECK_FALSE(move({{"hand", "m"}, {"position", {1, 0, 0}}}, 2).overtakes(first));
  CHECK_FALSE(move({{"hand", "m"}, {"turns", 1}}).overtakes(first));
  const serve::Request drop = move({{"cmd", "drop"}, {"hand", "m"}});
  CHECK(drop.hand().empty());
  CHECK_FALSE(drop.overtakes(drop));
}

TEST_CASE("events have a kind and refer to what they happened to, beside the sentence") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"hold", "far"}});
  bench.must({{"cmd", "formulation"}, {"formulation", "cosserat"}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.6, 0, 0}}});
  const Json events = Json::parse(bench.bench.events_message(0))["events"];
  REQUIRE(events.size() >= 1);
  const Json& event = events.back();
  CHECK(event["event"] == "too_short");
  CHECK(event["kind"] == "rod");
  CHECK(event["target"] == "hose");
  CHECK(event["what"].get<std::string>().find("rod 'hose' is too short by") == 0);
}

TEST_CASE("what is no command gets an error and changes nothing") {
  Bench bench;
  bench.open();
  const std::uint64_t before = bench.hash();
  const std::string deep(5000, '[');
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("[]"), std::string("{}"), std::string("{\"cmd\": 3}"), deep,
        std::string("{\"cmd\": \"fly\"}"), std::string("{\"cmd\": \"pause\", \"why\": 1}"),
        std::string("{\"cmd\": \"move\", \"hand\": 1}"), std::string("\xff\xfe{"),
        std::string("{\"cmd\":\"step\",\"n\":1e999}"),
        std::string("{\"id\": [[]], \"cmd\": \"set\", \"path\": \"title\"}")}) {
    const Json reply = bench.bench.answer(serve::Request::read(text, 1));
    CHECK(reply["ok"] == false);
    CHECK(reply["error"].get<std::string>().size() > 3);
  }
  CHECK(bench.hash() == before);
  CHECK(bench.state()["undo"]["depth"] == 1);
}

TEST_CASE("commands put together at random are answered one by one, and the bench lives on") {
  Bench bench;
  bench.open();
  std::mt19937 random(7);
  const auto pick = [&](const auto& list) { return list[random() % list.size()]; };
  std::vector<const serve::Command*> commands;
  for (const auto* list :
       {&serve::play_commands(), &serve::edit_commands(), &serve::cable_commands(), &serve::scenery_commands()})
    for (const serve::Command& command : *list) commands.push_back(&command);
  const std::vector<Json> values = {0,
                                    1,
                                    -1,
                                    0.2,
                                    1e30,
                                    "hose",
                                    "far",
                                    "near",
                                    "x",
                                    "50 %",
                                    "end",
                                    nullptr,
                                    true,
                                    "rod",
                                    {0.3, 0, 0},
                                    {1, 0, 0, 0},
                                    {0, 0, 0, 0},
                                    {0},
                                    Json::object(),
                                    "rods.hose.length",
                                    "holds",
                                    {"position"},
                                    3,
                                    "kirchhoff",
                                    "cosserat"};
  for (int k = 0; k < 1500; ++k) {
    const serve::Command& command = *pick(commands);
    Json message = {{"cmd", command.name}};
    std::string fields = command.fields;
    while (!fields.empty()) {
      const std::size_t blank = std::min(fields.find(' '), fields.size());
      if (random() % 4 != 0) message[fields.substr(0, blank)] = pick(values);
      fields.erase(0, std::min(blank + 1, fields.size()));
    }
    if (message.contains("n")) message["n"] = 1;
    if (message.contains("count")) message["count"] = 2;
    if (message.contains("segments")) message["segments"] = 4;
    CAPTURE(io::json_text(message));
    bench.say(message, static_cast<int>(random() % 2));
    if (bench.editor().playing()) bench.editor().advance(1.0 / 60, 0.01);
    // now and then a new start, so that there is something to break
    if (k % 50 == 49) {
      bench.must({{"cmd", "open"}, {"example", "hose"}});
      bench.editor().forget();
    }
  }
  bench.must({{"cmd", "open"}, {"example", "hose"}});
  CHECK(bench.editor().pose().rods[0].position.back().allFinite());
}

}  // namespace filum::test_commands
