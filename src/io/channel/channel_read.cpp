// Channel files: reading and checking.
#include "io/channel/channel_files.hpp"
#include "io/scene/scene_fields.hpp"
#include "io/file_read.hpp"
#include "io/scene/scene_locate.hpp"
#include "io/scene/scene_read.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace filum::io {
namespace {

constexpr scene::Field kFile[] = {{"filum"}, {"title"}, {"channel"}, {"tube"}, {"beam"}, {"load"}, {"search"}};
constexpr scene::Field kChannel[] = {{"centreline"}, {"width"}, {"stiffness"}, {"friction"}};
constexpr scene::Field kTube[] = {{"centreline"}, {"radius"}, {"section"}, {"up"}, {"stiffness"}, {"friction"}};
constexpr scene::Field kCentreline[] = {{"line"}, {"arc"}, {"points"}, {"spline"}};
constexpr scene::Field kArc[] = {{"centre"}, {"start"}, {"angle"}};
constexpr scene::Field kWidth[] = {{"left"}, {"right"}};
constexpr scene::Field kBeam[] = {{"length"}, {"EI"}, {"GJ"}, {"rest_curvature"}};
constexpr scene::Field kLoad[] = {{"force"}, {"push"}, {"insert"}, {"resist"}, {"tip"}, {"branch"}, {"sliding"}, {"turn"}};
constexpr scene::Field kRamp[] = {{"from"}, {"to"}, {"steps"}};
constexpr scene::Field kSearch[] = {{"links"},  {"levels"},   {"arc_steps"}, {"k"},
                               {"method"}, {"sections"}, {"rings"},     {"keep"}};

const scene::Table kFileSpec{"channel_file", "channel file", kFile};
const scene::Table kChannelSpec{"channel", "channel", kChannel};
const scene::Table kTubeSpec{"tube", "tube", kTube};
const scene::Table kCentrelineSpec{"centreline", "centreline", kCentreline};
const scene::Table kArcSpec{"arc", "arc", kArc};
const scene::Table kWidthSpec{"width", "width", kWidth};
const scene::Table kBeamSpec{"beam", "beam", kBeam};
const scene::Table kLoadSpec{"load", "load", kLoad};
const scene::Table kRampSpec{"ramp", "ramp", kRamp};
const scene::Table kSearchSpec{"search", "search", kSearch};

constexpr int kMostLoads = 10000;

// [x, y]; z is the plane's.
Vec3 read_point(const Node& node) {
  const Vec2 point = read_vec2(node, Dimension::Length);
  return {point[0], point[1], 0};
}

std::vector<Vec3> read_points(const Node& node, std::size_t least) {
  if (!node.is_sequence() || node.size() < least)
    refuse(node, fmt::format("expected a list of at least {} points [[x, y], …], found {}", least, node.describe()));
  std::vector<Vec3> points;
  for (const Node& item : node.children) points.push_back(read_point(item));
  return points;
}

// Through three points, from the first over the second to the third.
Curve arc_through(const Node& node) {
  const std::vector<Vec3> p = read_points(node, 3);
  if (p.size() != 3) refuse(node, fmt::format("an arc goes through three points, found {}", p.size()));
  const Vec2 a = (p[1] - p[0]).head<2>(), b = (p[2] - p[0]).head<2>();
  const double area = a[0] * b[1] - a[1] * b[0];
  if (!(std::abs(area) > 1e-9 * a.norm() * b.norm()))
    refuse(node, "the three points of the arc lie on a line, or two of them coincide");
  const Vec2 centre =
      Vec2(b[1] * a.squaredNorm() - a[1] * b.squaredNorm(), a[0] * b.squaredNorm() - b[0] * a.squaredNorm()) /
      (2 * area);
  Curve curve;
  curve.kind = CurveKind::Arc;
  curve.start = p[0];
  curve.centre = p[0] + Vec3(centre[0], centre[1], 0);
  curve.axis = area > 0 ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ());
  const Vec2 from = -centre, to = b - centre;
  const double side = area > 0 ? 1 : -1;
  curve.angle = std::atan2(side * (from[0] * to[1] - from[1] * to[0]), from.dot(to));
  if (curve.angle <= 0) curve.angle += 2 * std::numbers::pi;
  return curve;
}

