// result.json: keys, round trip, bad files, and writing that never leaves a half-written file.
#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/scene.hpp>
#include <filum/words.hpp>

#include "unit/io/report_fixture.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <limits>

namespace filum::test_result {

namespace {

namespace fs = std::filesystem;

// A folder of its own that goes away with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("filum-test-result-" + std::to_string(std::rand()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code code;
    fs::remove_all(path, code);
  }
  [[nodiscard]] std::string operator/(const char* name) const { return (path / name).string(); }
};

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string error_of(const std::string& folder) {
  const Result<StoredResult> result = read_result(folder);
  return result ? "" : result.error().text();
}

void check_same(const RodPose& a, const RodPose& b) {
  CHECK(a.s == b.s);
  CHECK(a.position == b.position);
  REQUIRE(a.frame.size() == b.frame.size());
  for (size_t i = 0; i < a.frame.size(); ++i) CHECK(a.frame[i].coeffs() == b.frame[i].coeffs());
  CHECK(a.curvature == b.curvature);
  CHECK(a.twist == b.twist);
  CHECK(a.axial_force == b.axial_force);
  CHECK(a.moment == b.moment);
  CHECK(a.outline == b.outline);
  CHECK(a.closed == b.closed);
  CHECK(a.length == b.length);
  CHECK(a.turns == b.turns);
  CHECK(a.writhe == b.writhe);
  CHECK(a.min_bend_radius.value == b.min_bend_radius.value);
  CHECK(a.min_bend_radius.s == b.min_bend_radius.s);
}

TEST_CASE("result.json has the documented keys in their order") {
  const fixture::Case test = fixture::hose(4);
  const auto json = nlohmann::ordered_json::parse(result_json(test.scene, "hose.yaml", test.outcome));
  const auto keys = [](const nlohmann::ordered_json& object) {
    std::string all;
    for (const auto& [key, value] : object.items()) all += (all.empty() ? "" : " ") + key;
    return all;
  };
  CHECK(keys(json) == "filum title scene solve states checks events history");
  CHECK(json["filum"] == 1);
  CHECK(json["scene"] == "hose.yaml");
  CHECK(keys(json["solve"]) == "converged stable iterations residual floor seconds leaps load_steps nudged");
  const auto& state = json["states"][0];
  CHECK(keys(state) == "t rods bodies holds contacts energy");
  CHECK(keys(state["rods"]["hose"]) ==
        "s positions frames curvature twist axial_force moment outline closed length turns writhe min_bend_radius");
  CHECK(keys(state["bodies"]["knuckle"]) == "position orientation velocity spin");
  CHECK(keys(state["holds"]) == "frame end knuckle end");
  CHECK(keys(state["holds"]["frame end"]) == "force moment position s popped");
  CHECK(keys(json["checks"][0]) == "name object value limit s t violated");
  // frames are [w, x, y, z]
  const Quat q = test.outcome.states[0].pose.rods[0].frame[2];
  CHECK(state["rods"]["hose"]["frames"][2] == nlohmann::ordered_json({q.w(), q.x(), q.y(), q.z()}));
}

