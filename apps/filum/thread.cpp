// filum thread: does a harness with its connectors pass an opening, and where does it stick?
#include "command.hpp"
#include "interrupt.hpp"
#include "point_argument.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "scene_arguments.hpp"
#include "sim/assembly/threading.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace filum::app {
namespace {

struct ThreadArguments {
  std::string scene;
  Overrides overrides;
  std::vector<std::string> path;
  std::vector<std::string> rods;
  std::vector<std::string> through;
  std::optional<double> clearance;
  bool kept = false;
};

std::string place(const Vec3& x) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", x.x(), x.y(), x.z());
}

std::string table_of(const sim::Threading& threading) {
  Table table({"part", "verdict", "clearance", "along the path", "nearest", "there"},
              {Align::Left, Align::Left, Align::Right, Align::Right, Align::Left, Align::Left});
  for (const sim::ThreadedPart& part : threading.parts) {
    const sim::Passage& passage = part.passage;
    const bool near = part.nearest.kind != ObjectKind::None;
    table.add({(part.part.kind == ObjectKind::Rod ? "rod '" : "body '") + shown(part.part.name) + "'",
               passage.passes ? good("passes") : bad("STICKS"), near ? quantity(passage.clearance, "m") : "far",
               near ? quantity(passage.way, "m") : "", near ? "'" + shown(part.nearest.name) + "'" : "",
               near ? place(passage.place) : ""});
  }
  return table.text();
}

int run_thread(const ThreadArguments& arguments) {
  sim::ThreadingRequest request;
  for (const std::string& text : arguments.path) {
    const auto point = point_of("--path", text);
    if (!point) return fail(point.error());
    request.path.push_back(*point);
  }
  request.rods = arguments.rods;
  request.through = arguments.through;
  request.turns = !arguments.kept;
  request.clearance = arguments.clearance.value_or(0);
  if (!(request.clearance >= 0)) return fail("--clearance: expected a length in metres, 0 or more");
  const auto scene = load_scene(arguments.scene, arguments.overrides);
  if (!scene) return fail(scene.error());
  const InterruptGuard guard;
  Progress bar("threading");
  request.progress = [&](double share, const char* word) {
    bar.update(share, word);
    return !InterruptGuard::interrupted();
  };
  const auto threading = sim::check_threading(*scene, request);
  if (!threading) return fail(threading.error());
  if (threading->stopped) return fail(kStopped);
  return emit(table_of(*threading), threading->passes ? kDone : kCheckFailed);
}

}  // namespace

void add_thread(CommandLine& line) {
  const auto arguments = std::make_shared<ThreadArguments>();
  Command command = line.add("thread", "Does a harness with its connectors pass an opening, and where does it stick?");
  command.positional("SCENE", arguments->scene, "The scene file");
  command.repeated_option("--path", arguments->path, "X,Y,Z",
                          "A point of the path that the harness is drawn along, m: two or more, in order");
  command.repeated_option("--rod", arguments->rods, "NAME", "A rod of the harness (default: all)");
  command.repeated_option("--through", arguments->through, "NAME",
                          "An obstacle to keep clear of (default: all, and solid bodies that stay)");
  command.option("--clearance", arguments->clearance, "M", "That every part must keep, m (default: 0)");
  command.flag("--kept", arguments->kept, "Connectors keep their orientation to the path");
  add_overrides(command, arguments->overrides);
  command.action([arguments] { return run_thread(*arguments); });
}

}  // namespace filum::app
