// The workbench without its network: a document, its simulation, hands that drag, undo.
//
// The simulated scene is the document's with what hands hold on to besides. Every change of the document goes through
// `change`: it is tried on the simulation first, and either all of it is done and can be undone, or nothing has changed
// and there is one error. While it is paused the cable is laid: each move of a hand finds the equilibrium from the last
// one. While it plays, time goes on and hands pull in it.
#pragma once

#include "serve/editor/document.hpp"
#include "serve/editor/hand.hpp"
#include "serve/editor/history_buffer.hpp"
#include "serve/editor/notices.hpp"
#include "serve/editor/page_frame.hpp"
#include "serve/editor/present.hpp"
#include "serve/editor/undo.hpp"

#include <filum/modes.hpp>
#include <filum/outcome.hpp>
#include <filum/session.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum::serve {

// Whether a hold grips this place of a rod, m of the scene's length, and does not slide.
bool is_at(const Scene& scene, const Hold& hold, const std::string& rod, double s);
// From a time on keyframes no longer say what a hold fixes.
void forget_switches(Scene& scene, const std::string& hold, double since);

// The scene in another formulation, without what only the one that it had lets be chosen.
[[nodiscard]] Scene in_formulation(Scene scene, std::string_view formulation);

class Editor {
 public:
  Editor();

  // Asked now and then while it computes: why to stop, or nothing. What is at hand then ends soon, not done, and so does
  // all that is begun before `forget_stop`: who began it goes back to a point from before.
  void watch(std::function<std::string()> watch);
  // The same question for who computes beside the simulation.
  [[nodiscard]] Progress watcher() const;
  // Why it was stopped; empty: it was not.
  [[nodiscard]] const std::string& stopped() const { return *stopped_; }
  void forget_stop() { stopped_->clear(); }
  // Everything, to go back to if what was begun is not to count.
  struct Point {
    UndoPoint now;
    std::vector<Hand> hands;
    std::vector<Reel> reels;
    std::vector<Crank> cranks;
    bool playing = false;
    std::size_t undo_depth = 0;
  };
  [[nodiscard]] Point point() const;
  void go_back(const Point& point);

  // The document. `label` is what undo calls it.
  Status open(Document document, const std::string& label);
  Status change(const std::string& label, const std::function<Status(Scene&)>& edit);
  Status change_text(const std::string& label, const std::function<Status(Document&)>& edit);
  Status save(const std::string& path, const std::vector<io::FileText>& others);
  // The last two things done are one to undo.
  void merge_undo() { undo_.merge(); }
  // What was done so far cannot be undone.
  void forget() { undo_ = {}; }
  Status undo();
  Status redo();

  // Time.
  Status play();
  void pause();
  Status step(int count);
  Status reset();
  Status settle();
  void set_speed(double speed) { speed_ = speed; }
  // While it plays: as much time as `seconds` of the clock stand for, but no more than fits into `budget` seconds.
  void advance(double seconds, double budget);

  // Hands. A client is a page; its hands drop when it leaves.
  Result<Hand> grab(int client, const std::string& id, const Grab& what);
  // Why it did not come all the way; empty: it did.
  Result<std::string> move(int client, const std::string& id, const Move& move);
  // The name of what was left behind. What is attached is so to the world, or to a body.
  Result<std::string> drop(int client, const std::string& id, bool attach, const std::string& body = {});
  void leave(int client);
  // The hold lets go. It leaves the scene; in a run it lets go from now on, so that the start stays as it was.
  Status release(const std::string& hold);
  // Pays a rod or a massless rope out or hauls it in while it plays: to a length, or with no end in sight; speed 0
  // stops it.
  Status reel(int client, const std::string& name, bool rope, double length, double speed);
  // The speed of a winch of the scene, while it plays.
  Status crank(int client, const std::string& winch, double speed);
  // Takes, moves and drops at once.
  Status place(const std::string& label, const Grab& what, const Move& move);
  // The present places of holds and bodies and the present lengths become the document's.
  Status keep();

  // The same scene with another formulation, from the same state where that one can take it over.
  Status switch_formulation(const std::string& formulation);
  // The length at which the rod's mean tension is this.
  Result<double> find_length(const std::string& rod, double tension);
  // The equilibrium of what is held now, by another formulation.
  struct Compared {
    SolveReport solve;
    Pose pose;
  };
  [[nodiscard]] Result<Compared> compare(const std::string& formulation) const;

  // Natural modes about the equilibrium of the scene, with drivers as they are now.
  [[nodiscard]] Result<ModesOutcome> modes(int count) const;

  // The scene's equilibria along the movement of its drivers, so many, each from the one before.
  [[nodiscard]] Result<Outcome> follow_path(int states, bool nudge) const;

  // The hold takes what it fixes where the rod is now. In a scene that is about to become the document's.
  void grip_where_it_is(const Scene& scene, Hold& hold) const;

