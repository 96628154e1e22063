// What a person should know though nothing is wrong.
#include <filum/curve.hpp>
#include <filum/scene.hpp>

#include "scene/check/fault_list.hpp"
#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace filum {
namespace {

// Rods that junctions join belong to one group (disjoint sets).
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> parent_;
};

// Rods and free bodies that nothing holds: they fall, or float off.
void warn_unheld(const Scene& scene, std::vector<std::string>& found) {
  // a scene made to move may mean just that
  if (scene.simulation.mode == Mode::Dynamics) return;
  // rods first, then bodies; a fixed or driven body is as good as the world
  const std::size_t rods = scene.rods.size();
  std::unordered_map<std::string_view, std::size_t> index;
  std::unordered_map<std::string_view, std::size_t> free_bodies;
  for (std::size_t i = 0; i < rods; ++i) index.emplace(scene.rods[i].name, i);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].motion == BodyMotion::Free) free_bodies.emplace(scene.bodies[i].name, rods + i);
  Groups groups(rods + scene.bodies.size());
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      if (index.contains(point.rod) && index.contains(junction.rods.front().rod))
        groups.join(index[point.rod], index[junction.rods.front().rod]);
  // what ties a rod or a free body to something: to a free body it joins it, to anything else it holds it
  std::vector<std::size_t> tied;
  const auto tie = [&](std::size_t thing, const std::string& body) {
    const auto free = free_bodies.find(body);
    if (free != free_bodies.end())
      groups.join(thing, free->second);
    else
      tied.push_back(thing);
  };
  const auto tie_rod = [&](const std::string& rod, const std::string& body) {
    if (index.contains(rod)) tie(index[rod], body);
  };
  for (const Hold& hold : scene.holds)
    if (hold.holds_position()) tie_rod(hold.rod, hold.body);
  for (const Winch& winch : scene.winches) tie_rod(winch.rod, winch.body);
  for (const Sheave& sheave : scene.sheaves) tie_rod(sheave.rod, sheave.body);
  for (const Rope& rope : scene.ropes)
    for (const RopePoint& one : rope.through)
      for (const RopePoint& other : rope.through)
        if (free_bodies.contains(one.body)) tie(free_bodies[one.body], other.body);
  for (const BodyJoint& joint : scene.joints) {
    if (free_bodies.contains(joint.body)) tie(free_bodies[joint.body], joint.to);
    if (free_bodies.contains(joint.to)) tie(free_bodies[joint.to], joint.body);
  }
  // one thing that is held holds all of its group
  std::vector<bool> held(rods + scene.bodies.size(), false);
  for (const std::size_t thing : tied) held[groups.root(thing)] = true;
  for (std::size_t i = 0; i < rods; ++i)
    if (!held[groups.root(i)]) found.push_back("nothing holds rod " + scene::quoted(scene.rods[i].name));
  for (const Body& body : scene.bodies) {
    const auto free = free_bodies.find(body.name);
    if (free != free_bodies.end() && !held[groups.root(free->second)])
      found.push_back("nothing holds body " + scene::quoted(body.name));
  }
}

// Whether its shape is but where the search for equilibrium begins: every hold says itself where it is.
bool only_begins(const Scene& scene, const Rod& rod) {
  const bool rests = scene.simulation.mode == Mode::Statics || scene.simulation.start == StartKind::Equilibrium;
  bool held = false;
  for (const Hold& hold : scene.holds) {
    if (hold.rod != rod.name || !hold.holds_position()) continue;
    if (!hold.position) return false;
    held = true;
  }
  return rests && held;
}

void warn_stretched(const Scene& scene, std::vector<std::string>& found) {
  constexpr double kNoticed = 1e-3;
  for (const Rod& rod : scene.rods) {
    if (!rod.length || only_begins(scene, rod)) continue;
    const double stretch = curve_length(rod.shape, rod.closed) / *rod.length - 1;
    if (stretch <= kNoticed) continue;
    const double percent = std::round(stretch * 1000) / 10;
    found.push_back("the shape of rod " + scene::quoted(rod.name) + " is stretched by " + scene::text(percent) +
                    " % beyond its length of " + scene::text(*rod.length) + " m");
  }
}

