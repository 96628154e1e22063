// What is driven on the workbench while it plays: hands with a bounded speed, rods on reels, winches.
#include "serve/editor/editor.hpp"

#include "base/index.hpp"
#include "scene/body_mass.hpp"
#include "scene/lookup.hpp"

#include <filum/section.hpp>

#include <algorithm>
#include <cmath>

namespace filum::serve {

namespace {

constexpr double kShortestReel = 0.02;  // of the length in the scene
constexpr double kLongestReel = 50;     // likewise
constexpr double kHandSpeed = 5;        // lengths of the rod in a second
constexpr double kMostWeights = 3;      // of all that weighs
constexpr double kMostBends = 100;      // of EI / L²

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
  return kMostWeights * mass * scene().gravity.norm() + kMostBends * bending;
}

// From where its rod is held a hand goes no further than the rod reaches that is stretched by its whole force: one step
// of a stiff rod may otherwise be many times that. Who is further away already stays as far.
Vec3 Editor::within_force(const Hand& hand, Vec3 next) const {
  const int rod = index_of(scene().rods, hand.rod);
  const scene::Names names(scene());
  const Section* section = names.section(scene().rods[at(rod)].section);
  const Material* material = names.material(scene().rods[at(rod)].material);
  const double EA = section != nullptr ? stiffness(*section, material != nullptr ? *material : Material{}).EA : 0;
  if (!(EA > 0)) return next;
  const double stretch = 1 + most_pull() / EA;
  const double s = hand.s * paid_out(rod);
  for (std::size_t h = 0; h < session_->scene().holds.size(); ++h) {
    const Hold& hold = session_->scene().holds[h];
    if (hold.rod != hand.rod || hold.name == hand.name || !fixes_all(hold.fix.position)) continue;
    const HoldPose& held = pose().holds[h];
    const double most = std::max(stretch * std::abs(held.s - s), (hand.position - held.position).norm());
    const Vec3 away = next - held.position;
    if (away.norm() > most) next = held.position + most * away.normalized();
  }
  return next;
}

// A hand at a point of a rod: on its way to where it is wanted, but where the rod pulls too hard it gives way.
void Editor::give_way(Hand& hand, double dt) {
  const int index = index_of(session_->scene().holds, hand.name);
  if (index < 0) return;
  const Vec3 force = pose().holds[at(index)].force;
  const double size = paid_out(index_of(scene().rods, hand.rod)) *
                      scene::rod_length(scene().rods[at(index_of(scene().rods, hand.rod))]);
  const double stride = kHandSpeed * size * dt;
  const double excess = force.norm() / most_pull();
  const Vec3 way = *hand.goal - hand.position;
  Vec3 by = way.norm() > stride ? Vec3(stride / way.norm() * way) : way;
  // beyond its force it goes back the way it pulls, at most as fast
  if (excess > 1)
    by = -std::min(excess - 1, 1.0) * stride * force.normalized();
  else
    by *= 1 - excess;
  const Vec3 next = within_force(hand, hand.position + by);
  if (ask(hand, {next, {}, {}}).ok()) hand.asked.position = hand.position = next;
}

// Those that may not be at once where they are wanted.
void Editor::advance_hands(double dt) {
  for (Hand& hand : hands_) {
    if (!hand.goal) continue;
    if (hand.kind == HandKind::Point && hand.speed == 0) {
      give_way(hand, dt);
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
