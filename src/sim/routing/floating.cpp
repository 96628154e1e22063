#include "sim/routing/floating.hpp"

#include "base/index.hpp"
#include "scene/lookup.hpp"
#include "sim/routing/part_force.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace filum::sim {

namespace {

constexpr double kSoftness = 300;       // EA of the soft rods over pull + EI/ℓ²
constexpr double kForceAccuracy = 0.1;  // of the forces, in the end

// The same section with another stretch stiffness, under a name of its own.
std::string softened(Scene& scene, const std::string& section, const std::string& material, double EA,
                     const std::string& name) {
  const scene::Names names(scene);
  const Material* made_of = names.material(material);
  const Stiffness stiff = stiffness(*names.section(section), made_of != nullptr ? *made_of : Material{});
  Section soft;
  soft.shape = SectionShape::Given;
  soft.EA = std::min(EA, stiff.EA);
  soft.EI = stiff.EI;
  soft.GJ = stiff.GJ;
  soft.mass_per_length = stiff.mass_per_length;
  soft.radius = stiff.outline.maxCoeff();
  scene.sections.push_back({name, soft});
  return name;
}

// The scene with soft rods where lengths are sought.
Scene soft_scene(const Scene& scene, const std::vector<SoughtPart>& parts) {
  Scene soft = scene;
  for (std::size_t r = 0; r < soft.rods.size(); ++r) {
    double EA = 0;
    for (const SoughtPart& part : parts) {
      if (at(part.rod) != r) continue;
      const double EI = part_stiffness(scene, scene.rods[r], part.part).EI;
      EA = std::max(EA, kSoftness * (part.pull + EI / (part.part.length() * part.part.length())));
    }
    if (!(EA > 0)) continue;
    Rod& rod = soft.rods[r];
    for (std::size_t k = 0; k < rod.stations.size(); ++k) {
      Station& station = rod.stations[k];
      station.section = softened(soft, station.section, station.material.empty() ? rod.material : station.material, EA,
                                 rod.name + " soft " + std::to_string(k + 1));
    }
    rod.section = softened(soft, rod.section, rod.material, EA, rod.name + " soft");
  }
  return soft;
}

}  // namespace

SolveReport find_floating(LivingScene& living, const Targets& next, std::vector<SoughtPart>& parts,
                          std::optional<LivingScene>& soft, Eigen::MatrixXd& slopes, const Progress& progress) {
  if (!soft) soft.emplace(living.copy_as(soft_scene(living.scene(), parts)));
  // the soft rods' own lengths, from where they were last
  std::vector<SoughtPart> soft_parts = parts;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Rod& rod = soft->scene().rods[at(parts[k].rod)];
    const std::vector<scene::Part> along = scene::held_parts(soft->scene(), rod);
    const auto same_rod = [&](const SoughtPart& part) { return part.rod == parts[k].rod; };
    const auto before = std::count_if(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(k), same_rod);
    soft_parts[k].part = along[static_cast<std::size_t>(before)];
    soft_parts[k].shortest = 0.98 * parts[k].shortest;
  }
  const SolveReport sought = find_lengths(*soft, next, soft_parts, slopes, progress);
  if (!sought.converged) {
    soft.reset();
    return sought;
  }

  // the true rods are as long as the soft ones have become
  std::vector<PartLength> lengths;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const SoughtPart& part = soft_parts[k];
    const Rod& rod = soft->scene().rods[at(part.rod)];
    const PartForce force = part_force(soft->scene(), rod, soft->pose().rods[at(part.rod)], part.part);
    const double strain = force.tension / part_stiffness(soft->scene(), rod, part.part).EA;
    const double length = part.part.length() * (1 + strain);
    lengths.push_back({part.rod, parts[k].part, std::clamp(length, parts[k].shortest, parts[k].longest)});
  }
  if (Status done = living.set_lengths(lengths); !done) return sought;
  for (std::size_t k = 0; k < parts.size(); ++k) parts[k].part = lengths[k].part;
  SolveReport report = scale_lengths(living, next, parts, kForceAccuracy, progress);
  report.iterations += sought.iterations;
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (soft_parts[k].verdict != LengthVerdict::Found) parts[k].verdict = soft_parts[k].verdict;
  return report;
}

}  // namespace filum::sim
