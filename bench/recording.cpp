#include "bench/recording.hpp"

#include "bench/heavy_cantilever.hpp"
#include "bench/processor_time.hpp"

#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/run.hpp>
#include <filum/session.hpp>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

namespace filum::bench {
namespace {

constexpr double kEnd = 4;  // s, so that the report at the end does not count more than it should

// All that `filum run` does, with a frame after each step; whether it could be written.
bool run_into(const Scene& scene, const std::string& path) {
  auto folder = ResultFolder::open(path);
  if (!folder) return false;
  auto frames = FrameWriter::open(scene, folder->aside());
  if (!frames) return false;
  RunOptions options;
  options.frame = [&](const Snapshot& snapshot) { return frames->add(snapshot).ok(); };
  const auto outcome = run(scene, options);
  return outcome && frames->close() && write_result(scene, "bench", *outcome, *folder, "").ok();
}

}  // namespace

Bench recorded_run(int segments) {
  return {.name = "run-recorded-" + std::to_string(segments), .per = "its steps", .target = 1.25, .pair = [=] {
            Scene scene = heavy_cantilever(segments);
            scene.simulation.mode = Mode::Dynamics;
            scene.simulation.step = 1.0 / 240;
            scene.simulation.end = kEnd;
            scene.record.every = 0;
            const std::string path =
                (std::filesystem::temp_directory_path() / ("filum-bench-" + std::to_string(getpid()))).string();
            bool done = false;
            const double whole = processor_microseconds_of([&] { done = run_into(scene, path); });
            std::error_code code;
            std::filesystem::remove_all(path, code);
            // the same steps alone
            auto session = Session::begin(scene);
            const double steps = processor_microseconds_of([&] {
              for (long k = std::lround(kEnd / scene.simulation.step); k > 0; --k) done = session->step().ok() && done;
            });
            return TimePair{done ? whole : std::numeric_limits<double>::infinity(), steps};
          }};
}

}  // namespace filum::bench
