#include "io/outside_path.hpp"

#include <algorithm>
#include <system_error>

namespace filum::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kLongestName = 200;  // with an ending of our own it still fits 255

// The text as it may be shown: without what a terminal or a C string would stumble over.
std::string shown(std::string_view given) {
  std::string out;
  for (const char c : given.substr(0, kLongestName)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return out;
}

bool has_ending(const fs::path& path, const std::vector<std::string>& endings) {
  return endings.empty() || std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

Error wrong_ending(std::string_view given, const std::vector<std::string>& endings) {
  std::string list;
  for (const std::string& ending : endings) list += (list.empty() ? "" : " or ") + ending;
  return file_error(shown(given), "its name must end in " + list);
}

// Whether `path` lies below `folder`, by whole steps.
bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path way = path.lexically_relative(folder);
  return !way.empty() && *way.begin() != ".." && way != ".";
}

// The path with links on the way followed, its last step left as it is.
Result<fs::path> resolved(const fs::path& path) {
  std::error_code code;
  const fs::path parent = fs::weakly_canonical(path.parent_path(), code);
  if (code) return file_error(path.string(), code.message());
  return parent / path.filename();
}

bool is_allowed(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
    std::error_code code;
    const fs::path real = fs::canonical(folder, code);
    return !code && is_below(path, real);
  });
}

}  // namespace

Result<fs::path> checked_path(std::string_view given, const PathRules& rules) {
  // what the system would read otherwise than we do
  if (given.empty()) return file_error({}, "the path is empty");
  if (given.find('\0') != std::string_view::npos) return file_error(shown(given), "a path cannot hold a NUL");
  if (given.size() > kLongestPath) return file_error(shown(given) + "…", "the path is too long");
  // absolute and normalised; the folder we stand in may be gone
  std::error_code code;
  fs::path path(given);
  if (path.is_relative() && !rules.base.empty()) path = rules.base / path;
  path = fs::absolute(path, code).lexically_normal();
  if (code) return file_error(shown(given), code.message());
  if (!path.has_filename()) return file_error(shown(given), "names a folder, not a file");
  if (!has_ending(path, rules.endings)) return wrong_ending(given, rules.endings);
  // a link at the last step would lead the write elsewhere
  if (fs::is_symlink(fs::symlink_status(path, code)))
    return file_error(shown(given), "is a link; name the file itself");
  if (rules.folders.empty()) return path;
  auto real = resolved(path);
  if (!real) return real;
  if (!is_allowed(*real, rules.folders)) return file_error(shown(given), "lies outside the folders that are allowed");
  return real;
}

Result<std::string> checked_name(std::string_view given, const std::vector<std::string>& endings) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (given.empty()) return file_error({}, "the name is empty");
  if (given.size() > kLongestName) return file_error(shown(given) + "…", "the name is too long");
  if (std::any_of(given.begin(), given.end(), is_control))
    return file_error(shown(given), "a name cannot hold control characters");
  if (given.find_first_of("/\\") != std::string_view::npos)
    return file_error(shown(given), "a name cannot hold slashes");
  if (given.front() == '.') return file_error(shown(given), "a name cannot begin with a dot");
  if (!has_ending(fs::path(given), endings)) return wrong_ending(given, endings);
  return std::string(given);
}

}  // namespace filum::io
