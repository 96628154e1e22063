// filum report: the report of a result anew, and what a harness engineer reads of it.
#include "command.hpp"
#include "io/file_write.hpp"
#include "report/harness/harness_report.hpp"
#include "report/harness/harness_tables.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <filum/report.hpp>
#include <filum/result_file.hpp>
#include <filum/scene.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace filum::app {
namespace {

struct ReportArguments {
  std::string result;
  std::string target;
  bool harness = false;
  std::optional<double> extra;      // %
  std::optional<double> allowance;  // mm
  std::optional<double> round;      // mm
};

std::string folder_of(const std::string& result) {
  std::error_code code;
  if (std::filesystem::is_directory(result, code)) return result;
  const auto parent = std::filesystem::path(result).parent_path();
  return parent.empty() ? "." : parent.string();
}

// A table of the page, for a terminal.
std::string plain(const io::Table& table) {
  constexpr std::size_t kMostRows = 40;
  std::vector<std::string> heads;
  std::vector<Align> align;
  for (const io::Column& column : table.columns) {
    heads.push_back(column.head);
    align.push_back(column.number ? Align::Right : Align::Left);
  }
  Table out(heads, align);
  for (std::size_t i = 0; i < std::min(table.rows.size(), kMostRows); ++i) {
    std::vector<std::string> cells;
    for (const std::string& cell : table.rows[i].cells) cells.push_back(shown(cell));
    if (table.rows[i].bad) cells[0] = bad(cells[0]);
    out.add(std::move(cells));
  }
  std::string text = out.text();
  if (table.rows.size() > kMostRows)
    text += "… and " + std::to_string(table.rows.size() - kMostRows) + " more in the file\n";
  return text + "\n";
}

Result<io::HarnessReport> harness_of(const Scene& scene, const StoredResult& stored, const io::LengthRule& rule) {
  io::HarnessReporter reporter(scene, rule);
  const std::vector<Snapshot>& states = stored.outcome.states;
  if (stored.frames.empty()) {
    for (const Snapshot& state : states) reporter.add(state, states.size() > 1);
    return reporter.report();
  }
  // every frame of a run, one at a time
  auto frames = FrameReader::open(stored.frames);
  if (!frames) return frames.error();
  Snapshot frame;
  while (true) {
    const auto more = frames->next(frame);
    if (!more) return more.error();
    if (!*more) break;
    reporter.add(frame, true);
  }
  return reporter.report();
}

int run_report(const ReportArguments& arguments) {
  const auto stored = read_result(arguments.result);
  if (!stored) return fail(stored.error());
  if (stored->unfinished) return fail(arguments.result + ": " + stored->notice + ", so there is nothing to report");
  if (!stored->notice.empty()) warn(stored->notice);
  const auto scene = read_result_scene(arguments.result);
  if (!scene) return fail(scene.error());
  if (stored->outcome.states.empty() || stored->outcome.states.back().pose.rods.size() != scene->rods.size())
    return fail(arguments.result + ": its states are not those of its scene");

  const std::string target = arguments.target.empty() ? folder_of(arguments.result) : arguments.target;
  std::vector<io::FileText> files{{target + "/report.html", report_html(*scene, stored->outcome)}};
  std::string text;
  if (arguments.harness) {
    const io::LengthRule rule{arguments.extra.value_or(0) / 100, 1e-3 * arguments.allowance.value_or(0),
                              1e-3 * arguments.round.value_or(0)};
    if (!(rule.extra >= 0) || !(rule.allowance >= 0) || !(rule.step >= 0))
      return fail("--extra, --allowance and --round must be zero or more");
    const auto report = harness_of(*scene, *stored, rule);
    if (!report) return fail(report.error());
    files.push_back({target + "/segments.csv", segments_csv(*report)});
    files.push_back({target + "/clips.csv", clips_csv(*report)});
    files.push_back({target + "/wires.csv", wires_csv(*report)});
    files.push_back({target + "/gaps.csv", gaps_csv(*report)});
    text += plain(segment_table(*report));
    if (!report->clips.empty()) text += plain(clip_table(*report));
    if (!report->wires.empty()) text += plain(wire_table(*report));
    if (!report->gaps.empty()) text += plain(gap_table(*report));
    if (!report->bundles.empty()) text += plain(bundle_table(*report));
  }
  if (const auto made = io::make_folder(target); !made) return fail(made.error());
  if (const auto written = io::write_files(files); !written) return fail(written.error());
  for (const io::FileText& file : files) text += shown(file.path) + "\n";
  return emit(text, kDone);
}

}  // namespace

void add_report(CommandLine& line) {
  const auto arguments = std::make_shared<ReportArguments>();
  Command command =
      line.add("report", "Write the report of a result anew; --harness: segments, clips, wires and gaps as tables");
  command.positional("RESULT", arguments->result, "The result folder");
  command.flag("--harness", arguments->harness,
               "Segments, clips, wires and gaps, also as segments.csv, clips.csv, wires.csv, gaps.csv");
  command.option("--extra", arguments->extra, "PERCENT", "Added to each length found (default: 0)");
  command.option("--allowance", arguments->allowance, "MM", "Added on top, in millimetres (default: 0)");
  command.option("--round", arguments->round, "MM", "Rounded up to a multiple of this, in millimetres (default: not)");
  command.option("-o,--output", arguments->target, "DIR", "Folder to write into (default: the result folder)");
  command.action([arguments] { return run_report(*arguments); });
}

}  // namespace filum::app
