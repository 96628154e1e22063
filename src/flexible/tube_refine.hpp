// Centre lines made exact: sections of a tessellated tube lie on chords, its vertices on the true surface.
//
// Vertices where the surface turns round the tube are sorted along it; those that lie together form rings. The plane of
// a ring gives the direction, the circle through it centre and radius, both exact on swept tubes. Between rings the
// centre line is a cubic with the rings' directions whose ends are as fast as a circular arc, so that bends are met,
// too. Of flat tubes the centre is that of the ring's area. A direction that leans to the chord by less than the noise of
// its ring counts as straight. Where vertices form no rings, on surfaces that were meshed anew, circles are fitted to all
// of them near each section, of flat tubes their hull (bands.hpp).
#pragma once

#include "flexible/tube_line.hpp"
#include "flexible/tube_trace.hpp"

#include <vector>

namespace filum::flexible {

CentreLine refine(const Surface& surface, const TracedTube& tube, const std::vector<int>& triangles);

}  // namespace filum::flexible
