// A hand of somebody at a page: what it holds, where it wants it.
#pragma once

#include "serve/editor/paced_motion.hpp"

#include <filum/types.hpp>

#include <optional>
#include <string>

namespace filum::serve {

// What to take: a hold, a body, or a point of a rod.
struct Grab {
  std::string hold;
  std::string body;
  std::string rod;
  double s = 0;        // m, of a point
  bool pose = false;   // of a point: its orientation too
  bool pull = false;   // the rod gets longer as it is pulled
  bool reach = false;  // a body that is laid goes no farther than its cables let it
};

struct Move {
  std::optional<Vec3> position;
  std::optional<Quat> orientation;
  std::optional<double> turns;
  double speed = 0;  // m/s, of the position while it plays; 0: at once
};

enum class HandKind { Point, Hold, Body };

struct Hand {
  int client = 0;
  std::string id;  // the page's own
  HandKind kind = HandKind::Point;
  std::string name;  // of the hold or body; of a point: of the hold that the simulation has for it
  std::string rod;   // Point, Hold
  double s = 0;      // Point, m of the scene's length, whatever a winch has made of it
  bool pose = false;
  bool pull = false;
  bool reach = false;
  double bore = 0;            // Hold: its force when it was taken, N
  bool moved = false;         // until then nothing of it is in the simulation
  bool freed = false;         // Body: it is free, and laid by the hand it is led for now
  bool pulls = false;         // Body: it stays free and is pulled, while it plays
  Vec3 bears = Vec3::Zero();  // Body: what hangs on it, as far as the hand has found out (body_pull.hpp), N
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double turns = 0;
  double turns_before = 0;       // when it was taken
  Move asked;                    // all that was asked since it was taken
  double pull_length = 0;        // of the rod when it was taken, m
  double pull_distance = 0;      // to the next holds when it was taken, m
  std::optional<double> pulled;  // the length that it has pulled the rod to, m
  // On its way while it plays, if it may not go at once.
  std::optional<Vec3> goal;
  double speed = 0;  // m/s
  PacedMotion pace;
};

// A winch of the scene whose speed somebody has in the hand.
struct Crank {
  std::string winch;
  int client = 0;
  double speed = 0;  // m/s, wanted
  double pace = 0;   // now
};

// A rod or a massless rope that is paid out or hauled in while it plays.
struct Reel {
  std::string name;
  bool rope = false;
  int client = 0;
  double goal = 0;   // m, or without end
  double speed = 0;  // m/s, at most; 0: it brakes
  PacedMotion pace;
};

inline const char* word_for(HandKind kind) {
  switch (kind) {
    case HandKind::Hold:
      return "hold";
    case HandKind::Body:
      return "body";
    case HandKind::Point:
      break;
  }
  return "point";
}

}  // namespace filum::serve
