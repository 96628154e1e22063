// Paths and names from outside: what is refused, and that nothing throws.
#include "io/outside_path.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace filum::test_outside_path {

using namespace filum::io;
namespace fs = std::filesystem;
using namespace std::string_literals;

namespace {

// A folder of its own, gone at the end.
struct OwnFolder {
  fs::path path = fs::canonical(fs::temp_directory_path()) / "filum-outside-path";
  OwnFolder() {
    fs::remove_all(path);
    fs::create_directories(path / "in");
    fs::create_directories(path / "out");
    std::ofstream(path / "out" / "a.yaml") << "a";
  }
  ~OwnFolder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("checked_path: a NUL does not hide another file") {
  const auto path = checked_path(".bashrc\0.yaml"s, {.endings = {".yaml"}, .folders = {}, .base = {}});
  REQUIRE(!path);
  CHECK(path.error().text().find('\0') == std::string::npos);
}

TEST_CASE("checked_path: absolute, normalised, with the ending that is asked for") {
  const PathRules rules{.endings = {".yaml", ".yml"}, .folders = {}, .base = "/tmp/x"};
  const auto path = checked_path("a/../b.yaml", rules);
  REQUIRE(path.ok());
  CHECK(*path == "/tmp/x/b.yaml");
  CHECK_FALSE(checked_path("b.txt", rules).ok());
  CHECK_FALSE(checked_path("b.yaml/", rules).ok());
  CHECK_FALSE(checked_path("", rules).ok());
  CHECK_FALSE(checked_path(std::string(5000, 'a') + ".yaml", rules).ok());
}

TEST_CASE("checked_path: only below the folders that are allowed") {
  const OwnFolder own;
  const PathRules rules{.endings = {}, .folders = {own.path / "in"}, .base = own.path / "in"};
  CHECK(checked_path("a.yaml", rules).ok());
  CHECK(checked_path("new/a.yaml", rules).ok());
  CHECK_FALSE(checked_path("../out/a.yaml", rules).ok());
  CHECK_FALSE(checked_path((own.path / "inside.yaml").string(), rules).ok());
  CHECK_FALSE(checked_path((own.path / "in").string(), rules).ok());
  // a link on the way counts as where it leads
  fs::create_directory_symlink(own.path / "out", own.path / "in" / "way");
  CHECK_FALSE(checked_path("way/a.yaml", rules).ok());
  fs::create_directory(own.path / "in" / "deep");
  fs::create_directory_symlink(own.path / "in" / "deep", own.path / "in" / "short");
  CHECK(checked_path("short/a.yaml", rules).ok());
}

TEST_CASE("checked_path: a link at the last step is refused") {
  const OwnFolder own;
  fs::create_symlink(own.path / "out" / "a.yaml", own.path / "in" / "a.yaml");
  fs::create_symlink(own.path / "nowhere", own.path / "in" / "b.yaml");
  CHECK_FALSE(checked_path((own.path / "in" / "a.yaml").string()).ok());
  CHECK_FALSE(checked_path((own.path / "in" / "b.yaml").string()).ok());
  CHECK(checked_path((own.path / "out" / "a.yaml").string()).ok());
}

TEST_CASE("checked_path: a working folder that is gone is an error, no exception") {
  const fs::path before = fs::current_path();
  {
    const OwnFolder own;
    fs::current_path(own.path / "in");
  }
  CHECK_FALSE(checked_path("a.yaml").ok());
  fs::current_path(before);
}

TEST_CASE("checked_name: one plain file name") {
  CHECK(checked_name("part.obj", {".obj", ".stl"}).ok());
  CHECK(checked_name("Träger 2.obj", {".obj"}).ok());
  for (const std::string& name : {""s, "."s, ".."s, ".profile"s, "a/b.obj"s, "a\\b.obj"s, ".profile\0.obj"s,
                                  "a\x1b[2J.obj"s, "a\n.obj"s, "part.sh"s, std::string(300, 'a') + ".obj"})
    CHECK_FALSE(checked_name(name, {".obj", ".stl"}).ok());
}

}  // namespace filum::test_outside_path