TEST_CASE("a result reads back bit by bit") {
  Folder folder;
  fixture::Case test = fixture::path(3);
  test.outcome.solve.why = "said why";
  test.outcome.solve.leaps = 2;
  test.outcome.solve.load_steps = 3;
  test.outcome.solve.nudged = true;
  test.outcome.states[1].pose.rods[0].outline[3] = Vec2(0.01, 0.002);  // a station: no longer one pair
  test.outcome.states[0].pose.holds[1].popped = true;
  REQUIRE(write_result(test.scene, "hose.yaml", test.outcome, folder / "deep/er").ok());
  const Result<StoredResult> read = read_result(folder / "deep/er");
  REQUIRE_MESSAGE(read.ok(), error_of(folder / "deep/er"));
  CHECK(read->title == test.scene.title);
  CHECK(read->names.rods == std::vector<std::string>{"hose"});
  CHECK(read->names.bodies == std::vector<std::string>{"knuckle"});
  CHECK(read->names.holds == std::vector<std::string>{"frame end", "knuckle end"});
  CHECK(read->names.probes == std::vector<std::string>{"middle"});
  const Outcome& back = read->outcome;
  CHECK(back.solve.converged);
  CHECK(back.solve.stable == std::optional<bool>(true));
  CHECK(back.solve.why == "said why");
  CHECK(back.solve.iterations == 7);
  CHECK(back.solve.leaps == 2);
  CHECK(back.solve.load_steps == 3);
  CHECK(back.solve.nudged);
  CHECK(back.solve.residual == test.outcome.solve.residual);
  REQUIRE(back.states.size() == 3);
  for (size_t k = 0; k < 3; ++k) {
    const Snapshot &mine = test.outcome.states[k], &theirs = back.states[k];
    CHECK(theirs.t == mine.t);
    check_same(theirs.pose.rods[0], mine.pose.rods[0]);
    CHECK(theirs.pose.bodies[0].position == mine.pose.bodies[0].position);
    CHECK(theirs.pose.bodies[0].orientation.coeffs() == mine.pose.bodies[0].orientation.coeffs());
    CHECK(theirs.pose.holds[1].force == mine.pose.holds[1].force);
    CHECK(theirs.pose.holds[1].position == mine.pose.holds[1].position);
    CHECK(theirs.pose.holds[1].popped == mine.pose.holds[1].popped);
    CHECK(theirs.pose.energy.elastic == mine.pose.energy.elastic);
    CHECK(back.history[k].hold_force == test.outcome.history[k].hold_force);
    CHECK(back.history[k].hold_moment == test.outcome.history[k].hold_moment);
    CHECK(back.history[k].probe == test.outcome.history[k].probe);
  }
  REQUIRE(back.checks.size() == 2);
  CHECK(back.checks[0].kind == CheckKind::BendRadius);
  CHECK(back.checks[0].object == ObjectRef{ObjectKind::Rod, "hose"});
  CHECK(back.checks[0].value == test.outcome.checks[0].value);
  CHECK(back.events[0].kind == EventKind::Told);
  CHECK(words(back.events[0]) == words(test.outcome.events[0]));
}

TEST_CASE("lengths found, lengths missing and the balance of turns read back") {
  Folder folder;
  fixture::Case test = fixture::path(3);
  test.outcome.lengths = {
      {"hose", {PlaceKind::Hold, "a"}, {PlaceKind::End, {}}, 0.43, 0.01, 1.9, 2, LengthVerdict::Longest}};
  test.outcome.shortages = {{"hose", {PlaceKind::Hold, "a"}, {PlaceKind::Junction, "y"}, 20, 31, 0.012, 2.5, 1.5}};
  for (size_t k = 0; k < 3; ++k) {
    test.outcome.history[k].balance = {{1.5 * double(k), 0.5, -0.25, int(k), 1e-16}};
    test.outcome.history[k].found_length = {0.42 + 0.005 * double(k)};
  }
  REQUIRE(write_result(test.scene, "hose.yaml", test.outcome, folder / "r").ok());
  const Result<StoredResult> read = read_result(folder / "r");
  REQUIRE(read.ok());
  REQUIRE(read->outcome.lengths.size() == 1);
  const FoundLength& length = read->outcome.lengths[0];
  CHECK(length.rod == "hose");
  CHECK(length.from == RodPlace{PlaceKind::Hold, "a"});
  CHECK(length.to == RodPlace{PlaceKind::End, {}});
  CHECK(length.length == 0.43);
  CHECK(length.added == 0.01);
  CHECK(length.force == 1.9);
  CHECK(length.pull == 2);
  CHECK(length.verdict == LengthVerdict::Longest);
  REQUIRE(read->outcome.shortages.size() == 1);
  const Shortage& shortage = read->outcome.shortages[0];
  CHECK(shortage.to == RodPlace{PlaceKind::Junction, "y"});
  CHECK(shortage.limit == 20);
  CHECK(shortage.tension == 31);
  CHECK(shortage.missing == 0.012);
  CHECK(shortage.t == 2.5);
  CHECK(shortage.stopped == 1.5);
  CHECK(read->outcome.history[2].balance[0].turns == 3);
  CHECK(read->outcome.history[2].balance[0].writhe == -0.25);
  CHECK(read->outcome.history[2].balance[0].crossings == 2);
  CHECK(read->outcome.history[1].found_length == std::vector<double>{0.425});
  // the page names them
  const std::string page = report_html(test.scene, test.outcome);
  CHECK(page.find("Too short") != std::string::npos);
  CHECK(page.find("12 mm") != std::string::npos);
  CHECK(page.find("Lengths found") != std::string::npos);
  CHECK(page.find("crossings with itself") != std::string::npos);
}

