// The report of a channel: pictures, energies, contacts, the insertion curve, in one file that needs neither network
// nor script.
#include "io/channel/channel_files.hpp"
#include "io/result/whole_folder.hpp"
#include "report/html/html_text.hpp"
#include "report/html/report_style.hpp"
#include "report/report_units.hpp"
#include "report/svg/channel_picture.hpp"
#include "report/svg/svg_chart.hpp"

#include <algorithm>

namespace filum::io {
namespace {

std::string figure(const std::string& svg, const std::string& caption) {
  return "<figure class=\"card\">\n" + svg + "<figcaption>" + escape(caption) + "</figcaption>\n</figure>\n";
}

std::string shape_name(const ChannelOutcome& outcome, std::size_t k) {
  const ChannelState& state = outcome.shapes[k];
  return "shape " + std::to_string(k + 1) + ": U = " + digits(state.dimensionless, 6) + ", " +
         with_unit(state.energy, Quantity::Energy, 5) + ", " + std::to_string(state.contacts.size()) + " contacts";
}

std::string verdict(const ChannelProblem& problem, const ChannelOutcome& outcome) {
  std::string out = "<p class=\"chips\">\n";
  out += outcome.converged ? chip("good", "Equilibrium found") : chip("bad", "No equilibrium found");
  out += chip("none",
              std::to_string(outcome.shapes.size()) + (outcome.shapes.size() == 1 ? " shape" : " different shapes"));
  int snaps = 0;
  for (const ChannelStep& step : outcome.path) snaps += step.snapped;
  if (snaps > 0) out += chip("warn", std::to_string(snaps) + (snaps == 1 ? " snap" : " snaps"));
  out += "</p>\n";
  if (!outcome.why.empty()) out += "<p class=\"why\">" + escape(outcome.why) + "</p>\n";
  const ChannelLoad& load = problem.loads.front();
  const std::string loaded = load.push     ? "tip pushed back by " + with_unit(*load.push, Quantity::Length)
                             : load.insert ? with_unit(*load.insert, Quantity::Length) + " of it inserted"
                                           : "force at the tip (" + with_unit(load.force[0], Quantity::Force) + ", " +
                                             with_unit(load.force[1], Quantity::Force) + ")";
  return out + "<p class=\"why\">Beam of " + with_unit(problem.beam.length, Quantity::Length) + ", " + escape(loaded) +
         (problem.loads.size() > 1 ? ", then the load path below" : "") + ".</p>\n";
}

Table shape_table(const ChannelOutcome& outcome) {
  Table table{{{"shape"},
               {"energy"},
               {"U = F L/EI"},
               {"bending"},
               {"push at the tip"},
               {"push at the clamp"},
               {"tip along"},
               {"contacts"},
               {"largest wall force"},
               {"beyond walls"},
               {"KKT residual, EI/L"},
               {"balance, EI/L"}},
              {}};
  for (std::size_t k = 0; k < outcome.shapes.size(); ++k) {
    const ChannelState& state = outcome.shapes[k];
    double largest = 0;
    for (const WallContact& contact : state.contacts) largest = std::max(largest, contact.normal);
    table.rows.push_back(
        {{std::to_string(k + 1), with_unit(state.energy, Quantity::Energy, 6), digits(state.dimensionless, 7),
          with_unit(state.bending, Quantity::Energy, 5), with_unit(state.push_force, Quantity::Force, 5),
          with_unit(state.insertion_force, Quantity::Force, 5), with_unit(state.tip_along, Quantity::Length, 5), std::to_string(state.contacts.size()),
          with_unit(largest, Quantity::Force, 4), with_unit(state.breach, Quantity::Length, 2), digits(state.kkt, 2),
          digits(state.balance, 2)},
         !state.converged});
  }
  return table;
}

Table contact_table(const ChannelState& state) {
  Table table{{{"along the beam"}, {"along the channel"}, {"wall", false}, {"force"}, {"friction"}, {"x"}, {"y"}}, {}};
  for (const WallContact& contact : state.contacts)
    table.rows.push_back(
        {{with_unit(contact.s, Quantity::Length), with_unit(contact.along, Quantity::Length),
          contact.left ? "left" : "right", with_unit(contact.normal, Quantity::Force),
          with_unit(contact.friction, Quantity::Force),
          with_unit(contact.point[0], Quantity::Length), with_unit(contact.point[1], Quantity::Length)},
         false});
  return table;
}

// Is there more to show than the last energy?
bool refined(const ChannelOutcome& outcome) {
  return std::any_of(outcome.shapes.begin(), outcome.shapes.end(),
                     [](const ChannelState& state) { return state.refinement.size() > 1; });
}

std::string refinement_chart(const ChannelOutcome& outcome) {
  Chart chart;
  chart.title = "Energy over the refinement";
  chart.quantity = Quantity::Energy;
  chart.x_name = "lattice, tubes of half the spacing each, polish";
  chart.x_quantity = Quantity::Plain;
  for (std::size_t k = 0; k < outcome.shapes.size(); ++k) {
    Series series{"shape " + std::to_string(k + 1), {}, {}};
    for (const ChannelRefinement& step : outcome.shapes[k].refinement) {
      series.x.push_back(static_cast<double>(series.x.size()));
      series.y.push_back(step.energy);
    }
    chart.series.push_back(std::move(series));
  }
  return chart_svg(chart);
}

std::string wall_chart(const ChannelOutcome& outcome) {
  Chart chart;
  chart.title = "Forces of the walls";
  chart.quantity = Quantity::Force;
  chart.x_name = "along the beam";
  const ChannelState& state = outcome.shapes.front();
  for (const bool left : {true, false}) {
    Series series{left ? "left wall" : "right wall", state.s, std::vector<double>(state.s.size(), 0.0)};
    for (const WallContact& contact : state.contacts)
      if (contact.left == left) series.y[static_cast<std::size_t>(contact.node)] = contact.force.norm();
    chart.series.push_back(std::move(series));
  }
  return chart_svg(chart);
}

// Force against push or inserted length; of dead loads the tip's way against the force.
std::string insertion_chart(const ChannelProblem& problem, const ChannelOutcome& outcome) {
  const bool pushed = problem.loads.front().push.has_value();
  const bool inserted = problem.loads.front().insert.has_value();
  Chart chart;
  chart.title = pushed     ? "Insertion curve: push at the tip"
                : inserted ? "Insertion curve: force that feeds the beam"
                           : "Where the tip is along the channel";
  chart.quantity = pushed || inserted ? Quantity::Force : Quantity::Length;
  chart.x_name = pushed ? "pushed" : inserted ? "inserted" : "force at the tip";
  chart.x_quantity = pushed || inserted ? Quantity::Length : Quantity::Force;
  // a new curve after each snap
  chart.series.push_back({"branch 1", {}, {}});
  for (const ChannelStep& step : outcome.path) {
    if (step.snapped) chart.series.push_back({"after snap " + std::to_string(chart.series.size()), {}, {}});
    chart.series.back().x.push_back(pushed     ? *step.load.push
                                    : inserted ? *step.load.insert
                                               : step.load.force.norm());
    chart.series.back().y.push_back(pushed     ? step.state.push_force
                                    : inserted ? step.state.feed_force
                                               : step.state.tip_along);
  }
  return chart_svg(chart);
}

std::string path_part(const ChannelProblem& problem, const ChannelOutcome& outcome) {
  const char* force = problem.loads.front().insert ? "force that feeds" : "push at the tip";
  Table table{{{"step"}, {"load", false}, {force}, {"energy"}, {"contacts"}, {"", false}}, {}};
  for (std::size_t i = 0; i < outcome.path.size(); ++i) {
    const ChannelStep& step = outcome.path[i];
    const std::string load = step.load.push     ? "push " + with_unit(*step.load.push, Quantity::Length)
                             : step.load.insert ? with_unit(*step.load.insert, Quantity::Length) + " in"
                                                : with_unit(step.load.force.norm(), Quantity::Force);
    std::string remark = step.state.why;
    if (step.snapped)
      remark = "snaps at " + digits(100 * step.snap_share, 3) + " % of the step, sets free " +
               with_unit(step.snap_release, Quantity::Energy, 3);
    table.rows.push_back(
        {{std::to_string(i), load, with_unit(step.load.insert ? step.state.feed_force : step.state.push_force, Quantity::Force),
          with_unit(step.state.energy, Quantity::Energy, 5), std::to_string(step.state.contacts.size()), remark},
         !step.state.converged || step.snapped});
  }
  const ChannelState& end = outcome.path.back().state;
  return "<h2>Load path</h2>\n<div class=\"plots\">\n" +
         figure(insertion_chart(problem, outcome), "Each branch followed by equilibria; a new curve after a snap.") +
         figure(channel_svg(problem, {{&end, "at the last load"}}, true), "The shape at the last load.") +
         "</div>\n<div class=\"card wide\">" + table_html(table) + "</div>\n";
}

std::string cost_note(const ChannelProblem& problem, const ChannelCost& cost) {
  const bool in_sections = problem.search.method == ChannelMethod::Sections;
  const std::string along = std::to_string(cost.stations) + (in_sections ? " straight sections" : " along");
  const std::string claim = in_sections ? "In a bent channel a lower chain of this lattice may have been missed"
                                        : "The lowest chain of this lattice is exact";
  return "<p class=\"note\">Searched: " + std::to_string(cost.links) + " links on " + std::to_string(cost.levels) +
         " levels across and " + along + ", " + digits(cost.states, 4) + " states, " + digits(cost.visited, 4) +
         " visited, " + digits(cost.bytes / 1e6, 3) + " MB. " + claim +
         "; the shapes are equilibria between the exact walls, checked at the nodes.</p>";
}

}  // namespace

std::string channel_html(const ChannelProblem& problem, const ChannelOutcome& outcome) {
  const std::string title = problem.title.empty() ? "Untitled channel" : escape(problem.title);
  std::string out = kPageHead + title;
  out += " · channel · Filum</title>\n<style>" + std::string(kReportStyle) + "</style>\n</head>\n<body>\n<main>\n";
  out += "<p class=\"kind\">Filum beam in a channel</p>\n<h1>" + title + "</h1>\n" + verdict(problem, outcome);
  if (!outcome.shapes.empty()) {
    std::vector<DrawnShape> shapes;
    for (std::size_t k = 0; k < outcome.shapes.size(); ++k)
      shapes.push_back({&outcome.shapes[k], shape_name(outcome, k)});
    out += "<h2>Shapes</h2>\n" + figure(channel_svg(problem, shapes, false), "All shapes found, the lowest on top.");
    out += "<h2>The lowest shape and its forces</h2>\n" +
           figure(channel_svg(problem, {shapes.front()}, true),
                  "Arrows: forces of the walls on the beam, and what acts on the tip.");
    out += "<h2>Energies</h2>\n<div class=\"card wide\">" + table_html(shape_table(outcome)) +
           cost_note(problem, outcome.cost) + "</div>\n";
    out += "<h2>Refinement and walls</h2>\n<div class=\"plots\">\n";
    if (refined(outcome))
      out += figure(refinement_chart(outcome), "How the energy fell from the lattice to the equilibrium.");
    out += figure(wall_chart(outcome), "The lowest shape.") + "</div>\n";
    if (!outcome.shapes.front().contacts.empty())
      out += "<h2>Contacts of the lowest shape</h2>\n<div class=\"card wide\">" +
             table_html(contact_table(outcome.shapes.front())) + "</div>\n";
  }
  if (!outcome.path.empty()) out += path_part(problem, outcome);
  return out +
         "<footer>The same numbers for programs are in result.json, shapes.csv and path.csv beside this "
         "page.</footer>\n</main>\n</body>\n</html>\n";
}

Status write_channel(const ChannelProblem& problem, const std::string& file, const ChannelOutcome& outcome,
                     const std::string& folder) {
  std::vector<FileText> files{{"result.json", channel_json(problem, file, outcome)},
                              {"report.html", channel_html(problem, outcome)},
                              {"shapes.csv", shapes_csv(outcome)}};
  if (!outcome.path.empty()) files.push_back({"path.csv", path_csv(outcome)});
  return write_whole(folder, files, {"path.csv", kFramesFile, kStateFile});
}

Status write_tube(const TubeProblem& problem, const std::string& file, const TubeOutcome& outcome,
                  const std::string& folder) {
  return write_whole(folder, {{"result.json", tube_json(problem, file, outcome)}, {"shapes.csv", tube_csv(outcome)}},
                     {"path.csv", "report.html", kFramesFile, kStateFile});
}

}  // namespace filum::io