  // What the meshes of the scenery hold, by `surface_of`: what passes through them is told from now on.
  using SurfaceOf = std::function<std::shared_ptr<const geometry::MeshSurface>(const Scenery&)>;
  void see_scenery(const SurfaceOf& surface_of);
  // Where those that are solid are found, from now on; one that is not holds nothing off.
  void find_solids(SurfaceOf surface_of);
  // The same document, when more of it is to be found than before.
  Status apply_again();

  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] const Scene& scene() const { return document_.scene(); }
  // What is simulated, or null.
  [[nodiscard]] const Scene* simulated() const { return session_ ? &session_->scene() : nullptr; }
  [[nodiscard]] const Pose& pose() const;
  [[nodiscard]] double time() const { return session_ ? session_->time() : 0; }
  [[nodiscard]] bool playing() const { return playing_; }
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] std::uint32_t revision() const { return revision_; }
  [[nodiscard]] const SolveNews& solve() const { return solve_; }
  [[nodiscard]] const UndoStack& undo_stack() const { return undo_; }
  [[nodiscard]] const std::vector<Hand>& hands() const { return hands_; }
  [[nodiscard]] const std::vector<Reel>& reels() const { return reels_; }
  // How long a rod of the scene is now, as a share of its length in the scene.
  [[nodiscard]] double paid_out(int rod) const;
  // A place along a rod of the scene, as the pose counts arc lengths.
  [[nodiscard]] double place_now(int rod, const ArcPosition& place) const;
  // Of every rod of the scene.
  [[nodiscard]] std::vector<TurnBalance> turn_balances() const {
    return session_ ? session_->turn_balances(pose()) : std::vector<TurnBalance>{};
  }
  [[nodiscard]] const HistoryBuffer& history() const { return history_; }
  [[nodiscard]] const Notices& notices() const { return notices_; }
  // Something to tell pages of.
  void note(Level level, std::string what) { notices_.add(time(), level, std::move(what)); }
  [[nodiscard]] std::vector<Check> checks() const;
  // Of rods that find their own.
  [[nodiscard]] std::vector<FoundLength> lengths() const {
    return session_ ? session_->lengths() : std::vector<FoundLength>{};
  }
  // What there is now, for who looks at it while the editor goes on.
  [[nodiscard]] std::shared_ptr<const Present> present();

  // Pages are to hear the scene anew though it is the same.
  void tell_scene_again() { ++revision_, touch(); }
  // Something to be seen has changed since the last frame.
  [[nodiscard]] bool changed() const { return changed_; }
  // `real_time`: seconds of simulation per second, for those who watch.
  std::shared_ptr<const Frame> frame(double real_time);
  // The number that the next frame will have.
  [[nodiscard]] std::uint32_t next_frame() const { return frame_ + 1; }

 private:
  [[nodiscard]] UndoPoint now(const std::string& label) const;
  Status go_to(std::optional<UndoPoint> point, const char* nothing);
  void see_solids(Scene& scene) const;
  [[nodiscard]] Scene with_hands(const Scene& scene) const;
  Status apply(const Scene& scene);
  Status begin(const Scene& scene);
  void commit(UndoPoint before, Document document);
  void settle_if_laid();
  void settle_now();
  bool step_once();
  void advance_hands(double dt);
  void advance_reels(double dt);
  [[nodiscard]] double reeled_length(const std::string& name, bool rope) const;
  Status drive(const Reel& reel, double length);
  void advance_cranks(double dt);
  void touch();
  void touch_document() { shared_document_.reset(); }
  Result<Session> begin_at(Scene scene, const SavedState& state) const;
  void note_events();

  Hand* find_hand(int client, const std::string& id);
  Status take_point(Hand& hand, const Grab& what);
  Status take_hold(Hand& hand, int index);
  Status take_body(Hand& hand, int index);
  Status set_to_work(Hand& hand);
  Status ask(Hand& hand, const Move& move);
  Result<std::string> move_within_reach(Hand& hand, const Move& move);
  Status pull(Hand& hand, const Vec3& position);
  Status write_length(Scene& scene, const std::string& rod, double length);
  [[nodiscard]] double distance_to_neighbours(const Hand& hand, const Vec3& position) const;
  Result<std::string> let_go(const Hand& hand, Scene scene, bool attach, const std::string& body);
  // In the course of a run, playing or not: what is done now is not done at the start.
  [[nodiscard]] bool under_way() const;
  Result<std::string> grip_again(Scene& scene, const std::string& hold, const Fix& fix);
  Result<std::string> attach_here(const Hand& hand, Scene& scene, const std::string& body);
  void lead(Hand& hand, double dt);
  void pull_free_body(Hand& hand, double dt);
  void change_grips();
  [[nodiscard]] double most_pull() const;
  void write_hold(Scene& scene, const std::string& name, const Move& what) const;
  void write_clips(Scene& scene) const;
  void keep_clips();
  void write_body(Scene& scene, const std::string& name, const BodyPose& pose) const;

  Document document_;
  std::optional<Session> session_;
  std::vector<Hand> hands_;
  std::vector<Reel> reels_;
  std::vector<Crank> cranks_;
  UndoStack undo_;
  SolveNews solve_;
  Notices notices_;
  HistoryBuffer history_;
  FrameMaker frames_;
  bool playing_ = false;
  bool laid_ = false;  // in equilibrium
  bool fresh_ = true;  // as the scene starts: nothing has moved since
  double speed_ = 1;
  double debt_ = 0;  // seconds of simulation that are due
  std::uint32_t revision_ = 1;
  std::uint32_t frame_ = 0;
  int documents_ = 1;  // opened so far, the blank one included
  int hand_counter_ = 0;
  bool changed_ = true;
  std::function<std::string()> watch_;
  SurfaceOf solid_surface_;
  std::shared_ptr<std::string> stopped_ = std::make_shared<std::string>();
  mutable std::shared_ptr<const Pose> pose_;
  std::shared_ptr<const Document> shared_document_;  // as `present` gave it last; null: it has changed since
};

}  // namespace filum::serve