TEST_CASE("a run reads back bit by bit") {
  Folder folder;
  const fixture::Case test = fixture::run(5);
  REQUIRE(write_result(test.scene, "hose.yaml", test.outcome, folder / "run").ok());
  const Result<StoredResult> read = read_result(folder / "run");
  REQUIRE_MESSAGE(read.ok(), error_of(folder / "run"));
  CHECK(read->frames.empty());
  REQUIRE(read->outcome.run.has_value());
  const RunReport &mine = *test.outcome.run, &theirs = *read->outcome.run;
  CHECK_FALSE(theirs.completed);
  CHECK(theirs.why == mine.why);
  CHECK(theirs.steps == mine.steps);
  CHECK(theirs.failed_steps == mine.failed_steps);
  CHECK(theirs.halvings == mine.halvings);
  CHECK(theirs.rejected_steps == mine.rejected_steps);
  CHECK(theirs.unconverged_steps == mine.unconverged_steps);
  CHECK(theirs.residual_left == mine.residual_left);
  CHECK(theirs.iterations == mine.iterations);
  CHECK(theirs.max_energy_error == mine.max_energy_error);
  CHECK(theirs.energy_scale == mine.energy_scale);
  CHECK(theirs.neglected_strain == mine.neglected_strain);
  CHECK(theirs.smallest_step == mine.smallest_step);
  CHECK(theirs.largest_step == mine.largest_step);
  CHECK(theirs.end == mine.end);
  CHECK(theirs.seconds == mine.seconds);
  for (size_t k = 0; k < 5; ++k) {
    const HistoryRow &a = test.outcome.history[k], &b = read->outcome.history[k];
    CHECK(a.energy.work == b.energy.work);
    CHECK(a.energy.dissipated == b.energy.dissipated);
    CHECK(a.probe_velocity == b.probe_velocity);
    CHECK(a.turns == b.turns);
    const Pose &x = test.outcome.states[k].pose, &y = read->outcome.states[k].pose;
    CHECK(x.rods[0].velocity == y.rods[0].velocity);
    CHECK(x.bodies[0].velocity == y.bodies[0].velocity);
    CHECK(x.bodies[0].spin == y.bodies[0].spin);
    CHECK(x.energy.balance() == y.energy.balance());
  }
  // a solve has none of it
  const auto solved = nlohmann::json::parse(result_json(fixture::hose(3).scene, "x", fixture::hose(3).outcome));
  CHECK_FALSE(solved.contains("run"));
  CHECK_FALSE(solved["states"][0]["rods"]["hose"].contains("velocity"));
  CHECK_FALSE(solved["history"].contains("turns"));
}

TEST_CASE("what is not finite is null, and an infinite bend radius comes back infinite") {
  Folder folder;
  fixture::Case test = fixture::hose(2);
  RodPose& rod = test.outcome.states[0].pose.rods[0];
  rod.min_bend_radius.value = std::numeric_limits<double>::infinity();
  rod.position[1].y() = std::nan("");
  rod.axial_force[0] = -std::numeric_limits<double>::infinity();
  const std::string text = result_json(test.scene, "x", test.outcome);
  CHECK(nlohmann::json::accept(text));
  write(folder / "r.json", text);
  const auto read = read_result(folder / "r.json");
  REQUIRE(read.ok());
  const RodPose& back = read->outcome.states[0].pose.rods[0];
  CHECK(std::isinf(back.min_bend_radius.value));
  CHECK(std::isnan(back.position[1].y()));
  CHECK(back.position[1].x() == rod.position[1].x());
  CHECK(std::isnan(back.axial_force[0]));
}

