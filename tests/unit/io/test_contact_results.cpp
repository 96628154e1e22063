// What contacts leave in results: result.json, frames.bin, CSV, the report.
#include <filum/export.hpp>
#include <filum/report.hpp>
#include <filum/result_file.hpp>

#include "unit/io/report_fixture.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace filum::test_contact_results {

namespace {

struct ContactFolder {
  std::string path =
      (std::filesystem::temp_directory_path() / ("filum-test-contact-" + std::to_string(std::rand()))).string();
  ~ContactFolder() {
    std::error_code code;
    std::filesystem::remove_all(path, code);
  }
};

// The hose on two obstacles: one at a place, one along a stretch of which a part sticks.
fixture::Case on_obstacles() {
  fixture::Case test = fixture::path(3);
  for (const char* name : {"floor", "post, left"}) {
    Obstacle& obstacle = test.scene.obstacles.emplace_back();
    obstacle.name = name;
    obstacle.point = Vec3(0, 0, -1);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const RodPose& rod = test.outcome.states[k].pose.rods[0];
    for (std::size_t i = 2; i < 2 + k; ++i) {
      ContactPose contact;
      contact.a = {0, rod.s[i]};
      contact.b.obstacle = i == 2 ? 1 : 0;
      contact.position = Vec3(0.1, 1.0 / 3, 0);
      contact.normal = Vec3::UnitZ();
      contact.force = Vec3(0.25, 0, 2.0 / 3);
      contact.gap = 1e-10;
      contact.slip = Vec3(1e-3, 0, 0);
      contact.stick = i == 2;
      contact.chafing = 1.0 / 7;
      test.outcome.states[k].pose.contacts.push_back(contact);
    }
  }
  return test;
}

// And a crate that lies on an obstacle, and another on the crate.
void add_bodies(fixture::Case& test) {
  for (const char* name : {"crate", "upper"}) {
    Body& body = test.scene.bodies.emplace_back();
    body.name = name;
    body.box = Vec3(1, 1, 1);
    body.mass = 1;
    body.motion = BodyMotion::Free;
    body.solid = true;
  }
  const int first = static_cast<int>(test.scene.bodies.size()) - 2;
  for (Snapshot& state : test.outcome.states) {
    state.pose.bodies.resize(test.scene.bodies.size());
    for (const bool upper : {false, true}) {
      ContactPose& contact = state.pose.contacts.emplace_back();
      contact.a.body = first + (upper ? 1 : 0);
      (upper ? contact.b.body : contact.b.obstacle) = upper ? first : 0;
      contact.force = Vec3(0, 1, 3);
      contact.stick = upper;
      contact.chafing = 0.5;
    }
  }
}

void check_same_contacts(const Pose& read, const Pose& written) {
  REQUIRE(read.contacts.size() == written.contacts.size());
  for (std::size_t i = 0; i < read.contacts.size(); ++i) {
    const ContactPose &one = read.contacts[i], &other = written.contacts[i];
    CHECK(one.a.rod == other.a.rod);
    CHECK(one.a.s == other.a.s);
    CHECK(one.a.body == other.a.body);
    CHECK(one.a.obstacle == other.a.obstacle);
    CHECK(one.b.rod == -1);
    CHECK(one.b.body == other.b.body);
    CHECK(one.b.obstacle == other.b.obstacle);
    CHECK(one.position == other.position);
    CHECK(one.normal == other.normal);
    CHECK(one.force == other.force);
    CHECK(one.gap == other.gap);
    CHECK(one.slip == other.slip);
    CHECK(one.stick == other.stick);
    CHECK(one.chafing == other.chafing);
  }
}

}  // namespace

TEST_CASE("contacts read back from a result bit by bit, and stand there by name") {
  const ContactFolder folder;
  const fixture::Case test = on_obstacles();
  REQUIRE(write_result(test.scene, "hose.yaml", test.outcome, folder.path).ok());
  const Result<StoredResult> read = read_result(folder.path);
  REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text()));
  for (std::size_t k = 0; k < 3; ++k) check_same_contacts(read->outcome.states[k].pose, test.outcome.states[k].pose);
  CHECK(read->names.obstacles == std::vector<std::string>{"floor", "post, left"});
  CHECK(read->outcome.states[2].pose.contacts[0].b.obstacle == 1);
  const auto json = nlohmann::json::parse(result_json(test.scene, "hose.yaml", test.outcome));
  CHECK(json["states"][2]["contacts"][0]["b"]["obstacle"] == "post, left");
  CHECK(json["states"][2]["contacts"][0]["a"]["rod"] == "hose");
}

