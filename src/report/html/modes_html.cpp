// The page of natural modes: a table, then every shape in two planes, in one file that needs neither network nor
// script.
#include <filum/report.hpp>
#include <filum/result_file.hpp>

#include "io/result/whole_folder.hpp"
#include "report/html/html_text.hpp"
#include "report/html/report_style.hpp"
#include "report/report_units.hpp"
#include "report/svg/modes_pictures.hpp"

namespace filum {
namespace {

using namespace io;

std::string verdict(const ModesOutcome& outcome) {
  const SolveReport& solve = outcome.solve;
  std::string out = "<p class=\"chips\">\n";
  out += solve.converged ? chip("good", "Equilibrium found") : chip("bad", "No equilibrium found");
  if (solve.stable) out += *solve.stable ? chip("good", "Stable") : chip("bad", "UNSTABLE");
  out += chip("none", std::to_string(outcome.modes.size()) + " modes") + "</p>\n";
  if (!solve.why.empty()) out += "<p class=\"why\">" + escape(solve.why) + "</p>\n";
  return out;
}

std::string frequency_text(const NaturalMode& mode) {
  return mode.frequency > 0 ? digits(mode.frequency, 6) + " Hz" : std::string(mode.remark());
}

Table mode_table(const std::vector<NaturalMode>& modes) {
  Table table{{{"mode"}, {"frequency, Hz"}, {"period, s"}, {"ω², 1/s²"}, {"", false}}, {}};
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const NaturalMode& mode = modes[k];
    const bool swings = mode.frequency > 0;
    table.rows.push_back({{std::to_string(k + 1), swings ? digits(mode.frequency, 8) : "–",
                           swings ? digits(1 / mode.frequency, 8) : "–", digits(mode.eigenvalue, 8), mode.remark()},
                          mode.eigenvalue < 0});
  }
  return table;
}

std::string shape_figures(const Scene& scene, const ModesOutcome& outcome) {
  std::string out = "<h2>Shapes</h2>\n<div class=\"plots\">\n";
  for (std::size_t k = 0; k < outcome.modes.size(); ++k) {
    const NaturalMode& mode = outcome.modes[k];
    const std::string caption = "Mode " + std::to_string(k + 1) + ": " + frequency_text(mode);
    for (const std::string& svg : mode_svgs(scene, outcome.pose, mode))
      out += "<figure class=\"card\">\n" + svg + "<figcaption>" + escape(caption) + "</figcaption>\n</figure>\n";
  }
  return out + "</div>\n";
}

}  // namespace

std::string modes_html(const Scene& scene, const ModesOutcome& outcome) {
  const std::string title = scene.title.empty() ? "Untitled scene" : escape(scene.title);
  std::string out = kPageHead + title;
  out +=
      " · natural modes · Filum</title>\n<style>" + std::string(kReportStyle) + "</style>\n</head>\n<body>\n<main>\n";
  out += "<p class=\"kind\">Filum natural modes</p>\n<h1>" + title + "</h1>\n" + verdict(outcome);
  if (!outcome.modes.empty()) {
    out += "<h2>Frequencies</h2>\n<div class=\"card\">" + table_html(mode_table(outcome.modes));
    out += "<p class=\"note\">Small undamped swings about the equilibrium; damping plays no part.</p></div>\n";
    out += shape_figures(scene, outcome);
  }
  out +=
      "<footer>Dashed: at rest. The amplitude is chosen for the eye. The same numbers for programs are in modes.json "
      "beside this page.</footer>\n</main>\n</body>\n</html>\n";
  return out;
}

Status write_modes(const Scene& scene, const std::string& scene_file, const ModesOutcome& outcome,
                   const std::string& folder) {
  return write_whole(
      folder, {{"modes.json", modes_json(scene, scene_file, outcome)}, {"modes.html", modes_html(scene, outcome)}}, {});
}

}  // namespace filum
