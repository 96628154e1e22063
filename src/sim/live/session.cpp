// A session: the engine behind names, with what it is asked checked first.
#include <filum/session.hpp>

#include "base/index.hpp"
#include "sim/formulations.hpp"
#include "sim/live/engine.hpp"
#include "sim/live/within_reach.hpp"
#include "sim/refusal.hpp"
#include "sim/run/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum {

struct Session::Parts {
  explicit Parts(const Scene& scene) : engine(scene, sim::make_formulation(scene.simulation.formulation)) {}
  sim::Engine engine;
  sim::Ledger ledger;
  RunReport report;
  Progress watch;
};

namespace {

// In a session a hold may have let go of everything, which no file may ask for: the rest must be right.
std::optional<Error> why_not(Scene scene) {
  const auto idle = [](const Hold& hold) { return !hold.holds_position() && !hold.holds_orientation(); };
  std::erase_if(scene.drivers, [&](const Driver& driver) {
    const int hold = driver.kind == DriverKind::Hold ? index_of(scene.holds, driver.target) : -1;
    return hold >= 0 && idle(scene.holds[at(hold)]);
  });
  std::erase_if(scene.holds, idle);
  return sim::why_not(scene);
}

}  // namespace

Session::Session(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Result<Session> Session::begin(const Scene& scene, const Progress& watch) {
  if (auto refused = why_not(scene)) return *refused;
  if (scene.simulation.start == StartKind::Result)
    return bad_input("a session starts as shaped or in equilibrium; `load` puts it into a saved state");
  auto parts = std::make_unique<Parts>(scene);
  parts->engine.begin(watch);
  if (!parts->engine.solve().converged)
    return Error{
        ErrorCode::NoSolution, "the equilibrium to start from was not found: " + parts->engine.solve().why, {}};
  Session session(std::move(parts));
  session.watch(watch);
  return session;
}

void Session::watch(const Progress& watch) {
  parts_->watch = watch;
  parts_->engine.watch(watch);
}

SolveReport Session::settle() {
  // the accounts of a motion begin at rest
  parts_->ledger = {};
  return parts_->engine.settle(parts_->watch);
}

namespace {

Status taken(bool step, const sim::Engine& engine) {
  if (step) return Done{};
  return Error{ErrorCode::NoSolution, engine.why(), {}};
}

}  // namespace

Status Session::step() {
  return taken(parts_->engine.advance(), parts_->engine);
}

Status Session::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) return bad_input("a step must be a finite number above zero");
  return taken(parts_->engine.advance(dt), parts_->engine);
}

namespace {

// What is asked of a hold: checked, then given to the engine beside what was asked before.
Status ask(sim::Engine& engine, std::string_view hold, const sim::AskedHold& asked) {
  const int index = index_of(engine.scene().holds, hold);
  if (index < 0) return bad_input("there is no hold '" + std::string(hold) + "'");
  const Hold& held = engine.scene().holds[at(index)];
  const std::string name = "hold '" + held.name + "'";
  if (!held.body.empty()) return bad_input(name + " is on body '" + held.body + "' and moves with it");
  // a clip that stands open can be put elsewhere
  if (asked.position && !held.holds_position() && !held.clip) return bad_input(name + " does not fix the position");
  if (!asked.position && !held.holds_orientation()) return bad_input(name + " does not fix the orientation");
  engine.asked().ask(index, asked);
  return Done{};
}

}  // namespace

Status Session::move_hold(std::string_view hold, const Vec3& position) {
  if (!position.allFinite()) return bad_input("a position must be three finite numbers");
  return ask(parts_->engine, hold, {position, {}, {}});
}

Status Session::pull_hold(std::string_view hold, const Vec3& position, double most) {
  if (!position.allFinite()) return bad_input("a position must be three finite numbers");
  if (!(most > 0)) return bad_input("a hand must be able to pull with a force above zero");
  return ask(parts_->engine, hold, {position, {}, {}, most});
}

Status Session::turn_hold(std::string_view hold, const Quat& orientation) {
  const double size = orientation.norm();
  if (!(size > 0) || !std::isfinite(size)) return bad_input("an orientation must be a quaternion that is not zero");
  return ask(parts_->engine, hold, {{}, orientation.normalized(), {}});
}

Status Session::twist_hold(std::string_view hold, double turns) {
  if (!std::isfinite(turns)) return bad_input("turns must be a finite number");
  return ask(parts_->engine, hold, {{}, {}, turns});
}

namespace {

Status ask_body(sim::Engine& engine, std::string_view body, const sim::AskedBody& asked) {
  const int index = index_of(engine.scene().bodies, body);
  if (index < 0) return bad_input("there is no body '" + std::string(body) + "'");
  if (engine.scene().bodies[at(index)].motion == BodyMotion::Free)
    return bad_input("body '" + std::string(body) + "' is free: it moves as it is pulled");
  engine.asked().ask(index, asked);
  return Done{};
}

}  // namespace

Status Session::move_body(std::string_view body, const Vec3& position) {
  if (!position.allFinite()) return bad_input("a position must be three finite numbers");
  return ask_body(parts_->engine, body, {position, {}});
}

Status Session::turn_body(std::string_view body, const Quat& orientation) {
  const double size = orientation.norm();
  if (!(size > 0) || !std::isfinite(size)) return bad_input("an orientation must be a quaternion that is not zero");
  return ask_body(parts_->engine, body, {{}, orientation.normalized()});
}

