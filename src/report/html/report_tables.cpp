#include "report/html/report_tables.hpp"

#include "report/report_units.hpp"
#include "sim/contact_load.hpp"
#include "sim/limits.hpp"

#include <filum/scene.hpp>
#include <filum/words.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::io {
namespace {

// Largest finite |value|.
double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) {
    if (std::isfinite(v)) most = std::max(most, std::abs(v));
  }
  return most;
}

std::string in(const Unit& unit, double value) {
  return digits(value * unit.factor);
}

std::string headed(const std::string& what, const Unit& unit) {
  return what + " / " + unit.symbol;
}

// The largest axial force with its sign, NaN if there is none.
double peak_tension(const RodPose& rod) {
  double peak = std::nan("");
  for (const double n : rod.axial_force) {
    if (std::isfinite(n) && !(n <= peak)) peak = n;
  }
  return peak;
}

}  // namespace

Table rod_table(const Pose& pose, const ResultNames& names) {
  // one unit a column
  std::vector<double> lengths, radii, tensions;
  for (const RodPose& rod : pose.rods) {
    lengths.push_back(rod.length);
    radii.push_back(rod.min_bend_radius.value);
    tensions.push_back(peak_tension(rod));
  }
  const Unit length = unit_for(Quantity::Length, largest(lengths));
  const Unit radius = unit_for(Quantity::Length, largest(radii));
  const Unit force = unit_for(Quantity::Force, largest(tensions));
  Table table;
  table.columns = {{"Rod", false},
                   {headed("length", length)},
                   {"segments"},
                   {headed("smallest bend radius", radius)},
                   {headed("at s", length)},
                   {headed("largest tension", force)},
                   {"turns"},
                   {"writhe"}};
  for (size_t i = 0; i < pose.rods.size(); ++i) {
    const RodPose& rod = pose.rods[i];
    const bool bends = std::isfinite(rod.min_bend_radius.value);
    table.rows.push_back(
        {{name_or(names.rods, i, "rod"), in(length, rod.length), std::to_string(rod.s.empty() ? 0 : rod.s.size() - 1),
          in(radius, rod.min_bend_radius.value), bends ? in(length, rod.min_bend_radius.s) : "–",
          in(force, tensions[i]), digits(rod.turns), digits(rod.writhe)}});
  }
  return table;
}

Table hold_table(const Scene& scene, const Pose& pose, const ResultNames& names) {
  std::vector<double> forces, moments, places;
  for (const HoldPose& hold : pose.holds) {
    forces.push_back(hold.force.norm());
    moments.push_back(hold.moment.norm());
    places.push_back(hold.s);
  }
  const Unit force = unit_for(Quantity::Force, largest(forces));
  const Unit moment = unit_for(Quantity::Moment, largest(moments));
  const Unit length = unit_for(Quantity::Length, largest(places));
  Table table;
  table.columns = {{"Hold", false},
                   {"rod", false},
                   {headed("s", length)},
                   {headed("Fx", force)},
                   {"Fy"},
                   {"Fz"},
                   {"|F|"},
                   {headed("Mx", moment)},
                   {"My"},
                   {"Mz"},
                   {"|M|"}};
  for (size_t i = 0; i < pose.holds.size(); ++i) {
    const HoldPose& hold = pose.holds[i];
    Row row{{name_or(names.holds, i, "hold") + (hold.popped ? " (let go)" : ""),
             i < scene.holds.size() ? scene.holds[i].rod : "", in(length, hold.s)}};
    for (int k = 0; k < 3; ++k) row.cells.push_back(in(force, hold.force[k]));
    row.cells.push_back(in(force, forces[i]));
    for (int k = 0; k < 3; ++k) row.cells.push_back(in(moment, hold.moment[k]));
    row.cells.push_back(in(moment, moments[i]));
    table.rows.push_back(row);
  }
  return table;
}

Table rope_table(const Pose& pose, const ResultNames& names) {
  std::vector<double> lengths, tensions;
  for (const RopePose& rope : pose.ropes) {
    lengths.push_back(rope.length);
    tensions.push_back(sim::largest_tension(rope));
  }
  const Unit length = unit_for(Quantity::Length, largest(lengths));
  const Unit force = unit_for(Quantity::Force, largest(tensions));
  Table table;
  table.columns = {{"Rope", false}, {headed("length", length)}, {"parts"}, {headed("largest tension", force)}};
  for (size_t i = 0; i < pose.ropes.size(); ++i) {
    const RopePose& rope = pose.ropes[i];
    table.rows.push_back({{name_or(names.ropes, i, "rope") + (rope.broken ? " (broken)" : ""), in(length, rope.length),
                           std::to_string(rope.tension.size()), in(force, tensions[i])},
                          rope.broken});
  }
  return table;
}

