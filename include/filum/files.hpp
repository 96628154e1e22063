// Scene files in, result folders out.
#pragma once

#include <filum/modes.hpp>
#include <filum/outcome.hpp>
#include <filum/result.hpp>
#include <filum/run.hpp>
#include <filum/scene.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace filum {

// Reads and validates a scene file. Every error names file, line and column.
Result<Scene> read_scene(const std::string& path);

// The same from text in memory; `name` stands for the file in messages, and relative files are looked up beside it.
Result<Scene> parse_scene(std::string_view text, const std::string& name);

// The folder of the result that the scene's `start` names, which is relative to the scene file.
std::string start_folder(const Scene& scene, const std::string& scene_file);

// The scene as a fresh YAML text that parses back to an equal scene.
std::string write_scene(const Scene& scene);

// A new value in a scene's text: «rods.hose.length», «0.45».
struct Patch {
  std::string path;
  std::string value;
};

// Changes these values, one after the other, and leaves every other byte, comments included, as it was. The text with
// all of them is parsed and validated before it is returned.
Result<std::string> patch_scene(std::string_view text, const std::string& name, const std::vector<Patch>& patches);

// One more item in the list at `path` («holds»), or with a `key` one more entry in the mapping there («rods»); and
// without the item or key at `path`. The rest of the text stays likewise.
Result<std::string> add_to_scene(std::string_view text, const std::string& name, const std::string& path,
                                 const std::string& value, const std::string& key = {});
Result<std::string> remove_from_scene(std::string_view text, const std::string& name, const std::string& path);

// The text made to say `scene`: comments, order and layout stay where nothing changed. If that cannot be, fresh text.
std::string rewrite_scene(std::string_view text, const std::string& name, const Scene& scene);

// result.json as text.
std::string result_json(const Scene& scene, const std::string& scene_file, const Outcome& outcome);

// A self-contained page: pictures, plots, numbers. No network.
std::string report_html(const Scene& scene, const Outcome& outcome);

// Writes result.json and report.html into `folder`, which is made if needed.
Status write_result(const Scene& scene, const std::string& scene_file, const Outcome& outcome,
                    const std::string& folder);

// modes.json as text; a self-contained page with a picture of every shape; both written into `folder`, which is made if
// needed.
std::string modes_json(const Scene& scene, const std::string& scene_file, const ModesOutcome& outcome);
std::string modes_html(const Scene& scene, const ModesOutcome& outcome);
Status write_modes(const Scene& scene, const std::string& scene_file, const ModesOutcome& outcome,
                   const std::string& folder);

// frames.bin of a result folder: the recorded frames of a run, written as they come, so that memory does not grow and a
// run that is ended by force leaves what it had. `open` makes the folder. Every call tells of a full disk.
class FrameWriter {
 public:
  static Result<FrameWriter> open(const Scene& scene, const std::string& folder);
  ~FrameWriter();
  FrameWriter(FrameWriter&&) noexcept;
  FrameWriter& operator=(FrameWriter&&) noexcept;
  Status add(const Snapshot& snapshot);
  Status close();

 private:
  struct Parts;
  explicit FrameWriter(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

struct FrameNames {
  std::string title;
  std::vector<std::string> rods;
  std::vector<std::string> bodies;
  std::vector<std::string> holds;
  std::vector<std::string> ropes;
  std::vector<std::string> winches;
  std::vector<std::string> sheaves;
};

// Reads them back one by one; of a file that was cut off, those that are whole. Positions, orientations and all that is
// not along a rod come back to the last bit; velocities, strains and forces along rods as floats.
class FrameReader {
 public:
  // A result folder or the file itself.
  static Result<FrameReader> open(const std::string& folder);
  ~FrameReader();
  FrameReader(FrameReader&&) noexcept;
  FrameReader& operator=(FrameReader&&) noexcept;
  [[nodiscard]] const FrameNames& names() const;
  // The next frame into `frame`, whose memory is used again; false: there is none.
  Result<bool> next(Snapshot& frame);
  // The file ended within a frame.
  [[nodiscard]] bool cut_off() const;

 private:
  struct Parts;
  explicit FrameReader(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// All of them at once.
Result<std::vector<Snapshot>> read_frames(const std::string& folder);

// state.bin of a result folder: what a run goes on from, to the last bit, and the scene it ran. A file that is cut
// short or is something else is an error that names it.
struct StoredState {
  Scene scene;
  SavedState state;
};
Status write_state(const Scene& scene, const SavedState& state, const std::string& folder);
Result<StoredState> read_state(const std::string& folder);

// The first thing that must be as it was if a run is to go on, and is not: «gravity ([0, 0, -9.81] then, [0, 0, 0]
// now)». Free to change are title, drivers, limits, record and what a
// winch does, and of `simulation` the step, its control, end and start.
std::optional<std::string> changed_since(Scene before, Scene now);

// Reads a result folder (or its result.json) back, for `check` and `export`.
struct StoredResult {
  std::string title;
  std::vector<std::string> rod_names;
  std::vector<std::string> body_names;
  std::vector<std::string> hold_names;
  std::vector<std::string> probe_names;
  std::vector<std::string> rope_names;
  std::vector<std::string> winch_names;
  std::vector<std::string> sheave_names;
  Outcome outcome;
  std::string frames;  // of a run: its recorded frames, if they lie beside it
};
Result<StoredResult> read_result(const std::string& folder);

// The result reduced to one instant: the recorded frame of a run, or the state of a path, nearest to t. A time that it
// does not reach is an error.
Result<StoredResult> at_instant(StoredResult result, double t);

// «csv», «vtk», «obj», «gltf»: files written into (or named by) `target`; returns their paths. Of a run csv and vtk
// have all recorded frames, obj and gltf the last state.
Result<std::vector<std::string>> export_result(const StoredResult& result, std::string_view format,
                                               const std::string& target);

}  // namespace filum
