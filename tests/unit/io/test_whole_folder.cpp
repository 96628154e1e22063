// Result folders: all files of one result, at whatever moment its writer was ended.
#include "io/result/whole_folder.hpp"

#include "unit/io/report_fixture.hpp"

#include <filum/report.hpp>
#include <filum/scene.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace filum::io::test_whole_folder {

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string path = (fs::temp_directory_path() / "filum-test-whole").string();
  Folder() { fs::remove_all(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return path + "/" + name; }
};

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// An old result of three files, and a new one of two that is whole but not in place.
void leave_between(const Folder& folder) {
  fs::create_directories(folder / ".filum-part");
  for (const char* name : {"frames.bin", "result.json", "state.bin"}) put(folder / name, "old");
  for (const char* name : {"report.html", "result.json"}) put(folder / ".filum-part/" + name, "new");
  put(folder / ".filum-part/complete", "+report.html\n+result.json\n-frames.bin\n-state.bin\n");
}

TEST_CASE("a result that is whole counts, however many of its files have been moved") {
  for (int moved = 0; moved <= 2; ++moved) {
    const Folder folder;
    leave_between(folder);
    if (moved > 0) fs::rename(folder / ".filum-part/report.html", folder / "report.html");
    if (moved > 1) fs::rename(folder / ".filum-part/result.json", folder / "result.json");
    for (const char* name : {"report.html", "result.json"}) CHECK(bytes_of(whole_path(folder.path, name)) == "new");
    for (const char* name : {"frames.bin", "state.bin"}) CHECK_FALSE(fs::exists(whole_path(folder.path, name)));
    CHECK(unfinished_in(folder.path).empty());
    // the next writer puts it in place before it begins
    REQUIRE(ResultFolder::open(folder.path).ok());
    CHECK(bytes_of(folder / "result.json") == "new");
    CHECK(bytes_of(folder / "report.html") == "new");
    CHECK_FALSE(fs::exists(folder / "state.bin"));
    CHECK_FALSE(fs::exists(folder / ".filum-part"));
  }
}

TEST_CASE("one writer at a time") {
  const Folder folder;
  {
    auto first = ResultFolder::open(folder.path);
    REQUIRE(first.ok());
    CHECK(is_being_written(folder.path));
    const auto second = ResultFolder::open(folder.path);
    REQUIRE_FALSE(second.ok());
    CHECK(second.error().text().find("another run is writing into this folder") != std::string::npos);
    CHECK(fs::exists(first->aside()));
    REQUIRE(first->finish().ok());
  }
  CHECK_FALSE(is_being_written(folder.path));
  CHECK(ResultFolder::open(folder.path).ok());
}

TEST_CASE("an unfinished result leaves the old one, and what a run can go on from") {
  const Folder folder;
  REQUIRE(write_whole(folder.path, {{"result.json", "old"}}, {}).ok());
  {
    auto target = ResultFolder::open(folder.path);
    REQUIRE(target.ok());
    put(target->aside() + "/result.json", "new");
  }
  CHECK(bytes_of(folder / "result.json") == "old");
  CHECK_FALSE(fs::exists(folder / ".filum-part"));
  {
    auto target = ResultFolder::open(folder.path);
    REQUIRE(target.ok());
    put(target->aside() + "/frames.bin", "new");
    put(target->aside() + "/checkpoint.bin", "new");
  }
  CHECK(unfinished_in(folder.path) == folder / ".filum-part");
  CHECK(bytes_of(whole_path(folder.path, "result.json")) == "old");
  CHECK_FALSE(is_being_written(folder.path));
}

TEST_CASE("a checkpoint is there until the result counts, and no part of it") {
  const Folder folder;
  auto target = ResultFolder::open(folder.path);
  REQUIRE(target.ok());
  for (const char* name : {"checkpoint.bin", "frames.bin", "state.bin"}) put(target->aside() + "/" + name, "new");
  REQUIRE(target->finish().ok());
  CHECK(fs::exists(folder / "state.bin"));
  CHECK_FALSE(fs::exists(folder / "checkpoint.bin"));
  CHECK_FALSE(fs::exists(folder / ".filum-part"));
}

TEST_CASE("a link in place of the hidden folder is not followed") {
  const Folder folder;
  fs::create_directories(folder / "other");
  put(folder / "other/file", "kept");
  fs::create_symlink(folder / "other", folder / ".filum-part");
  REQUIRE(write_whole(folder.path, {{"result.json", "new"}}, {}).ok());
  CHECK(bytes_of(folder / "other/file") == "kept");
  CHECK_FALSE(fs::exists(folder / "other/result.json"));
}

TEST_CASE("a solve into the folder of a run leaves no frames and no state of it") {
  const Folder folder;
  const fixture::Case test = fixture::hose(3);
  fs::create_directories(folder.path);
  for (const char* name : {"frames.bin", "state.bin", "notes.txt"}) put(folder / name, "old");
  REQUIRE(write_result(test.scene, "x", test.outcome, folder.path).ok());
  CHECK_FALSE(fs::exists(folder / "frames.bin"));
  CHECK_FALSE(fs::exists(folder / "state.bin"));
  CHECK(bytes_of(folder / "notes.txt") == "old");
}

TEST_CASE("of a run that was ended by force its frames are read, and it says so") {
  const Folder folder;
  const fixture::Case test = fixture::hose(3);
  fs::create_directories(folder / ".filum-part");
  auto writer = FrameWriter::open(test.scene, folder / ".filum-part");
  REQUIRE(writer.ok());
  for (const Snapshot& state : test.outcome.states) REQUIRE(writer->add(state).ok());
  const auto result = read_result(folder.path);
  REQUIRE(result.ok());
  CHECK(result->unfinished);
  CHECK(result->notice.find("ended by force") != std::string::npos);
  CHECK(result->outcome.states.back().t == test.outcome.states.back().t);
  CHECK(result->outcome.checks.empty());
}

}  // namespace
}  // namespace filum::io::test_whole_folder