Table winch_table(const Scene& scene, const Pose& pose, const ResultNames& names) {
  Table table;
  table.columns = {{"Winch", false}, {"rod", false}, {"force"}, {"torque"}, {"paid out"}, {"speed"}};
  for (size_t i = 0; i < pose.winches.size(); ++i) {
    const WinchPose& winch = pose.winches[i];
    const bool drum = i < scene.winches.size() && scene.winches[i].drum_radius > 0;
    table.rows.push_back(
        {{name_or(names.winches, i, "winch"), i < scene.winches.size() ? scene.winches[i].rod : "",
          with_unit(winch.force, Quantity::Force), drum ? with_unit(winch.torque, Quantity::Moment) : "–",
          with_unit(winch.paid_out, Quantity::Length), with_unit(winch.speed, Quantity::Speed)}});
  }
  return table;
}

Table sheave_table(const Scene& scene, const Pose& pose, const ResultNames& names) {
  constexpr double kDegree = std::numbers::pi / 180;
  Table table;
  table.columns = {{"Sheave", false}, {"rod", false},     {"tension before"},
                   {"tension after"}, {"wrap / degrees"}, {"run over it"}};
  for (size_t i = 0; i < pose.sheaves.size(); ++i) {
    const SheavePose& sheave = pose.sheaves[i];
    table.rows.push_back(
        {{name_or(names.sheaves, i, "sheave"), i < scene.sheaves.size() ? scene.sheaves[i].rod : "",
          with_unit(sheave.tension_before, Quantity::Force), with_unit(sheave.tension_after, Quantity::Force),
          digits(sheave.angle / kDegree), with_unit(sheave.slip, Quantity::Length)}});
  }
  return table;
}

Table contact_table(const Scene& scene, const Pose& pose) {
  Table table{{{"Rod", false},
               {"stretches that touch"},
               {"largest force"},
               {"on", false},
               {"at s"},
               {"largest pressure"},
               {"at s"},
               {"chafing"}},
              {}};
  for (size_t i = 0; i < pose.rods.size() && i < scene.rods.size(); ++i) {
    const sim::ContactLoad load = sim::contact_load(scene, pose, static_cast<int>(i));
    if (load.stretches == 0) continue;
    table.rows.push_back({{scene.rods[i].name, std::to_string(load.stretches), with_unit(load.force, Quantity::Force),
                           words(load.on), with_unit(load.force_s, Quantity::Length),
                           with_unit(load.pressure, Quantity::Pressure), with_unit(load.pressure_s, Quantity::Length),
                           load.chafing > 0 ? with_unit(load.chafing, Quantity::Moment) : "–"}});
  }
  return table;
}

Table body_contact_table(const Scene& scene, const Pose& pose) {
  Table table{
      {{"Touches", false}, {"on", false}, {"places"}, {"normal force"}, {"friction"}, {"all in all"}, {"chafing"}}, {}};
  for (const sim::SolidLoad& load : sim::solid_loads(scene, pose))
    table.rows.push_back(
        {{words(load.of), words(load.on), std::to_string(load.places), with_unit(load.normal, Quantity::Force),
          with_unit(load.friction, Quantity::Force), with_unit(load.force.norm(), Quantity::Force),
          load.chafing > 0 ? with_unit(load.chafing, Quantity::Moment) : "–"}});
  return table;
}

Table energy_table(const Energy& energy) {
  const double total = energy.elastic + energy.gravity + energy.kinetic;
  const Unit unit = unit_for(Quantity::Energy, largest({energy.elastic, energy.gravity, energy.kinetic, energy.work,
                                                        energy.dissipated, energy.drained}));
  Table table{{{"Energy", false}, {unit.symbol}},
              {{{"elastic", in(unit, energy.elastic)}},
               {{"gravity (−Σ m g·x)", in(unit, energy.gravity)}},
               {{"kinetic", in(unit, energy.kinetic)}},
               {{"total", in(unit, total)}}}};
  if (energy.work != 0) table.rows.push_back({{"work done on it since the start", in(unit, energy.work)}});
  if (energy.dissipated != 0) table.rows.push_back({{"dissipated since the start", in(unit, energy.dissipated)}});
  if (energy.drained != 0) table.rows.push_back({{"drained by the integrator", in(unit, energy.drained)}});
  if (energy.balance() != total) table.rows.push_back({{"balance", in(unit, energy.balance())}});
  return table;
}

Table solver_table(const SolveReport& solve) {
  Table table{{{"Solver", false}, {""}},
              {{{"Newton iterations", std::to_string(solve.iterations)}},
               {{"residual (relative)", digits(solve.residual, 2)}, !solve.converged},
               {{"round-off floor", digits(solve.floor, 2)}},
               {{"time", with_unit(solve.seconds, Quantity::Time, 3)}}}};
  if (solve.leaps > 0) table.rows.push_back({{"iterations cut short", std::to_string(solve.leaps)}});
  if (solve.load_steps > 0) table.rows.push_back({{"load steps", std::to_string(solve.load_steps)}});
  if (!solve.begun_from.empty()) table.rows.push_back({{"begun from the equilibrium of", solve.begun_from}});
  if (solve.nudged) table.rows.push_back({{"nudged off an unstable branch", "yes"}});
  return table;
}

