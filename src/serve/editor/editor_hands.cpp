// Hands on the workbench: what they take, how it follows, what is left when they let go.
#include "serve/editor/editor.hpp"

#include "base/index.hpp"
#include "rod/pose_at.hpp"
#include "scene/lookup.hpp"

#include <filum/edit.hpp>
#include <filum/words.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::serve {

namespace {

constexpr std::size_t kMostHands = 64;
constexpr double kNearHold = 0.1;      // of a segment: a hold as near as this is taken instead of the point
constexpr double kNearEnd = 0.5;       // of a segment: as near to an end as this is the end
constexpr double kShortestPull = 0.2;  // of the length it was taken at

bool drives(const Scene& scene, DriverKind kind, const std::string& name, bool (*names)(const Keyframe&)) {
  return std::any_of(scene.drivers.begin(), scene.drivers.end(), [&](const Driver& driver) {
    return driver.kind == kind && driver.target == name && std::any_of(driver.path.begin(), driver.path.end(), names);
  });
}

// A pose in the world, brought to where it would be if the body were where the scene puts it.
void bring_back(const Body& rest, const BodyPose& now, Vec3& position, Quat& orientation) {
  const Quat back = rest.orientation * now.orientation.conjugate();
  position = rest.position + back * (position - now.position);
  orientation = back * orientation;
}

// Turns are a driver's business: one keyframe that holds always, or all of them shifted.
void write_turns(Scene& scene, const std::string& hold, double turns, double before) {
  for (Driver& driver : scene.drivers) {
    if (driver.kind != DriverKind::Hold || driver.target != hold) continue;
    for (std::size_t k = 0; k < driver.path.size(); ++k)
      if (driver.path[k].turns || k == 0) driver.path[k].turns = driver.path[k].turns.value_or(0) + turns - before;
    return;
  }
  Driver driver;
  driver.kind = DriverKind::Hold;
  driver.target = hold;
  driver.path.emplace_back();
  driver.path.back().turns = turns;
  scene.drivers.push_back(std::move(driver));
}

}  // namespace

Hand* Editor::find_hand(int client, const std::string& id) {
  const auto found =
      std::find_if(hands_.begin(), hands_.end(), [&](const Hand& h) { return h.client == client && h.id == id; });
  return found == hands_.end() ? nullptr : &*found;
}

void Editor::grip_where_it_is(const Scene& scene, Hold& hold) const {
  const int rod = session_ ? index_of(this->scene().rods, hold.rod) : -1;
  if (rod < 0) return;
  const RodPose& now = pose().rods[at(rod)];
  // its share of the rod, which may be as long as neither scene says
  const double length = scene::rod_length(scene.rods[at(index_of(scene.rods, hold.rod))]);
  const double s = hold.at.at(length) * (session_->rod_lengths()[at(rod)] / length);
  Vec3 position = rod::position_at(now, s);
  Quat orientation = rod::frame_at(now, s);
  const int body = hold.body.empty() ? -1 : index_of(scene.bodies, hold.body);
  const int was = hold.body.empty() ? -1 : index_of(session_->scene().bodies, hold.body);
  if (body >= 0 && was >= 0) bring_back(scene.bodies[at(body)], pose().bodies[at(was)], position, orientation);
  hold.position.reset();
  hold.orientation.reset();
  if (hold.holds_position()) hold.position = position;
  if (hold.holds_orientation()) hold.orientation = orientation;
}

Status Editor::take_hold(Hand& hand, int index) {
  const Hold& hold = scene().holds[at(index)];
  // what sits on a body is moved with the body
  if (!hold.body.empty()) return take_body(hand, index_of(scene().bodies, hold.body));
  const HoldTarget place = session_->hold_places()[at(index)];
  const HoldPose& held = pose().holds[at(index)];
  hand.kind = HandKind::Hold;
  hand.name = hold.name;
  hand.rod = hold.rod;
  hand.s = held.s / paid_out(index_of(scene().rods, hold.rod));
  // an open clip stands where its rod is not
  hand.position = hold.clip && !hold.holds_position() ? place.position : held.position;
  hand.turns = hand.turns_before = place.turns;
  hand.bore = held.force.norm();
  hand.orientation = hold.holds_orientation()
                         ? place.orientation
                         : rod::frame_at(pose().rods[at(index_of(scene().rods, hold.rod))], held.s);
  return Done{};
}

