// Junctions: rods joined and taken apart.
#include <filum/edit.hpp>

#include "scene/check/fault_list.hpp"
#include "scene/edit/curve_edits.hpp"
#include "scene/edit/edit_kit.hpp"
#include "scene/layout.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace filum::edit {
namespace {

using scene::quoted;

bool joins(const Junction& junction, std::string_view rod) {
  return std::any_of(junction.rods.begin(), junction.rods.end(),
                     [&](const RodPoint& point) { return point.rod == rod; });
}

// What keeps a rod where it is, or nothing.
std::string bound_by(const Scene& scene, std::string_view rod) {
  for (const Hold& hold : scene.holds)
    if (hold.rod == rod) return "hold " + quoted(hold.name);
  for (const Junction& junction : scene.junctions)
    if (joins(junction, rod)) return "junction " + quoted(junction.name);
  for (const Winch& winch : scene.winches)
    if (winch.rod == rod) return "winch " + quoted(winch.name);
  for (const Sheave& sheave : scene.sheaves)
    if (sheave.rod == rod) return "sheave " + quoted(sheave.name);
  return {};
}

// Moves the second rod so that it begins where the first ends, in the same frame.
void continue_rod(const Rod& first, Rod& second) {
  const scene::RodLayout leads(first);
  const scene::Placement end = leads.at(leads.length());
  const scene::Placement start = scene::RodLayout(second).at(0);
  const Mat3 rest_start = rest_start_frame(second);
  const Mat3 turn = end.frame * start.frame.transpose();
  second.shape = moved(second.shape, turn, end.position - turn * start.position);
  set_start_frame(second, end.frame, rest_start);
}

}  // namespace

Status join(Scene& scene, Junction junction) {
  Draft draft(scene);
  for (const RodPoint& point : junction.rods)
    if (!find_rod(draft.now, point.rod)) return no_such("rod", point.rod);
  if (junction.name.empty()) junction.name = free_name(scene.junctions, "junction");
  draft.now.junctions.push_back(std::move(junction));
  return draft.finish();
}

Status separate(Scene& scene, std::string_view junction) {
  const int index = index_of(scene.junctions, junction);
  if (index < 0) return no_such("junction", junction);
  Draft draft(scene);
  draft.now.junctions.erase(draft.now.junctions.begin() + index);
  return draft.finish();
}

Status separate(Scene& scene, std::string_view junction, std::string_view rod) {
  const int index = index_of(scene.junctions, junction);
  if (index < 0) return no_such("junction", junction);
  Draft draft(scene);
  Junction& smaller = draft.now.junctions[at(index)];
  if (std::erase_if(smaller.rods, [&](const RodPoint& point) { return point.rod == rod; }) == 0)
    return bad_input("junction " + quoted(junction) + " does not join rod " + quoted(rod));
  if (smaller.rods.size() < 2) return separate(scene, junction);
  return draft.finish();
}

Status connect_in_series(Scene& scene, std::string_view first, std::string_view second, Fit fit,
                         std::string_view junction) {
  Draft draft(scene);
  const Rod* leading = find_rod(draft.now, first);
  if (!leading) return no_such("rod", first);
  Rod* following = find_rod(draft.now, second);
  if (!following) return no_such("rod", second);
  for (const Rod* rod : {leading, static_cast<const Rod*>(following)})
    if (rod->closed) return bad_input("rod " + quoted(rod->name) + " is closed: it has no ends to connect");
  if (fit == Fit::Continue) {
    if (leading == following) return bad_input("rod " + quoted(first) + " cannot go on where it ends itself");
    if (const std::string bound = bound_by(scene, second); !bound.empty())
      return bad_input("rod " + quoted(second) + " is kept by " + bound + " and cannot be moved to rod " +
                       quoted(first));
    for (const Rod* rod : {leading, static_cast<const Rod*>(following)})
      if (Status drawn = check_drawn(*rod); !drawn) return drawn;
    continue_rod(*leading, *following);
  }
  Junction made{std::string(junction), {{std::string(first), {1, 0}}, {std::string(second), {0, 0}}}};
  if (made.name.empty()) made.name = free_name(scene.junctions, "junction");
  draft.now.junctions.push_back(std::move(made));
  return draft.finish();
}

}  // namespace filum::edit
