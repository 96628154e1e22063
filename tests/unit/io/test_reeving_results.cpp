// What ropes, winches and sheaves leave in results: result.json, frames.bin, CSV, the report.
#include <filum/export.hpp>
#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/scene.hpp>

#include "unit/io/report_fixture.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace filum::test_reeving_results {

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string path = (fs::temp_directory_path() / ("filum-test-reeving-" + std::to_string(std::rand()))).string();
  ~Folder() {
    std::error_code code;
    fs::remove_all(path, code);
  }
};

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The hose hung on a winch and over a sheave, beside it a rope through a wheel, above a floor.
fixture::Case crane() {
  fixture::Case test = fixture::path(3);
  Winch winch;
  winch.name = "hoist";
  winch.rod = "hose";
  winch.drum_radius = 0.2;
  test.scene.winches = {winch};
  Sheave sheave;
  sheave.name = "head, left";
  sheave.rod = "hose";
  sheave.radius = 0.05;
  test.scene.sheaves = {sheave};
  Rope rope;
  rope.name = "r1";
  rope.through = {
      {"", Vec3(0, 0, 1), 0, {}, 0}, {"knuckle", Vec3::Zero(), 0.05, {}, 0}, {"", Vec3(0.5, 0, 1), 0, {}, 0}};
  test.scene.ropes = {rope};
  Obstacle& floor = test.scene.obstacles.emplace_back();
  floor.name = "floor";
  floor.point = Vec3(0, 0, -1);
  for (std::size_t k = 0; k < 3; ++k) {
    const double share = static_cast<double>(k) / 3;
    Pose& pose = test.outcome.states[k].pose;
    pose.ropes = {{{Vec3(0, 0, 1), Vec3(0.1, share, 0), Vec3(0.5, 0, 1)}, {100.0 / 3, 50 + share}, 2.5, k == 2}};
    pose.winches = {{1000 * share, 200 * share, 0.1 * share, -0.5}};
    pose.sheaves = {{1 + share, 2, 1.0 / 3, 0.25}};
    test.outcome.history[k].rope_tension = {50 + share};
    test.outcome.history[k].winch_force = {1000 * share};
  }
  return test;
}

void check_same(const Pose& read, const Pose& written) {
  REQUIRE(read.ropes.size() == 1);
  CHECK(read.ropes[0].path == written.ropes[0].path);
  CHECK(read.ropes[0].tension == written.ropes[0].tension);
  CHECK(read.ropes[0].length == written.ropes[0].length);
  CHECK(read.ropes[0].broken == written.ropes[0].broken);
  REQUIRE(read.winches.size() == 1);
  CHECK(read.winches[0].force == written.winches[0].force);
  CHECK(read.winches[0].torque == written.winches[0].torque);
  CHECK(read.winches[0].paid_out == written.winches[0].paid_out);
  CHECK(read.winches[0].speed == written.winches[0].speed);
  REQUIRE(read.sheaves.size() == 1);
  CHECK(read.sheaves[0].tension_before == written.sheaves[0].tension_before);
  CHECK(read.sheaves[0].tension_after == written.sheaves[0].tension_after);
  CHECK(read.sheaves[0].angle == written.sheaves[0].angle);
  CHECK(read.sheaves[0].slip == written.sheaves[0].slip);
}

}  // namespace

TEST_CASE("reeving reads back from a result bit by bit") {
  const Folder folder;
  const fixture::Case test = crane();
  REQUIRE(write_result(test.scene, "crane.yaml", test.outcome, folder.path).ok());
  const Result<StoredResult> read = read_result(folder.path);
  REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text()));
  CHECK(read->names.ropes == std::vector<std::string>{"r1"});
  CHECK(read->names.winches == std::vector<std::string>{"hoist"});
  CHECK(read->names.sheaves == std::vector<std::string>{"head, left"});
  for (std::size_t k = 0; k < 3; ++k) {
    check_same(read->outcome.states[k].pose, test.outcome.states[k].pose);
    CHECK(read->outcome.history[k].rope_tension == test.outcome.history[k].rope_tension);
    CHECK(read->outcome.history[k].winch_force == test.outcome.history[k].winch_force);
  }
}