Status Session::drive_length(std::string_view rod, double length) {
  const int index = index_of(scene().rods, rod);
  if (index < 0) return bad_input("there is no rod '" + std::string(rod) + "'");
  if (!(length > 0) || !std::isfinite(length)) return bad_input("a length must be a finite number above zero");
  // the first time: would a driver be refused?
  if (!parts_->engine.asked().rod_length[at(index)]) {
    Scene driven = scene();
    std::erase_if(driven.drivers, [&](const Driver& d) { return d.kind == DriverKind::Rod && d.target == rod; });
    Driver driver;
    driver.kind = DriverKind::Rod;
    driver.target = rod;
    driver.path.emplace_back();
    driver.path.back().length = length;
    driven.drivers.push_back(std::move(driver));
    if (auto refused = why_not(std::move(driven))) return *refused;
  }
  parts_->engine.asked().rod_length[at(index)] = length;
  return Done{};
}

Status Session::drive_winch(std::string_view winch, double speed) {
  const int index = index_of(scene().winches, winch);
  if (index < 0) return bad_input("there is no winch '" + std::string(winch) + "'");
  if (!std::isfinite(speed)) return bad_input("a speed must be a finite number");
  parts_->engine.asked().winch_speed[at(index)] = speed;
  return Done{};
}

Status Session::drive_rope(std::string_view rope, double length) {
  const int index = index_of(scene().ropes, rope);
  if (index < 0) return bad_input("there is no rope '" + std::string(rope) + "'");
  if (!(length > 0) || !std::isfinite(length)) return bad_input("a length must be a finite number above zero");
  parts_->engine.asked().rope_length[at(index)] = length;
  return Done{};
}

namespace {

Status scale(std::vector<std::optional<double>>& factors, std::size_t index, double factor) {
  if (index >= factors.size()) return bad_input("there is no such load");
  if (!std::isfinite(factor)) return bad_input("a factor must be a finite number");
  factors[index] = factor;
  return Done{};
}

}  // namespace

Status Session::scale_force(std::size_t index, double factor) {
  return scale(parts_->engine.asked().force_scale, index, factor);
}

Status Session::scale_torque(std::size_t index, double factor) {
  return scale(parts_->engine.asked().torque_scale, index, factor);
}

Result<ReachReport> Session::move_body_within_reach(std::string_view body, const Vec3& position,
                                                    const Quat& orientation) {
  // checked as any movement is
  if (Status moved = move_body(body, position); !moved) return moved.error();
  if (Status turned = turn_body(body, orientation); !turned) return turned.error();
  const int index = index_of(scene().bodies, body);
  ReachReport report =
      sim::move_within_reach(parts_->engine, index, {position, orientation.normalized()}, parts_->watch);
  if (parts_->engine.solve().stopped) return Error{ErrorCode::NoSolution, kStopped, {}};
  return report;
}

Status Session::set_routing(const std::vector<Routing>& routing) {
  Scene scene = parts_->engine.scene();
  scene.routing = routing;
  if (auto refused = why_not(std::move(scene))) return *refused;
  parts_->engine.route(routing);
  return Done{};
}

const std::vector<FoundLength>& Session::lengths() const {
  return parts_->engine.lengths();
}

Status Session::fix_hold(std::string_view hold, const Fix& fix) {
  sim::Engine& engine = parts_->engine;
  const int index = index_of(engine.scene().holds, hold);
  if (index < 0) return bad_input("there is no hold '" + std::string(hold) + "'");
  // the scene as it would be must be one that can run
  Scene scene = engine.scene();
  scene.holds[at(index)].fix = fix;
  scene.holds[at(index)].position.reset();
  scene.holds[at(index)].orientation.reset();
  if (auto refused = why_not(std::move(scene))) return *refused;
  engine.fix({index, fix});
  return Done{};
}

Status Session::edit(const Scene& scene) {
  if (auto refused = why_not(scene)) return *refused;
  parts_->engine.edit(scene);
  return Done{};
}

double Session::time() const {
  return parts_->engine.time();
}

const Scene& Session::scene() const {
  return parts_->engine.scene();
}

Pose Session::pose() const {
  Pose pose = parts_->engine.pose();
  parts_->ledger.note(pose.energy);
  return pose;
}

const std::vector<HoldTarget>& Session::hold_places() const {
  return parts_->engine.living().held().holds;
}

std::vector<double> Session::rod_lengths() const {
  return parts_->engine.living().held().rod_length;
}

std::vector<TurnBalance> Session::turn_balances() const {
  return turn_balances(parts_->engine.pose());
}

std::vector<TurnBalance> Session::turn_balances(const Pose& pose) const {
  return parts_->engine.look_at_turns(pose);
}

const RunReport& Session::report() const {
  parts_->report = parts_->engine.report();
  parts_->report.end = time();
  parts_->report.max_energy_error = parts_->ledger.error();
  parts_->report.energy_scale = parts_->ledger.scale();
  parts_->report.why = parts_->engine.why();
  return parts_->report;
}

std::vector<Event> Session::take_events() {
  return parts_->engine.take_events();
}

SavedState Session::save() const {
  return parts_->engine.save();
}

Status Session::load(const SavedState& saved) {
  return parts_->engine.restore(saved);
}

}  // namespace filum
