#include "sim/assembly/thickest.hpp"

#include "scene/layout.hpp"
#include "scene/lookup.hpp"

#include <filum/section.hpp>

namespace filum::sim {

Thickest thickest(const Scene& scene, const Rod& rod) {
  const scene::Names names(scene);
  const double length = scene::RodLayout(rod).length();
  Thickest most;
  const auto look = [&](double s, const std::string& section, const std::string& material) {
    const Section* found = names.section(section);
    if (found == nullptr) return;
    const Material* made_of = names.material(material);
    const double radius = stiffness(*found, made_of != nullptr ? *made_of : Material{}).outline.maxCoeff();
    if (radius > most.radius) most = {s, radius};
  };
  look(0, rod.section, rod.material);
  for (const Station& station : rod.stations)
    look(station.s.at(length), station.section, station.material.empty() ? rod.material : station.material);
  return most;
}

}  // namespace filum::sim
