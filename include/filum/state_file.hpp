// States of runs in files: what a run goes on from, to the last bit.
#pragma once

#include <filum/result_file.hpp>
#include <filum/run.hpp>
#include <filum/scene.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace filum {

// state.bin of a result folder: what a run goes on from, to the last bit, and the scene it ran. A file that is cut
// short or is something else is an error that names it.
struct StoredState {
  Scene scene;
  SavedState state;
  std::uint64_t origin = 0;  // which state the run began with: `origin_of`
  std::string so_far;        // of a checkpoint: result.json as it was then
  bool checkpoint = false;   // of a run that has not finished
};
// A number made of a state that a run begins with; 0 stands for the scene's own start.
std::uint64_t origin_of(const SavedState& state);
// What tells a run from another: made of its scene and of what it began with, so that the same run has the same.
std::string run_id(const Scene& scene, std::uint64_t origin);
Status write_state(const Scene& scene, const SavedState& state, const std::string& folder, std::uint64_t origin = 0);
Result<StoredState> read_state(const std::string& folder);
// The same for a run that goes on: it never becomes part of the result.
Status write_checkpoint(const StoredState& stored, const ResultFolder& target);
// What `--continue` goes on from: the last checkpoint of a run that was ended by force, if there is one, or the state.
Result<StoredState> read_checkpoint(const std::string& folder);

// What a run has recorded until the state that it goes on from.
struct Recorded {
  Outcome outcome;
  std::string frames;  // where its frames are
};
// Nothing: there is none, as of earlier versions. Files of different runs are refused.
Result<std::optional<Recorded>> read_recorded(const StoredState& stored, const std::string& folder);

}  // namespace filum
