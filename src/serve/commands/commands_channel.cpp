// Commands: beams in channels. A channel file is solved as it is given; it has nothing to do with the scene.
#include "io/channel/channel_files.hpp"
#include "io/json_text.hpp"
#include "serve/commands/workbench.hpp"
#include "serve/editor/stopped.hpp"

#include <algorithm>

namespace filum::serve {

namespace {

Json polyline(const std::vector<Vec2>& points) {
  Json list = Json::array();
  for (const Vec2& point : points) list.push_back(json_of(point));
  return list;
}

// What the centreline was written as, where its points can be moved.
Json handles_of(const Curve& centreline) {
  Json points = Json::array();
  for (const Vec3& point : centreline.points) points.push_back({point.x(), point.y()});
  const char* kind = centreline.kind == CurveKind::Line     ? "line"
                     : centreline.kind == CurveKind::Points ? "points"
                     : centreline.kind == CurveKind::Spline ? "spline"
                                                            : "";
  return {{"kind", kind}, {"points", *kind != '\0' ? points : Json::array()}};
}

void channel(Workbench& bench, const Request& request, Json& reply) {
  const std::string name = request.text_or("name", "channel");
  const io::ChannelFile file = must(io::parse_channel(request.text("text"), name));
  const auto* problem = std::get_if<ChannelProblem>(&file);
  if (problem == nullptr) refuse("a tube in space is solved on the command line: filum channel FILE");

  // the search cannot return half-way: it is left by an exception of this module
  ChannelOptions options;
  options.progress = [&bench, watch = bench.editor().watcher()](double share, const char* word) {
    if (watch && !watch(share, word)) throw Stopped{bench.editor().stopped()};
  };
  const ChannelOutcome outcome = solve_channel(*problem, options);
  reply["title"] = problem->title;
  reply["converged"] = outcome.converged;
  reply["why"] = outcome.why;
  const ChannelOutline outline = channel_outline(problem->channel, 0.25 * problem->beam.length);
  reply["outline"] = {{"centreline", polyline(outline.centreline)},
                      {"left", polyline(outline.left)},
                      {"right", polyline(outline.right)}};
  reply["handles"] = handles_of(problem->channel.centreline);
  const Json result = io::parsed_json(io::channel_json(*problem, name, outcome));
  reply["shapes"] = result.value("shapes", Json::array());
  reply["path"] = result.value("path", Json::array());
}

// Those that came with the program.
void channels(Workbench& bench, const Request&, Json& reply) {
  reply["channels"] = Json::array();
  for (const Example& example : bench.channels())
    reply["channels"].push_back({{"name", example.name}, {"text", example.text}});
}

}  // namespace

const std::vector<Command>& channel_commands() {
  static const std::vector<Command> commands = {{"channel", "text name", channel}, {"channels", "", channels}};
  return commands;
}

}  // namespace filum::serve
