// state.bin: everything that a run remembers, to go on from it to the last bit.
//
// Magic, version, the length of the scene's text, the time, the number of values, since version 4 which state the run
// began with and the length of the result so far, the values as doubles, the scene as YAML, the result so far as JSON, a
// checksum (FNV-1a, 64 bits) of all the bytes before it; little endian. Only the scene and the stepper that made the
// values can read them.
#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>
#include <filum/state_file.hpp>

#include "io/binary.hpp"
#include "io/file_read.hpp"
#include "io/file_write.hpp"
#include "io/result/whole_folder.hpp"
#include "io/scene/scene_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace filum {
namespace {

using namespace io;

constexpr std::string_view kMagic = "FILUMSTA";
constexpr std::uint32_t kVersion = 4;
constexpr std::uint32_t kWithoutRecord = 3;  // still read

std::string state_bytes(const StoredState& stored) {
  const SavedState& state = stored.state;
  // whole, wherever the file is taken
  const std::string text = write_scene(with_points_inside(stored.scene));
  std::string bytes(kMagic);
  bytes.reserve(bytes.size() + 48 + 8 * state.values.size() + text.size() + stored.so_far.size());
  put_u32(bytes, kVersion);
  put_u32(bytes, text.size());
  put_bytes(bytes, state.t);
  put_bytes(bytes, static_cast<std::uint64_t>(state.values.size()));
  put_bytes(bytes, stored.origin);
  put_bytes(bytes, static_cast<std::uint64_t>(stored.so_far.size()));
  for (const double value : state.values) put_bytes(bytes, value);
  bytes += text;
  bytes += stored.so_far;
  put_bytes(bytes, checksum(bytes));
  return bytes;
}

}  // namespace

std::uint64_t origin_of(const SavedState& state) {
  std::string bytes;
  put_bytes(bytes, state.t);
  for (const double value : state.values) put_bytes(bytes, value);
  return checksum(bytes);
}

std::string run_id(const Scene& scene, std::uint64_t origin) {
  std::string bytes = write_scene(with_points_inside(scene));
  put_bytes(bytes, origin);
  return fmt::format("{:016x}", checksum(bytes));
}

Status write_state(const Scene& scene, const SavedState& state, const std::string& folder, std::uint64_t origin) {
  if (Status made = make_folder(folder); !made) return made;
  return write_files({{folder + "/" + kStateFile, state_bytes({scene, state, origin, {}})}});
}

Status write_checkpoint(const StoredState& stored, const ResultFolder& target) {
  return write_files({{target.aside() + "/" + kCheckpointFile, state_bytes(stored)}});
}

Result<StoredState> read_state(const std::string& folder) {
  std::error_code code;
  const std::string path = std::filesystem::is_directory(folder, code) ? whole_path(folder, kStateFile) : folder;
  const Result<std::string> bytes = read_text_file(path, kMaxResultBytes);
  if (!bytes) return bytes.error();
  const auto problem = [&](const char* message) { return Error{ErrorCode::BadInput, message, path}; };
  // what it is
  ByteReader in(*bytes);
  if (in.take_bytes(kMagic.size()) != kMagic) return problem("this is not the state of a run");
  const auto version = in.take<std::uint32_t>();
  if (in.ok() && version != kVersion && version != kWithoutRecord)
    return problem("the state is of another version of the format");
  const std::size_t length = in.take<std::uint32_t>();
  SavedState state;
  state.t = in.take<double>();
  const auto count = in.take<std::uint64_t>();
  const std::uint64_t origin = version == kVersion ? in.take<std::uint64_t>() : 0;
  const std::uint64_t recorded = version == kVersion ? in.take<std::uint64_t>() : 0;
  const std::size_t behind = length + sizeof(std::uint64_t) + std::min<std::uint64_t>(recorded, kMaxResultBytes);
  if (!in.ok() || recorded > kMaxResultBytes || in.left() < behind) return problem("the state is cut off");
  // as many values as there are bytes for, the scene, and the checksum
  const std::size_t room = in.left() - behind;
  if (count > room / sizeof(double)) return problem("the state is cut off");
  if (room != count * sizeof(double)) return problem("the state is damaged: it is too long");
  state.values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) state.values.push_back(in.take<double>());
  const std::string_view text = in.take_bytes(length);
  const std::string so_far(in.take_bytes(recorded));
  const std::string_view checked = std::string_view(*bytes).substr(0, bytes->size() - sizeof(std::uint64_t));
  if (in.take<std::uint64_t>() != checksum(checked)) return problem("the state is damaged: its checksum is wrong");
  // a value may be infinite («never»), but always a number
  bool numbers = std::isfinite(state.t);
  for (const double value : state.values) numbers = numbers && !std::isnan(value);
  if (!numbers) return problem("the state holds what is not a number");
  auto scene = parse_scene(text, path);
  if (!scene) return problem("the scene in the state cannot be read");
  return StoredState{std::move(*scene), std::move(state), origin, so_far};
}

Result<StoredState> read_checkpoint(const std::string& folder) {
  const std::string aside = unfinished_in(folder);
  std::error_code code;
  if (aside.empty() || !std::filesystem::exists(aside + "/" + kCheckpointFile, code)) return read_state(folder);
  if (is_being_written(folder)) return file_error(folder, "a run is writing into this folder; it goes on by itself");
  Result<StoredState> stored = read_state(aside + "/" + kCheckpointFile);
  if (stored) stored->checkpoint = true;
  return stored;
}

}  // namespace filum
