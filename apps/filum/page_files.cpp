#include "page_files.hpp"

#include "io/file_read.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace filum::app {

Result<std::vector<serve::Asset>> page_files() {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  const fs::path folder = program.parent_path().parent_path() / "share/filum/page";
  std::vector<serve::Asset> files;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    // maps are for those who write the page
    if (!entry->is_regular_file(code) || entry->path().extension() == ".map") continue;
    Result<std::string> bytes = io::read_text_file(entry->path().string());
    if (!bytes) return bytes.error();
    files.push_back({"/" + entry->path().lexically_relative(folder).generic_string(), std::move(*bytes)});
  }
  const bool whole =
      std::any_of(files.begin(), files.end(), [](const auto& file) { return file.path == "/index.html"; });
  if (whole) return files;
  return Error{ErrorCode::File, "the workbench's page is not there; `./run serve` builds it (with Node.js 18 or later)",
               folder.string(), 0, 0};
}

}  // namespace filum::app
