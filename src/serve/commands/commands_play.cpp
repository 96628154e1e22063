// Commands: time, hands, undo.
#include "serve/commands/workbench.hpp"

#include "base/index.hpp"

#include "rod/pose_at.hpp"

#include <cmath>
#include <limits>

namespace filum::serve {

namespace {

Move read_move(const Request& request) {
  Move move{request.vector("position"), request.quaternion("orientation"), {}};
  if (request.has("turns")) move.turns = request.number("turns");
  move.speed = request.number_or("speed", 0);
  if (!(move.speed >= 0)) refuse("'speed': expected a number of at least zero");
  return move;
}

std::string read_hand(const Request& request) {
  std::string hand = request.text("hand");
  if (hand.empty() || hand.size() > 64) refuse("'hand': expected a short text");
  return hand;
}

void grab(Workbench& bench, const Request& request, Json& reply) {
  Grab what;
  what.hold = request.text_or("hold", {});
  what.body = request.text_or("body", {});
  what.rod = request.text_or("rod", {});
  if (int(!what.hold.empty()) + int(!what.body.empty()) + int(!what.rod.empty()) != 1)
    refuse("expected one of 'hold', 'body', 'rod'");
  if (!what.rod.empty()) what.s = request.number("s");
  what.pose = request.flag_or("pose", false);
  what.pull = request.flag_or("pull", false);
  what.reach = request.flag_or("reach", false);
  const Hand hand = must(bench.editor().grab(request.client(), read_hand(request), what));
  reply["kind"] = word_for(hand.kind);
  reply["name"] = hand.name;
  reply["position"] = json_of(hand.position);
  reply["orientation"] = json_of(hand.orientation);
  reply["turns"] = hand.turns;
}

void move(Workbench& bench, const Request& request, Json& reply) {
  const std::string stopped = must(bench.editor().move(request.client(), read_hand(request), read_move(request)));
  if (!stopped.empty()) reply["stopped"] = stopped;
}

void drop(Workbench& bench, const Request& request, Json& reply) {
  const std::string body = request.text_or("body", {});
  if (!body.empty() && index_of(bench.editor().scene().bodies, body) < 0) refuse("there is no body '" + body + "'");
  reply["name"] =
      must(bench.editor().drop(request.client(), read_hand(request), request.flag_or("attach", false), body));
}

void place_hold(Workbench& bench, const Request& request, Json&) {
  Grab what;
  what.hold = request.text("hold");
  must(bench.editor().place("place hold '" + what.hold + "'", what, read_move(request)));
}

void place_body(Workbench& bench, const Request& request, Json&) {
  Grab what;
  what.body = request.text("body");
  must(bench.editor().place("place body '" + what.body + "'", what, read_move(request)));
}

// To a length; without one, with no end in sight and by the speed's sign.
void reel(Workbench& bench, const Request& request, Json&) {
  const bool rope = request.has("rope");
  const std::string name = request.text(rope ? "rope" : "rod");
  constexpr double kUsual = 0.25;  // of its length a second
  double most = request.number_or("speed", 0);
  double length = std::copysign(std::numeric_limits<double>::infinity(), most);
  if (request.has("length")) {
    length = request.number("length");
    if (!(length > 0)) refuse("'length': expected a length above zero");
    if (most == 0) most = kUsual * length;
  }
  must(bench.editor().reel(request.client(), name, rope, length, std::abs(most)));
}

void speed(Workbench& bench, const Request& request, Json&) {
  const double value = request.number("speed");
  if (value < 1e-3 || value > 100) refuse("'speed': expected a number from 0.001 to 100");
  bench.editor().set_speed(value);
}

Json rod_comparison(const RodPose& other, const RodPose* present) {
  Json positions = Json::array();
  double distance = 0;
  double tension = 0;
  for (std::size_t i = 0; i < other.s.size(); ++i) {
    positions.push_back(json_of(other.position[i]));
    tension = i == 0 ? other.axial_force[i] : std::max(tension, other.axial_force[i]);
    if (present == nullptr) continue;
    const double share = other.s[i] / other.s.back();
    distance = std::max(distance, (other.position[i] - rod::position_at(*present, share * present->s.back())).norm());
  }
  return {{"positions", positions}, {"distance", distance},   {"min_bend_radius", json_of(other.min_bend_radius.value)},
          {"max_tension", tension}, {"length", other.length}, {"turns", other.turns}};
}

void compare(Workbench& bench, const Request& request, Json& reply) {
  const Editor& editor = bench.editor();
  const Editor::Compared compared = must(editor.compare(request.text("formulation")));
  const Pose& other = compared.pose;
  reply["converged"] = compared.solve.converged;
  reply["why"] = compared.solve.why;
  reply["elastic"] = other.energy.elastic;
  reply["rods"] = Json::array();
  for (std::size_t r = 0; r < other.rods.size(); ++r) {
    Json rod = rod_comparison(other.rods[r], &editor.pose().rods[r]);
    rod["name"] = editor.scene().rods[r].name;
    reply["rods"].push_back(std::move(rod));
  }
  reply["holds"] = Json::array();
  for (std::size_t h = 0; h < other.holds.size(); ++h)
    reply["holds"].push_back({{"name", editor.scene().holds[h].name},
                              {"force", json_of(other.holds[h].force)},
                              {"moment", json_of(other.holds[h].moment)}});
}

void modes(Workbench& bench, const Request& request, Json& reply) {
  const ModesOutcome found = must(bench.editor().modes(request.integer_or("count", 6, 1, 50)));
  if (!found.solve.converged) refuse("there is no equilibrium: " + found.solve.why);
  const auto points = [](const std::vector<Vec3>& list) {
    Json out = Json::array();
    for (const Vec3& point : list) out.push_back(json_of(point));
    return out;
  };
  reply["rods"] = reply["modes"] = Json::array();
  for (const RodPose& rod : found.pose.rods) reply["rods"].push_back(points(rod.position));
  for (const NaturalMode& mode : found.modes) {
    Json rods = Json::array();
    for (const NaturalMode::RodShape& rod : mode.rods) rods.push_back(points(rod.displacement));
    reply["modes"].push_back({{"frequency", mode.frequency}, {"remark", mode.remark()}, {"rods", std::move(rods)}});
  }
}

}  // namespace

const std::vector<Command>& play_commands() {
  static const std::vector<Command> commands = {
      {"play", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().play()); }},
      {"pause", "", [](Workbench& bench, const Request&, Json&) { bench.editor().pause(); }},
      {"step", "n",
       [](Workbench& bench, const Request& request, Json&) {
         must(bench.editor().step(request.integer_or("n", 1, 1, 1000)));
       }},
      {"reset", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().reset()); }},
      {"settle", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().settle()); }},
      {"speed", "speed", speed},
      {"grab", "hand hold body rod s pose pull reach", grab},
      {"move", "hand position orientation turns speed", move},
      {"drop", "hand attach body", drop},
      {"reel", "rod rope length speed", reel},
      {"winch", "winch speed",
       [](Workbench& bench, const Request& request, Json&) {
         must(bench.editor().crank(request.client(), request.text("winch"), request.number("speed")));
       }},
      {"modes", "count", modes},
      {"keep", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().keep()); }},
      {"place_hold", "hold position orientation turns", place_hold},
      {"place_body", "body position orientation", place_body},
      {"undo", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().undo()); }},
      {"redo", "", [](Workbench& bench, const Request&, Json&) { must(bench.editor().redo()); }},
      {"formulation", "formulation",
       [](Workbench& bench, const Request& request, Json&) {
         must(bench.editor().switch_formulation(request.text("formulation")));
       }},
      {"compare", "formulation", compare},
  };
  return commands;
}

}  // namespace filum::serve
