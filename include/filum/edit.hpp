// Edits of a scene: holds, lengths, junctions, rods cut and joined.
//
// Each function changes the scene and all that refers to what it changes: places along a rod stay at their material
// points, drivers, loads and probes follow or go with what they belong to. A request that cannot be met returns one
// error and leaves the scene as it was. What the shapes place (holds without a position of their own, the relative
// poses of junctions) stays where it was in space, unless the comment says otherwise.
//
// A session takes the edited scene by `Session::edit`.
#pragma once

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <string_view>

namespace filum::edit {

// A hold, junction or rod without a name gets a free one.
Status add_hold(Scene& scene, Hold hold);
// With its driver.
Status remove_hold(Scene& scene, std::string_view hold);

enum class Grip { Position, PositionAndOrientation };
// `count` holds at equal distances from end to end (one: in the middle; a ring: evenly round), called «name 1», ….
Status spread_holds(Scene& scene, std::string_view rod, int count, Grip grip, std::string_view name);

// The rod grows or shrinks evenly: every place on it keeps its share of the length, the drawn shape stays. A driven
// length is scaled alike. Segments stay as many.
Status set_length(Scene& scene, std::string_view rod, double length);
enum class Change { Absolute, Relative };
// By so many metres, or by this share of the length it has.
Status change_length(Scene& scene, std::string_view rod, double by, Change change);

// A part of the rod gets this length, evenly, and what lies beyond it moves on by arc length. The shape stays as drawn;
// holds stay in space, by values of their own. Segments stay as many. A rod whose rest shape varies along it, or that
// is joined between its ends, cannot change in a part.
Status set_length_between(Scene& scene, std::string_view rod, const ArcPosition& from, const ArcPosition& to,
                          double length);

enum class RodEnd { Start, End };
// New material beyond an end, in the direction in which the shape ends there (arcs and helices go on round). What was
// held at that end stays on its material point. Segments grow in proportion.
Status prolong(Scene& scene, std::string_view rod, double by, RodEnd end);
// New material, evenly between two places. What lies beyond moves on by arc length and stays in space; the drawn shape
// bulges in between, piece by piece from one hold or junction to the next, downwards if that leaves no twist.
Status lengthen_between(Scene& scene, std::string_view rod, const ArcPosition& from, const ArcPosition& to, double by);

// Joins places of rods as they lie: relative positions and orientations stay as the shapes put them.
Status join(Scene& scene, Junction junction);
// Takes a junction apart.
Status separate(Scene& scene, std::string_view junction);
// Takes one rod out of it. A junction of one rod is none.
Status separate(Scene& scene, std::string_view junction, std::string_view rod);

enum class Fit {
  AsPlaced,  // both rods stay where they lie
  Continue   // the second is moved, frames and all, to go on where the first ends; nothing else may hold it
};
// Joins the end of the first to the start of the second.
Status connect_in_series(Scene& scene, std::string_view first, std::string_view second, Fit fit,
                         std::string_view junction = {});

// Cuts a rod in two that a junction joins. The first part keeps the name; what lies beyond the cut goes to the second.
Status split(Scene& scene, std::string_view rod, const ArcPosition& at, std::string_view second = {},
             std::string_view junction = {});

// Puts the sections, rods, bodies, holds, junctions and scenery of another scene into this one. A name that is taken gets
// a number, and so do all that refer to it; sections that are the same are one. Nothing else of it is taken.
Status add_parts(Scene& scene, Scene parts);

// With its holds, loads, winches, sheaves, probes, their drivers, and its places in junctions.
Status remove_rod(Scene& scene, std::string_view rod);

}  // namespace filum::edit
