// The numbers of the report: rods, holds, reeving, energies, solver figures, checks, lengths, turns, events.
#pragma once

#include "io/result/result_names.hpp"
#include "report/html/html_text.hpp"

namespace filum::io {

Table rod_table(const Pose& pose, const ResultNames& names);
Table hold_table(const Scene& scene, const Pose& pose, const ResultNames& names);
// Ropes, winches and sheaves: what bears the load.
Table rope_table(const Pose& pose, const ResultNames& names);
Table winch_table(const Scene& scene, const Pose& pose, const ResultNames& names);
Table sheave_table(const Scene& scene, const Pose& pose, const ResultNames& names);
// What touches each rod: force, pressure, chafing.
Table contact_table(const Scene& scene, const Pose& pose);
Table body_contact_table(const Scene& scene, const Pose& pose);
Table energy_table(const Energy& energy);
Table solver_table(const SolveReport& solve);
Table run_table(const RunReport& run);
Table check_table(const std::vector<Check>& checks);
Table length_table(const std::vector<FoundLength>& lengths);
Table shortage_table(const std::vector<Shortage>& shortages);
// Rods that have turned at all: the last row's balance.
Table turns_table(const HistoryRow& row, const ResultNames& names);
Table event_table(const std::vector<Event>& events);

}  // namespace filum::io
