// The result folder: result.json for programs, report.html for people, and the scene as it was solved.
#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>

#include "io/result/whole_folder.hpp"
#include "rod/finite_pose.hpp"

#include <algorithm>

namespace filum {
namespace {

// Some of the frames that a run has left in the folder, evenly chosen, for the picture; none if they are not its own.
std::vector<Snapshot> picked_frames(const std::string& folder, const Outcome& outcome) {
  constexpr std::size_t kMost = 24;
  Result<FrameReader> reader = FrameReader::open(folder);
  if (!reader) return {};
  // every `stride`-th one; twice as far apart whenever they grow too many
  std::vector<Snapshot> picked;
  double last = 0;
  std::size_t stride = 1;
  for (std::size_t index = 0;; ++index) {
    if (index % stride != 0) {
      if (!reader->skip(last)) break;
      continue;
    }
    Snapshot frame;
    const Result<bool> got = reader->next(frame);
    if (!got || !*got) break;
    last = frame.t;
    if (picked.size() == kMost) {
      for (std::size_t i = 0; 2 * i < kMost; ++i) std::swap(picked[i], picked[2 * i]);
      picked.resize(kMost / 2);
      stride *= 2;
    }
    if (index % stride == 0) picked.push_back(std::move(frame));
  }
  const bool own = !picked.empty() && !outcome.states.empty() && picked.front().t == outcome.states.front().t &&
                   last == outcome.states.back().t;
  return own ? picked : std::vector<Snapshot>{};
}

// The page draws the shapes of several instants over each other, where the outcome has only the first and the last.
std::string page(const Scene& scene, const Outcome& outcome, const std::string& folder) {
  if (!outcome.run) return report_html(scene, outcome);
  Outcome pictured = outcome;
  std::vector<Snapshot> frames = picked_frames(folder, outcome);
  if (!frames.empty()) {
    if (frames.back().t == outcome.states.back().t) frames.pop_back();
    frames.push_back(outcome.states.back());
    pictured.states = std::move(frames);
  }
  return report_html(scene, pictured);
}

// With what files gave it written out, so that it can be read wherever the folder goes.
std::string scene_text(Scene scene) {
  for (Rod& rod : scene.rods) {
    rod.shape.file.clear();
    rod.rest.curve.file.clear();
  }
  return write_scene(scene);
}

// A result with a number that is none is not one.
Status whole(const Outcome& outcome) {
  for (const Snapshot& state : outcome.states)
    if (!rod::is_finite(state.pose))
      return Error{ErrorCode::NoSolution, std::string("the result is not written: ") + rod::kNotFinite, {}, 0, 0};
  return Done{};
}

}  // namespace

Status write_result(const Scene& scene, const std::string& scene_file, const Outcome& outcome, ResultFolder& target,
                    const std::string& id) {
  if (Status fit = whole(outcome); !fit) return fit;
  const std::string& aside = target.aside();
  const Status written = io::write_files({{aside + "/result.json", result_json(scene, scene_file, outcome, id)},
                                          {aside + "/report.html", page(scene, outcome, aside)},
                                          {aside + "/" + io::kSceneFile, scene_text(scene)}});
  return written ? target.finish() : written;
}

Status write_result(const Scene& scene, const std::string& scene_file, const Outcome& outcome,
                    const std::string& folder) {
  if (Status fit = whole(outcome); !fit) return fit;
  // frames and state that lie there are those of this run, or of an earlier one that is over with this
  std::vector<std::string> obsolete;
  if (!outcome.run) obsolete = {io::kFramesFile, io::kStateFile};
  return io::write_whole(folder,
                         {{"result.json", result_json(scene, scene_file, outcome)},
                          {"report.html", page(scene, outcome, folder)},
                          {io::kSceneFile, scene_text(scene)}},
                         obsolete);
}

}  // namespace filum
