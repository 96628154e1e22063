// Writing files so that a failure leaves no half-written one under its final name.
#pragma once

#include <filum/result.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace filum::io {

struct FileText {
  std::string path;
  std::string bytes;
};

// Writes every file under a temporary name beside its own, and only when all are safe on disk gives them their names.
// On failure the temporary files are removed and the one error names the file and the system's reason.
Status write_files(const std::vector<FileText>& files);

// A file that grows piece by piece under a temporary name and gets its own when it is finished; left unfinished it goes
// away.
class GrowingFile {
 public:
  static Result<GrowingFile> open(const std::string& path);
  ~GrowingFile();
  GrowingFile(GrowingFile&&) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  Status add(const std::string& bytes);
  Status finish();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  GrowingFile(std::string path, std::ofstream stream);
  std::string path_;
  std::ofstream stream_;
};

// Makes the folder and its parents if needed.
Status make_folder(const std::string& folder);

// The whole file.
Result<std::string> read_file(const std::string& path);

}  // namespace filum::io