Status Editor::take_body(Hand& hand, int index) {
  const Body& body = scene().bodies[at(index)];
  hand.kind = HandKind::Body;
  hand.name = body.name;
  hand.freed = body.motion == BodyMotion::Free;
  hand.position = pose().bodies[at(index)].position;
  hand.orientation = pose().bodies[at(index)].orientation;
  return Done{};
}

Status Editor::take_point(Hand& hand, const Grab& what) {
  const int rod = index_of(scene().rods, what.rod);
  if (rod < 0) return bad_input("there is no rod '" + what.rod + "'");
  const RodPose& now = pose().rods[at(rod)];
  const double length = scene::rod_length(scene().rods[at(rod)]);
  const double segment = length / scene().rods[at(rod)].segments;
  const double paid = paid_out(rod);
  double s = std::clamp(what.s, 0.0, length);
  if (!now.closed && s < kNearEnd * segment) s = 0;
  if (!now.closed && s > length - kNearEnd * segment) s = length;
  // a hold that is there already, unless it has let go
  for (std::size_t h = 0; h < scene().holds.size(); ++h) {
    const Hold& held = session_->scene().holds[h];
    const bool grips = held.holds_position() || held.holds_orientation();
    if (grips && held.rod == what.rod && std::abs(pose().holds[h].s / paid - s) < kNearHold * segment)
      return take_hold(hand, static_cast<int>(h));
  }
  hand.kind = HandKind::Point;
  hand.rod = what.rod;
  hand.s = s;
  hand.pose = what.pose;
  hand.position = rod::position_at(now, s * paid);
  hand.orientation = rod::frame_at(now, s * paid);
  do hand.name = "hand " + std::to_string(++hand_counter_);
  while (index_of(scene().holds, hand.name) >= 0);
  return Done{};
}

Result<Hand> Editor::grab(int client, const std::string& id, const Grab& what) {
  if (find_hand(client, id) != nullptr) return bad_input("hand '" + id + "' holds something already");
  if (hands_.size() >= kMostHands) return bad_input("there are too many hands at work");
  if (!session_) return bad_input("there is nothing to take hold of yet");
  Hand hand;
  hand.client = client;
  hand.id = id;
  hand.pull = what.pull;
  hand.reach = what.reach;
  Status taken = Done{};
  if (!what.hold.empty()) {
    const int index = index_of(scene().holds, what.hold);
    if (index < 0) return bad_input("there is no hold '" + what.hold + "'");
    taken = take_hold(hand, index);
  } else if (!what.body.empty()) {
    const int index = index_of(scene().bodies, what.body);
    if (index < 0) return bad_input("there is no body '" + what.body + "'");
    taken = take_body(hand, index);
  } else {
    taken = take_point(hand, what);
  }
  if (!taken) return taken.error();
  for (const Hand& other : hands_)
    if (other.kind == hand.kind && other.name == hand.name)
      return bad_input(std::string(word_for(hand.kind)) + " '" + hand.name + "' is in another hand");
  if (hand.pull && hand.kind != HandKind::Body) {
    hand.pull_length = pose().rods[at(index_of(scene().rods, hand.rod))].s.back();
    hand.pull_distance = distance_to_neighbours(hand, hand.position);
  }
  hands_.push_back(hand);
  changed_ = true;
  return hand;
}

// From the hand straight to the next holds of its rod on both sides.
double Editor::distance_to_neighbours(const Hand& hand, const Vec3& position) const {
  const double none = std::numeric_limits<double>::infinity();
  double before = -none;
  double after = none;
  const Vec3* left = nullptr;
  const Vec3* right = nullptr;
  const double s = hand.s * paid_out(index_of(scene().rods, hand.rod));
  for (std::size_t h = 0; h < scene().holds.size(); ++h) {
    const Hold& hold = scene().holds[h];
    const HoldPose& held = pose().holds[h];
    if (hold.rod != hand.rod || hold.name == hand.name || !hold.holds_position()) continue;
    if (held.s <= s && held.s > before) before = held.s, left = &held.position;
    if (held.s >= s && held.s < after) after = held.s, right = &held.position;
  }
  return (left != nullptr ? (position - *left).norm() : 0) + (right != nullptr ? (position - *right).norm() : 0);
}

