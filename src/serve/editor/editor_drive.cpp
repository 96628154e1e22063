// What is driven on the workbench while it plays: hands with a bounded speed, rods on reels, winches.
#include "serve/editor/editor.hpp"

#include "base/index.hpp"
#include "scene/body_mass.hpp"
#include "scene/lookup.hpp"
#include "serve/editor/body_pull.hpp"

#include <filum/section.hpp>

#include <algorithm>
#include <cmath>

namespace filum::serve {

namespace {

constexpr double kShortestReel = 0.02;  // of the length in the scene
constexpr double kLongestReel = 50;     // likewise
constexpr double kHandSpeed = 5;        // lengths of the rod in a second
constexpr double kBodySpeed = 2;        // lengths of the longest rod: things weigh more
constexpr double kMostWeights = 1.5;    // of all that weighs
constexpr double kEarth = 9.81;         // m/s²: where nothing weighs, as if it did
constexpr double kMostBends = 100;      // of EI / L²
constexpr double kMoreThanBefore = 2;   // of what a hold bore when it was taken

}  // namespace

// The force that a hand at a point of a rod is good for: several times all that weighs, or what bends the stiffest rod
// well.
double Editor::most_pull() const {
  double mass = 0;
  double bending = 0;
  const scene::Names names(scene());
  for (const Body& body : scene().bodies) mass += scene::rigid_body(body).mass;
  for (const Rod& rod : scene().rods) {
    const Section* section = names.section(rod.section);
    const Material* material = names.material(rod.material);
    if (section == nullptr) continue;
    const double length = scene::rod_length(rod);
    const Stiffness stiff = stiffness(*section, material != nullptr ? *material : Material{});
    mass += stiff.mass_per_length * length;
    bending = std::max(bending, stiff.EI.maxCoeff() / (length * length));
  }
  return kMostWeights * mass * std::max(scene().gravity.norm(), kEarth) + kMostBends * bending;
}

// A hand at a point of a rod or a hold: on its way to where it is wanted, from where the rod has come to.
void Editor::lead(Hand& hand, double dt) {
  const int index = index_of(session_->scene().holds, hand.name);
  if (index < 0) return;
  const int rod = index_of(scene().rods, hand.rod);
  // as muscles do: the harder they pull, the slower
  const double most = std::max(most_pull(), kMoreThanBefore * hand.bore);
  const double spare = std::max(1 - pose().holds[at(index)].force.norm() / most, 0.0);
  const double stride = spare * kHandSpeed * paid_out(rod) * scene::rod_length(scene().rods[at(rod)]) * dt;
  const Vec3 here = session_->hold_places()[at(index)].position;
  const Vec3 way = *hand.goal - here;
  const Vec3 next = way.norm() > stride ? Vec3(here + stride / way.norm() * way) : *hand.goal;
  if (session_->pull_hold(hand.name, next, most).ok()) hand.asked.position = hand.position = next;
}

// A hand at a free body: in the end where it is wanted, if it is strong enough.
void Editor::pull_free_body(Hand& hand, double dt) {
  const int index = index_of(scene().bodies, hand.name);
  if (index < 0) return;
  // its loads are the last of the scene's, in the order of such hands
  std::size_t first = scene().forces.size();
  std::size_t first_torque = scene().torques.size();
  for (const Hand& other : hands_) {
    if (&other == &hand) break;
    if (other.pulls && other.moved) first += 3, first_torque += 3;
  }
  double longest = 0;
  for (const Rod& rod : scene().rods) longest = std::max(longest, scene::rod_length(rod));
  // where there are none but massless ropes, those
  if (scene().rods.empty())
    for (const RopePose& rope : pose().ropes) longest = std::max(longest, rope.length);
  const BodyPose& now = pose().bodies[at(index)];
  const BodyGoal goal{hand.goal.value_or(hand.position), hand.orientation,
                      hand.speed > 0 ? hand.speed : kBodySpeed * longest, most_pull()};
  const BodyPull pull =
      pull_body(scene::rigid_body(scene().bodies[at(index)]), now, goal, scene().gravity, dt, hand.bears);
  for (int axis = 0; axis < 3; ++axis) {
    (void)session_->scale_force(first + at(axis), pull.force[axis]);
    (void)session_->scale_torque(first_torque + at(axis), pull.torque[axis]);
  }
  hand.asked.position = hand.position = now.position;
}

// Those that may not be at once where they are wanted.
void Editor::advance_hands(double dt) {
  for (Hand& hand : hands_) {
    if (hand.pulls) {
      pull_free_body(hand, dt);
      continue;
    }
    if (!hand.goal) continue;
    if (hand.kind != HandKind::Body && hand.speed == 0) {
      lead(hand, dt);
      continue;
    }
    const Vec3 way = *hand.goal - hand.position;
    const double left = way.norm();
    const double by = left > 0 ? hand.pace.advance(left, hand.speed, dt) : 0;
    const Vec3 next = by < left ? Vec3(hand.position + by / left * way) : *hand.goal;
    if (ask(hand, {next, {}, {}}).ok()) hand.asked.position = hand.position = next;
  }
}

// How long it is now.
double Editor::reeled_length(const std::string& name, bool rope) const {
  if (!rope) return session_->rod_lengths()[at(index_of(scene().rods, name))];
  return pose().ropes[at(index_of(scene().ropes, name))].length;
}

Status Editor::drive(const Reel& reel, double length) {
  return reel.rope ? session_->drive_rope(reel.name, length) : session_->drive_length(reel.name, length);
}

Status Editor::reel(int client, const std::string& name, bool rope, double length, double speed) {
  const int index = rope ? index_of(scene().ropes, name) : index_of(scene().rods, name);
  if (index < 0 || !session_ || (rope && at(index) >= pose().ropes.size()))
    return bad_input(std::string(rope ? "there is no rope '" : "there is no rod '") + name + "'");
  if (!playing_) return bad_input("time stands still: while it plays a rod is paid out, otherwise its length is set");
  const auto found = std::find_if(reels_.begin(), reels_.end(),
                                  [&](const Reel& reel) { return reel.name == name && reel.rope == rope; });
  if (found != reels_.end()) {
    found->client = client;
    found->goal = length;
    found->speed = speed;
    return Done{};
  }
  if (speed == 0) return Done{};
  const double present = reeled_length(name, rope);
  const Reel reel{name, rope, client, length, speed, {}};
  UndoPoint before = now((length > present ? "pay out '" : "haul in '") + name + "'");
  if (auto driven = drive(reel, present); !driven) return driven;
  undo_.push(std::move(before));
  reels_.push_back(reel);
  fresh_ = false;
  return Done{};
}

void Editor::advance_reels(double dt) {
  for (Reel& reel : reels_) {
    const double present = reeled_length(reel.name, reel.rope);
    // of a rod the scene's length is the measure, of a rope, which may have none there, the present one
    const double whole = reel.rope ? present : scene::rod_length(scene().rods[at(index_of(scene().rods, reel.name))]);
    const double next = present + reel.pace.advance(reel.goal - present, reel.speed, dt);
    const double bounded = std::clamp(next, kShortestReel * whole, kLongestReel * whole);
    if (bounded != next) reel.pace.stop();
    (void)drive(reel, bounded);
  }
  std::erase_if(reels_, [&](const Reel& reel) { return reel.pace.pace() == 0; });
}

Status Editor::crank(int client, const std::string& winch, double speed) {
  const int index = index_of(scene().winches, winch);
  if (index < 0 || !session_) return bad_input("there is no winch '" + winch + "'");
  if (!playing_) return bad_input("time stands still: a winch turns while it plays");
  const auto found = std::find_if(cranks_.begin(), cranks_.end(), [&](const Crank& c) { return c.winch == winch; });
  if (found == cranks_.end()) {
    undo_.push(now("turn winch '" + winch + "'"));
    const double pace = at(index) < pose().winches.size() ? pose().winches[at(index)].speed : 0;
    cranks_.push_back({winch, client, speed, pace});
  } else {
    found->client = client;
    found->speed = speed;
  }
  fresh_ = false;
  return Done{};
}

// They speed up and brake evenly, and once they stand they are let go of.
void Editor::advance_cranks(double dt) {
  constexpr double kRamp = 0.3;  // s from the present speed to the wanted one, at the most
  for (Crank& crank : cranks_) {
    const double most = std::max(std::abs(crank.speed), std::abs(crank.pace)) * dt / kRamp;
    crank.pace += std::clamp(crank.speed - crank.pace, -most, most);
    if (std::abs(crank.pace) < 1e-9) crank.pace = 0;
    (void)session_->drive_winch(crank.winch, crank.pace);
  }
  std::erase_if(cranks_, [](const Crank& crank) { return crank.pace == 0 && crank.speed == 0; });
}

}  // namespace filum::serve
