// Writing files so that a failure leaves no half-written one under its final name.
//
// New bytes go to a file that did not exist before, so that a link at its name leads nowhere; they are on disk before
// the file takes its place; and a file that is replaced keeps its mode.
#pragma once

#include <filum/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

struct FileText {
  std::string path;
  std::string bytes;
};

// A file of our own making, open for writing. Errors name `shown`, what its reader knows it by.
class OutputFile {
 public:
  // Whatever stood under this name before is taken away, not written to.
  static Result<OutputFile> create(const std::string& path, const std::string& shown);
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  Status write(std::string_view bytes);
  // All that was written is on disk when this returns.
  Status sync();
  Status close();
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  // The mode of the file at `path`, if there is one.
  void take_mode_of(const std::string& path) const;

 private:
  OutputFile(int descriptor, std::string shown) : descriptor_(descriptor), shown_(std::move(shown)) {}
  [[nodiscard]] Error failure() const;
  int descriptor_;
  std::string shown_;
};

// Writes every file under a temporary name beside its own, and only when all are safe on disk gives them their names.
// On failure the temporary files are removed and the one error names the file and the system's reason.
Status write_files(const std::vector<FileText>& files);

// A file that grows piece by piece under a temporary name and gets its own when it is finished; left unfinished it goes
// away. For what can be made again: it does not wait for the disk.
class GrowingFile {
 public:
  static Result<GrowingFile> open(const std::string& path);
  ~GrowingFile();
  GrowingFile(GrowingFile&&) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  Status add(std::string_view bytes);
  Status finish();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  GrowingFile(std::string path, OutputFile file);
  std::string path_;
  OutputFile file_;
};

// Makes the folder and its parents if needed.
Status make_folder(const std::string& folder);

// The names in a folder are on disk when this returns; a system that cannot do it for folders is not asked twice.
void sync_folder(const std::string& folder);

}  // namespace filum::io
