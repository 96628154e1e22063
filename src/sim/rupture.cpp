#include "sim/rupture.hpp"

#include "base/index.hpp"
#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

namespace {

// Stiffness of a rod along it, by its stations.
class Stock {
 public:
  Stock(const Scene& scene, const Rod& rod, double length) : names_(scene), rod_(rod), length_(length) {}

  [[nodiscard]] Stiffness at(double s) const {
    std::string section = rod_.section;
    std::string material = rod_.material;
    for (const Station& station : rod_.stations)
      if (station.s.at(length_) < s) {
        section = station.section;
        material = station.material.empty() ? rod_.material : station.material;
      }
    const Material* made_of = names_.material(material);
    return stiffness(*names_.section(section), made_of != nullptr ? *made_of : Material{});
  }

 private:
  scene::Names names_;
  const Rod& rod_;
  double length_;
};

const char* how(CheckKind kind) {
  if (kind == CheckKind::TensileStrain) return "in tension";
  if (kind == CheckKind::CompressiveStrain) return "in compression";
  return kind == CheckKind::ShearStrain ? "in shear" : "";
}

// The strains of one place.
struct FibreStrain {
  double tension = 0;
  double compression = 0;
  double shear = 0;
};
FibreStrain fibre_strain(const RodPose& pose, const Stiffness& stiff, std::size_t i) {
  Vec2 bend = pose.moment[i].head<2>().cwiseQuotient(stiff.EI);
  double twist = pose.moment[i][2] / stiff.GJ;
  double stretch = pose.axial_force[i] / stiff.EA;
  if (i < pose.plastic.size()) {
    bend += pose.plastic[i].head<2>();
    twist += pose.plastic[i][2];
  }
  if (i < pose.plastic_stretch.size()) stretch += pose.plastic_stretch[i];
  const Vec2& outline = pose.outline[i];
  const double bent = half_width(outline, bend) * bend.norm();
  return {stretch + bent, bent - stretch, outline.maxCoeff() * std::abs(twist)};
}

}  // namespace

double half_width(const Vec2& outline, const Vec2& curvature) {
  const double bent = curvature.norm();
  if (!(bent > 0)) return outline.maxCoeff();
  // bending about d1 deflects along d2
  return Vec2(outline[0] * curvature[1], outline[1] * curvature[0]).norm() / bent;
}

bool may_break(const Scene& scene) {
  return std::any_of(scene.rods.begin(), scene.rods.end(), [](const Rod& rod) { return rod.limits.may_break(); });
}

std::vector<BreakUse> strain_uses(const Scene& scene, const Pose& pose, std::size_t index) {
  const Rod& rod = scene.rods[index];
  const BreakingStrain& limit = rod.limits.breaking_strain;
  std::vector<BreakUse> uses;
  if (limit == BreakingStrain{}) return uses;
  const RodPose& shown = pose.rods[index];
  if (limit.tension) uses.push_back({CheckKind::TensileStrain, 0, *limit.tension, 0});
  if (limit.compression) uses.push_back({CheckKind::CompressiveStrain, 0, *limit.compression, 0});
  if (limit.shear) uses.push_back({CheckKind::ShearStrain, 0, *limit.shear, 0});
  const Stock stock(scene, rod, shown.s.back());
  Stiffness stiff = stock.at(0);
  for (std::size_t i = 0; i < shown.s.size(); ++i) {
    if (!rod.stations.empty()) stiff = stock.at(shown.s[i]);
    const FibreStrain strain = fibre_strain(shown, stiff, i);
    for (BreakUse& use : uses) {
      const double value = use.kind == CheckKind::TensileStrain       ? strain.tension
                           : use.kind == CheckKind::CompressiveStrain ? strain.compression
                                                                      : strain.shear;
      if (value > use.value) use.value = value, use.s = shown.s[i];
    }
  }
  return uses;
}

std::optional<Rupture> worst_rupture(const Scene& scene, const Pose& pose, bool by_tension) {
  std::optional<Rupture> worst;
  const auto judge = [&](std::size_t rod, const BreakUse& use) {
    if (use.use() > (worst ? worst->use.use() : 1)) worst = {static_cast<int>(rod), use};
  };
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    for (const BreakUse& use : strain_uses(scene, pose, r)) judge(r, use);
    const std::optional<double>& limit = scene.rods[r].limits.breaking_tension;
    if (!by_tension || !limit) continue;
    const std::vector<double>& force = pose.rods[r].axial_force;
    const auto most = std::max_element(force.begin(), force.end());
    judge(r,
          {CheckKind::BreakingTension, *most, *limit, pose.rods[r].s[static_cast<std::size_t>(most - force.begin())]});
  }
  return worst;
}

Event broke_event(const Scene& scene, const Rupture& rupture, double t) {
  Event event;
  event.t = t;
  event.kind = EventKind::Broke;
  event.object = {ObjectKind::Rod, scene.rods[at(rupture.rod)].name};
  event.from = {PlaceKind::Along, {}, rupture.use.s};
  event.value = rupture.use.value;
  event.why = how(rupture.use.kind);
  return event;
}

}  // namespace filum::sim