// Free bodies that are solid to rods and pass through obstacles and each other all the same.
void warn_passing(const Scene& scene, std::vector<std::string>& found) {
  const std::string& formulation = scene.simulation.formulation;
  if (!scene.contact.obstacles || (formulation != "kirchhoff" && formulation != "cosserat")) return;
  const bool rests = scene.simulation.mode == Mode::Statics || scene.simulation.start == StartKind::Equilibrium;
  if (!rests) return;
  for (const Body& body : scene.bodies) {
    if (body.motion != BodyMotion::Free || !body.solid) continue;
    const bool alone =
        scene.obstacles.empty() && std::none_of(scene.bodies.begin(), scene.bodies.end(),
                                                [&](auto& other) { return other.solid && other.name != body.name; });
    if (alone) continue;
    found.push_back("at rest body " + scene::quoted(body.name) +
                    " holds off rods alone: obstacles and other bodies do not hold it");
  }
}

// Rods that are not round: what of their outline counts where they touch.
void warn_outlines(const Scene& scene, std::vector<std::string>& found) {
  constexpr double kNearlySquare = 2;
  const std::string& formulation = scene.simulation.formulation;
  if (formulation != "kirchhoff" && formulation != "cosserat") return;
  const bool solid = scene.contact.obstacles &&
                     (!scene.obstacles.empty() ||
                      std::any_of(scene.scenery.begin(), scene.scenery.end(), [](auto& item) { return item.solid; }) ||
                      std::any_of(scene.bodies.begin(), scene.bodies.end(), [](auto& body) { return body.solid; }));
  for (const SectionEntry& entry : scene.sections) {
    const Section& section = entry.section;
    const bool square = section.shape == SectionShape::Rectangle;
    if (!square && section.shape != SectionShape::Ellipse) continue;
    const double one = square ? section.width : section.radii[0];
    const double other = square ? section.height : section.radii[1];
    if (scene.contact.rods && one != other)
      found.push_back("rods touch rods of section " + scene::quoted(entry.name) +
                      " as if it were round, as thick as it is wide: their outline counts against obstacles only");
    if (solid && square && std::max(one, other) < kNearlySquare * std::min(one, other))
      found.push_back(
          "obstacles touch section " + scene::quoted(entry.name) +
          " as if its corners were rounded by half of its smaller side: it rolls more easily than it would");
  }
}

// Names that may be misspelt: of surfaces that no pair and no table of materials knows, and of pairs that nothing has.
void warn_unknown_materials(const Scene& scene, std::vector<std::string>& found) {
  const scene::Names names(scene);
  const std::vector<FrictionPair>& pairs = scene.contact.pairs;
  const auto known = [&](const std::string& material) {
    return material.empty() || names.material(material) != nullptr ||
           std::any_of(pairs.begin(), pairs.end(),
                       [&](const FrictionPair& pair) { return pair.material == material || pair.against == material; });
  };
  const auto look = [&](const char* kind, const auto& things) {
    for (const auto& thing : things)
      if (!known(thing.material))
        found.push_back(std::string(kind) + " " + scene::quoted(thing.name) + " is of " +
                        scene::quoted(thing.material) + ", which neither a pair of 'contact' nor a material is called");
  };
  look("obstacle", scene.obstacles);
  look("body", scene.bodies);
  look("scenery", scene.scenery);
  const auto has = [&](const std::string& material) {
    const auto made = [&](const auto& thing) { return thing.material == material; };
    const auto has_made = [&](const Rod& rod) {
      return made(rod) || std::any_of(rod.stations.begin(), rod.stations.end(), made);
    };
    return names.material(material) != nullptr || std::any_of(scene.rods.begin(), scene.rods.end(), has_made) ||
           std::any_of(scene.obstacles.begin(), scene.obstacles.end(), made) ||
           std::any_of(scene.bodies.begin(), scene.bodies.end(), made) ||
           std::any_of(scene.scenery.begin(), scene.scenery.end(), made);
  };
  for (const FrictionPair& pair : pairs)
    for (const std::string& material : {pair.material, pair.against})
      if (!has(material))
        found.push_back("a pair of 'contact' names " + scene::quoted(material) + ", which nothing is made of");
}

}  // namespace

std::vector<std::string> warnings(const Scene& scene) {
  std::vector<std::string> found;
  warn_unheld(scene, found);
  warn_stretched(scene, found);
  warn_passing(scene, found);
  warn_outlines(scene, found);
  warn_unknown_materials(scene, found);
  return found;
}

}  // namespace filum
