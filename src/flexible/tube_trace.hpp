// Tubes found by marching: a section across, a step along, the next section, until there is none like it.
//
// Seeds are triangles in a fixed shuffled order. Eight planes through a triangle hold its normal; the shortest polygon
// that one of them cuts out lies nearly across. From there the march goes both ways in steps of a quarter radius. It
// stops where the radius changes faster than a cone of slope 0.35 (spheres and flares are no tubes), where the section
// jumps, or where another tube has been.
//
// Smooth tubes come first, which most are. In what is left corrugated tubes are looked for, which are followed in their own
// way, then round ones again, last flat ones, whose sections are ovals or ribbons that stay the same. Corrugated and flat
// ones have to be longer to count, so that boxes and collars do not.
#pragma once

#include "flexible/traced_tube.hpp"

#include <vector>

namespace filum::flexible {

struct Trace {
  std::vector<TracedTube> tubes;
  std::vector<int> owner;  // of each triangle: the tube that claims it, or −1
};

Trace trace_tubes(const Surface& surface);

}  // namespace filum::flexible
