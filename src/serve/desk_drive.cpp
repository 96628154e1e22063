// What is driven on the workbench while it plays: hands with a bounded speed, rods on reels, winches.
#include "serve/desk.hpp"

#include "base/index.hpp"
#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>

namespace filum::serve {

namespace {

constexpr double kShortestReel = 0.02;  // of the length in the scene
constexpr double kLongestReel = 50;     // likewise

Error bad_input(std::string message) {
  return {ErrorCode::BadInput, std::move(message), {}, 0, 0};
}

}  // namespace

// Those that may not be at once where they are wanted.
void Desk::advance_hands(double dt) {
  for (Hand& hand : hands_) {
    if (!hand.goal) continue;
    const Vec3 way = *hand.goal - hand.position;
    const double left = way.norm();
    const double by = left > 0 ? hand.glide.advance(left, hand.speed, dt) : 0;
    const Vec3 next = by < left ? Vec3(hand.position + by / left * way) : *hand.goal;
    if (ask(hand, {next, {}, {}}).ok()) hand.asked.position = hand.position = next;
  }
}

Status Desk::reel(int client, const std::string& rod, double length, double speed) {
  const int index = index_of(scene().rods, rod);
  if (index < 0 || !session_) return bad_input("there is no rod '" + rod + "'");
  if (!playing_) return bad_input("time stands still: while it plays a rod is paid out, otherwise its length is set");
  const auto found = std::find_if(reels_.begin(), reels_.end(), [&](const Reel& reel) { return reel.rod == rod; });
  if (found == reels_.end() && speed == 0) return Done{};
  if (found == reels_.end()) {
    const bool longer = length > scene::rod_length(scene().rods[at(index)]);
    Moment before = now((longer ? "pay out '" : "haul in '") + rod + "'");
    if (auto driven = session_->drive_length(rod, session_->rod_lengths()[at(index)]); !driven) return driven;
    undo_.push(std::move(before));
    reels_.push_back({rod, client, length, speed, {}});
  } else {
    found->client = client;
    found->goal = length;
    found->speed = speed;
  }
  fresh_ = false;
  return Done{};
}

void Desk::advance_reels(double dt) {
  for (Reel& reel : reels_) {
    const int index = index_of(session_->scene().rods, reel.rod);
    const double whole = scene::rod_length(session_->scene().rods[at(index)]);
    const double now = session_->rod_lengths()[at(index)];
    const double next = now + reel.glide.advance(reel.goal - now, reel.speed, dt);
    const double bounded = std::clamp(next, kShortestReel * whole, kLongestReel * whole);
    if (bounded != next) reel.glide.stop();
    (void)session_->drive_length(reel.rod, bounded);
  }
  std::erase_if(reels_, [&](const Reel& reel) { return reel.glide.pace() == 0; });
}

Status Desk::crank(int client, const std::string& winch, double speed) {
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
void Desk::advance_cranks(double dt) {
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