// The rod as long as the hand has pulled it: driven until the hand lets go, and written then.
Status Editor::pull(Hand& hand, const Vec3& position) {
  const double wanted = hand.pull_length + distance_to_neighbours(hand, position) - hand.pull_distance;
  hand.pulled = std::max(wanted, kShortestPull * hand.pull_length);
  if (session_->drive_length(hand.rod, *hand.pulled)) return Done{};
  // what cannot be driven becomes another scene with every move
  Scene longer = scene();
  if (auto written = write_length(longer, hand.rod, *hand.pulled); !written) return written;
  if (auto applied = apply(longer); !applied) return applied;
  document_.set_scene(std::move(longer));
  touch_document();
  ++revision_;
  return Done{};
}

// Another length of the scene's rod, along which hands keep their share of it.
Status Editor::write_length(Scene& scene, const std::string& rod, double length) {
  const double ratio = length / scene::rod_length(scene.rods[at(index_of(scene.rods, rod))]);
  if (auto done = edit::set_length(scene, rod, length); !done) return done;
  for (Hand& hand : hands_)
    if (hand.rod == rod) hand.s *= ratio;
  return Done{};
}

// From the first move on it is in the simulation, and to undo it is one thing.
Status Editor::set_to_work(Hand& hand) {
  const std::string what = hand.kind == HandKind::Point ? "a point of '" + hand.rod + "'"
                                                        : std::string(word_for(hand.kind)) + " '" + hand.name + "'";
  UndoPoint before = now("move " + what);
  hand.moved = true;
  hand.pulls = hand.freed && playing_;
  if (hand.kind == HandKind::Point || hand.freed) {
    Status applied = apply(scene());
    // where nothing pulls at bodies they are led
    if (!applied && hand.pulls) hand.pulls = false, applied = apply(scene());
    if (!applied) {
      hand.moved = false;
      return applied;
    }
    ++revision_;
  }
  undo_.push(std::move(before));
  return Done{};
}

Status Editor::ask(Hand& hand, const Move& move) {
  if (hand.kind == HandKind::Body) {
    if (move.turns) return bad_input("a body has no turns");
    Status done = move.orientation ? session_->turn_body(hand.name, *move.orientation) : Status(Done{});
    if (done && move.position) done = session_->move_body(hand.name, *move.position);
    return done;
  }
  Status done = move.orientation ? session_->turn_hold(hand.name, *move.orientation) : Status(Done{});
  if (done && move.turns) done = session_->twist_hold(hand.name, *move.turns);
  if (done && move.position) done = session_->move_hold(hand.name, *move.position);
  return done;
}

// A body that is laid, as far as its cables let it.
Result<std::string> Editor::move_within_reach(Hand& hand, const Move& move) {
  const Result<ReachReport> report = session_->move_body_within_reach(hand.name, move.position.value_or(hand.position),
                                                                      move.orientation.value_or(hand.orientation));
  if (!report) return report.error();
  settle_now();
  const BodyPose& body = pose().bodies[at(index_of(session_->scene().bodies, hand.name))];
  hand.asked.position = hand.position = body.position;
  hand.asked.orientation = hand.orientation = body.orientation;
  return report->stopped ? words(report->event) : std::string();
}

