// Results for people: pages with pictures, plots and numbers, and the folders that hold them.
#pragma once

#include <filum/modes.hpp>
#include <filum/outcome.hpp>
#include <filum/result.hpp>

#include <string>

namespace filum {

struct Scene;

class ResultFolder;

// A self-contained page: pictures, plots, numbers. No network.
std::string report_html(const Scene& scene, const Outcome& outcome);

// Writes result.json and report.html into `folder`, which is made if needed: both or none. Of a run: beside its frames
// and its state, or with them, if they lie aside in a folder that is still open; this finishes it.
Status write_result(const Scene& scene, const std::string& scene_file, const Outcome& outcome,
                    const std::string& folder);
Status write_result(const Scene& scene, const std::string& scene_file, const Outcome& outcome, ResultFolder& target,
                    const std::string& id);

// A self-contained page with a picture of every natural shape; and that with modes.json, written into `folder`, which is
// made if needed.
std::string modes_html(const Scene& scene, const ModesOutcome& outcome);
Status write_modes(const Scene& scene, const std::string& scene_file, const ModesOutcome& outcome,
                   const std::string& folder);

}  // namespace filum
