#include "report/html/report_plots.hpp"

#include "rod/pose_at.hpp"
#include "sim/limits.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace filum::io {
namespace {

// Below this share of its natural scale a quantity is round-off, not a curve.
constexpr double kNoise = 1e-9;

// One curve per rod; `value(rod, node)` gives y.
Chart along(const char* title, Quantity quantity, const Pose& pose, const ResultNames& names,
            const std::function<double(const RodPose&, size_t)>& value) {
  Chart chart;
  chart.title = title;
  chart.quantity = quantity;
  chart.x_name = "s";
  for (size_t i = 0; i < pose.rods.size(); ++i) {
    const RodPose& rod = pose.rods[i];
    Series series{name_or(names.rods, i, "rod"), rod.s, {}};
    for (size_t node = 0; node < rod.s.size(); ++node) series.y.push_back(value(rod, node));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

double value_or_nan(const std::vector<double>& list, size_t i) {
  return i < list.size() ? list[i] : std::nan("");
}

double curvature(const RodPose& rod, size_t node) {
  return node < rod.curvature.size() ? rod.curvature[node].norm() : std::nan("");
}

double moment(const RodPose& rod, size_t node, int part) {
  return node < rod.moment.size() ? rod.moment[node][part] : std::nan("");
}

// Largest finite |y| of all curves.
double peak(const std::vector<Chart>& charts) {
  double most = 0;
  for (const Chart& chart : charts) {
    for (const Series& series : chart.series) {
      for (const double y : series.y) most = std::isfinite(y) ? std::max(most, std::abs(y)) : most;
    }
  }
  return most;
}

void add_moments(std::vector<Chart>& charts, const Pose& pose, const ResultNames& names) {
  static const char* const kTitles[] = {"Bending moment m1 about d1", "Bending moment m2 about d2",
                                        "Torsional moment m3"};
  std::vector<Chart> parts;
  for (int k = 0; k < 3; ++k) {
    parts.push_back(along(kTitles[k], Quantity::Moment, pose, names,
                          [k](const RodPose& rod, size_t node) { return moment(rod, node, k); }));
  }
  const double most = peak(parts);
  for (Chart& part : parts) part.noise = kNoise * most;
  // one rod: the two bending moments share a chart
  if (pose.rods.size() == 1) {
    parts[0].title = "Bending moments";
    parts[0].series = {parts[0].series[0], parts[1].series[0]};
    parts[0].series[0].name = "m1 about d1";
    parts[0].series[1].name = "m2 about d2";
    parts.erase(parts.begin() + 1);
  }
  for (Chart& part : parts) charts.push_back(std::move(part));
}

// What the charts over time are drawn from: the history, or else the states themselves.
std::vector<HistoryRow> rows_of(const Outcome& outcome) {
  if (outcome.history.size() > 1) return outcome.history;
  std::vector<HistoryRow> rows;
  for (const Snapshot& state : outcome.states) {
    HistoryRow row;
    row.t = state.t;
    row.energy = state.pose.energy;
    for (const HoldPose& hold : state.pose.holds) row.hold_force.push_back(hold.force);
    for (const RopePose& rope : state.pose.ropes) row.rope_tension.push_back(sim::largest_tension(rope));
    for (const WinchPose& winch : state.pose.winches) row.winch_force.push_back(winch.force);
    for (const SheavePose& sheave : state.pose.sheaves) row.sheave_after.push_back(sheave.tension_after);
    rows.push_back(row);
  }
  return rows;
}

Series over_time(const std::string& name, const std::vector<HistoryRow>& rows,
                 const std::function<double(const HistoryRow&)>& value) {
  Series series{name, {}, {}};
  for (const HistoryRow& row : rows) {
    series.x.push_back(row.t);
    series.y.push_back(value(row));
  }
  return series;
}

Chart time_chart(const std::string& title, Quantity quantity) {
  Chart chart;
  chart.title = title;
  chart.quantity = quantity;
  chart.x_name = "t";
  chart.x_quantity = Quantity::Time;
  return chart;
}

// Energies over time. Of a run their change since its start, since the height that gravity counts from would dwarf the
// rest, and the balance, whose change is the error of the integrator.
Chart energy_chart(const std::vector<HistoryRow>& rows) {
  struct Part {
    const char* name;
    double (*value)(const Energy&);
    bool always;
  };
  static constexpr Part kParts[] = {{"elastic", [](const Energy& e) { return e.elastic; }, true},
                                    {"gravity", [](const Energy& e) { return e.gravity; }, true},
                                    {"kinetic", [](const Energy& e) { return e.kinetic; }, true},
                                    {"work done on it", [](const Energy& e) { return e.work; }, false},
                                    {"dissipated", [](const Energy& e) { return e.dissipated; }, false},
                                    {"drained by the integrator", [](const Energy& e) { return e.drained; }, false},
                                    {"balance", [](const Energy& e) { return e.balance(); }, false}};
  const bool moves =
      std::any_of(rows.begin(), rows.end(), [](const HistoryRow& row) { return row.energy.kinetic != 0; });
  Chart chart = time_chart(moves ? "Energy, change since the start" : "Energy", Quantity::Energy);
  for (const Part& part : kParts) {
    const double start = moves ? part.value(rows.front().energy) : 0;
    const auto changes = [&](const HistoryRow& row) { return part.value(row.energy) != start; };
    if (!part.always && !(moves && std::any_of(rows.begin(), rows.end(), changes))) continue;
    chart.series.push_back(
        over_time(part.name, rows, [&](const HistoryRow& row) { return part.value(row.energy) - start; }));
  }
  return chart;
}

void add_speeds(std::vector<Chart>& charts, const std::vector<HistoryRow>& rows, const ResultNames& names) {
  Chart chart = time_chart("Speed of the probes", Quantity::Speed);
  for (size_t i = 0; i < std::min(names.probes.size(), rows.front().probe_velocity.size()); ++i)
    chart.series.push_back(over_time(names.probes[i], rows, [i](const HistoryRow& row) {
      return i < row.probe_velocity.size() ? row.probe_velocity[i].norm() : std::nan("");
    }));
  if (!chart.series.empty()) charts.push_back(std::move(chart));
}

// Turns of the rods whose twist is more than round-off.
void add_turns(std::vector<Chart>& charts, const std::vector<HistoryRow>& rows, const ResultNames& names) {
  constexpr double kNoticed = 1e-6;
  Chart chart = time_chart("Turns of twist", Quantity::Plain);
  for (size_t i = 0; i < rows.front().turns.size(); ++i) {
    Series series = over_time(name_or(names.rods, i, "rod"), rows,
                              [i](const HistoryRow& row) { return value_or_nan(row.turns, i); });
    const bool twisted =
        std::any_of(series.y.begin(), series.y.end(), [](double turns) { return std::abs(turns) > kNoticed; });
    if (twisted) chart.series.push_back(std::move(series));
  }
  if (!chart.series.empty()) charts.push_back(std::move(chart));
}

// One force per named thing.
void add_forces(std::vector<Chart>& charts, const char* title, const std::vector<HistoryRow>& rows,
                std::vector<double> HistoryRow::*list, const std::vector<std::string>& names, const char* kind) {
  Chart chart = time_chart(title, Quantity::Force);
  for (size_t i = 0; i < (rows.front().*list).size(); ++i)
    chart.series.push_back(over_time(name_or(names, i, kind), rows,
                                     [i, list](const HistoryRow& row) { return value_or_nan(row.*list, i); }));
  if (!chart.series.empty()) charts.push_back(std::move(chart));
}

}  // namespace

std::vector<Chart> arc_charts(const Scene& scene, const Pose& pose, const ResultNames& names) {
  std::vector<Chart> charts;
  if (pose.rods.empty()) return charts;
  double length = 0;
  for (const RodPose& rod : pose.rods) length = std::max(length, rod.length);
  charts.push_back(along("Curvature |κ|", Quantity::Curvature, pose, names, curvature));
  charts.push_back(along("Bend radius 1/|κ|", Quantity::Length, pose, names, [](const RodPose& rod, size_t node) {
    // a straight rod's round-off is no bend
    const double kappa = curvature(rod, node);
    return kappa * rod.length > kNoise ? 1 / kappa : std::nan("");
  }));
  charts.push_back(along("Twist", Quantity::Twist, pose, names,
                         [](const RodPose& rod, size_t node) { return value_or_nan(rod.twist, node); }));
  charts.push_back(along("Tension", Quantity::Force, pose, names,
                         [](const RodPose& rod, size_t node) { return value_or_nan(rod.axial_force, node); }));
  // a straight rod's curvature and twist are round-off against 1/length
  const double natural = length > 0 ? 1 / length : 1;
  charts[0].noise = charts[2].noise = kNoise * std::max(natural, peak({charts[0]}));
  charts[1].logarithmic = true;
  charts[1].noise = 0;
  for (size_t i = 0; i < scene.rods.size(); ++i) {
    const Rod& rod = scene.rods[i];
    if (rod.limits.min_bend_radius && i < pose.rods.size()) {
      const RodPose& shape = pose.rods[i];
      const double limit = rod.limits.min_bend_radius->centre_radius(rod::half_width(shape), rod::moves(shape));
      charts[0].limits.push_back({1 / limit, "limit"});
      charts[1].limits.push_back({limit, "limit"});
    }
    if (rod.limits.max_tension) charts[3].limits.push_back({*rod.limits.max_tension, "limit"});
  }
  add_moments(charts, pose, names);
  const auto yields = [](const RodPose& rod) { return !rod.yield.empty(); };
  if (std::any_of(pose.rods.begin(), pose.rods.end(), yields)) {
    Chart chart = along("Strain over first yield", Quantity::Plain, pose, names,
                        [](const RodPose& rod, size_t node) { return value_or_nan(rod.yield, node); });
    chart.limits.push_back({1, "yield"});
    charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<Chart> time_charts(const Outcome& outcome, const ResultNames& names) {
  constexpr size_t kProbes = 6;
  const std::vector<HistoryRow> rows = rows_of(outcome);
  std::vector<Chart> charts;
  if (rows.size() < 2) return charts;
  const auto part = [](const std::vector<Vec3>& list, size_t i) {
    return i < list.size() ? list[i] : Vec3(Vec3::Constant(std::nan("")));
  };
  // forces of the holds
  Chart forces = time_chart("Hold force |F|", Quantity::Force);
  for (size_t i = 0; i < names.holds.size(); ++i) {
    forces.series.push_back(
        over_time(names.holds[i], rows, [&](const HistoryRow& row) { return part(row.hold_force, i).norm(); }));
  }
  if (!forces.series.empty()) charts.push_back(std::move(forces));
  add_forces(charts, "Tension of the ropes", rows, &HistoryRow::rope_tension, names.ropes, "rope");
  add_forces(charts, "Force of the winches", rows, &HistoryRow::winch_force, names.winches, "winch");
  add_forces(charts, "Tension behind the sheaves", rows, &HistoryRow::sheave_after, names.sheaves, "sheave");
  charts.push_back(energy_chart(rows));
  // where the probes went
  const size_t probes = outcome.history.size() > 1 ? std::min(names.probes.size(), kProbes) : 0;
  for (size_t i = 0; i < probes; ++i) {
    Chart chart = time_chart("Position of probe " + names.probes[i], Quantity::Length);
    for (int k = 0; k < 3; ++k) {
      chart.series.push_back(over_time(std::string(1, static_cast<char>('x' + k)), rows,
                                       [&](const HistoryRow& row) { return part(row.probe, i)[k]; }));
    }
    charts.push_back(std::move(chart));
  }
  add_speeds(charts, rows, names);
  add_turns(charts, rows, names);
  return charts;
}

}  // namespace filum::io
