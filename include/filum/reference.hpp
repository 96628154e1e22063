// References to things of a scene, as values: what a check or an event is about, and places along a rod.
#pragma once

#include <string>

namespace filum {

enum class ObjectKind { None, Rod, Hold, Body, Junction, Winch, Rope, Obstacle, Scenery, Sheave, Joint };

// A thing by its name. None with a name: what a stored result calls it.
struct ObjectRef {
  ObjectKind kind = ObjectKind::None;
  std::string name;
  bool operator==(const ObjectRef&) const = default;
};

enum class PlaceKind {
  Start,  // of the rod
  End,
  Along,     // at s
  Hold,      // that grips it there
  Junction,  // likewise; its name may be unknown
  Winch,     // likewise
  Told       // by a stored result, in words
};

// A place along a rod.
struct RodPlace {
  PlaceKind kind = PlaceKind::Start;
  std::string name;  // of the hold, junction or winch; Told: the words
  double s = 0;      // unstretched, m; Along alone

  // The same place, though its arc length may have changed.
  [[nodiscard]] bool same(const RodPlace& other) const { return kind == other.kind && name == other.name; }
  bool operator==(const RodPlace&) const = default;
};

}  // namespace filum
