#include "serve/editor/journal.hpp"

#include "io/file_read.hpp"
#include "io/json_text.hpp"
#include "io/outside_path.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <system_error>

namespace filum::serve {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kJournalVersion = 1;
constexpr const char* kEnding = ".journal";

// FNV-1a, 64 bits, as 16 digits.
std::string digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

// The program that wrote it, by its file's name; 0: it is no journal.
int writer_of(const fs::path& file) {
  if (file.extension() != kEnding) return 0;
  const std::string number = file.stem().extension().string();
  int writer = 0;
  if (number.size() > 1) std::from_chars(number.data() + 1, number.data() + number.size(), writer);
  return writer;
}

// Our own number is that of an earlier program too: we have written nothing yet.
bool runs(int program) {
  return program != getpid() && (kill(program, 0) == 0 || errno == EPERM);
}

std::string local_time(std::time_t when) {
  std::array<char, 32> text{};
  std::tm parts{};
  localtime_r(&when, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return text.data();
}

Status write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error({}, std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(descriptor) != 0) return file_error({}, std::strerror(errno));
  return Done{};
}

std::optional<LeftBehind> read_journal(const fs::path& file) {
  const Result<std::string> bytes = io::read_text_file(file.string());
  if (!bytes) return std::nullopt;
  const json entry = io::parsed_json(*bytes);
  if (!entry.is_object() || entry.value("filum_journal", json()) != kJournalVersion) return std::nullopt;
  for (const char* key : {"name", "path", "text"})
    if (!entry.contains(key) || !entry[key].is_string()) return std::nullopt;
  std::vector<std::string> meshes;
  if (const json list = entry.value("meshes", json::array()); list.is_array())
    for (const json& name : list)
      if (name.is_string() && io::checked_name(name.get<std::string>())) meshes.push_back(name);
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) return std::nullopt;
  return LeftBehind{file, entry["name"], entry["path"], entry["text"], std::move(meshes), local_time(facts.st_mtime)};
}

fs::path mesh_folder(const fs::path& file) {
  return file.string() + ".meshes";
}

// A file of our own alone, beside its place first; its folder is made.
Status write_private(const fs::path& file, std::string_view bytes) {
  std::error_code code;
  fs::create_directories(file.parent_path(), code);
  if (code) return file_error(file.string(), code.message());
  fs::permissions(file.parent_path(), fs::perms::owner_all, code);
  const std::string beside = file.string() + ".part";
  fs::remove(beside, code);
  const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return file_error(file.string(), std::strerror(errno));
  Status written = write_all(descriptor, bytes);
  close(descriptor);
  if (written) fs::rename(beside, file, code);
  if (written && code) written = file_error({}, code.message());
  if (written) return Done{};
  fs::remove(beside, code);
  return file_error(file.string(), written.error().message);
}

}  // namespace

fs::path usual_journal_folder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && state[0] == '/')
    return fs::path(state) / "filum";
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    return fs::path(home) / ".local/state/filum";
  return {};
}

fs::path journal_file(const fs::path& folder, const std::string& scene_path) {
  return folder / (digest(scene_path) + "." + std::to_string(getpid()) + kEnding);
}

Status write_journal(const fs::path& file, const Document& document, const std::vector<std::string>& meshes) {
  const json entry = {{"filum_journal", kJournalVersion},
                      {"name", document.name()},
                      {"path", document.path()},
                      {"text", document.text()},
                      {"meshes", meshes}};
  return write_private(file, io::json_text(entry));
}

Status write_journal_mesh(const fs::path& file, const std::string& name, std::string_view bytes) {
  return write_private(mesh_folder(file) / name, bytes);
}

Result<std::string> read_journal_mesh(const fs::path& file, const std::string& name) {
  return io::read_text_file((mesh_folder(file) / name).string());
}

Status remove_journal(const fs::path& file) {
  std::error_code code;
  fs::remove(file, code);
  if (code) return file_error(file.string(), code.message());
  fs::remove_all(mesh_folder(file), code);
  return Done{};
}

std::optional<LeftBehind> find_left_behind(const fs::path& folder, const std::string& scene_path) {
  std::optional<LeftBehind> latest;
  fs::file_time_type latest_time;
  std::error_code code;
  const std::string wanted = digest(scene_path);
  for (fs::directory_iterator each(folder, code), end; !code && each != end; each.increment(code)) {
    const fs::path& file = each->path();
    const int writer = writer_of(file);
    if (writer <= 0 || runs(writer) || file.stem().stem() != wanted) continue;
    std::error_code gone;
    const fs::file_time_type time = fs::last_write_time(file, gone);
    if (gone || (latest && time <= latest_time)) continue;
    std::optional<LeftBehind> found = read_journal(file);
    if (!found || found->path != scene_path) continue;
    latest = std::move(found);
    latest_time = time;
  }
  return latest;
}

}  // namespace filum::serve
