// The numbers of the report: rods, holds, energies, solver figures, checks, events.
#pragma once

#include "io/html_text.hpp"
#include "io/result_names.hpp"

namespace filum::io {

Table rod_table(const Pose& pose, const Names& names);
Table hold_table(const Scene& scene, const Pose& pose, const Names& names);
Table energy_table(const Energy& energy);
Table solver_table(const SolveReport& solve);
Table run_table(const RunReport& run);
Table check_table(const std::vector<Check>& checks);
Table event_table(const std::vector<Event>& events);

}  // namespace filum::io
