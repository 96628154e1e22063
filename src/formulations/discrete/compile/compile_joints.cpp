// Joints with their stiffness, their strain at rest and their twist at the start.
#include "formulations/discrete/compile/compiler.hpp"

#include "base/index.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"

#include <filum/scene.hpp>

#include <cmath>

namespace filum::discrete {

namespace {

// The chord of a helix over the arc length l: along the Darboux vector ω it goes on by l cos β, across it by the chord
// of an arc, (2/ω) sin(ω l/2) sin β.
double helix_chord(const RestShape& rest, double l) {
  const Vec3 darboux(rest.curvature[0], rest.curvature[1], rest.twist_rate);
  const double rate = darboux.norm();
  // straight, or so coarse that a segment would go round by more than half a turn
  if (rate * l < 1e-9 || rate * l > math::kPi) return l;
  const double along = darboux[2] / rate * l;
  const double across = 2 / rate * std::sin(0.5 * rate * l) * rest.curvature.norm() / rate;
  return std::hypot(along, across);
}

}  // namespace

Compiler::RestFrames Compiler::rest_frames(int index) const {
  const Rod& rod = scene_.rods[at(index)];
  const RodMesh& mesh = model_.rods[at(index)].mesh;
  std::vector<double> s;
  for (int i = 0; i < mesh.nodes(); ++i) {
    s.push_back(mesh.s[at(i)]);
    if (i < mesh.edges()) s.push_back(mesh.s[at(i)] + 0.5 * mesh.edge_length(i));
  }
  if (mesh.closed) s.push_back(mesh.length);

  std::vector<scene::Placement> placed;
  double drawn = layouts_[at(index)].shape_length();
  if (rod.rest.kind == RestKind::AsShaped) {
    placed = layouts_[at(index)].place(s, false);
  } else {
    const CurvePath path(rod.rest.curve, mesh.closed);
    drawn = path.length();
    const Vec3 tangent = path.at(0).tangent;
    const Vec3 normal = rod.normal.value_or(math::any_perpendicular(tangent));
    placed = scene::place_along(path, mesh.length, math::frame_from(tangent, normal), s);
  }
  RestFrames frames;
  for (std::size_t k = 0; k < placed.size(); k += 2) {
    frames.node.push_back(placed[k].frame);
    frames.node_roll.push_back(placed[k].roll);
  }
  for (std::size_t k = 1; k < placed.size(); k += 2) {
    const Vec3 chord = placed[k + 1].position - placed[k - 1].position;
    frames.edge.push_back(rod::carried_frame(placed[k].frame, chord, 0));
    frames.edge_roll.push_back(placed[k].roll);
    frames.length.push_back(chord.norm() * mesh.length / drawn);
  }
  return frames;
}

void Compiler::add_joints(int index) {
  RodRange& range = model_.rods[at(index)];
  const RodMesh& mesh = range.mesh;
  const Rod& rod = scene_.rods[at(index)];
  const std::vector<Reach> bend = bending_reach(mesh);
  const std::vector<Reach> half = half_cells(mesh);
  const bool shaped = rod.rest.kind == RestKind::AsShaped || rod.rest.kind == RestKind::Curve;
  const RestFrames rest = shaped ? rest_frames(index) : RestFrames{};
  // chords of the rest shape, so that its polygon is free of stress
  for (std::size_t j = 0; j < rest.length.size(); ++j)
    if (rest.length[j] > 0) model_.edges[at(range.first_edge) + j].rest_length = rest.length[j];
  if (rod.rest.kind == RestKind::Uniform)
    for (int j = 0; j < mesh.edges(); ++j)
      model_.edges[at(range.first_edge + j)].rest_length = helix_chord(rod.rest, mesh.edge_length(j));
  range.first_joint = static_cast<int>(model_.joints.size());

  for (int i = 0; i < mesh.nodes(); ++i) {
    const int node = range.first_node + i;
    const int before = i > 0 ? i - 1 : (mesh.closed ? mesh.edges() - 1 : -1);
    const int after = i < mesh.edges() ? i : -1;
    const auto rotor = node_rotor_.find(node);
    if (rotor == node_rotor_.end()) {
      // an ordinary joint between two edges; a free end has none
      if (before < 0 || after < 0) continue;
      add_joint(index, i, before, after, -1, bend[at(i)], half[at(i)], rest, shaped);
      continue;
    }
    // something grips this cross-section: one joint on either side of it
    model_.sections.push_back({rotor->second, section_base(index, i)});
    const int section = static_cast<int>(model_.sections.size()) - 1;
    Rotor& r = model_.rotors[at(rotor->second)];
    if (r.hold >= 0 && model_.hold_node[at(r.hold)] == node) r.hold_section = section;
    for (std::size_t h = 0; h < scene_.holds.size(); ++h)
      if (model_.hold_node[h] == node && scene_.holds[h].holds_orientation()) model_.hold_section[h] = section;
    if (before >= 0)
      add_joint(index, i, before, -1, section, {bend[at(i)].before, 0}, {half[at(i)].before, 0}, rest, shaped);
    if (after >= 0)
      add_joint(index, i, -1, after, section, {0, bend[at(i)].after}, {0, half[at(i)].after}, rest, shaped);
  }
  range.joints = static_cast<int>(model_.joints.size()) - range.first_joint;
}

Mat3 Compiler::section_base(int index, int i) const {
  const auto held = node_base_.find(model_.rods[at(index)].first_node + i);
  if (held != node_base_.end()) return held->second;
  return layouts_[at(index)].at(model_.rods[at(index)].mesh.s[at(i)]).frame;
}

// Edge indices are local to the rod; −1 on a side means the section.
void Compiler::add_joint(int index, int i, int before, int after, int section, const Reach& bend, const Reach& half,
                         const RestFrames& rest, bool shaped) {
  const RodRange& range = model_.rods[at(index)];
  const Rod& rod = scene_.rods[at(index)];
  Joint joint;
  joint.node = range.first_node + i;
  joint.rod = index;
  joint.left = before >= 0 ? Side{range.first_edge + before, -1} : Side{-1, section};
  joint.right = after >= 0 ? Side{range.first_edge + after, -1} : Side{-1, section};
  joint.length = bend.before + bend.after;
  joint.cell = half.before + half.after;
  joint.cell_share = half.before / joint.cell;
  joint.share = bend.before / joint.length;

  // compliances add up over the two sides, whose sections may differ
  Vec3 compliance = Vec3::Zero();
  auto add_side = [&](int edge, double bend_length, double twist_length) {
    if (edge < 0) return;
    const Stiffness& stiff = range.edge_stiffness[at(edge)];
    compliance += Vec3(bend_length / stiff.EI[0], bend_length / stiff.EI[1], twist_length / stiff.GJ);
    joint.lay[edge == before ? 0 : 1] = lay_coupling(rod, stiff) / stiff.GJ * twist_length;
  };
  add_side(before, bend.before, half.before);
  add_side(after, bend.after, half.after);
  joint.elasticity.stiffness = compliance.cwiseInverse();
  joint.viscosity =
      rod.damping.stiffness * joint.elasticity.stiffness +
      Vec3(rod.damping.bend / joint.length, rod.damping.bend / joint.length, rod.damping.twist / joint.cell);

  const bool seam = rod.closed && i == 0 && before >= 0;
  // the strain at rest: measured on the rest shape's own polygon, or rate times cell
  if (shaped) {
    Mat3 left = before >= 0 ? rest.edge[at(before)] : rest.node[at(i)];
    const Mat3& right = after >= 0 ? rest.edge[at(after)] : rest.node[at(i)];
    // twist-free frames come round a ring turned by an angle, which is no strain
    if (seam) left = left * Eigen::AngleAxisd(rod::joint_strain(left, right, 0).twist, Vec3::UnitZ());
    const double near = (after >= 0 ? rest.edge_roll[at(after)] : rest.node_roll[at(i)]) -
                        (before >= 0 ? rest.edge_roll[at(before)] : rest.node_roll[at(i)]);
    joint.elasticity.rest = rod::joint_strain(left, right, seam ? 0 : near).vector();
  } else if (rod.rest.kind == RestKind::Uniform) {
    joint.elasticity.rest = joint.cell * Vec3(rod.rest.curvature[0], rod.rest.curvature[1], rod.rest.twist_rate);
  }
  start_twist(joint, i, half, seam);
  model_.joints.push_back(joint);
}

// The rod's initial twist, evenly spread, and its shape's roll. At a closed rod's seam the frames need not meet: the
// offset makes up for it.
void Compiler::start_twist(Joint& joint, int i, const Reach& half, bool seam) {
  const double s = model_.rods[at(joint.rod)].mesh.s[at(i)];
  const double wanted = seam ? scene_.rods[at(joint.rod)].twist * joint.cell / length(joint.rod)
                             : layouts_[at(joint.rod)].twist_between(s - half.before, s + half.after);
  Mat3 left = frame_of(joint.left);
  const Mat3 right = frame_of(joint.right);
  const double found = rod::joint_strain(left, right, wanted).twist;
  if (seam) joint.offset = found - wanted;
  model_.start_twist.push_back(seam ? wanted : found);
}

Mat3 Compiler::frame_of(const Side& side) const {
  if (side.is_edge()) return model_.start_frame[at(side.edge)];
  return model_.sections[at(side.section)].base;
}

}  // namespace filum::discrete
