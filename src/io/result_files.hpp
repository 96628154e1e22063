// Writing files so that a failure leaves no half-written one under its final name.
#pragma once

#include <filum/result.hpp>

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

// Makes the folder and its parents if needed.
Status make_folder(const std::string& folder);

// The whole file.
Result<std::string> read_file(const std::string& path);

}  // namespace filum::io