Table run_table(const RunReport& run) {
  const double share = run.energy_scale > 0 ? 100 * run.max_energy_error / run.energy_scale : 0;
  Table table{{{"Run", false}, {""}},
              {{{"from t", with_unit(run.start, Quantity::Time)}},
               {{"to t", with_unit(run.end, Quantity::Time)}, !run.completed},
               {{"steps", std::to_string(run.steps)}},
               {{"steps that had to be halved", std::to_string(run.failed_steps)}}}};
  if (run.halvings > 0) table.rows.push_back({{"halvings", std::to_string(run.halvings)}});
  if (run.rejected_steps > 0)
    table.rows.push_back({{"steps tried and taken back", std::to_string(run.rejected_steps)}});
  if (run.unconverged_steps > 0)
    table.rows.push_back(
        {{"steps taken short of convergence",
          std::to_string(run.unconverged_steps) + ", residual up to " + digits(run.residual_left, 2)}});
  table.rows.push_back({{"iterations in all", std::to_string(run.iterations)}});
  if (run.smallest_step != run.largest_step)
    table.rows.push_back({{"shortest step", with_unit(run.smallest_step, Quantity::Time)}});
  table.rows.push_back({{"longest step", with_unit(run.largest_step, Quantity::Time)}});
  table.rows.push_back({{"largest energy error", with_unit(run.max_energy_error, Quantity::Energy)}});
  if (run.energy_scale > 0) table.rows.push_back({{"of the energy that moved", digits(share, 3) + " %"}});
  if (run.neglected_strain > 0) table.rows.push_back({{"largest strain neglected", digits(run.neglected_strain, 3)}});
  table.rows.push_back({{"wall time", with_unit(run.seconds, Quantity::Time, 3)}});
  return table;
}

namespace {

Quantity quantity_of(CheckKind kind) {
  if (is_plain(kind)) return Quantity::Plain;
  if (is_length(kind)) return Quantity::Length;
  if (kind == CheckKind::ContactPressure) return Quantity::Pressure;
  return kind == CheckKind::Chafing ? Quantity::Moment : Quantity::Force;
}

// The radius that was compared, and the one of the other line.
std::string value_text(const Check& check, Quantity quantity) {
  const std::string value = with_unit(check.value, quantity);
  if (!check.other) return value;
  const char* line = check.kind == CheckKind::InsideBendRadius ? " (centre line " : " (inside ";
  return value + line + with_unit(*check.other, quantity) + ")";
}

}  // namespace

Table check_table(const std::vector<Check>& checks) {
  Table table{{{"Check", false}, {"object", false}, {"value"}, {"limit"}, {"at s"}, {"at t"}, {"verdict", false}}, {}};
  for (const Check& check : checks) {
    const Quantity quantity = quantity_of(check.kind);
    table.rows.push_back({{words(check.kind), subject(check), value_text(check, quantity),
                           with_unit(check.limit, quantity), with_unit(check.s, Quantity::Length),
                           with_unit(check.t, Quantity::Time), check.violated ? "VIOLATED" : "kept"},
                          check.violated});
  }
  return table;
}

Table length_table(const std::vector<FoundLength>& lengths) {
  Table table{{{"Rod", false}, {"between", false}, {"length"}, {"change"}, {"force"}, {"pull"}, {"verdict", false}},
              {}};
  for (const FoundLength& length : lengths) {
    const bool bad = length.verdict == LengthVerdict::Longest || length.verdict == LengthVerdict::Failed;
    table.rows.push_back({{length.rod, words(length.from, length.to), with_unit(length.length, Quantity::Length),
                           with_unit(length.added, Quantity::Length), with_unit(length.force, Quantity::Force),
                           with_unit(length.pull, Quantity::Force), words(length.verdict)},
                          bad});
  }
  return table;
}

Table shortage_table(const std::vector<Shortage>& shortages) {
  Table table{{{"Rod", false}, {"between", false}, {"missing"}, {"most at t"}, {"stops at t"}, {"tension"}, {"limit"}},
              {}};
  for (const Shortage& shortage : shortages)
    table.rows.push_back(
        {{shortage.rod, words(shortage.from, shortage.to), with_unit(shortage.missing, Quantity::Length),
          with_unit(shortage.t, Quantity::Time), with_unit(shortage.stopped, Quantity::Time),
          with_unit(shortage.tension, Quantity::Force), with_unit(shortage.limit, Quantity::Force)},
         true});
  return table;
}

Table turns_table(const HistoryRow& row, const ResultNames& names) {
  Table table{{{"Rod", false}, {"turns of its ends"}, {"twist"}, {"writhe"}, {"crossings with itself"}}, {}};
  for (size_t i = 0; i < row.balance.size(); ++i) {
    const TurnBalance& balance = row.balance[i];
    if (std::abs(balance.turns) < 1e-6 && balance.crossings == 0) continue;
    table.rows.push_back({{name_or(names.rods, i, "rod"), digits(balance.turns), digits(balance.twist),
                           digits(balance.writhe), std::to_string(balance.crossings)},
                          balance.crossings != 0});
  }
  return table;
}

Table event_table(const std::vector<Event>& events) {
  Table table{{{"t"}, {"Event", false}}, {}};
  for (const Event& event : events) table.rows.push_back({{with_unit(event.t, Quantity::Time), words(event)}});
  return table;
}

}  // namespace filum::io