Curve read_planar_arc(const Node& node) {
  if (node.is_sequence()) return arc_through(node);
  const Fields fields(node, kArcSpec, "arc of the centreline");
  Curve curve;
  curve.kind = CurveKind::Arc;
  curve.centre = read_point(fields.require("centre"));
  curve.start = read_point(fields.require("start"));
  const double angle = fields.number("angle", Dimension::Angle);
  // clockwise turns about −z
  if (angle < 0) curve.axis = -Vec3::UnitZ();
  curve.angle = std::abs(angle);
  return curve;
}

Curve read_centreline(const Node& node) {
  const Fields fields(node, kCentrelineSpec, "centreline");
  if (node.size() != 1)
    refuse(node, fmt::format("centreline: expected one of line, arc, points, spline; found {} of them", node.size()));
  const std::string& kind = node.key(0).text;
  const Node& value = node.value(0);
  if (kind == "arc") return read_planar_arc(value);
  Curve curve;
  curve.kind = kind == "line" ? CurveKind::Line : kind == "spline" ? CurveKind::Spline : CurveKind::Points;
  curve.points = read_points(value, 2);
  if (curve.kind == CurveKind::Line && curve.points.size() != 2)
    refuse(value, fmt::format("a line goes through two points, found {}", curve.points.size()));
  return curve;
}

// A number, or [[s, value], …].
std::vector<Vec2> read_profile(const Node& node, Dimension dimension) {
  if (node.is_scalar()) return {{0, read_number(node, dimension)}};
  if (!node.is_sequence() || node.size() == 0)
    refuse(node, fmt::format("expected a number or a list [[arc length, value], …], found {}", node.describe()));
  std::vector<Vec2> points;
  for (const Node& item : node.children) {
    if (!item.is_sequence() || item.size() != 2)
      refuse(item, fmt::format("expected [arc length, value], found {}", item.describe()));
    points.emplace_back(read_number(item.children[0], Dimension::Length), read_number(item.children[1], dimension));
  }
  return points;
}

void read_width(const Node& node, Channel& channel) {
  // one number: the whole width, half on each side
  if (node.is_scalar()) {
    const double width = read_number(node, Dimension::Length);
    channel.left = channel.right = {{0, 0.5 * width}};
    return;
  }
  const Fields fields(node, kWidthSpec, "width");
  channel.left = read_profile(fields.require("left"), Dimension::Length);
  channel.right = read_profile(fields.require("right"), Dimension::Length);
}

// One value, a list of them, or {from, to, steps}.
template <class Value, class Read, class Single>
std::vector<Value> read_values(const Node& node, const char* what, Read read, Single is_single) {
  if (node.is_mapping()) {
    const Fields fields(node, kRampSpec, what);
    const Value from = read(fields.require("from"));
    const Value to = read(fields.require("to"));
    const int steps = read_integer(fields.require("steps"));
    if (steps < 1 || steps > kMostLoads)
      refuse(fields.require("steps"), fmt::format("expected a number from 1 to {}, found {}", kMostLoads, steps));
    std::vector<Value> values;
    for (int i = 0; i <= steps; ++i) values.push_back(Value(from + (to - from) * (static_cast<double>(i) / steps)));
    return values;
  }
  if (is_single(node)) return {read(node)};
  if (!node.is_sequence() || node.size() == 0)
    refuse(node, fmt::format("{}: expected a value, a list of values or {{from, to, steps}}, found {}", what,
                             node.describe()));
  if (node.size() > kMostLoads) refuse(node, fmt::format("at most {} loads", kMostLoads));
  std::vector<Value> values;
  for (const Node& item : node.children) values.push_back(read(item));
  return values;
}