TEST_CASE("contacts come back from the frames of a run") {
  const ContactFolder folder;
  const fixture::Case test = on_obstacles();
  Result<FrameWriter> writer = FrameWriter::open(test.scene, folder.path);
  REQUIRE(writer.ok());
  for (const Snapshot& state : test.outcome.states) REQUIRE(writer->add(state).ok());
  REQUIRE(writer->close().ok());
  const Result<std::vector<Snapshot>> frames = read_frames(folder.path);
  REQUIRE_MESSAGE(frames.ok(), (frames.ok() ? "" : frames.error().text()));
  REQUIRE(frames->size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    check_same_contacts((*frames)[k].pose, test.outcome.states[k].pose);
    for (std::size_t i = 0; i < (*frames)[k].pose.contacts.size(); ++i)
      CHECK((*frames)[k].pose.contacts[i].b.obstacle == test.outcome.states[k].pose.contacts[i].b.obstacle);
  }
}

TEST_CASE("contacts of bodies are in result, frames, report and table, with obstacles or without") {
  for (const bool obstacles : {true, false}) {
    CAPTURE(obstacles);
    const ContactFolder folder;
    fixture::Case test = on_obstacles();
    add_bodies(test);
    if (!obstacles) {
      test.scene.obstacles.clear();
      for (Snapshot& state : test.outcome.states)
        std::erase_if(state.pose.contacts, [](const ContactPose& contact) { return contact.b.obstacle >= 0; });
    }
    REQUIRE(write_result(test.scene, "hose.yaml", test.outcome, folder.path + "/result").ok());
    const Result<StoredResult> stored = read_result(folder.path + "/result");
    REQUIRE_MESSAGE(stored.ok(), (stored.ok() ? "" : stored.error().text()));
    Result<FrameWriter> writer = FrameWriter::open(test.scene, folder.path + "/run");
    REQUIRE(writer.ok());
    for (const Snapshot& state : test.outcome.states) REQUIRE(writer->add(state).ok());
    REQUIRE(writer->close().ok());
    const Result<std::vector<Snapshot>> frames = read_frames(folder.path + "/run");
    REQUIRE_MESSAGE(frames.ok(), (frames.ok() ? "" : frames.error().text()));
    for (std::size_t k = 0; k < 3; ++k) {
      check_same_contacts(stored->outcome.states[k].pose, test.outcome.states[k].pose);
      check_same_contacts((*frames)[k].pose, test.outcome.states[k].pose);
    }
    REQUIRE(export_result(*stored, "csv", folder.path + "/out").ok());
    std::ifstream stream(folder.path + "/out/contacts.csv");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    CHECK(text.find("\"upper\",,\"crate\",,") != std::string::npos);
    const std::string page = report_html(test.scene, test.outcome);
    CHECK(page.find("body &#39;upper&#39;") + page.find("body 'upper'") != 2 * std::string::npos);
    CHECK(page.find("What holds bodies off") != std::string::npos);
  }
}

TEST_CASE("contacts are a table of the report and of the export") {
  const ContactFolder folder;
  const fixture::Case test = on_obstacles();
  const std::string page = report_html(test.scene, test.outcome);
  for (const char* words : {"<h2>Contact</h2>", "Thin arrows: what presses", "depends on the path"})
    CHECK_MESSAGE(page.find(words) != std::string::npos, words);
  const fixture::Case plain = fixture::path(3);
  CHECK(report_html(plain.scene, plain.outcome).find("<h2>Contact</h2>") == std::string::npos);
  REQUIRE(write_result(test.scene, "hose.yaml", test.outcome, folder.path + "/result").ok());
  const Result<StoredResult> stored = read_result(folder.path + "/result");
  REQUIRE(stored.ok());
  REQUIRE(export_result(*stored, "csv", folder.path + "/out").ok());
  std::ifstream stream(folder.path + "/out/contacts.csv");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 0 + 1 + 2);
  CHECK(text.find("\"post, left\"") != std::string::npos);
}

}  // namespace filum::test_contact_results
