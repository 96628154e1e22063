// What the fuzz targets share. A target is a function of bytes that must return, whatever they are.
//
// With clang each becomes a program of libFuzzer; otherwise replay.cpp gives it the files of its corpus, as a test.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace filum::fuzz {

// A promise that was broken, where nothing crashes by itself.
inline void demand(bool kept) {
  if (!kept) std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A folder of this process alone, which goes with it. The working folder is in it, so that nothing strays.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("filum_fuzz_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
    std::filesystem::current_path(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // A file of it with these bytes; where it is.
  [[nodiscard]] std::string put(const char* name, std::string_view bytes) const {
    const std::filesystem::path file = path_ / name;
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace filum::fuzz