TEST_CASE("reeving stands in result.json by name, and only where there is any") {
  const fixture::Case test = crane();
  const auto json = nlohmann::json::parse(result_json(test.scene, "crane.yaml", test.outcome));
  CHECK(json["states"][2]["ropes"]["r1"]["broken"] == true);
  CHECK(json["states"][1]["winches"]["hoist"]["speed"] == -0.5);
  CHECK(json["states"][1]["sheaves"]["head, left"]["tension_after"] == 2);
  CHECK(json["history"]["ropes"]["r1"]["tension"].size() == 3);
  CHECK(json["history"]["winches"]["hoist"]["force"][0] == 0);
  const fixture::Case plain = fixture::path(3);
  const std::string text = result_json(plain.scene, "hose.yaml", plain.outcome);
  for (const char* word : {"ropes", "winches", "sheaves"}) CHECK(text.find(word) == std::string::npos);
}

TEST_CASE("reeving comes back from the frames of a run, and only where there is any") {
  const Folder folder;
  const fixture::Case test = crane();
  const auto record = [&](const fixture::Case& recorded) {
    Result<FrameWriter> writer = FrameWriter::open(recorded.scene, folder.path);
    REQUIRE(writer.ok());
    for (const Snapshot& state : recorded.outcome.states) REQUIRE(writer->add(state).ok());
    REQUIRE(writer->close().ok());
  };
  record(test);
  const Result<std::vector<Snapshot>> frames = read_frames(folder.path);
  REQUIRE_MESSAGE(frames.ok(), (frames.ok() ? "" : frames.error().text()));
  REQUIRE(frames->size() == 3);
  for (std::size_t k = 0; k < 3; ++k) check_same((*frames)[k].pose, test.outcome.states[k].pose);
  const Result<FrameReader> reader = FrameReader::open(folder.path);
  CHECK(reader->names().ropes == std::vector<std::string>{"r1"});
  CHECK(reader->names().sheaves == std::vector<std::string>{"head, left"});
  record(fixture::path(3));
  CHECK(bytes_of(folder.path + "/frames.bin").find("rope") == std::string::npos);
}

TEST_CASE("the history as CSV has a column for each rope and winch") {
  const Folder folder;
  const fixture::Case test = crane();
  REQUIRE(write_result(test.scene, "crane.yaml", test.outcome, folder.path + "/result").ok());
  const Result<StoredResult> stored = read_result(folder.path + "/result");
  REQUIRE(stored.ok());
  REQUIRE(export_result(*stored, "csv", folder.path + "/out").ok());
  const std::string text = bytes_of(folder.path + "/out/history.csv");
  const std::string head = text.substr(0, text.find('\n'));
  CHECK(head.ends_with(",\"r1 tension [N]\",\"hoist force [N]\""));
  CHECK(text.substr(text.find('\n') + 1).find(",50,0\n") != std::string::npos);
}

TEST_CASE("the report shows tables, curves and pictures of what hoists") {
  const fixture::Case test = crane();
  const std::string page = report_html(test.scene, test.outcome);
  for (const char* words :
       {"<h2>Ropes</h2>", "r1 (broken)", "<h2>Winches</h2>", "hoist", "<h2>Sheaves</h2>", "head, left",
        "Tension of the ropes", "Force of the winches", "class=\"ghost rope\"", "class=\"bar wheel\"",
        "class=\"axis plane\"", "Thin lines: ropes. Circles: sheaves. Balls without axes: winches. "})
    CHECK_MESSAGE(page.find(words) != std::string::npos, words);
  const fixture::Case plain = fixture::path(3);
  const std::string other = report_html(plain.scene, plain.outcome);
  for (const char* words : {"<h2>Ropes</h2>", "rope\"", "wheel\"", "plane\"", "Thin lines"})
    CHECK_MESSAGE(other.find(words) == std::string::npos, words);
}

}  // namespace filum::test_reeving_results
