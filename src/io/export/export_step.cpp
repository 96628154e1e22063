// STEP: centre lines as B-spline curves, each under the name of its rod.
#include "io/export/centre_curve.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"
#include "io/export/step_data.hpp"

#include <fmt/format.h>

namespace filum::io {

std::string step_text(const StoredResult& result, std::optional<double> wanted) {
  const double tolerance = wanted.value_or(kCurveTolerance);
  const Pose& pose = result.outcome.states.back().pose;
  StepData data;
  std::vector<int> curves;
  const std::vector<RodPose> rods = rods_and_ropes(pose);
  for (std::size_t i = 0; i < rods.size(); ++i) {
    const geometry::BSpline curve = centre_curve(rods[i], i < pose.rods.size(), tolerance);
    if (!curve.points.empty()) curves.push_back(data.curve(curve, line_name(result, pose.rods.size(), i)));
  }
  return step_file(std::move(data), curves, result.title.empty() ? "result" : result.title,
                   fmt::format("centre lines, within {:g} mm of the rods", 1e3 * tolerance));
}

}  // namespace filum::io
