// The one reader of files: regular ones, of a bounded size, looked at once when they are open.
//
// Devices, pipes and folders are refused before a byte is read: they never end, or wait for somebody who never comes.
#pragma once

#include <filum/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace filum::io {

// What is read at most: beyond it nobody wrote it by hand.
inline constexpr std::size_t kMaxFileBytes = 64u << 20;
// What Filum itself has written, result.json and state.bin, may be longer.
inline constexpr std::size_t kMaxResultBytes = 1u << 30;

// A regular file while it is read piece by piece.
class InputFile {
 public:
  static Result<InputFile> open(const std::string& path);
  ~InputFile();
  InputFile(InputFile&&) noexcept;
  InputFile& operator=(InputFile&&) noexcept;

  // As it was when opened.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // The next `count` bytes; fewer where the file ends or cannot be read.
  void read(std::string& bytes, std::size_t count);
  // Goes on behind the next `count` bytes, unread.
  bool pass_over(std::uint64_t count);

 private:
  InputFile(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
  int descriptor_;
  std::uint64_t size_;
};

// All of a regular file of at most `most` bytes; anything else is an error that says why.
Result<std::string> read_text_file(const std::string& path, std::size_t most = kMaxFileBytes);

// The folder a file stands in, "." for a bare name.
std::string folder_of(const std::string& path);

}  // namespace filum::io
