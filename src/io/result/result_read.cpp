// Reads result.json back. A file that is not what docs/result-format.md says gives one error that names the place.
//
// Inside this file a wrong value is thrown as `Wrong` with its place («states[0].rods.hose.s») and turned into an Error
// before it leaves; null stands for a number that was not finite.
#include <filum/result_file.hpp>
#include <filum/state_file.hpp>

#include "io/file_read.hpp"
#include "io/json_text.hpp"
#include "io/number_text.hpp"
#include "io/result/fact_words.hpp"
#include "io/result/whole_folder.hpp"
#include "sim/run/clock.hpp"

#include "io/result/result_names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>

namespace filum {
namespace {

using Json = nlohmann::ordered_json;  // keeps rods and holds in the order of the file

struct Wrong {
  std::string message;
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A value and the way to it. The place is spelled out only when a message needs it, since there may be millions of
// numbers; a node therefore must not outlive the one it was taken from.
struct Node {
  const Json& json;
  const Node* parent = nullptr;
  std::string_view key = {};  // in an object; empty: in a list
  size_t index = 0;

  [[nodiscard]] std::string place() const {
    if (parent == nullptr) return "";
    const std::string above = parent->place();
    if (key.empty()) return above + "[" + std::to_string(index) + "]";
    return above + (above.empty() ? "" : ".") + std::string(key);
  }
  [[noreturn]] void wrong(const std::string& message) const {
    const std::string where = place();
    throw Wrong{where.empty() ? message : where + ": " + message};
  }
  [[noreturn]] void expected(const std::string& what) const {
    wrong(std::string("found ") + json.type_name() + ", expected " + what);
  }
  [[nodiscard]] Node at(const char* name) const {
    if (!json.is_object()) expected("an object");
    const auto found = json.find(name);
    if (found == json.end()) wrong(std::string("the key '") + name + "' is missing");
    return {*found, this, name};
  }
  [[nodiscard]] bool has(const char* name) const { return json.is_object() && json.contains(name); }
  [[nodiscard]] Node at(size_t i) const { return {json[i], this, {}, i}; }
  [[nodiscard]] size_t size() const {
    if (!json.is_array()) expected("a list");
    return json.size();
  }
};

double number(const Node& node) {
  if (node.json.is_null()) return kNan;
  if (!node.json.is_number()) node.expected("a number");
  return node.json.get<double>();
}

int whole(const Node& node) {
  if (!node.json.is_number_integer()) node.expected("a whole number");
  return node.json.get<int>();
}

long count(const Node& node) {
  if (!node.json.is_number_integer()) node.expected("a whole number");
  return node.json.get<long>();
}

bool truth(const Node& node) {
  if (!node.json.is_boolean()) node.expected("true or false");
  return node.json.get<bool>();
}

std::string text(const Node& node) {
  if (!node.json.is_string()) node.expected("a text");
  return node.json.get<std::string>();
}

template <class Vec>
Vec vector(const Node& node) {
  constexpr int N = Vec::RowsAtCompileTime;
  if (node.size() != N) node.wrong("expected a list of " + std::to_string(N) + " numbers");
  Vec v;
  for (int i = 0; i < N; ++i) {
    const Json& entry = node.json[static_cast<size_t>(i)];
    if (!entry.is_number() && !entry.is_null()) node.at(static_cast<size_t>(i)).expected("a number");
    v[i] = entry.is_null() ? kNan : entry.get<double>();
  }
  return v;
}

Quat quaternion(const Node& node) {
  const Eigen::Vector4d q = vector<Eigen::Vector4d>(node);
  return {q[0], q[1], q[2], q[3]};
}

// A list of `count` entries, each read by `entry(node)`.
template <class Entry>
auto list(const Node& node, size_t count, Entry entry) {
  if (node.size() != count) {
    node.wrong(std::to_string(node.size()) + " entries, expected " + std::to_string(count));
  }
  std::vector<decltype(entry(node))> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) result.push_back(entry(node.at(i)));
  return result;
}

std::vector<Vec2> read_outline(const Node& node, size_t count) {
  // one pair for the whole rod, or one per s
  const bool single = node.size() == 2 && !node.json[0].is_array();
  if (single) return std::vector<Vec2>(count, vector<Vec2>(node));
  return list(node, count, vector<Vec2>);
}

RodPose read_rod(const Node& node) {
  RodPose rod;
  const size_t count = node.at("s").size();
  rod.s = list(node.at("s"), count, number);
  rod.position = list(node.at("positions"), count, vector<Vec3>);
  rod.frame = list(node.at("frames"), count, quaternion);
  rod.curvature = list(node.at("curvature"), count, vector<Vec2>);
  rod.twist = list(node.at("twist"), count, number);
  rod.axial_force = list(node.at("axial_force"), count, number);
  rod.moment = list(node.at("moment"), count, vector<Vec3>);
  if (node.has("velocity")) rod.velocity = list(node.at("velocity"), count, vector<Vec3>);
  if (node.has("plastic")) rod.plastic = list(node.at("plastic"), count, vector<Vec3>);
  if (node.has("yield")) rod.yield = list(node.at("yield"), count, number);
  if (node.has("outline")) rod.outline = read_outline(node.at("outline"), count);
  rod.closed = node.has("closed") && truth(node.at("closed"));
  rod.length = number(node.at("length"));
  rod.turns = number(node.at("turns"));
  rod.writhe = number(node.at("writhe"));
  // a straight rod's radius is infinite, which JSON can only say as null
  const Node radius = node.at("min_bend_radius");
  rod.min_bend_radius.value =
      radius.at("value").json.is_null() ? std::numeric_limits<double>::infinity() : number(radius.at("value"));
  rod.min_bend_radius.s = number(radius.at("s"));
  if (node.has("peak_tension")) {
    const Node peak = node.at("peak_tension");
    rod.peak_tension = {number(peak.at("value")), number(peak.at("s"))};
  }
  return rod;
}

BodyPose read_body(const Node& node) {
  return {vector<Vec3>(node.at("position")), quaternion(node.at("orientation")), vector<Vec3>(node.at("velocity")),
          vector<Vec3>(node.at("spin"))};
}

HoldPose read_hold(const Node& node) {
  return {vector<Vec3>(node.at("force")), vector<Vec3>(node.at("moment")), vector<Vec3>(node.at("position")),
          number(node.at("s")), truth(node.at("popped"))};
}

RopePose read_rope(const Node& node) {
  return {list(node.at("path"), node.at("path").size(), vector<Vec3>),
          list(node.at("tension"), node.at("tension").size(), number), number(node.at("length")),
          truth(node.at("broken")), node.has("peak_tension") ? number(node.at("peak_tension")) : 0};
}

WinchPose read_winch(const Node& node) {
  return {number(node.at("force")), number(node.at("torque")), number(node.at("paid_out")), number(node.at("speed"))};
}

SheavePose read_sheave(const Node& node) {
  return {number(node.at("tension_before")), number(node.at("tension_after")), number(node.at("angle")),
          number(node.at("slip"))};
}

ContactSide read_contact_side(const Node& node, ResultNames& names) {
  const auto index = [&](const char* key, const std::vector<std::string>& list) {
    const std::string name = text(node.at(key));
    const auto found = std::find(list.begin(), list.end(), name);
    if (found == list.end()) node.at(key).wrong(std::string("there is no ") + key + " '" + name + "'");
    return static_cast<int>(found - list.begin());
  };
  ContactSide side;
  if (node.has("rod")) {
    side.rod = index("rod", names.rods);
    side.s = number(node.at("s"));
  } else if (node.has("body")) {
    side.body = index("body", names.bodies);
  } else {
    side.obstacle = index("obstacle", names.obstacles);
  }
  return side;
}

ContactPose read_contact(const Node& node, ResultNames& names) {
  ContactPose contact;
  contact.a = read_contact_side(node.at("a"), names);
  contact.b = read_contact_side(node.at("b"), names);
  contact.position = vector<Vec3>(node.at("position"));
  contact.normal = vector<Vec3>(node.at("normal"));
  contact.force = vector<Vec3>(node.at("force"));
  contact.gap = number(node.at("gap"));
  contact.slip = vector<Vec3>(node.at("slip"));
  contact.stick = truth(node.at("stick"));
  contact.chafing = number(node.at("chafing"));
  return contact;
}

Energy read_energy(const Node& node) {
  Energy energy;
  energy.elastic = number(node.at("elastic"));
  energy.gravity = number(node.at("gravity"));
  energy.kinetic = number(node.at("kinetic"));
  if (node.has("work")) energy.work = number(node.at("work"));
  if (node.has("dissipated")) energy.dissipated = number(node.at("dissipated"));
  if (node.has("drained")) energy.drained = number(node.at("drained"));
  return energy;
}

// The entries of an object by name. The first state fixes the names and their order; later ones must have the same.
template <class Entry>
auto named(const Node& node, std::vector<std::string>& names, bool first, Entry entry) {
  if (!node.json.is_object()) node.expected("an object");
  std::vector<decltype(entry(node))> result;
  for (const auto& [name, value] : node.json.items()) {
    if (first) names.push_back(name);
    if (result.size() >= names.size() || names[result.size()] != name) {
      node.wrong("'" + name + "' is not named or not ordered as in the first state");
    }
    result.push_back(entry(Node{value, &node, name}));
  }
  return result;
}

Snapshot read_state(const Node& node, StoredResult& result, bool first) {
  Snapshot state;
  state.t = number(node.at("t"));
  state.pose.rods = named(node.at("rods"), result.names.rods, first, read_rod);
  state.pose.bodies = named(node.at("bodies"), result.names.bodies, first, read_body);
  state.pose.holds = named(node.at("holds"), result.names.holds, first, read_hold);
  if (node.has("ropes")) state.pose.ropes = named(node.at("ropes"), result.names.ropes, first, read_rope);
  if (node.has("winches")) state.pose.winches = named(node.at("winches"), result.names.winches, first, read_winch);
  if (node.has("sheaves")) state.pose.sheaves = named(node.at("sheaves"), result.names.sheaves, first, read_sheave);
  if (node.has("contacts")) {
    const Node contacts = node.at("contacts");
    state.pose.contacts =
        list(contacts, contacts.size(), [&](const Node& entry) { return read_contact(entry, result.names); });
  }
  state.pose.energy = read_energy(node.at("energy"));
  return state;
}

SolveReport read_solve(const Node& node) {
  SolveReport solve;
  solve.converged = truth(node.at("converged"));
  if (!node.at("stable").json.is_null()) solve.stable = truth(node.at("stable"));
  if (node.has("why")) solve.why = text(node.at("why"));
  solve.iterations = whole(node.at("iterations"));
  solve.residual = number(node.at("residual"));
  solve.floor = number(node.at("floor"));
  solve.seconds = number(node.at("seconds"));
  if (node.has("leaps")) solve.leaps = whole(node.at("leaps"));
  if (node.has("load_steps")) solve.load_steps = whole(node.at("load_steps"));
  if (node.has("nudged")) solve.nudged = truth(node.at("nudged"));
  if (node.has("begun_from")) solve.begun_from = text(node.at("begun_from"));
  return solve;
}

RunReport read_run(const Node& node) {
  RunReport run;
  run.completed = truth(node.at("completed"));
  if (node.has("why")) run.why = text(node.at("why"));
  run.start = number(node.at("start"));
  run.end = number(node.at("end"));
  run.steps = count(node.at("steps"));
  run.failed_steps = count(node.at("failed_steps"));
  run.halvings = count(node.at("halvings"));
  if (node.has("rejected_steps")) run.rejected_steps = count(node.at("rejected_steps"));
  run.unconverged_steps = count(node.at("unconverged_steps"));
  run.iterations = count(node.at("iterations"));
  run.smallest_step = number(node.at("smallest_step"));
  run.largest_step = number(node.at("largest_step"));
  run.max_energy_error = number(node.at("max_energy_error"));
  run.energy_scale = number(node.at("energy_scale"));
  run.neglected_strain = number(node.at("neglected_strain"));
  if (node.has("residual_left")) run.residual_left = number(node.at("residual_left"));
  run.seconds = number(node.at("seconds"));
  return run;
}

Check read_check(const Node& node) {
  const std::string name = text(node.at("name"));
  const std::optional<CheckKind> kind = io::check_kind_of(name);
  if (!kind) node.at("name").wrong("there is no check '" + name + "'");
  Check check{*kind,
              io::object_of(text(node.at("object"))),
              number(node.at("value")),
              number(node.at("limit")),
              number(node.at("s")),
              number(node.at("t")),
              truth(node.at("violated")),
              {}};
  for (const char* line : {"inside", "centre_line"})
    if (node.has(line)) check.other = number(node.at(line));
  if (node.has("near")) {
    check.near = io::object_of(text(node.at("near")));
    check.near_s = number(node.at("near_s"));
  }
  return check;
}

Event read_event(const Node& node) {
  Event event;
  event.t = number(node.at("t"));
  event.why = text(node.at("what"));
  return event;
}

FoundLength read_length(const Node& node) {
  return {text(node.at("rod")),
          io::place_of(text(node.at("from"))),
          io::place_of(text(node.at("to"))),
          number(node.at("length")),
          number(node.at("added")),
          number(node.at("force")),
          number(node.at("pull")),
          io::length_verdict_of(text(node.at("verdict")))};
}

Shortage read_shortage(const Node& node) {
  return {text(node.at("rod")),     io::place_of(text(node.at("from"))), io::place_of(text(node.at("to"))),
          number(node.at("limit")), number(node.at("tension")),          number(node.at("missing")),
          number(node.at("t")),     number(node.at("stopped"))};
}

// Of one rod over all rows.
std::vector<TurnBalance> read_balance(const Node& node, size_t count) {
  std::vector<TurnBalance> list(count);
  for (size_t i = 0; i < count; ++i)
    list[i] = {number(node.at("turns").at(i)), number(node.at("twist").at(i)), number(node.at("writhe").at(i)),
               whole(node.at("crossings").at(i)), number(node.at("remainder").at(i))};
  return list;
}

std::vector<HistoryRow> read_history(const Node& node, StoredResult& result) {
  // columns first, then one row per instant
  const size_t count = node.at("t").size();
  const auto column = [&](const Node& values) { return list(values, count, number); };
  const auto vectors = [&](const Node& values) { return list(values, count, vector<Vec3>); };
  const std::vector<double> t = column(node.at("t"));
  const Node energy = node.at("energy");
  const auto elastic = column(energy.at("elastic"));
  const auto gravity = column(energy.at("gravity"));
  const auto kinetic = column(energy.at("kinetic"));
  const Node holds = node.at("holds");
  const auto force = named(holds, result.names.holds, false, [&](const Node& h) { return vectors(h.at("force")); });
  const auto moment = named(holds, result.names.holds, false, [&](const Node& h) { return vectors(h.at("moment")); });
  const auto probes = named(node.at("probes"), result.names.probes, true, vectors);
  const auto work = energy.has("work") ? column(energy.at("work")) : std::vector<double>(count);
  const auto dissipated = energy.has("dissipated") ? column(energy.at("dissipated")) : std::vector<double>(count);
  const auto drained = energy.has("drained") ? column(energy.at("drained")) : std::vector<double>(count);
  // a run's
  std::vector<std::vector<Vec3>> velocity;
  std::vector<std::vector<double>> turns;
  if (node.has("probe_velocity")) velocity = named(node.at("probe_velocity"), result.names.probes, false, vectors);
  if (node.has("turns")) turns = named(node.at("turns"), result.names.rods, false, column);
  // of a path
  std::vector<std::vector<TurnBalance>> balance;
  std::vector<std::vector<double>> lengths;
  if (node.has("balance"))
    balance =
        named(node.at("balance"), result.names.rods, false, [&](const Node& b) { return read_balance(b, count); });
  if (node.has("lengths")) lengths = list(node.at("lengths"), node.at("lengths").size(), column);
  // of what hoists
  std::vector<std::vector<double>> ropes;
  std::vector<std::vector<double>> winches;
  if (node.has("ropes"))
    ropes = named(node.at("ropes"), result.names.ropes, false, [&](const Node& r) { return column(r.at("tension")); });
  if (node.has("winches"))
    winches =
        named(node.at("winches"), result.names.winches, false, [&](const Node& w) { return column(w.at("force")); });
  std::vector<std::pair<std::vector<double>, std::vector<double>>> sheaves;
  if (node.has("sheaves"))
    sheaves = named(node.at("sheaves"), result.names.sheaves, false, [&](const Node& s) {
      return std::pair{column(s.at("tension_before")), column(s.at("tension_after"))};
    });
  std::vector<HistoryRow> rows(count);
  for (size_t i = 0; i < count; ++i) {
    rows[i].t = t[i];
    rows[i].energy = {elastic[i], gravity[i], kinetic[i], work[i], dissipated[i], drained[i]};
    for (const auto& values : force) rows[i].hold_force.push_back(values[i]);
    for (const auto& values : moment) rows[i].hold_moment.push_back(values[i]);
    for (const auto& values : probes) rows[i].probe.push_back(values[i]);
    for (const auto& values : velocity) rows[i].probe_velocity.push_back(values[i]);
    for (const auto& values : turns) rows[i].turns.push_back(values[i]);
    for (const auto& values : balance) rows[i].balance.push_back(values[i]);
    for (const auto& values : lengths) rows[i].found_length.push_back(values[i]);
    for (const auto& values : ropes) rows[i].rope_tension.push_back(values[i]);
    for (const auto& values : winches) rows[i].winch_force.push_back(values[i]);
    for (const auto& [before, after] : sheaves) {
      rows[i].sheave_before.push_back(before[i]);
      rows[i].sheave_after.push_back(after[i]);
    }
  }
  return rows;
}

StoredResult read_root(const Node& root) {
  if (!root.json.is_object() || !root.has("filum")) throw Wrong{"this is not a Filum result: no key 'filum'"};
  if (root.at("filum").json != 1)
    throw Wrong{"result format " + io::ordered_json_text(root.at("filum").json) + ", expected 1"};
  StoredResult result;
  result.title = text(root.at("title"));
  result.outcome.solve = read_solve(root.at("solve"));
  if (root.has("run")) result.outcome.run = read_run(root.at("run"));
  if (root.has("run") && root.at("run").has("id")) result.id = text(root.at("run").at("id"));
  if (root.has("obstacles")) result.names.obstacles = list(root.at("obstacles"), root.at("obstacles").size(), text);
  const Node states = root.at("states");
  if (states.size() == 0) throw Wrong{"states: expected at least one"};
  for (size_t i = 0; i < states.size(); ++i) {
    result.outcome.states.push_back(read_state(states.at(i), result, i == 0));
  }
  if (root.has("checks")) result.outcome.checks = list(root.at("checks"), root.at("checks").size(), read_check);
  if (root.has("events")) result.outcome.events = list(root.at("events"), root.at("events").size(), read_event);
  if (root.has("lengths")) result.outcome.lengths = list(root.at("lengths"), root.at("lengths").size(), read_length);
  if (root.has("shortages"))
    result.outcome.shortages = list(root.at("shortages"), root.at("shortages").size(), read_shortage);
  if (root.has("history")) result.outcome.history = read_history(root.at("history"), result);
  return result;
}

// Where byte number `byte` (1-based) of the text stands.
Error parse_error(const std::string& path, const std::string& bytes, size_t byte) {
  const size_t end = std::min(bytes.size(), byte > 0 ? byte - 1 : 0);
  const auto line = std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const size_t start = end == 0 ? std::string::npos : bytes.rfind('\n', end - 1);
  const size_t column = end - (start == std::string::npos ? 0 : start + 1);
  const char* what = end >= bytes.size() ? "the file ends too early for JSON" : "this is not JSON";
  return {ErrorCode::BadInput, what, path, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

// What a run that was ended by force has left: its frames, from which the first and the last state are taken.
Result<StoredResult> frames_alone(const std::string& folder) {
  const std::string aside = io::unfinished_in(folder);
  // earlier versions wrote them in place
  const std::string path = (aside.empty() ? folder : aside) + "/" + io::kFramesFile;
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return file_error(folder + "/" + io::kResultFile, "no such file");
  Result<FrameReader> reader = FrameReader::open(path);
  if (!reader) return reader.error();
  StoredResult result;
  result.title = reader->title();
  result.names = reader->names();
  result.frames = path;
  result.unfinished = true;
  Snapshot frame;
  size_t count = 0;
  for (;; ++count) {
    const Result<bool> got = reader->next(frame);
    if (!got) return got.error();
    if (!*got) break;
    auto& states = result.outcome.states;
    if (states.size() < 2)
      states.push_back(frame);
    else
      states.back() = frame;
  }
  if (count == 0) return file_error(path, "a run was ended by force before its first frame was whole");
  std::string t;
  io::put_number(t, frame.t);
  result.notice = io::is_being_written(folder) ? "the run into this folder is not finished yet"
                                               : "the run into this folder was ended by force";
  result.notice += ": there are " + std::to_string(count) + " frames, until t = " + t + " s, and nothing else";
  result.outcome.solve.converged = true;
  result.outcome.run.emplace();
  result.outcome.run->start = result.outcome.states.front().t;
  result.outcome.run->end = frame.t;
  result.outcome.run->why = "ended by force";
  return result;
}

// Two files of a result, each with the run that it is of; empty: not known, as of earlier versions.
Status same_run(const std::string& path, const std::string& id, const std::string& other, const std::string& other_id) {
  if (id.empty() || other_id.empty() || id == other_id) return Done{};
  return Error{ErrorCode::BadInput,
               "is of another run than '" + other + "' (" + id + ", and there " + other_id +
                   "): files of different results lie in one folder",
               path};
}

// Whether the frames beside a result are its own; frames that cannot be read are left to who reads them.
Status own_frames(const std::string& frames, const std::string& result, const std::string& id) {
  const Result<FrameReader> reader = FrameReader::open(frames);
  return reader ? same_run(frames, reader->id(), result, id) : Status(Done{});
}

// The end of a run is recorded because it is one: a run that goes on beyond it has nothing to record there, unless it is
// the first step at or after a multiple of record.every.
void drop_mere_end(Outcome& outcome, double every) {
  const std::size_t rows = outcome.history.size();
  if (every <= 0 || rows < 2) return;
  const double last = sim::multiples_until(outcome.history[rows - 1].t, every);
  if (last > sim::multiples_until(outcome.history[rows - 2].t, every)) return;
  outcome.history.pop_back();
  outcome.states.resize(1);
}

}  // namespace

Result<StoredResult> parse_result(const std::string& bytes, const std::string& name) {
  try {
    const Json json = io::parsed_ordered_json(bytes);
    return read_root(Node{json});
  } catch (const Json::parse_error& error) {
    return parse_error(name, bytes, error.byte);
  } catch (const Wrong& wrong) {
    return Error{ErrorCode::BadInput, wrong.message, name};
  } catch (const std::exception& error) {
    return Error{ErrorCode::BadInput, error.what(), name};
  }
}

Result<std::optional<Recorded>> read_recorded(const StoredState& stored, const std::string& folder) {
  const std::string id = run_id(stored.scene, stored.origin);
  // of a checkpoint it is in the same file; of a finished run in its result
  Result<StoredResult> result = stored.checkpoint ? parse_result(stored.so_far, "the checkpoint") : read_result(folder);
  if (stored.checkpoint && stored.so_far.empty()) return std::optional<Recorded>();
  if (!result) return result.error();
  const std::string aside = io::unfinished_in(folder);
  const std::string frames = stored.checkpoint ? aside + "/" + io::kFramesFile : result->frames;
  if (!result->outcome.run || result->id.empty() || result->outcome.history.empty() || frames.empty())
    return std::optional<Recorded>();
  if (auto same = same_run(folder, id, stored.checkpoint ? "the checkpoint" : io::kResultFile, result->id); !same)
    return same.error();
  if (auto same = own_frames(frames, "state", id); !same) return same.error();
  if (!stored.checkpoint) drop_mere_end(result->outcome, stored.scene.record.every);
  return std::optional<Recorded>(Recorded{std::move(result->outcome), frames});
}

Result<StoredResult> read_result(const std::string& folder) {
  // a folder stands for its result.json
  std::error_code code;
  const bool is_folder = std::filesystem::is_directory(folder, code);
  const std::string path = is_folder ? io::whole_path(folder, io::kResultFile) : folder;
  if (is_folder && !std::filesystem::exists(path, code)) return frames_alone(folder);
  const Result<std::string> bytes = io::read_text_file(path, io::kMaxResultBytes);
  if (!bytes) return bytes.error();
  Result<StoredResult> result = parse_result(*bytes, path);
  if (!result) return result;
  // a run's frames lie beside it
  const std::string frames = is_folder ? io::whole_path(folder, io::kFramesFile)
                                       : (std::filesystem::path(path).parent_path() / io::kFramesFile).string();
  if (result->outcome.run && std::filesystem::exists(frames, code)) result->frames = frames;
  if (!result->frames.empty())
    if (auto own = own_frames(frames, path, result->id); !own) return own.error();
  if (is_folder && !io::unfinished_in(folder).empty())
    result->notice = io::is_being_written(folder)
                         ? "another run is writing into this folder; this is the result before it"
                         : "a later run into this folder was ended by force; this is the result before it";
  return result;
}

}  // namespace filum
