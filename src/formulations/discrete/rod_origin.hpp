// Where a rod of one model comes from in another: the rod of the same name, whose length may have changed, or the whole
// of which it is a piece.
#pragma once

namespace filum::discrete {

struct RodOrigin {
  int rod = -1;           // in the other model; −1: it lacks it
  double begin = 0;       // where it begins on that, m
  double old_length = 1;  // of what it covers there, m
  double new_length = 1;  // its own, m
  int first = -1;         // its nodes are nodes of that, from this one on; −1: they are not

  // A place of it on the old rod, and back.
  [[nodiscard]] double place(double s) const { return begin + old_length / new_length * s; }
  [[nodiscard]] double new_place(double old) const { return (old - begin) * new_length / old_length; }
};

}  // namespace filum::discrete
