// filum channel: the shapes of a beam in a channel or tube.
#include "command.hpp"
#include "io/channel/channel_files.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "threads/thread_team.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

namespace filum::app {
namespace {

struct ChannelArguments {
  std::string file;
  std::string folder;
  bool json = false;
};

// The library has no clock and no threads: both come from here.
template <class Solve>
auto timed(const Solve& solve) {
  Progress progress("channel");
  ChannelOptions options;
  options.parallel = thread_team();
  options.progress = [&progress](double share, const char* word) { progress.update(share, word); };
  const auto start = std::chrono::steady_clock::now();
  auto outcome = solve(options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  outcome.seconds = elapsed.count();
  return outcome;
}

std::string shapes_table(const ChannelOutcome& outcome) {
  Table table(
      {"shape", "energy J", "U = FL/EI", "push N", "clamp N", "tip along m", "contacts", "KKT", ""},
      {Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
       Align::Left});
  for (std::size_t k = 0; k < outcome.shapes.size(); ++k) {
    const ChannelState& state = outcome.shapes[k];
    table.add({std::to_string(k + 1), fmt::format("{:.6g}", state.energy), fmt::format("{:.6g}", state.dimensionless),
               fmt::format("{:.5g}", state.push_force), fmt::format("{:.5g}", state.insertion_force),
               fmt::format("{:.6g}", state.tip_along),
               std::to_string(state.contacts.size()), fmt::format("{:.0e}", state.kkt),
               state.converged ? "" : bad("not in equilibrium")});
  }
  return table.text("  ");
}

std::string load_words(const ChannelLoad& load) {
  if (load.push) return fmt::format("{:.5g} m", *load.push);
  if (load.insert) return fmt::format("{:.5g} m in", *load.insert);
  return fmt::format("{:.5g} N", load.force.norm());
}

std::string snap_words(const ChannelStep& step) {
  std::string out = "snaps at";
  for (const ChannelSnap& snap : step.snaps)
    out += " " + load_words(snap.load);
  return out + fmt::format(", {:.4g} J set free", step.snap_release);
}

std::string path_table(const ChannelOutcome& outcome) {
  Table table({"step", "load", "push N", "energy J", ""},
              {Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
  for (std::size_t i = 0; i < outcome.path.size(); ++i) {
    const ChannelStep& step = outcome.path[i];
    const double force = step.load.insert ? step.state.feed_force : step.state.push_force;
    table.add({std::to_string(i), load_words(step.load), fmt::format("{:.5g}", force),
               fmt::format("{:.6g}", step.state.energy),
               step.snapped           ? bad(snap_words(step))
               : step.state.converged ? ""
                                      : bad("not in equilibrium")});
  }
  return table.text("  ");
}

std::string words(const ChannelProblem& problem, const ChannelOutcome& outcome, const std::string& folder) {
  std::string out = bold(problem.title.empty() ? "Untitled channel" : problem.title) + "\n";
  if (!outcome.converged) out += bad("no equilibrium") + ": " + shown(outcome.why) + "\n";
  if (!outcome.shapes.empty()) out += "\n" + shapes_table(outcome);
  if (outcome.catalogue.links > 0 && !outcome.catalogue.complete)
    out += fmt::format("\nthe list may be incomplete: of {} random starts that came to rest some led where no other did, or "
                       "there are more minima than were compared\n",
                       outcome.catalogue.rested);
  if (!outcome.path.empty()) out += "\n" + path_table(outcome);
  if (!folder.empty()) out += "\n" + (std::filesystem::path(folder) / "report.html").string() + "\n";
  return out;
}

std::string words(const TubeProblem& problem, const TubeOutcome& outcome, const std::string& folder) {
  std::string out = bold(problem.title.empty() ? "Untitled tube" : problem.title) + "\n";
  if (!outcome.found) return out + bad("nothing found") + ": " + shown(outcome.why) + "\n";
  Table table({"shape", "energy J", "U = FL/EI", "clamp N", "tip along m", "contacts", "KKT", ""},
              {Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
  for (std::size_t k = 0; k < outcome.shapes.size(); ++k) {
    const TubeShape& shape = outcome.shapes[k];
    table.add({std::to_string(k + 1), fmt::format("{:.6g}", shape.energy), fmt::format("{:.6g}", shape.dimensionless),
               fmt::format("{:.5g}", shape.insertion_force), fmt::format("{:.6g}", shape.tip_along),
               std::to_string(shape.contacts.size()), fmt::format("{:.0e}", shape.kkt), shape.planar ? "planar" : ""});
  }
  out += "\n" + table.text("  ");
  out += fmt::format("\n{} rings{}{}\n", outcome.rings.back().rings,
                     outcome.settled ? "" : ": the lowest energy still changed, more rings may find a lower shape",
                     outcome.pruned ? "; pruned: a lower shape may have been dropped" : "");
  if (!folder.empty()) out += "\n" + (std::filesystem::path(folder) / "result.json").string() + "\n";
  return out;
}

// Files and text of either kind of result.
template <class Problem, class Outcome, class Write, class Json>
int finish(const ChannelArguments& arguments, const Problem& problem, const Outcome& outcome, bool converged,
           Write write, Json json) {
  std::string folder = arguments.folder;
  if (folder.empty() && !arguments.json) folder = std::filesystem::path(arguments.file).stem().string() + ".result";
  if (!folder.empty()) {
    const auto written = write(problem, arguments.file, outcome, folder);
    if (!written) return fail(written.error());
  }
  const int code = converged ? kDone : kNotConverged;
  if (!converged && arguments.json) warn("no equilibrium: " + outcome.why);
  return emit(arguments.json ? json(problem, arguments.file, outcome) : words(problem, outcome, folder), code);
}

int run_channel(const ChannelArguments& arguments) {
  const auto file = io::read_channel(arguments.file);
  if (!file) return fail(file.error());
  if (const auto* problem = std::get_if<ChannelProblem>(&*file)) {
    const ChannelOutcome outcome =
        timed([&](const ChannelOptions& options) { return solve_channel(*problem, options); });
    return finish(arguments, *problem, outcome, outcome.converged, io::write_channel, io::channel_json);
  }
  const TubeProblem& problem = std::get<TubeProblem>(*file);
  const TubeOutcome outcome = timed([&](const ChannelOptions& options) { return search_tube(problem, options); });
  return finish(arguments, problem, outcome, outcome.found, io::write_tube, io::tube_json);
}

}  // namespace

void add_channel(CommandLine& line) {
  const auto arguments = std::make_shared<ChannelArguments>();
  Command command = line.add("channel", "Find the shapes of a beam in a channel or tube");
  command.positional("FILE", arguments->file, "The channel file");
  command.option("-o,--output", arguments->folder, "DIR", "Folder for the result (default: <file>.result)");
  command.flag("--json", arguments->json, "Print result.json on stdout; write no files unless -o is given");
  command.action([arguments] { return run_channel(*arguments); });
}

}  // namespace filum::app
