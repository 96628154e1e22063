// Result folders: result.json, the frames of a run, the state it goes on from, and modes.json.
#pragma once

#include <filum/modes.hpp>
#include <filum/outcome.hpp>
#include <filum/result.hpp>
#include <filum/run.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filum {

struct Scene;

// What the parts of a result are called, in the order of its lists.
struct ResultNames {
  std::vector<std::string> rods;
  std::vector<std::string> bodies;
  std::vector<std::string> holds;
  std::vector<std::string> probes;
  std::vector<std::string> ropes;
  std::vector<std::string> winches;
  std::vector<std::string> sheaves;
  std::vector<std::string> obstacles;
};

// result.json as text. `id`: of a run, the same in every file of its result.
std::string result_json(const Scene& scene, const std::string& scene_file, const Outcome& outcome,
                        const std::string& id = {});

// modes.json as text.
std::string modes_json(const Scene& scene, const std::string& scene_file, const ModesOutcome& outcome);

// A result folder while a result is written into it: aside, in a hidden folder inside it, and in place only when all of
// it is whole; docs/result-format.md says which step is the one that counts. Nobody else may write into it meanwhile.
class ResultFolder {
 public:
  // Makes the folder if needed. Refused while another run is writing there. What an earlier one has left unfinished is
  // put in place if it was whole, and dropped if not.
  static Result<ResultFolder> open(const std::string& folder);
  // Left unfinished, what is aside goes away, unless there is a checkpoint among it to go on from.
  ~ResultFolder();
  ResultFolder(ResultFolder&&) noexcept;
  ResultFolder& operator=(ResultFolder&&) noexcept;

  // Where files are written to until then.
  [[nodiscard]] const std::string& aside() const;
  // All files aside take the place of those of the same name; the `obsolete` ones of an earlier result go away.
  Status finish(const std::vector<std::string>& obsolete = {});

 private:
  struct Parts;
  explicit ResultFolder(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// frames.bin of a result folder: the recorded frames of a run, written as they come, so that memory does not grow and a
// run that is ended by force leaves what it had. `open` makes the folder. Every call tells of a full disk.
class FrameWriter {
 public:
  // `id`: of the run.
  static Result<FrameWriter> open(const Scene& scene, const std::string& folder, const std::string& id = {});
  ~FrameWriter();
  FrameWriter(FrameWriter&&) noexcept;
  FrameWriter& operator=(FrameWriter&&) noexcept;
  Status add(const Snapshot& snapshot);
  // The frames so far are on disk when this returns.
  Status sync();
  Status close();

 private:
  struct Parts;
  explicit FrameWriter(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
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
  [[nodiscard]] const std::string& title() const;
  // Of the run; empty: it is not known.
  [[nodiscard]] const std::string& id() const;
  // Frames have no probes.
  [[nodiscard]] const ResultNames& names() const;
  // The next frame into `frame`, whose memory is used again; false: there is none.
  Result<bool> next(Snapshot& frame);
  // Passes over the next frame and tells its time; false: there is none.
  bool skip(double& t);
  // The file ended within a frame.
  [[nodiscard]] bool cut_off() const;

 private:
  struct Parts;
  explicit FrameReader(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// All of them at once.
Result<std::vector<Snapshot>> read_frames(const std::string& folder);

// Reads a result folder (or its result.json) back, for `check` and `export`.
struct StoredResult {
  std::string title;
  ResultNames names;
  Outcome outcome;
  std::shared_ptr<const Scene> scene;  // as it was solved, where it is known: what its sections look like
  std::string id;                      // of a run; empty: it is not known
  std::string frames;                  // of a run: its recorded frames, if they lie beside it
  bool unfinished = false;             // nothing but the frames of a run that was ended by force, or is still going on
  std::string notice;                  // what whoever reads it should be told besides
};
// Files of different runs are refused.
Result<StoredResult> read_result(const std::string& folder);
// The text of a result.json; `name` is what messages call it.
Result<StoredResult> parse_result(const std::string& text, const std::string& name);

// The scene as it was solved, which lies in the folder of its result.
Result<Scene> read_result_scene(const std::string& folder);

// The result reduced to one instant: the recorded frame of a run, or the state of a path, nearest to t. A time that it
// does not reach is an error.
Result<StoredResult> at_instant(StoredResult result, double t);

}  // namespace filum
