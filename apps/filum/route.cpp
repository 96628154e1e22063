// filum route: proposes a cable between two connectors that avoids parts.
#include "command.hpp"
#include "interrupt.hpp"
#include "io/file_read.hpp"
#include "io/file_write.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "scene_arguments.hpp"
#include "sim/assembly/proposed_route.hpp"
#include "terminal.hpp"

#include <filum/scene_file.hpp>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace filum::app {
namespace {

struct RouteArguments {
  std::string scene;
  Overrides overrides;
  std::string output;
  std::string rod;
  std::optional<double> clearance;
  std::optional<double> extra;
  std::optional<double> room;
};

std::string told(const sim::ProposedRoute& route, const std::string& output, bool kept) {
  std::string text = fmt::format("{}: length {}, smallest bend radius {}, ", shown(output), quantity(route.length, "m"),
                                 quantity(route.bend_radius, "m"));
  text += std::isfinite(route.clearance) ? fmt::format("clearance {}", quantity(route.clearance, "m")) : "nothing near";
  if (!route.nearest.name.empty()) text += " to '" + shown(route.nearest.name) + "'";
  if (route.clips > 0) text += fmt::format(", {} {}", route.clips, route.clips == 1 ? "clip" : "clips");
  return text + (kept ? "\n" : bad(", NOT AS ASKED") + "\n");
}

int run_route(const RouteArguments& arguments) {
  sim::RouteRequest request;
  request.rod = arguments.rod;
  request.clearance = arguments.clearance.value_or(0);
  request.extra = arguments.extra;
  request.room = arguments.room.value_or(request.room);
  if (!(request.clearance >= 0)) return fail("--clearance: expected a length in metres, 0 or more");
  if (arguments.extra && !(*arguments.extra >= 0)) return fail("--extra: expected a share of the length, 0 or more");
  if (!(request.room >= 0)) return fail("--room: expected a share of the size of all that there is, 0 or more");
  const auto scene = load_scene(arguments.scene, arguments.overrides);
  if (!scene) return fail(scene.error());
  const auto text = io::read_text_file(arguments.scene);
  if (!text) return fail(text.error());

  const InterruptGuard guard;
  Progress bar("route");
  request.progress = [&](double share, const char* word) {
    bar.update(share, word);
    return !InterruptGuard::interrupted();
  };
  const auto route = sim::propose_route(*scene, request);
  if (!route && route.error().code == ErrorCode::NoSolution) {
    warn(route.error().message);
    return kCheckFailed;
  }
  if (!route) return fail(route.error());
  const std::filesystem::path path(arguments.scene);
  const std::string output = arguments.output.empty()
                                 ? (path.parent_path() / (path.stem().string() + "-routed.yaml")).string()
                                 : arguments.output;
  const auto written = io::write_files({{output, rewrite_scene(*text, output, route->scene)}});
  if (!written) return fail(written.error());
  const bool kept = route->is_kept(request);
  return emit(told(*route, output, kept), kept ? kDone : kCheckFailed);
}

}  // namespace

void add_route(CommandLine& line) {
  const auto arguments = std::make_shared<RouteArguments>();
  Command command = line.add("route", "Propose a cable between two connectors that avoids parts");
  command.positional("SCENE", arguments->scene, "The scene file, with a rod that is held at both ends");
  command.option("-o,--output", arguments->output, "SCENE",
                 "Scene file to write (default: <scene>-routed.yaml, beside it)");
  command.option("--rod", arguments->rod, "NAME", "The rod to lay (default: the only one)");
  command.option("--clearance", arguments->clearance, "M", "To keep from parts, m (default: 0)");
  command.option("--extra", arguments->extra, "SHARE",
                 "Of the length of the way, added to it (default: as much as the bend radius asks for)");
  command.option("--room", arguments->room, "SHARE",
                 "About all that there is, of its size: where ways are looked for (default: 0.25)");
  add_overrides(command, arguments->overrides);
  command.action([arguments] { return run_route(*arguments); });
}

}  // namespace filum::app
