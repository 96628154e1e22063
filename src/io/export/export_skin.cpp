#include "io/export/export_skin.hpp"

#include "geometry/finer_rings.hpp"
#include "math/dense.hpp"
#include "scene/lookup.hpp"
#include "sim/limits.hpp"

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

// A section of a rod of the scene, from s on.
struct Drawn {
  double s = 0;
  geometry::TubeSection section;
};

geometry::TubeSection drawn(const Section& section) {
  const Vec2 half = stiffness(section, {}).outline;
  if (section.shape == SectionShape::Rectangle) return {half, true, 0};
  if (section.shape == SectionShape::Tube) return {half, false, section.inner_radius / section.outer_radius};
  return {half, false, 0};
}

std::vector<Drawn> sections_of(const Scene& scene, const std::string& name) {
  const scene::Names names(scene);
  const Rod* rod = names.rod(name);
  std::vector<Drawn> sections;
  const auto add = [&](double s, const std::string& section) {
    if (const Section* found = names.section(section)) sections.push_back({s, drawn(*found)});
  };
  if (rod) add(0, rod->section);
  if (rod)
    for (const Station& station : rod->stations) add(station.s.at(scene::rod_length(*rod)), station.section);
  return sections;
}

// So wide and high, with the shape of the scene's section that is: that at s, else, where rod has been paid out, another.
geometry::TubeSection section_at(const std::vector<Drawn>& sections, double s, const Vec2& half) {
  constexpr double kSingle = 1e-6;  // sizes may have been stored in single precision
  const Drawn* found = nullptr;
  for (const Drawn& each : sections)
    if ((each.section.half - half).norm() <= kSingle * half.norm() && (!found || each.s <= s)) found = &each;
  geometry::TubeSection section = found ? found->section : geometry::TubeSection{};
  section.half = half;
  return section;
}

}  // namespace

std::vector<geometry::TubeSection> sections_along(const StoredResult& result, size_t index, const RodPose& rod) {
  std::vector<Drawn> known;
  if (result.scene && index < result.names.rods.size()) known = sections_of(*result.scene, result.names.rods[index]);
  const double thin = rod.length > 0 ? 1e-3 * rod.length : 1e-3;
  std::vector<geometry::TubeSection> sections;
  for (size_t i = 0; i < rod.position.size(); ++i) {
    const Vec2 half = i < rod.outline.size() ? rod.outline[i] : Vec2::Zero();
    const bool seen = half.allFinite() && half.minCoeff() > 0;
    sections.push_back(seen ? section_at(known, i < rod.s.size() ? rod.s[i] : 0, half)
                            : geometry::TubeSection{Vec2::Constant(thin)});
  }
  return sections;
}

std::vector<int> pieces_along(const RodPose& rod) {
  std::vector<int> pieces(rod.s.size(), 0);
  for (size_t i = 1; i < rod.s.size(); ++i) pieces[i] = pieces[i - 1] + (rod.s[i] > rod.s[i - 1] ? 0 : 1);
  return pieces;
}

geometry::TriangleMesh rod_skin(const StoredResult& result, size_t index, const RodPose& rod) {
  const std::vector<geometry::TubeSection> all = sections_along(result, index, rod);
  const std::vector<int> pieces = pieces_along(rod);
  geometry::Stations known;
  for (size_t i = 0; i < rod.position.size() && i < rod.frame.size(); ++i) {
    if (!rod.position[i].allFinite() || !rod.frame[i].coeffs().allFinite()) continue;
    const double kappa = i < rod.curvature.size() ? rod.curvature[i].norm() : 0;
    known.position.push_back(rod.position[i]);
    known.frame.push_back(rod.frame[i]);
    known.section.push_back(all[i]);
    known.scalar.push_back(std::isfinite(kappa) ? kappa : 0);
    known.piece.push_back(i < pieces.size() ? pieces[i] : 0);
  }
  const geometry::Stations fine = geometry::finer_rings(known);
  return geometry::tube_mesh({fine.position, fine.frame, fine.section, fine.scalar, rod.closed, fine.piece});
}

RodPose rope_as_rod(const RopePose& rope) {
  RodPose rod;
  const double tension = sim::largest_tension(rope);
  Quat frame = Quat::Identity();
  for (size_t i = 0; i < rope.path.size(); ++i) {
    // along the path, at its corners half way between what comes and what goes
    const Vec3& before = rope.path[i > 0 ? i - 1 : 0];
    const Vec3& after = rope.path[std::min(i + 1, rope.path.size() - 1)];
    if ((after - before).norm() > 0)
      frame = (math::smallest_turn(frame * Vec3::UnitZ(), after - before) * frame).normalized();
    rod.s.push_back(i > 0 ? rod.s.back() + (rope.path[i] - before).norm() : 0);
    rod.position.push_back(rope.path[i]);
    rod.velocity.push_back(Vec3::Zero());
    rod.frame.push_back(frame);
    rod.curvature.push_back(Vec2::Zero());
    rod.twist.push_back(0);
    rod.axial_force.push_back(tension);
    rod.moment.push_back(Vec3::Zero());
    rod.outline.push_back(Vec2::Zero());
  }
  rod.length = rope.path.empty() ? 0 : rod.s.back();
  return rod;
}

std::vector<RodPose> rods_and_ropes(const Pose& pose) {
  std::vector<RodPose> all = pose.rods;
  for (const RopePose& rope : pose.ropes) all.push_back(rope_as_rod(rope));
  return all;
}

}  // namespace filum::io