TEST_CASE("names may hold anything") {
  fixture::Case test = fixture::hose(2);
  const std::string odd = "Schlauch «ß» \"\\\n\t\x01 水";
  test.scene.rods[0].name = odd;
  test.scene.holds[0].name = "broken \xff utf-8";
  const auto json = nlohmann::json::parse(result_json(test.scene, "a\"b", test.outcome));
  CHECK(json["states"][0]["rods"].contains(odd));
  CHECK(json["states"][0]["holds"].contains("broken \xef\xbf\xbd utf-8"));
  CHECK(json["scene"] == "a\"b");
}

TEST_CASE("a scene with fewer names than the pose still gives a full file") {
  fixture::Case test = fixture::harness();
  test.scene.rods.pop_back();
  const auto json = nlohmann::json::parse(result_json(test.scene, "x", test.outcome));
  CHECK(json["states"][0]["rods"].contains("rod 3"));
}

TEST_CASE("bad result files give one clear error") {
  Folder folder;
  CHECK(error_of(folder / "none").find("none: no such file") != std::string::npos);
  CHECK(error_of(folder.path.string()).find("result.json: no such file") != std::string::npos);
  const auto error_for = [&](const std::string& text) {
    write(folder / "r.json", text);
    return error_of(folder / "r.json");
  };
  CHECK(error_for("").find("ends too early") != std::string::npos);
  CHECK(error_for("{\"filum\": 1,\n  x}").find("r.json:2:3: this is not JSON") != std::string::npos);
  CHECK(error_for("[]").find("not a Filum result") != std::string::npos);
  CHECK(error_for("{\"filum\": 2}").find("result format 2") != std::string::npos);
  CHECK(error_for("{\"filum\": 1}").find("'title' is missing") != std::string::npos);
  CHECK(error_for(std::string(200000, '[')).find("ends too early") != std::string::npos);

  // one value wrong at a time in a good file
  const fixture::Case test = fixture::hose(3);
  const auto good = nlohmann::json::parse(result_json(test.scene, "x", test.outcome));
  const auto error_with = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    return error_for(bad.dump());
  };
  CHECK(error_for(good.dump()).empty());
  CHECK(error_with("/states", nlohmann::json::array()).find("states: expected at least one") != std::string::npos);
  CHECK(error_with("/states/0/rods/hose/twist", {1, 2}).find("rods.hose.twist: 2 entries, expected 4") !=
        std::string::npos);
  CHECK(error_with("/states/0/rods/hose/positions/1", {1, 2}).find("positions[1]: expected a list of 3") !=
        std::string::npos);
  CHECK(error_with("/states/0/rods/hose/s/2", "far").find("hose.s[2]: found string, expected a number") !=
        std::string::npos);
  CHECK(error_with("/states/0/holds/frame end/popped", 3).find("expected true or false") != std::string::npos);
  CHECK(error_with("/solve/stable", "yes").find("solve.stable") != std::string::npos);
  CHECK(error_with("/history/holds", 1).find("history.holds: found number, expected an object") != std::string::npos);
}

TEST_CASE("every truncation of a good file is an error, never a crash") {
  Folder folder;
  const fixture::Case test = fixture::hose(1);
  const std::string good = result_json(test.scene, "x", test.outcome);
  for (size_t end = 0; end + 2 < good.size(); end += 7) {
    write(folder / "r.json", good.substr(0, end));
    CHECK_FALSE(read_result(folder / "r.json").ok());
  }
}

TEST_CASE("a failed write names the file and leaves nothing behind") {
  Folder folder;
  const fixture::Case test = fixture::hose(2);
  // a file where the folder should be
  write(folder / "file", "kept");
  const Status through_file = write_result(test.scene, "x", test.outcome, folder / "file");
  REQUIRE_FALSE(through_file.ok());
  CHECK(through_file.error().code == ErrorCode::File);
  CHECK(through_file.error().text().find("file") != std::string::npos);
  // a folder where a file should be: the other file must not appear either half-written or as a temporary
  fs::create_directories(folder.path / "out" / "result.json");
  const Status taken = write_result(test.scene, "x", test.outcome, folder / "out");
  REQUIRE_FALSE(taken.ok());
  CHECK(taken.error().text().find("result.json") != std::string::npos);
  size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(folder.path / "out")) entries += entry.exists() ? 1 : 0;
  CHECK(entries == 1);
}

}  // namespace
}  // namespace filum::test_result
