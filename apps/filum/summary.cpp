#include "summary.hpp"

#include "quantity.hpp"
#include "sim/contact_load.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <filum/words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace filum::app {
namespace {

// A table longer than this is for the report, not for a screen.
constexpr std::size_t kMostRows = 24;

std::string left_out(std::size_t count) {
  return count > kMostRows ? fmt::format("  … and {} more in the report\n", count - kMostRows) : "";
}

std::string rods_table(const Scene& scene, const Pose& pose) {
  Table table({"rod", "length", "smallest bend radius", "at s", "tension, least", "most"},
              {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
  for (std::size_t i = 0; i < std::min(pose.rods.size(), kMostRows); ++i) {
    const RodPose& rod = pose.rods[i];
    const auto [least, most] = std::minmax_element(rod.axial_force.begin(), rod.axial_force.end());
    const bool any = least != rod.axial_force.end();
    table.add({scene.rods[i].name, quantity(rod.length, "m"), quantity(rod.min_bend_radius.value, "m"),
               quantity(rod.min_bend_radius.s, "m"), any ? quantity(*least, "N") : "",
               any ? quantity(*most, "N") : ""});
  }
  return table.text("  ") + left_out(pose.rods.size());
}

std::string holds_table(const Scene& scene, const Pose& pose) {
  // one unit for all forces and one for all moments
  double force = 0;
  double moment = 0;
  for (const HoldPose& hold : pose.holds) {
    force = std::max(force, hold.force.norm());
    moment = std::max(moment, hold.moment.norm());
  }
  const Scale newton = scale_for(force, "N");
  const Scale newton_metre = scale_for(moment, "N·m");

  Table table({"hold", "at s", "Fx", "Fy", "Fz", "|F| " + newton.unit, "Mx", "My", "Mz", "|M| " + newton_metre.unit},
              {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  for (std::size_t i = 0; i < std::min(pose.holds.size(), kMostRows); ++i) {
    const HoldPose& hold = pose.holds[i];
    std::vector<std::string> cells{scene.holds[i].name, quantity(hold.s, "m")};
    for (int axis = 0; axis < 3; ++axis) cells.push_back(in_scale(hold.force[axis], newton));
    cells.push_back(in_scale(hold.force.norm(), newton));
    for (int axis = 0; axis < 3; ++axis) cells.push_back(in_scale(hold.moment[axis], newton_metre));
    cells.push_back(in_scale(hold.moment.norm(), newton_metre));
    table.add(std::move(cells));
  }
  return table.text("  ") + left_out(pose.holds.size());
}

std::string lengths_table(const std::vector<FoundLength>& lengths) {
  Table table({"found length of", "between", "length", "change", "force", "pull"},
              {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  for (std::size_t i = 0; i < std::min(lengths.size(), kMostRows); ++i) {
    const FoundLength& length = lengths[i];
    table.add({length.rod, words(length.from, length.to), quantity(length.length, "m"), quantity(length.added, "m"),
               quantity(length.force, "N"), quantity(length.pull, "N")});
  }
  return table.text("  ") + left_out(lengths.size());
}

std::string shortages_table(const std::vector<Shortage>& shortages) {
  Table table({"too short", "between", "missing", "most at t", "stops at t"},
              {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right});
  for (std::size_t i = 0; i < std::min(shortages.size(), kMostRows); ++i) {
    const Shortage& shortage = shortages[i];
    table.add({shortage.rod, words(shortage.from, shortage.to), bad(quantity(shortage.missing, "m")),
               quantity(shortage.t, "s"), quantity(shortage.stopped, "s")});
  }
  return table.text("  ") + left_out(shortages.size());
}

// Of rods whose ends have turned, or that have passed through themselves.
std::string turns_table(const Scene& scene, const HistoryRow& row) {
  Table table({"turns of", "ends", "twist", "writhe", "crossings"},
              {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  bool any = false;
  for (std::size_t i = 0; i < std::min({row.balance.size(), scene.rods.size(), kMostRows}); ++i) {
    const TurnBalance& balance = row.balance[i];
    if (std::abs(balance.turns) < 1e-6 && balance.crossings == 0) continue;
    any = true;
    table.add({scene.rods[i].name, fmt::format("{:.4f}", balance.turns), fmt::format("{:.4f}", balance.twist),
               fmt::format("{:.4f}", balance.writhe), fmt::format("{}", balance.crossings)});
  }
  return any ? table.text("  ") + "\n" : "";
}

std::string verdict(const SolveReport& solve) {
  if (!solve.converged) return bad("NOT CONVERGED") + ": " + solve.why;
  if (!solve.stable) return "stability not judged" + (solve.why.empty() ? "" : ": " + solve.why);
  if (*solve.stable) return good("stable") + (solve.nudged ? ", after leaving an unstable branch" : "");
  return bad("UNSTABLE") + ": the least disturbance leaves this shape (--nudge finds a stable one)";
}

std::string solve_line(const Outcome& outcome) {
  const SolveReport& solve = outcome.solve;
  std::string line = fmt::format("{} iteration{}, residual {:.1e}, {}", solve.iterations,
                                 solve.iterations == 1 ? "" : "s", solve.residual, quantity(solve.seconds, "s"));
  if (solve.load_steps > 0) line += fmt::format(", loads raised in {} steps", solve.load_steps);
  if (!solve.begun_from.empty()) line += fmt::format(", begun from the equilibrium that {} found", solve.begun_from);
  if (outcome.states.size() > 1)
    line += fmt::format(", {} states (above: the last, t = {:g} s)", outcome.states.size(), outcome.states.back().t);
  return line;
}

// The largest force and moment of each hold over a run, at recorded instants.
std::string extremes_table(const Scene& scene, const std::vector<HistoryRow>& history) {
  Table table({"hold", "largest |F|", "at t", "largest |M|", "at t"},
              {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  const auto largest = [&](std::size_t hold, std::vector<Vec3> HistoryRow::*list) {
    const HistoryRow* most = &history.front();
    for (const HistoryRow& row : history)
      if ((row.*list)[hold].norm() > (most->*list)[hold].norm()) most = &row;
    return std::pair{(most->*list)[hold].norm(), most->t};
  };
  for (std::size_t i = 0; i < std::min(scene.holds.size(), kMostRows); ++i) {
    const auto [force, force_t] = largest(i, &HistoryRow::hold_force);
    const auto [moment, moment_t] = largest(i, &HistoryRow::hold_moment);
    table.add({scene.holds[i].name, quantity(force, "N"), quantity(force_t, "s"), quantity(moment, "N·m"),
               quantity(moment_t, "s")});
  }
  return table.text("  ") + left_out(scene.holds.size());
}

// Ropes and winches: what they bear in the last state, and the most they bore.
std::string reeving_table(const Scene& scene, const Pose& pose, const std::vector<HistoryRow>& history) {
  Table table({"", "", "force", "largest", "at t", "length or paid out"},
              {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  const auto add = [&](const char* what, const std::string& name, std::size_t index,
                       std::vector<double> HistoryRow::*list, double length) {
    if (history.empty() || index >= (history.back().*list).size()) return;
    const auto most = std::max_element(history.begin(), history.end(), [&](const HistoryRow& a, const HistoryRow& b) {
      return (a.*list)[index] < (b.*list)[index];
    });
    table.add({what, name, quantity((history.back().*list)[index], "N"), quantity(((*most).*list)[index], "N"),
               quantity(most->t, "s"), quantity(length, "m")});
  };
  for (std::size_t i = 0; i < std::min(pose.ropes.size(), kMostRows); ++i)
    add(pose.ropes[i].broken ? "broken rope" : "rope", scene.ropes[i].name, i, &HistoryRow::rope_tension,
        pose.ropes[i].length);
  for (std::size_t i = 0; i < std::min(pose.winches.size(), kMostRows); ++i)
    add("winch", scene.winches[i].name, i, &HistoryRow::winch_force, pose.winches[i].paid_out);
  return table.text("  ") + left_out(std::max(pose.ropes.size(), pose.winches.size()));
}

std::string sheaves_table(const Scene& scene, const Pose& pose) {
  Table table({"sheave", "tension before", "after", "run over it"},
              {Align::Left, Align::Right, Align::Right, Align::Right});
  for (std::size_t i = 0; i < std::min(pose.sheaves.size(), kMostRows); ++i) {
    const SheavePose& sheave = pose.sheaves[i];
    table.add({scene.sheaves[i].name, quantity(sheave.tension_before, "N"), quantity(sheave.tension_after, "N"),
               quantity(sheave.slip, "m")});
  }
  return table.text("  ") + left_out(pose.sheaves.size());
}

// What touches each rod in the last state. Chafing is told where something has slipped.
std::string contacts_table(const Scene& scene, const Pose& pose) {
  Table table(
      {"contact of", "stretches", "largest force", "on", "at s", "pressure", "at s", "chafing"},
      {Align::Left, Align::Right, Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  for (std::size_t i = 0; i < std::min(scene.rods.size(), kMostRows); ++i) {
    const sim::ContactLoad load = sim::contact_load(scene, pose, static_cast<int>(i));
    if (load.stretches == 0) continue;
    table.add({scene.rods[i].name, fmt::format("{}", load.stretches), quantity(load.force, "N"), words(load.on),
               quantity(load.force_s, "m"), quantity(load.pressure, "Pa"), quantity(load.pressure_s, "m"),
               load.chafing > 0 ? quantity(load.chafing, "N·m") : "–"});
  }
  return table.text("  ") + left_out(scene.rods.size());
}

std::string run_line(const RunReport& run) {
  const double passed = run.end - run.start;
  std::string line = fmt::format("t = {:g} … {:g} s in {} step{}, {}", run.start, run.end, run.steps,
                                 run.steps == 1 ? "" : "s", quantity(run.seconds, "s"));
  if (run.seconds > 0) line += fmt::format(" ({:.3g}× real time)", passed / run.seconds);
  return line;
}

std::string steps_line(const RunReport& run) {
  std::string line = run.smallest_step == run.largest_step
                         ? quantity(run.largest_step, "s")
                         : fmt::format("{} to {}", quantity(run.smallest_step, "s"), quantity(run.largest_step, "s"));
  if (run.steps > 0) line += fmt::format(", {:.3g} iterations a step", double(run.iterations) / double(run.steps));
  if (run.failed_steps > 0)
    line += fmt::format(", {} failed and were divided ({} halvings)", run.failed_steps, run.halvings);
  if (run.rejected_steps > 0) line += fmt::format(", {} tried and taken back", run.rejected_steps);
  if (run.unconverged_steps > 0)
    line += fmt::format(", {} accepted short of convergence (residual up to {:.2g})", run.unconverged_steps,
                        run.residual_left);
  return line;
}

// As a share of what moved, too.
std::string energy_share(const RunReport& run, double energy) {
  std::string line = quantity(energy, "J");
  if (run.energy_scale > 0)
    line += fmt::format(", {:.2g} % of the {} that moved", 100 * energy / run.energy_scale,
                        quantity(run.energy_scale, "J"));
  return line;
}

void add_run_facts(const RunReport& run, double drained, Table& facts) {
  facts.add({"run", run_line(run)});
  facts.add({"steps", steps_line(run)});
  facts.add({"energy error", energy_share(run, run.max_energy_error)});
  if (drained > 0) facts.add({"drained", energy_share(run, drained)});
  if (run.neglected_strain > 0) facts.add({"neglected strain", fmt::format("{:.2g}", run.neglected_strain)});
  facts.add({"went", run.completed ? good("to its end") : bad("NOT TO ITS END") + ": " + run.why});
}

}  // namespace

std::string limits_table(const std::vector<Check>& checks, const std::string& indent) {
  Table table({"limit", "of", "value", "allowed", "at s", "t", "verdict"},
              {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
  for (const Check& check : checks) {
    // of a bend radius both lines
    std::string value = quantity(check.value, unit_of(check.kind));
    if (check.other)
      value += fmt::format(" ({} {})", check.kind == CheckKind::InsideBendRadius ? "centre line" : "inside",
                           quantity(*check.other, "m"));
    table.add({words(check.kind), subject(check), value, quantity(check.limit, unit_of(check.kind)),
               quantity(check.s, "m"), quantity(check.t, "s"), check.violated ? bad("VIOLATED") : good("kept")});
  }
  return table.text(indent);
}

std::string summary(const Scene& scene, const Outcome& outcome, const std::string& folder) {
  const Pose& pose = outcome.states.back().pose;
  std::string out = bold(scene.title.empty() ? "untitled" : scene.title) + "\n\n";

  // the shape and what holds it; of a run at its end
  if (!pose.rods.empty()) out += rods_table(scene, pose) + "\n";
  if (!pose.holds.empty()) out += holds_table(scene, pose) + "\n";
  if (outcome.run && !pose.holds.empty()) out += extremes_table(scene, outcome.history) + "\n";
  if (!pose.ropes.empty() || !pose.winches.empty()) out += reeving_table(scene, pose, outcome.history) + "\n";
  if (!pose.sheaves.empty()) out += sheaves_table(scene, pose) + "\n";
  if (!pose.contacts.empty()) out += contacts_table(scene, pose) + "\n";
  if (!outcome.checks.empty()) out += limits_table(outcome.checks, "  ") + "\n";
  if (!outcome.lengths.empty()) out += lengths_table(outcome.lengths) + "\n";
  if (!outcome.shortages.empty()) out += shortages_table(outcome.shortages) + "\n";
  if (!outcome.run && !outcome.history.empty()) out += turns_table(scene, outcome.history.back());

  // how it came about
  Table facts({}, {Align::Left, Align::Left});
  std::string energy =
      fmt::format("elastic {}, gravity {}", quantity(pose.energy.elastic, "J"), quantity(pose.energy.gravity, "J"));
  if (outcome.run) energy += ", kinetic " + quantity(pose.energy.kinetic, "J");
  facts.add({"energy", energy});
  if (outcome.run) {
    add_run_facts(*outcome.run, outcome.states.back().pose.energy.drained, facts);
  } else {
    facts.add({"solve", solve_line(outcome)});
    facts.add({"equilibrium", verdict(outcome.solve)});
  }
  for (const Event& event : outcome.events) facts.add({"event", fmt::format("t = {:g} s: {}", event.t, words(event))});
  if (!folder.empty()) facts.add({"result", (std::filesystem::path(folder) / "report.html").string()});
  return out + facts.text("  ");
}

}  // namespace filum::app
