// Commands: beams in channels. A channel file is solved as it is given; it has nothing to do with the scene.
#include "io/channel/channel_files.hpp"
#include "io/file_write.hpp"
#include "io/json_text.hpp"
#include "serve/commands/workbench.hpp"
#include "serve/editor/stopped.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

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

// The search cannot return half-way: it is left by an exception of this module.
ChannelOptions watched(const Workbench& bench) {
  ChannelOptions options;
  options.progress = [&bench, watch = bench.editor().watcher()](double share, const char* word) {
    if (watch && !watch(share, word)) throw Stopped{bench.editor().stopped()};
  };
  // one piece after the other, so that each long search hears it between them
  options.parallel = [ask = options.progress](int pieces, const std::function<void(int)>& piece) {
    for (int k = 0; k < pieces; ++k) ask(0, ""), piece(k);
  };
  return options;
}

void solve_planar(const Workbench& bench, const ChannelProblem& problem, const std::string& name, Json& reply) {
  const ChannelOutcome outcome = solve_channel(problem, watched(bench));
  reply["title"] = problem.title;
  reply["converged"] = outcome.converged;
  reply["why"] = outcome.why;
  const ChannelOutline outline = channel_outline(problem.channel, 0.25 * problem.beam.length);
  reply["outline"] = {{"centreline", polyline(outline.centreline)},
                      {"left", polyline(outline.left)},
                      {"right", polyline(outline.right)}};
  reply["handles"] = handles_of(problem.channel.centreline);
  const Json result = io::parsed_json(io::channel_json(problem, name, outcome));
  reply["shapes"] = result.value("shapes", Json::array());
  reply["path"] = result.value("path", Json::array());
}

// Shapes in space; their tube is drawn along so many points.
void solve_tube(const Workbench& bench, const TubeProblem& problem, const std::string& name, Json& reply) {
  constexpr int kDrawn = 120;
  const TubeOutcome outcome = search_tube(problem, watched(bench));
  reply["title"] = problem.title;
  reply["converged"] = outcome.found;
  reply["why"] = outcome.why;
  const CurvePath path(problem.centreline);
  Json centreline = Json::array();
  for (int k = 0; k <= kDrawn; ++k) centreline.push_back(json_of(path.at(path.length() * k / kDrawn).position));
  const Json result = io::parsed_json(io::tube_json(problem, name, outcome));
  reply["outline"] = {{"centreline", Json::array()}, {"left", Json::array()}, {"right", Json::array()}};
  reply["handles"] = {{"kind", ""}, {"points", Json::array()}};
  reply["shapes"] = reply["path"] = Json::array();
  // of a section that is not round the circle about it; of one that changes its first
  double radius = problem.radius.empty() ? 0 : problem.radius.front()[1];
  for (const Vec2& corner : problem.section) radius = std::max(radius, corner.norm());
  reply["tube"] = {{"radius", radius},
                   {"centreline", centreline},
                   {"pruned", outcome.pruned},
                   {"settled", outcome.settled},
                   {"shapes", result.value("shapes", Json::array())}};
}

void channel(Workbench& bench, const Request& request, Json& reply) {
  const std::string name = request.text_or("name", "channel");
  const io::ChannelFile file = must(io::parse_channel(request.text("text"), name));
  if (const auto* problem = std::get_if<ChannelProblem>(&file))
    solve_planar(bench, *problem, name, reply);
  else
    solve_tube(bench, std::get<TubeProblem>(file), name, reply);
}

// What cannot be read as a channel file is saved all the same: it is somebody's text.
void save_channel(Workbench& bench, const Request& request, Json& reply) {
  const std::string path = must(bench.scene_path(request.text("path")));
  std::error_code code;
  if (!request.flag_or("overwrite", false) && std::filesystem::exists(path, code)) {
    reply["exists"] = true;
    throw Refusal{file_error(path, "there is such a file already"), {}};
  }
  must(io::write_files({{path, request.text("text")}}));
  reply["path"] = path;
}

// Those that came with the program.
void channels(Workbench& bench, const Request&, Json& reply) {
  reply["channels"] = Json::array();
  for (const Example& example : bench.channels())
    reply["channels"].push_back({{"name", example.name}, {"text", example.text}});
}

}  // namespace

const std::vector<Command>& channel_commands() {
  static const std::vector<Command> commands = {{"channel", "text name", channel},
                                                {"channels", "", channels},
                                                {"save_channel", "path text overwrite", save_channel}};
  return commands;
}

}  // namespace filum::serve
