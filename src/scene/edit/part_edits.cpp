// Parts of another scene put into one: names that are taken get numbers, and what refers to them follows.
#include <filum/edit.hpp>

#include "scene/edit/edit_kit.hpp"

#include <cctype>
#include <map>

namespace filum::edit {
namespace {

// What the parts called things, and what they are called now.
using NewNames = std::map<std::string, std::string>;

// The name itself, or the first of «branch 1», «branch 2», … that is free.
template <class List>
std::string untaken(const List& list, const std::string& name) {
  if (index_of(list, name) < 0) return name;
  std::string stem = name;
  while (!stem.empty() && std::isdigit(static_cast<unsigned char>(stem.back()))) stem.pop_back();
  while (!stem.empty() && stem.back() == ' ') stem.pop_back();
  return free_name(list, stem.empty() ? name : stem);
}

void follow(const NewNames& names, std::string& reference) {
  if (const auto found = names.find(reference); found != names.end()) reference = found->second;
}

// Appends the things of a list; `mend` sets right what they refer to.
template <class Thing, class Mend>
NewNames append(std::vector<Thing>& list, std::vector<Thing>& more, const Mend& mend) {
  NewNames names;
  for (Thing& thing : more) {
    mend(thing);
    const std::string old = thing.name;
    thing.name = untaken(list, old);
    names[old] = thing.name;
    list.push_back(std::move(thing));
  }
  return names;
}

NewNames append_sections(std::vector<SectionEntry>& list, std::vector<SectionEntry>& more) {
  NewNames names;
  for (SectionEntry& entry : more) {
    const int same = index_of(list, entry.name);
    const bool there = same >= 0 && list[at(same)].section == entry.section;
    names[entry.name] = there ? entry.name : untaken(list, entry.name);
    if (!there) list.push_back({names[entry.name], entry.section});
  }
  return names;
}

}  // namespace

Status add_parts(Scene& scene, Scene parts) {
  Draft draft(scene);
  Scene& now = draft.now;
  const NewNames sections = append_sections(now.sections, parts.sections);
  const NewNames bodies = append(now.bodies, parts.bodies, [](Body&) {});
  const NewNames rods = append(now.rods, parts.rods, [&](Rod& rod) {
    follow(sections, rod.section);
    for (Station& station : rod.stations) follow(sections, station.section);
  });
  append(now.holds, parts.holds, [&](Hold& hold) {
    follow(rods, hold.rod);
    follow(bodies, hold.body);
  });
  append(now.junctions, parts.junctions, [&](Junction& junction) {
    for (RodPoint& point : junction.rods) follow(rods, point.rod);
  });
  append(now.scenery, parts.scenery, [&](Scenery& item) { follow(bodies, item.body); });
  return draft.finish();
}

}  // namespace filum::edit
