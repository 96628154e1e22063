#include "serve/editor/editor.hpp"

#include "base/index.hpp"
#include "scene/lookup.hpp"
#include "scene/validate.hpp"
#include "serve/editor/scene_bytes.hpp"
#include "sim/limits.hpp"
#include "sim/refusal.hpp"

#include <filum/result_file.hpp>
#include <filum/scene_file.hpp>
#include <filum/state_file.hpp>

#include <algorithm>
#include <utility>

namespace filum::serve {

namespace {

bool switches(const Scene& scene, const std::string& hold) {
  return std::any_of(scene.drivers.begin(), scene.drivers.end(), [&](const Driver& driver) {
    return driver.kind == DriverKind::Hold && driver.target == hold &&
           std::any_of(driver.path.begin(), driver.path.end(), [](const Keyframe& key) { return key.fix.has_value(); });
  });
}

// What is only looked at moves nothing.
std::vector<Scenery> solid_part(std::vector<Scenery> scenery) {
  std::erase_if(scenery, [](const Scenery& item) { return !item.solid; });
  return scenery;
}

bool same_but_for_scenery(Scene a, const Scene& b) {
  const std::vector<Scenery> solids = solid_part(b.scenery);
  const auto as_read = [](const Scenery& x, const Scenery& y) { return x == y && x.surface == y.surface; };
  const std::vector<Scenery> before = solid_part(std::exchange(a.scenery, b.scenery));
  a.simulation.start = b.simulation.start;
  return a == b && std::equal(before.begin(), before.end(), solids.begin(), solids.end(), as_read);
}

// The poses of bodies of which there is no simulation.
Pose drawn_pose(const Scene& scene) {
  Pose pose;
  for (const Body& body : scene.bodies) pose.bodies.push_back({body.position, body.orientation});
  return pose;
}

}  // namespace

Editor::Editor() = default;

Progress Editor::watcher() const {
  if (!watch_) return {};
  return [watch = watch_, stopped = stopped_](double, const char*) {
    if (stopped->empty()) *stopped = watch();
    return stopped->empty();
  };
}

void Editor::watch(std::function<std::string()> watch) {
  watch_ = std::move(watch);
  if (session_) session_->watch(watcher());
}

Editor::Point Editor::point() const {
  return {now({}), hands_, reels_, cranks_, playing_, undo_.depth()};
}

void Editor::go_back(const Point& point) {
  if (undo_.depth() > point.undo_depth) undo_.drop_last();
  history_.drop_after(frame_);
  document_ = point.now.document;
  hands_ = point.hands;
  reels_ = point.reels;
  cranks_ = point.cranks;
  playing_ = point.playing;
  solve_ = point.now.solve;
  laid_ = point.now.laid;
  fresh_ = point.now.fresh;
  debt_ = 0;
  ++revision_;
  touch_document();
  touch();
  // room for the new one first
  session_.reset();
  if (!point.now.simulated) return;
  Result<Session> session = begin_at(*point.now.simulated, point.now.state);
  if (session) session_ = std::move(*session);
  if (!session) notices_.add(0, Level::Error, "the simulation could not be brought back: " + session.error().text());
}

// Compiled anew, then into the state it was in.
Result<Session> Editor::begin_at(Scene scene, const SavedState& state) const {
  see_solids(scene);
  scene.simulation.start = StartKind::AsShaped;
  Result<Session> session = Session::begin(scene, watcher());
  if (!session) return session;
  if (auto loaded = session->load(state); !loaded) return loaded.error();
  return session;
}

void Editor::touch() {
  pose_.reset();
  changed_ = true;
}

const Pose& Editor::pose() const {
  if (!pose_) pose_ = std::make_shared<const Pose>(session_ ? session_->pose() : drawn_pose(scene()));
  return *pose_;
}

double Editor::paid_out(int rod) const {
  if (!session_) return 1;
  return session_->rod_lengths()[at(rod)] / scene::rod_length(scene().rods[at(rod)]);
}

double Editor::place_now(int rod, const ArcPosition& place) const {
  return place.at(scene::rod_length(scene().rods[at(rod)])) * paid_out(rod);
}

std::vector<Check> Editor::checks() const {
  if (!session_) return {};
  return sim::check_limits(scene(), pose(), time());
}

std::shared_ptr<const Present> Editor::present() {
  if (!shared_document_) shared_document_ = std::make_shared<const Document>(document_);
  (void)pose();
  return std::make_shared<const Present>(Present{shared_document_, pose_, session_.has_value(), time(), solve_,
                                                 history_, changed_ ? next_frame() : frame_});
}

void Editor::note_events() {
  if (!session_) return;
  for (Event& event : session_->take_events()) notices_.add(Level::Info, std::move(event));
}

// Solvers see no scenery but what is solid and to be found.
void Editor::see_solids(Scene& scene) const {
  for (Scenery& item : scene.scenery) {
    item.surface = item.solid && solid_surface_ ? solid_surface_(item) : nullptr;
    item.solid = item.surface != nullptr;
    if (!item.solid) item.friction = 0;
  }
}

namespace {

// One of each direction, to be scaled by whoever pulls the body.
void add_unit_loads(Scene& scene, const std::string& body) {
  for (int axis = 0; axis < 3; ++axis) {
    PointForce force;
    force.body = body;
    force.force = Vec3::Unit(axis);
    scene.forces.push_back(std::move(force));
    PointTorque torque;
    torque.body = body;
    torque.torque = Vec3::Unit(axis);
    scene.torques.push_back(std::move(torque));
  }
}

}  // namespace

// The document's scene and what hands hold on to, as far as they are at work.
Scene Editor::with_hands(const Scene& scene) const {
  Scene piece = scene;
  piece.simulation.start = StartKind::AsShaped;
  see_solids(piece);
  // holds that keyframes have switched stay as they are by now
  if (session_)
    for (Hold& hold : piece.holds) {
      const int was = index_of(session_->scene().holds, hold.name);
      if (was < 0 || !switches(scene, hold.name)) continue;
      const Hold& held = session_->scene().holds[at(was)];
      hold.fix = held.fix;
      hold.position = held.position;
      hold.orientation = held.orientation;
    }
  for (const Hand& hand : hands_) {
    if (!hand.moved) continue;
    if (hand.kind == HandKind::Point) {
      const int rod = index_of(piece.rods, hand.rod);
      if (rod < 0) continue;
      // nothing else takes hold there while the hand is there
      for (const Hold& there : piece.holds)
        if (is_at(piece, there, hand.rod, hand.s)) forget_switches(piece, there.name, 0);
      Hold hold;
      hold.name = hand.name;
      hold.rod = hand.rod;
      hold.at = {0, std::min(hand.s, scene::rod_length(piece.rods[at(rod)]))};
      hold.fix.position = kAllAxes;
      if (hand.pose) hold.fix.orientation = kAllAxes;
      hold.position = hand.position;
      if (hand.pose) hold.orientation = hand.orientation;
      piece.holds.push_back(std::move(hold));
    } else if (hand.freed) {
      const int body = index_of(piece.bodies, hand.name);
      if (body >= 0 && hand.pulls)
        add_unit_loads(piece, hand.name);
      else if (body >= 0)
        piece.bodies[at(body)].motion = BodyMotion::Driven;
    }
  }
  return piece;
}

// A new simulation, as the scene says that it starts; in equilibrium if it is about that and one is found.
Status Editor::begin(const Scene& scene) {
  Scene piece = with_hands(scene);
  const bool statics = scene.simulation.mode == Mode::Statics;
  if (statics || scene.simulation.start == StartKind::Equilibrium) piece.simulation.start = StartKind::Equilibrium;
  Result<Session> session = Session::begin(piece, watcher());
  if (!session && piece.simulation.start == StartKind::Equilibrium) {
    piece.simulation.start = StartKind::AsShaped;
    session = Session::begin(piece, watcher());
  }
  if (!session) return session.error();
  // from a result: the state that lies beside the scene
  if (scene.simulation.start == StartKind::Result && !statics) {
    const Result<StoredState> stored = read_state(start_folder(scene, document_.path()));
    if (!stored) return stored.error();
    if (auto loaded = session->load(stored->state); !loaded) return loaded;
  }
  session_ = std::move(*session);
  solve_ = {};
  fresh_ = true;
  laid_ = false;
  debt_ = 0;
  if (statics) settle_now();
  fresh_ = true;
  return Done{};
}

// Makes the simulation that of this scene. An error: nothing has changed.
Status Editor::apply(const Scene& scene) {
  if (auto fits = check_size(scene); !fits) return fits;
  if (scene.rods.empty() && scene.ropes.empty()) {
    if (const auto problem = scene::validate(scene)) return problem->error();
    session_.reset();
    solve_ = {};
    playing_ = false;
    return Done{};
  }
  if (session_ && same_but_for_scenery(session_->scene(), with_hands(scene))) return Done{};
  if (!session_ || (fresh_ && scene.simulation.mode == Mode::Dynamics)) return begin(scene);
  if (auto edited = session_->edit(with_hands(scene)); !edited) return edited;
  pose_.reset();  // it has other holds now
  if (playing_ && sim::why_not_moving(scene)) playing_ = false;
  return Done{};
}

// After a change that has been applied.
void Editor::commit(UndoPoint before, Document document) {
  undo_.push(std::move(before));
  document_ = std::move(document);
  touch_document();
  // who holds on to what is no longer there holds nothing
  std::erase_if(hands_, [&](const Hand& hand) {
    if (hand.kind == HandKind::Body) return index_of(scene().bodies, hand.name) < 0;
    if (hand.kind == HandKind::Hold) return index_of(scene().holds, hand.name) < 0;
    return index_of(scene().rods, hand.rod) < 0;
  });
  std::erase_if(reels_, [&](const Reel& reel) {
    return (reel.rope ? index_of(scene().ropes, reel.name) : index_of(scene().rods, reel.name)) < 0;
  });
  std::erase_if(cranks_, [&](const Crank& crank) { return index_of(scene().winches, crank.winch) < 0; });
  ++revision_;
  settle_if_laid();
  note_events();
  touch();
}

Status Editor::change_text(const std::string& label, const std::function<Status(Document&)>& edit) {
  Document document = document_;
  if (auto edited = edit(document); !edited) return edited;
  UndoPoint before = now(label);
  if (auto applied = apply(document.scene()); !applied) return applied;
  commit(std::move(before), std::move(document));
  return Done{};
}

Status Editor::change(const std::string& label, const std::function<Status(Scene&)>& edit) {
  return change_text(label, [&](Document& document) -> Status {
    Scene scene = document.scene();
    if (auto edited = edit(scene); !edited) return edited;
    document.set_scene(std::move(scene));
    return Done{};
  });
}

Status Editor::open(Document document, const std::string& label) {
  document.set_number(++documents_);
  UndoPoint before = now(label);
  // another scene: nothing of the old simulation goes on in it
  std::optional<Session> old = std::exchange(session_, std::nullopt);
  const Document old_document = std::exchange(document_, document);
  const std::vector<Hand> old_hands = std::exchange(hands_, {});
  const bool was_fresh = std::exchange(fresh_, true);
  if (auto applied = apply(document.scene()); !applied) {
    session_ = std::move(old);
    document_ = old_document;
    hands_ = old_hands;
    fresh_ = was_fresh;
    return applied;
  }
  playing_ = false;
  reels_.clear();
  cranks_.clear();
  commit(std::move(before), std::move(document));
  if (stopped().empty()) history_.clear();
  return Done{};
}

Status Editor::save(const std::string& path, const std::vector<io::FileText>& others) {
  touch_document();
  return document_.save(path, others);
}

void Editor::find_solids(SurfaceOf surface_of) {
  solid_surface_ = std::move(surface_of);
}

Status Editor::apply_again() {
  if (auto applied = apply(scene()); !applied) return applied;
  settle_if_laid();
  note_events();
  touch();
  return Done{};
}

void Editor::see_scenery(const SurfaceOf& surface_of) {
  for (std::size_t i = 0; i < scene().scenery.size(); ++i)
    if (document_.see(i, surface_of(scene().scenery[i]))) touch_document();
}

UndoPoint Editor::now(const std::string& label) const {
  UndoPoint point{label, document_, std::nullopt, {}, solve_, laid_, fresh_};
  if (session_) {
    point.simulated = session_->scene();
    for (Scenery& item : point.simulated->scenery) item.surface.reset();
    point.state = session_->save();
  }
  point.document.forget_surfaces();
  return point;
}

Status Editor::go_to(std::optional<UndoPoint> point, const char* nothing) {
  if (!point) return bad_input(nothing);
  playing_ = false;
  hands_.clear();
  reels_.clear();
  cranks_.clear();
  document_.become(point->document);
  touch_document();
  session_.reset();
  if (point->simulated) {
    Result<Session> session = begin_at(*point->simulated, point->state);
    Status loaded = session ? Status(Done{}) : Status(session.error());
    if (loaded) session_ = std::move(*session);
    // hands of then hold on to nothing now
    if (loaded && (point->simulated->holds.size() != scene().holds.size() ||
                   point->simulated->forces.size() != scene().forces.size()))
      loaded = session_->edit(with_hands(scene()));
    if (!loaded) notices_.add(0, Level::Error, "this point could not be brought back: " + loaded.error().text());
  }
  solve_ = point->solve;
  laid_ = point->laid;
  fresh_ = point->fresh;
  debt_ = 0;
  ++revision_;
  if (session_) (void)session_->take_events();
  touch();
  return Done{};
}

Status Editor::undo() {
  return undo_.depth() == 0 ? go_to({}, "there is nothing to undo") : go_to(undo_.undo(now({})), "");
}

Status Editor::redo() {
  return undo_.redo_depth() == 0 ? go_to({}, "there is nothing to redo") : go_to(undo_.redo(now({})), "");
}

std::shared_ptr<const Frame> Editor::frame(double real_time) {
  FrameFacts facts;
  facts.number = ++frame_;
  facts.revision = revision_;
  facts.playing = playing_;
  facts.converged = solve_.converged;
  facts.laid = laid_;
  facts.dragged = !hands_.empty();
  facts.time = time();
  facts.steps = session_ ? static_cast<double>(session_->report().steps) : 0;
  facts.solve_ms = solve_.ms;
  facts.real_time = real_time;
  facts.hands = pose().holds.size() - std::min(pose().holds.size(), scene().holds.size());
  if (session_) history_.add(frame_, time(), solve_.ms, scene(), pose());
  changed_ = false;
  return frames_.make(facts, simulated(), pose(), session_ ? session_->hold_places() : std::vector<HoldTarget>{});
}

}  // namespace filum::serve