Result<std::string> Editor::move(int client, const std::string& id, const Move& move) {
  Hand* hand = find_hand(client, id);
  if (hand == nullptr) return bad_input("hand '" + id + "' holds nothing");
  if (!hand->moved)
    if (auto ready = set_to_work(*hand); !ready) return ready.error();
  if (hand->kind == HandKind::Body && hand->reach && !playing_) return move_within_reach(*hand, move);
  if (hand->pulls) {
    if (move.turns) return bad_input("a body has no turns");
    if (move.orientation) hand->asked.orientation = hand->orientation = move.orientation->normalized();
    if (move.position) hand->goal = *move.position, hand->speed = move.speed;
    fresh_ = false;
    return std::string();
  }
  if (playing_ && move.speed > 0 && move.position) {
    // the steps bring it there
    hand->goal = *move.position;
    hand->speed = move.speed;
    fresh_ = false;
    return std::string();
  }
  hand->goal.reset();
  hand->pace.stop();
  const int held = index_of(session_->scene().holds, hand->name);
  const bool grips =
      hand->kind != HandKind::Body && held >= 0 && fixes_all(session_->scene().holds[at(held)].fix.position);
  if (playing_ && grips && !hand->pull && move.position && !move.orientation && !move.turns) {
    // as fast as one moves a hand, and no harder than one pulls
    hand->goal = *move.position;
    hand->speed = 0;
    fresh_ = false;
    return std::string();
  }
  if (hand->pull && hand->kind != HandKind::Body && move.position)
    if (auto pulled = pull(*hand, *move.position); !pulled) return pulled.error();
  if (auto asked = ask(*hand, move); !asked) return asked.error();
  if (move.position) hand->asked.position = hand->position = *move.position;
  if (move.orientation) hand->asked.orientation = hand->orientation = move.orientation->normalized();
  if (move.turns) hand->asked.turns = hand->turns = *move.turns;
  if (playing_)
    fresh_ = false;
  else
    settle_now();
  note_events();
  touch();
  return std::string();
}

void Editor::write_hold(Scene& scene, const std::string& name, const Move& what) const {
  const int index = index_of(scene.holds, name);
  if (index < 0) return;
  Hold& hold = scene.holds[at(index)];
  const auto has_position = [](const Keyframe& key) { return key.position.has_value(); };
  const auto has_orientation = [](const Keyframe& key) { return key.orientation.has_value(); };
  // what a driver leads along a path stays the driver's
  if (what.position && (hold.holds_position() || hold.clip) && !drives(scene, DriverKind::Hold, name, has_position))
    hold.position = *what.position;
  if (what.orientation && hold.holds_orientation() && !drives(scene, DriverKind::Hold, name, has_orientation))
    hold.orientation = *what.orientation;
}

// With all that is held to it.
void Editor::write_body(Scene& scene, const std::string& name, const BodyPose& pose) const {
  const int index = index_of(scene.bodies, name);
  const auto any = [](const Keyframe&) { return true; };
  if (index < 0 || drives(scene, DriverKind::Body, name, any)) return;
  Body& body = scene.bodies[at(index)];
  for (Hold& hold : scene.holds) {
    if (hold.body != name) continue;
    const int held = index_of(session_->scene().holds, hold.name);
    // where the scene would put it, led along with the body
    const HoldTarget place = held >= 0 ? session_->hold_places()[at(held)] : HoldTarget{};
    if (hold.holds_position()) hold.position = place.position;
    if (hold.holds_orientation()) hold.orientation = place.orientation;
  }
  body.position = pose.position;
  body.orientation = pose.orientation;
}

// Clips that opened or closed while a scene at rest was laid by hand stay so. A rod that is only in the mouth of one is
// not in it yet.
void Editor::write_clips(Scene& scene) const {
  if (playing_ || !session_ || scene.simulation.mode != Mode::Statics) return;
  for (Hold& hold : scene.holds) {
    const int index = hold.clip ? index_of(session_->scene().holds, hold.name) : -1;
    if (index < 0 || session_->scene().holds[at(index)].fix == hold.fix) continue;
    const Hold& now = session_->scene().holds[at(index)];
    const Vec3 place = session_->hold_places()[at(index)].position;
    constexpr double kSeated = 1e-9;  // m
    if (now.holds_position() && hold.position && hold.body.empty() && (place - *hold.position).norm() > kSeated)
      continue;
    if (!hold.position && hold.body.empty()) hold.position = place;
    hold.fix = now.fix;
    hold.at = now.at;
    hold.orientation = now.orientation;
  }
}

void Editor::keep_clips() {
  const std::vector<Hold>& holds = document_.scene().holds;
  if (std::none_of(holds.begin(), holds.end(), [](const Hold& hold) { return hold.clip.has_value(); })) return;
  Scene written = document_.scene();
  write_clips(written);
  if (written.holds == holds) return;
  document_.set_scene(std::move(written));
  touch_document();
  ++revision_;
}

