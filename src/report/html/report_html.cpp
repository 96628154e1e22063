// The report page: verdict, pictures, plots, numbers, in one file that needs neither network nor script.
#include <filum/report.hpp>
#include <filum/scene.hpp>

#include "report/harness/harness_tables.hpp"
#include "report/html/html_text.hpp"
#include "report/html/report_plots.hpp"
#include "report/html/report_style.hpp"
#include "report/html/report_tables.hpp"
#include "report/report_units.hpp"
#include "report/svg/svg_scene.hpp"

#include <algorithm>

namespace filum {
namespace {

using namespace io;

std::string counted(long count, const char* what) {
  return std::to_string(count) + (count == 1 ? " step " : " steps ") + what;
}

// Did the run reach its end, and how smoothly?
std::string run_chips(const RunReport& run) {
  const std::string end = "t = " + with_unit(run.end, Quantity::Time);
  std::string out = run.completed ? chip("good", "Ran to " + end) : chip("bad", "Stopped at " + end);
  if (run.failed_steps > 0) out += chip("warn", counted(run.failed_steps, "halved"));
  if (run.unconverged_steps > 0) out += chip("warn", counted(run.unconverged_steps, "short of convergence"));
  return out;
}

// Did it converge, is it stable?
std::string solve_chips(const SolveReport& solve) {
  std::string out = solve.converged ? chip("good", "Converged") : chip("bad", "Did not converge");
  if (!solve.stable) return out + chip("none", "Stability not determined");
  return out + (*solve.stable ? chip("good", "Stable") : chip("bad", "UNSTABLE"));
}

// The answers at a glance; last: are the limits kept?
std::string verdict(const Outcome& outcome) {
  std::string out = "<p class=\"chips\">\n";
  out += outcome.run ? run_chips(*outcome.run) : solve_chips(outcome.solve);
  const auto violated =
      std::count_if(outcome.checks.begin(), outcome.checks.end(), [](const Check& c) { return c.violated; });
  if (outcome.checks.empty()) {
    out += chip("none", "No limits set");
  } else if (violated == 0) {
    out += chip("good", "Limits kept");
  } else {
    out += chip("bad", std::to_string(violated) + " of " + std::to_string(outcome.checks.size()) + " limits violated");
  }
  if (!outcome.shortages.empty()) out += chip("bad", "Too short");
  out += "</p>\n";
  const std::string& why = outcome.run ? outcome.run->why : outcome.solve.why;
  if (!why.empty()) out += "<p class=\"why\">" + escape(why) + "</p>\n";
  return out;
}

std::string footer(const Outcome& outcome) {
  const size_t count = outcome.states.size();
  std::string out;
  if (outcome.run && count > 0) {
    out = "Pictures, curves along the rods and tables show the end of the run, t = " +
          with_unit(outcome.states.back().t, Quantity::Time) + ". ";
  } else if (count > 1) {
    out = "Pictures, curves along the rods and tables show the last of " + std::to_string(count) +
          " states, t = " + with_unit(outcome.states.back().t, Quantity::Time) + ". ";
  }
  return out + "The same numbers for programs are in result.json beside this page.";
}

std::string card(const std::string& content) {
  return "<div class=\"card\">" + content + "</div>\n";
}

std::string figure(const std::string& svg, const std::string& caption = "") {
  return "<figure class=\"card\">\n" + svg +
         (caption.empty() ? "" : "<figcaption>" + escape(caption) + "</figcaption>\n") + "</figure>\n";
}

// The scene in perspective and along the axes.
std::string pictures(const Scene& scene, const Outcome& outcome, const ResultNames& names) {
  const SceneView view = scene_view(scene, outcome, names);
  std::string out = "<h2>Shape</h2>\n" + figure(perspective_svg(view), picture_key(view)) + "<div class=\"views\">\n";
  for (const std::string& svg : parallel_svgs(view)) out += figure(svg);
  return out + "</div>\n";
}

std::string plots(const std::string& heading, const std::vector<Chart>& charts) {
  if (charts.empty()) return "";
  std::string out = "<h2>" + escape(heading) + "</h2>\n<div class=\"plots\">\n";
  for (const Chart& chart : charts) out += figure(chart_svg(chart));
  return out + "</div>\n";
}

// Segments, clips, wires and gaps, of what is a harness.
std::string harness(const Scene& scene, const Outcome& outcome) {
  if (!is_harness(scene) || outcome.states.empty()) return "";
  HarnessReporter reporter(scene, {});
  for (const Snapshot& state : outcome.states) reporter.add(state, outcome.states.size() > 1);
  const HarnessReport report = reporter.report();
  std::string out = "<h2>Segments</h2>\n" + card(table_html(segment_table(report)) +
                                                 "<p class=\"note\">Between neighbouring holds and junctions; radii "
                                                 "of the centre line, the tightest of all states first.</p>");
  if (!report.clips.empty()) out += "<h2>Clips</h2>\n" + card(table_html(clip_table(report)));
  if (!report.wires.empty()) out += "<h2>Wires</h2>\n" + card(table_html(wire_table(report)));
  if (!report.gaps.empty())
    out += "<h2>Gaps</h2>\n" + card(table_html(gap_table(report)) +
                                    "<p class=\"note\">Between the surfaces of a cable and of the nearest other one, "
                                    "or of itself; away from their own junctions.</p>");
  if (!report.bundles.empty())
    out += "<h2>Bundles</h2>\n" + card(table_html(bundle_table(report)) +
                                       "<p class=\"note\">Between wires that slip on each other and wires that stick "
                                       "together; what is taken is the scene's `bond`.</p>");
  return out;
}

// How the figures of contact are meant.
std::string contact_note(const Outcome& outcome) {
  std::string note =
      "Force: normal to the rod, summed along a stretch that touches one thing. Pressure and chafing (normal force "
      "times "
      "way slipped since the start): on a stretch as long as the rod is wide.";
  const bool rubs = std::any_of(outcome.states.begin(), outcome.states.end(), [](const Snapshot& state) {
    return std::any_of(state.pose.contacts.begin(), state.pose.contacts.end(), [](const ContactPose& contact) {
      return (contact.force - contact.normal_force() * contact.normal).norm() > 1e-6 * contact.force.norm();
    });
  });
  if (rubs && !outcome.run)
    note += " Friction acts from the second state of a path on: what is in balance then depends on the path.";
  return note;
}

std::string numbers(const Scene& scene, const Outcome& outcome, const Pose& pose, const ResultNames& names) {
  std::string out;
  if (!outcome.checks.empty()) out += "<h2>Checks</h2>\n" + card(table_html(check_table(outcome.checks)));
  if (!outcome.shortages.empty())
    out += "<h2>Too short</h2>\n" + card(table_html(shortage_table(outcome.shortages)) +
                                         "<p class=\"note\">With so much more length between these places everything "
                                         "that was asked for can be reached.</p>");
  if (!outcome.lengths.empty()) out += "<h2>Lengths found</h2>\n" + card(table_html(length_table(outcome.lengths)));
  out += harness(scene, outcome);
  if (!pose.rods.empty()) out += "<h2>Rods</h2>\n" + card(table_html(rod_table(pose, names)));
  if (!pose.holds.empty()) {
    out += "<h2>Holds</h2>\n" + card(table_html(hold_table(scene, pose, names)) +
                                     "<p class=\"note\">What each hold does to its rod, world axes; moments about the "
                                     "held point.</p>");
  }
  if (!pose.ropes.empty()) out += "<h2>Ropes</h2>\n" + card(table_html(rope_table(pose, names)));
  if (!pose.winches.empty()) out += "<h2>Winches</h2>\n" + card(table_html(winch_table(scene, pose, names)));
  if (!pose.sheaves.empty()) out += "<h2>Sheaves</h2>\n" + card(table_html(sheave_table(scene, pose, names)));
  const auto touches = [&](const Table& table, const std::string& note) {
    if (!table.rows.empty())
      out += "<h2>Contact</h2>\n" + card(table_html(table) + "<p class=\"note\">" + escape(note) + "</p>");
  };
  touches(contact_table(scene, pose), contact_note(outcome));
  touches(
      body_contact_table(scene, pose),
      "What holds bodies off: normal forces and friction each summed over the places that touch, and the sum of all "
      "as vectors.");
  if (!outcome.history.empty()) {
    const Table turns = turns_table(outcome.history.back(), names);
    if (!turns.rows.empty())
      out += "<h2>Turns</h2>\n" + card(table_html(turns) +
                                       "<p class=\"note\">Since the first state: twist + writhe = turns − 2 × "
                                       "crossings.</p>");
  }
  out += std::string("<h2>Energy and ") + (outcome.run ? "run" : "solver") + "</h2>\n<div class=\"pair\">" +
         card(table_html(energy_table(pose.energy))) +
         card(table_html(outcome.run ? run_table(*outcome.run) : solver_table(outcome.solve))) + "</div>\n";
  if (!outcome.events.empty()) out += "<h2>Events</h2>\n" + card(table_html(event_table(outcome.events)));
  return out;
}

}  // namespace

std::string report_html(const Scene& scene, const Outcome& outcome) {
  const ResultNames names = names_of(scene, outcome);
  const Pose empty;
  const Pose& pose = outcome.states.empty() ? empty : outcome.states.back().pose;
  const std::string title = scene.title.empty() ? "Untitled scene" : escape(scene.title);
  std::string out = kPageHead + title;
  out += " · Filum</title>\n<style>" + std::string(kReportStyle) + "</style>\n</head>\n<body>\n<main>\n";
  out += "<p class=\"kind\">Filum report</p>\n<h1>" + title + "</h1>\n" + verdict(outcome);
  if (!outcome.states.empty()) out += pictures(scene, outcome, names);
  out += plots("Along the rods", arc_charts(scene, pose, names));
  out += plots("Over time", time_charts(outcome, names));
  out += numbers(scene, outcome, pose, names);
  out += "<footer>" + footer(outcome) + "</footer>\n";
  out += "</main>\n</body>\n</html>\n";
  return out;
}

}  // namespace filum