void read_sliding(const Fields& load, double friction, ChannelSliding& sliding) {
  constexpr scene::Word kSenses[] = {{"in", ChannelSliding::In}, {"out", ChannelSliding::Out}};
  load.optional("sliding", sliding, [&](const Node& n) { return static_cast<ChannelSliding>(read_word(n, kSenses)); });
  if (friction == 0 && load.find("sliding"))
    refuse(*load.find("sliding"), "load: 'sliding' is the sense of friction, and the walls have none");
}

void read_load(const Node& node, ChannelProblem& problem) {
  const Fields fields(node, kLoadSpec, "load");
  const Node* force = fields.find("force");
  const Node* push = fields.find("push");
  const Node* insert = fields.find("insert");
  if ((force != nullptr) + (push != nullptr) + (insert != nullptr) != 1)
    refuse(node, "load: expected one of force, push, insert");
  double resist = 0;
  fields.number("resist", resist, Dimension::Force);
  if (const Node* given = fields.find("resist"); given && !insert)
    refuse(*given, "load: 'resist' is what a beam that is inserted meets at its tip");
  if (force) {
    const auto single = [](const Node& n) { return n.is_sequence() && n.size() > 0 && n.children.front().is_scalar(); };
    for (const Vec2& value : read_values<Vec2>(
             *force, "force", [](const Node& n) { return read_vec2(n, Dimension::Force); }, single))
      problem.loads.push_back({value, {}});
  } else {
    for (const double value : read_values<double>(
             push ? *push : *insert, push ? "push" : "insert",
             [](const Node& n) { return read_number(n, Dimension::Length); },
             [](const Node& n) { return n.is_scalar(); })) {
      problem.loads.emplace_back();
      (push ? problem.loads.back().push : problem.loads.back().insert) = value;
      problem.loads.back().resist = resist;
    }
  }
  constexpr scene::Word kTips[] = {{"free", ChannelTip::Free}, {"centre", ChannelTip::Centre}};
  fields.optional("tip", problem.tip, [&](const Node& n) { return static_cast<ChannelTip>(read_word(n, kTips)); });
  if (!push && fields.find("tip"))
    refuse(*fields.find("tip"), "load: 'tip' says where a pushed tip rides, and nothing pushes it back");
  fields.optional("branch", problem.branch, read_integer);
  // a tip that is pushed back moves the beam towards its clamp
  problem.sliding = push ? ChannelSliding::Out : ChannelSliding::In;
  read_sliding(fields, problem.channel.friction, problem.sliding);
  if (const Node* turn = fields.find("turn")) refuse(*turn, "load: 'turn' is of a tube alone");
}

void only_for(const Fields& fields, const char* key, const char* what) {
  if (const Node* node = fields.find(key)) refuse(*node, fmt::format("search: '{}' is of a {} alone", key, what));
}

ChannelProblem build_channel(const Fields& file, const Node& node) {
  ChannelProblem problem;
  const Fields channel(node, kChannelSpec, "channel");
  problem.channel.centreline = read_centreline(channel.require("centreline"));
  read_width(channel.require("width"), problem.channel);
  channel.number("stiffness", problem.channel.stiffness, Dimension::Pressure);
  channel.number("friction", problem.channel.friction, Dimension::Number);
  const Fields beam(file.require("beam"), kBeamSpec, "beam");
  // as long as the channel unless it says otherwise
  problem.beam.length = curve_length(problem.channel.centreline);
  beam.number("length", problem.beam.length, Dimension::Length);
  problem.beam.EI = beam.number("EI", Dimension::BendStiffness);
  if (const Node* twisting = beam.find("GJ")) refuse(*twisting, "beam: 'GJ' is of a tube alone");
  if (const Node* rest = beam.find("rest_curvature"))
    problem.beam.curvature = read_profile(*rest, Dimension::Curvature);
  read_load(file.require("load"), problem);
  if (const Node* given = file.find("search")) {
    const Fields search(*given, kSearchSpec, "search");
    search.optional("links", problem.search.links, read_integer);
    search.optional("levels", problem.search.levels, read_integer);
    search.optional("arc_steps", problem.search.arc_steps, read_integer);
    search.optional("k", problem.search.k, read_integer);
    constexpr scene::Word kMethods[] = {{"lattice", ChannelMethod::Lattice},
                                                {"sections", ChannelMethod::Sections}};
    search.optional("method", problem.search.method, [&](const Node& n) { return static_cast<ChannelMethod>(read_word(n, kMethods)); });
    search.optional("sections", problem.search.sections, read_integer);
    only_for(search, "rings", "tube");
    only_for(search, "keep", "tube");
  }
  return problem;
}