// What stays behind of it, as far as the document is concerned, whose scene is to become this one.
Result<std::string> Editor::let_go(const Hand& hand, Scene scene, bool attach, const std::string& body) {
  std::string name = hand.name;
  if (hand.kind == HandKind::Point) {
    if (attach) {
      Result<std::string> made = attach_here(hand, scene, body);
      if (!made) return made;
      name = *made;
    }
  } else if (hand.moved && !playing_ && hand.kind == HandKind::Hold) {
    write_hold(scene, hand.name, hand.asked);
    if (hand.asked.turns) write_turns(scene, hand.name, *hand.asked.turns, hand.turns_before);
  } else if (hand.moved && !playing_) {
    write_body(scene, hand.name, {hand.position, hand.orientation});
  }
  write_clips(scene);
  if (auto applied = apply(scene); !applied) return applied.error();
  document_.set_scene(std::move(scene));
  touch_document();
  return name;
}

Result<std::string> Editor::drop(int client, const std::string& id, bool attach, const std::string& body) {
  Hand* found = find_hand(client, id);
  if (found == nullptr) return bad_input("hand '" + id + "' holds nothing");
  Scene written = document_.scene();
  const Status lengthened = found->pulled ? write_length(written, found->rod, *found->pulled) : Status(Done{});
  const Hand hand = *found;
  // a hold of the scene is as firm again as it was
  if (const int held = session_ ? index_of(session_->scene().holds, hand.name) : -1;
      hand.kind == HandKind::Hold && hand.goal && held >= 0)
    (void)session_->move_hold(hand.name, session_->hold_places()[at(held)].position);
  hands_.erase(hands_.begin() + (found - hands_.data()));
  changed_ = true;
  // a mere touch leaves nothing behind
  if (!hand.moved && !(attach && hand.kind == HandKind::Point)) return hand.name;
  UndoPoint before = now("hold '" + hand.rod + "' here");
  Result<std::string> left =
      lengthened ? let_go(hand, std::move(written), attach, body) : Result<std::string>(lengthened.error());
  if (!left) {
    // without it, at least
    if (hand.pulled)
      (void)session_->drive_length(hand.rod, scene::rod_length(scene().rods[at(index_of(scene().rods, hand.rod))]));
    (void)apply(scene());
  } else if (!hand.moved) {
    undo_.push(std::move(before));
  }
  ++revision_;
  settle_if_laid();
  note_events();
  touch();
  return left;
}

void Editor::leave(int client) {
  // nobody is there to stop what has no end
  for (Reel& reel : reels_)
    if (reel.client == client && std::isinf(reel.goal)) reel.speed = 0;
  for (Crank& crank : cranks_)
    if (crank.client == client) crank.speed = 0;
  std::vector<std::string> ids;
  for (const Hand& hand : hands_)
    if (hand.client == client) ids.push_back(hand.id);
  for (const std::string& id : ids) (void)drop(client, id, false);
}

Status Editor::place(const std::string& label, const Grab& what, const Move& move) {
  // the bench's own hand
  constexpr int kNobody = -1;
  const Result<Hand> hand = grab(kNobody, label, what);
  if (!hand) return hand.error();
  const std::size_t depth = undo_.depth();
  const Result<std::string> moved = this->move(kNobody, label, move);
  const Result<std::string> left = drop(kNobody, label, false);
  if (!moved) {
    // as if it had not been touched
    if (undo_.depth() > depth) (void)undo();
    return moved.error();
  }
  if (!left) return left.error();
  return Done{};
}

Status Editor::keep() {
  if (!session_) return bad_input("there is nothing to keep yet");
  const std::vector<HoldTarget> places = session_->hold_places();
  return change("keep what is held where it is", [&](Scene& scene) -> Status {
    const std::vector<double> lengths = session_->rod_lengths();
    const auto any = [](const Keyframe&) { return true; };
    for (std::size_t r = 0; r < scene.rods.size(); ++r) {
      const std::string name = scene.rods[r].name;
      if (lengths[r] == scene::rod_length(scene.rods[r]) || drives(scene, DriverKind::Rod, name, any)) continue;
      if (auto done = edit::set_length(scene, name, lengths[r]); !done) return done;
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) write_body(scene, scene.bodies[b].name, pose().bodies[b]);
    for (std::size_t h = 0; h < scene.holds.size(); ++h) {
      if (!scene.holds[h].body.empty()) continue;
      write_hold(scene, scene.holds[h].name, {places[h].position, places[h].orientation, {}});
    }
    return Done{};
  });
}

}  // namespace filum::serve
