// Files: what is refused before it is read, what a write does not touch.
#include "io/file_read.hpp"
#include "io/file_write.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace filum::io::test_files {

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string path = (fs::temp_directory_path() / "filum-test-files").string();
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return path + "/" + name; }
};

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_CASE("devices, pipes, folders and what is too long are refused before reading") {
  const Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(read_text_file(folder / "pipe").error().message == "not a file");
  CHECK(read_text_file("/dev/zero").error().message == "not a file");
  CHECK(read_text_file(folder.path).error().message == "is a folder, not a file");
  CHECK(read_text_file(folder / "none").error().message == "no such file");
  CHECK_FALSE(read_text_file(std::string("/etc/hostname\0.yaml", 19)).ok());
  // a terabyte of nothing
  put(folder / "long", "");
  fs::resize_file(folder / "long", std::uintmax_t{1} << 40);
  CHECK(read_text_file(folder / "long").error().message.find("at most") != std::string::npos);
  put(folder / "ten", "0123456789");
  CHECK_FALSE(read_text_file(folder / "ten", 9).ok());
  CHECK(*read_text_file(folder / "ten", 10) == "0123456789");
}

TEST_CASE("a link at a temporary name is not followed") {
  const Folder folder;
  put(folder / "other", "kept");
  for (const char* name : {"a", "b"}) fs::create_symlink(folder / "other", folder / name + ".part");
  REQUIRE(write_files({{folder / "a", "new"}}).ok());
  {
    auto growing = GrowingFile::open(folder / "b");
    REQUIRE(growing.ok());
    REQUIRE(growing->add("new").ok());
    REQUIRE(growing->finish().ok());
  }
  CHECK(bytes_of(folder / "other") == "kept");
  for (const char* name : {"a", "b"}) {
    CHECK(bytes_of(folder / name) == "new");
    CHECK_FALSE(fs::is_symlink(folder / name));
  }
}

TEST_CASE("of many files all get their names or none") {
  const Folder folder;
  std::vector<FileText> files;
  for (int i = 0; i < 100; ++i) files.push_back({folder / std::to_string(i).c_str(), std::string(100, 'x')});
  REQUIRE(write_files(files).ok());
  for (const FileText& file : files) CHECK(bytes_of(file.path) == file.bytes);
  for (FileText& file : files) file.bytes = "new";
  files.insert(files.begin() + 50, {folder / "none/there", "new"});
  const Status failed = write_files(files);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().file == folder / "none/there");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 100);
  CHECK(bytes_of(folder / "0").size() == 100);
}

TEST_CASE("a file that is replaced keeps its mode, and a link is replaced itself") {
  const Folder folder;
  put(folder / "secret", "old");
  fs::permissions(folder / "secret", fs::perms::owner_read | fs::perms::owner_write);
  REQUIRE(write_files({{folder / "secret", "new"}}).ok());
  CHECK(fs::status(folder / "secret").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  fs::create_symlink(folder / "secret", folder / "link");
  REQUIRE(write_files({{folder / "link", "other"}}).ok());
  CHECK(bytes_of(folder / "secret") == "new");
}

}  // namespace
}  // namespace filum::io::test_files