// Round, or the corners of a section.
void read_tube_wall(const Fields& tube, TubeProblem& problem) {
  const Node* radius = tube.find("radius");
  const Node* section = tube.find("section");
  if ((radius == nullptr) == (section == nullptr))
    refuse(radius ? *section : tube.require("centreline"), "tube: expected either a radius or a section");
  if (radius) problem.radius = read_profile(*radius, Dimension::Length);
  if (section)
    for (const Vec3& corner : read_points(*section, 3)) problem.section.emplace_back(corner.head<2>());
  if (const Node* up = tube.find("up")) problem.up = read_vec3(*up, Dimension::Number);
  tube.number("stiffness", problem.stiffness, Dimension::Pressure);
  tube.number("friction", problem.friction, Dimension::Number);
}

// One value, or one for each load of a path.
template <class Value, class Read, class Single>
std::vector<Value> read_path(const Fields& load, const char* key, const Read& read, const Single& single) {
  const Node* node = load.find(key);
  return node != nullptr ? read_values<Value>(*node, key, read, single) : std::vector<Value>{};
}

void read_tube_loads(const Node& node, const Fields& load, TubeProblem& problem) {
  const auto scalar = [](const Node& n) { return n.is_scalar(); };
  const auto vector = [](const Node& n) { return n.is_sequence() && n.size() > 0 && n.children.front().is_scalar(); };
  const auto forces = read_path<Vec3>(
      load, "force", [](const Node& n) { return read_vec3(n, Dimension::Force); }, vector);
  const auto pushes = read_path<double>(
      load, "push", [](const Node& n) { return read_number(n, Dimension::Length); }, scalar);
  const auto turns = read_path<double>(
      load, "turn", [](const Node& n) { return read_number(n, Dimension::Angle); }, scalar);
  if (forces.empty() == pushes.empty()) refuse(node, "load: expected one of force, push");
  const std::size_t count = std::max({forces.size(), pushes.size(), turns.size()});
  const auto fits = [&](std::size_t size) { return size <= 1 || size == count; };
  if (!fits(forces.size()) || !fits(pushes.size()) || !fits(turns.size()))
    refuse(node, "load: a path has as many turns as it has forces or pushes, or one of them for all");
  const auto of = [](const auto& list, std::size_t i) { return list[std::min(i, list.size() - 1)]; };
  for (std::size_t i = 0; i < count; ++i) {
    TubeLoad& made = problem.loads.emplace_back();
    if (!forces.empty()) made.force = of(forces, i);
    if (!pushes.empty()) made.push = of(pushes, i);
    if (!turns.empty()) made.turn = of(turns, i);
  }
  constexpr scene::Word kTips[] = {{"free", ChannelTip::Free}, {"centre", ChannelTip::Centre}};
  load.optional("tip", problem.tip, [&](const Node& n) { return static_cast<ChannelTip>(read_word(n, kTips)); });
  if (pushes.empty() && load.find("tip"))
    refuse(*load.find("tip"), "load: 'tip' says where a pushed tip rides, and nothing pushes it back");
  load.optional("branch", problem.branch, read_integer);
  problem.sliding = pushes.empty() ? ChannelSliding::In : ChannelSliding::Out;
  read_sliding(load, problem.friction, problem.sliding);
}

TubeProblem build_tube(const Fields& file, const Node& node, const std::string& folder) {
  TubeProblem problem;
  const Fields tube(node, kTubeSpec, "tube");
  problem.centreline = read_curve(tube.require("centreline"), folder, "tube");
  if (problem.centreline.kind == CurveKind::Control) refuse_not_yet(tube.require("centreline"), "control", "tube");
  read_tube_wall(tube, problem);
  const Fields beam(file.require("beam"), kBeamSpec, "beam");
  problem.length = curve_length(problem.centreline);
  beam.number("length", problem.length, Dimension::Length);
  problem.EI = beam.number("EI", Dimension::BendStiffness);
  beam.number("GJ", problem.GJ, Dimension::BendStiffness);
  if (const Node* rest = beam.find("rest_curvature")) refuse_not_yet(*rest, "rest_curvature", "beam in a tube");
  const Fields load(file.require("load"), kLoadSpec, "load");
  for (const char* key : {"insert", "resist"})
    if (const Node* given = load.find(key)) refuse_not_yet(*given, key, "beam in a tube");
  read_tube_loads(file.require("load"), load, problem);
  if (const Node* given = file.find("search")) {
    const Fields search(*given, kSearchSpec, "search");
    search.optional("links", problem.links, read_integer);
    search.optional("rings", problem.rings, read_integer);
    search.optional("arc_steps", problem.arc_steps, read_integer);
    search.optional("keep", problem.keep, read_integer);
    for (const char* key : {"levels", "method", "sections"}) only_for(search, key, "channel");
    search.optional("k", problem.k, read_integer);
  }
  return problem;
}

// «channel.width.left[1]» → keys and indices.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.' || c == '[')
      parts.emplace_back();
    else if (c != ']')
      parts.back() += c;
  }
  return parts;
}

ChannelFile build(const Node& root, const std::string& folder) {
  if (!root.is_mapping()) refuse(root, fmt::format("expected a channel file, found {}", root.describe()));
  if (root.find("rods") || root.find("sections"))
    refuse(root, "this is a scene, not a channel file: it is read by 'filum solve' and 'filum run'");
  const Fields file(root, kFileSpec, "channel file");
  if (const Node* version = file.find("filum"); version && (!version->is_scalar() || version->text != "1"))
    refuse(*version, fmt::format("expected version 'filum: 1', found {}", version->describe()));
  const Node* channel = file.find("channel");
  const Node* tube = file.find("tube");
  if ((channel == nullptr) == (tube == nullptr)) refuse(root, "expected either a channel or a tube");
  std::string title;
  file.optional("title", title, [](const Node& n) { return n.is_null() ? std::string() : read_text(n); });
  if (channel) {
    ChannelProblem problem = build_channel(file, *channel);
    problem.title = title;
    return problem;
  }
  TubeProblem problem = build_tube(file, *tube, folder);
  problem.title = title;
  return problem;
}

}  // namespace

Result<ChannelFile> parse_channel(std::string_view text, const std::string& name) {
  const auto in_file = [&](Error error) {
    if (error.file.empty()) error.file = name;
    return error;
  };
  const Result<Node> root = parse_yaml(text);
  if (!root) return in_file(root.error());
  try {
    ChannelFile file = build(*root, folder_of(name));
    // what only the whole can tell
    const auto fault = std::holds_alternative<ChannelProblem>(file) ? check_channel(std::get<ChannelProblem>(file))
                                                                    : check_tube(std::get<TubeProblem>(file));
    if (!fault) return file;
    const Mark mark = locate(*root, parts_of(fault->path));
    return Error{ErrorCode::BadInput, fault->path + ": " + fault->message, name, mark.line, mark.column};
  } catch (const Refused& refused) {
    return in_file(refused.error);
  }
}

Result<ChannelFile> read_channel(const std::string& path) {
  const Result<std::string> text = read_text_file(path);
  if (!text) return text.error();
  return parse_channel(*text, path);
}

}  // namespace filum::io
