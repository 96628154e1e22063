#include "formulations/discrete/discrete_model.hpp"

#include "base/index.hpp"
#include "body/rigid_body.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

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

// Builds a ModelData rod by rod, then what joins and holds them.
class Compiler {
 public:
  explicit Compiler(const Scene& scene) : scene_(scene), names_(scene) { model_.scene = scene; }

  ModelData run() {
    for (const Rod& rod : scene_.rods) layouts_.emplace_back(rod);
    for (std::size_t r = 0; r < scene_.rods.size(); ++r) add_rod(static_cast<int>(r));
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) add_body(static_cast<int>(b));
    add_junction_rotors();
    add_hold_rotors();
    add_load_rotors();
    for (std::size_t r = 0; r < scene_.rods.size(); ++r) add_joints(static_cast<int>(r));
    add_loads();
    finish();
    return std::move(model_);
  }

 private:
  double length(int rod) const { return layouts_[at(rod)].length(); }
  int rod_index(const std::string& name) const { return index_of(scene_.rods, name); }
  int node_of(int rod, double s) const {
    const RodRange& range = model_.rods[at(rod)];
    return range.first_node + range.mesh.node_at(s);
  }
  int node_of(const RodPoint& point) const {
    const int rod = rod_index(point.rod);
    return node_of(rod, point.at.at(length(rod)));
  }

  // Every place of a rod at which something acts.
  std::vector<double> breaks(int rod) const {
    const std::string& name = scene_.rods[at(rod)].name;
    const double whole = length(rod);
    std::vector<double> s;
    for (const Hold& hold : scene_.holds)
      if (hold.rod == name && !hold.slide) s.push_back(hold.at.at(whole));
    for (const Junction& junction : scene_.junctions)
      for (const RodPoint& point : junction.rods)
        if (point.rod == name) s.push_back(point.at.at(whole));
    for (const PointForce& force : scene_.forces)
      if (force.body.empty() && force.point.rod == name) s.push_back(force.point.at.at(whole));
    for (const PointTorque& torque : scene_.torques)
      if (torque.body.empty() && torque.point.rod == name) s.push_back(torque.point.at.at(whole));
    for (const DistributedForce& load : scene_.distributed)
      if (load.rod == name) {
        s.push_back(load.from.at(whole));
        s.push_back(load.to.at(whole));
      }
    for (const Station& station : scene_.rods[at(rod)].stations) s.push_back(station.s.at(whole));
    return s;
  }

  // A shape given by as many points as the rod has vertices is taken as it stands: their arc lengths.
  std::vector<double> given_nodes(int rod) const {
    const Rod& r = scene_.rods[at(rod)];
    const std::size_t vertices = at(r.segments) + (r.closed ? 0 : 1);
    std::vector<double> s;
    if (r.shape.kind != CurveKind::Points || r.shape.points.size() != vertices) return s;
    double arc = 0;
    for (std::size_t i = 0; i < vertices; ++i) {
      if (i > 0) arc += (r.shape.points[i] - r.shape.points[i - 1]).norm();
      s.push_back(arc * length(rod) / layouts_[at(rod)].shape_length());
    }
    return s;
  }

  void add_rod(int index) {
    const Rod& rod = scene_.rods[at(index)];
    RodRange range;
    range.mesh = make_mesh(length(index), rod.closed, rod.segments, breaks(index), given_nodes(index));
    range.drawn_length = layouts_[at(index)].shape_length();
    range.first_node = model_.nodes;
    range.first_edge = static_cast<int>(model_.edges.size());
    const RodMesh& mesh = range.mesh;
    model_.nodes += mesh.nodes();
    model_.damped = model_.damped || !(rod.damping == Damping{});
    grow_nodes();

    const auto placed = layouts_[at(index)].place(mesh.s);
    for (const auto& place : placed) model_.start_position.push_back(place.position);

    // the section along the rod changes at its stations
    for (int j = 0; j < mesh.edges(); ++j) {
      const double middle = mesh.s[at(j)] + 0.5 * mesh.edge_length(j);
      std::string section = rod.section;
      std::string material = rod.material;
      for (const Station& station : rod.stations)
        if (station.s.at(length(index)) < middle) {
          section = station.section;
          material = station.material.empty() ? rod.material : station.material;
        }
      // a section with given stiffnesses needs no material
      const Material* made_of = names_.material(material);
      const Stiffness stiff = stiffness(*names_.section(section), made_of != nullptr ? *made_of : Material{});
      range.edge_stiffness.push_back(stiff);
      const int a = range.first_node + j;
      const int b = range.first_node + (j + 1) % mesh.nodes();
      const double mass = stiff.mass_per_length * mesh.edge_length(j);
      Edge edge;
      edge.a = a;
      edge.b = b;
      edge.rod = index;
      edge.rest_length = mesh.edge_length(j);
      edge.axial_stiffness = stiff.EA;
      edge.mass = mass;
      edge.spin_inertia = stiff.polar_inertia * edge.rest_length;
      edge.axial_viscosity = rod.damping.stiffness * stiff.EA + rod.damping.stretch;
      model_.edges.push_back(edge);
      for (const int node : {a, b}) {
        model_.node_mass[at(node)] += 0.5 * mass;
        model_.node_drag[at(node)] += 0.5 * mass * rod.damping.mass;
        model_.node_air[at(node)] += 0.5 * edge.rest_length * rod.damping.air;
      }
    }
    add_edge_frames(index, range);
    model_.rods.push_back(std::move(range));
  }

  void grow_nodes() {
    model_.node_mass.resize(at(model_.nodes), 0);
    model_.node_drag.resize(at(model_.nodes), 0);
    model_.node_air.resize(at(model_.nodes), 0);
  }

  // A free body becomes a node and a rotor; others move their holds' targets and need nothing of their own.
  void add_body(int index) {
    const Body& body = scene_.bodies[at(index)];
    body_index_.push_back(-1);
    if (body.motion != BodyMotion::Free) return;
    body_index_.back() = static_cast<int>(model_.bodies.size());
    const int node = model_.nodes++;
    grow_nodes();
    model_.node_mass[at(node)] = body.mass;
    model_.start_position.push_back(body.position);
    Rotor rotor;
    rotor.node = node;
    rotor.body = body_index_.back();
    const Vec3 principal = body.inertia.value_or(body::box_body(body.mass, body.box).inertia);
    const Mat3 axes = body.orientation.toRotationMatrix();
    rotor.inertia = axes * principal.asDiagonal() * axes.transpose();
    // a point that nothing can turn does not turn
    if (principal.isZero(0) && !is_turned(body)) rotor.fixed = {true, true, true};
    model_.rotors.push_back(rotor);
    model_.bodies.push_back({index, node, static_cast<int>(model_.rotors.size()) - 1});
  }

  // Whether a rod's bending or a torque turns a body without inertia. A mere force does not: a point has no arm.
  bool is_turned(const Body& body) const {
    for (const Hold& hold : scene_.holds)
      if (hold.body == body.name && hold.holds_orientation()) return true;
    for (const PointTorque& torque : scene_.torques)
      if (torque.body == body.name) return true;
    return false;
  }

  // Where a hold is at the start.
  scene::Placement hold_place(const Hold& hold) const {
    const scene::RodLayout& layout = layouts_[at(rod_index(hold.rod))];
    scene::Placement place = layout.at(hold.at.at(layout.length()));
    if (hold.position) place.position = *hold.position;
    if (hold.orientation) place.frame = hold.orientation->toRotationMatrix();
    return place;
  }

  // Edge frames: the layout's frame at mid-edge carried to the chord.
  void add_edge_frames(int index, const RodRange& range) {
    const RodMesh& mesh = range.mesh;
    std::vector<double> middles;
    for (int j = 0; j < mesh.edges(); ++j) middles.push_back(mesh.s[at(j)] + 0.5 * mesh.edge_length(j));
    const auto placed = layouts_[at(index)].place(middles);
    for (int j = 0; j < mesh.edges(); ++j) {
      const Edge& edge = model_.edges[at(range.first_edge + j)];
      Vec3 e = model_.start_position[at(edge.b)] - model_.start_position[at(edge.a)];
      if (e.norm() < 1e-12 * mesh.length) e = placed[at(j)].frame.col(2) * edge.rest_length;
      model_.start_frame.push_back(rod::carried_frame(placed[at(j)].frame, e, 0));
    }
  }

  // The rotor of a node, made when first asked for, free and without rotation.
  int rotor_at(int node) {
    const auto found = node_rotor_.find(node);
    if (found != node_rotor_.end()) return found->second;
    Rotor rotor;
    rotor.node = node;
    model_.rotors.push_back(rotor);
    const int index = static_cast<int>(model_.rotors.size()) - 1;
    node_rotor_[node] = index;
    return index;
  }

  // The nodes that junctions join, those with a place in common as one group.
  std::vector<std::vector<int>> joined_nodes() const {
    std::vector<std::vector<int>> groups;
    for (const Junction& junction : scene_.junctions) {
      std::vector<int> group;
      auto take = [&](int node) {
        if (std::find(group.begin(), group.end(), node) == group.end()) group.push_back(node);
      };
      for (const RodPoint& point : junction.rods) take(node_of(point));
      // groups that share a node with this one go into it
      for (std::vector<int>& other : groups)
        if (std::any_of(other.begin(), other.end(),
                        [&](int node) { return std::find(group.begin(), group.end(), node) != group.end(); })) {
          for (const int node : other) take(node);
          other.clear();
        }
      groups.push_back(std::move(group));
    }
    return groups;
  }

  void add_junction_rotors() {
    for (const std::vector<int>& group : joined_nodes()) {
      if (group.empty()) continue;
      const int master = group.front();
      const int rotor = rotor_at(master);
      for (const int slave : group) {
        if (slave == master) continue;
        node_rotor_[slave] = rotor;
        model_.ties.push_back(
            {slave, master, rotor, model_.start_position[at(slave)] - model_.start_position[at(master)]});
      }
    }
  }

  void add_hold_rotors() {
    model_.position_hold.assign(at(model_.nodes), {-1, -1, -1});
    for (std::size_t h = 0; h < scene_.holds.size(); ++h) {
      const Hold& hold = scene_.holds[h];
      const int index = static_cast<int>(h);
      const int rod = rod_index(hold.rod);
      model_.hold_rotor.push_back(-1);
      model_.hold_tie.push_back(-1);
      model_.hold_section.push_back(-1);
      if (hold.slide) {
        model_.hold_node.push_back(-1);
        const RodMesh& mesh = model_.rods[at(rod)].mesh;
        const double half = std::min(0.5 * mesh.length / mesh.edges(), 0.1 * mesh.length);
        if (hold.holds_orientation())
          for (const double offset : {-half, half}) model_.sliders.push_back({index, rod, hold.fix_position, offset});
        else
          model_.sliders.push_back({index, rod, hold.fix_position});
        continue;
      }
      const int node = node_of(rod, hold.at.at(length(rod)));
      model_.hold_node.push_back(node);
      if (!hold.body.empty() && body_index_[at(index_of(scene_.bodies, hold.body))] >= 0) {
        hold_to_body(hold, node);
        continue;
      }
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (hold.fix_position[axis]) model_.position_hold[at(node)][axis] = index;
      if (!hold.holds_orientation()) continue;
      const int rotor = rotor_at(node);
      model_.hold_rotor.back() = rotor;
      // several holds on one junction: together they fix what each does, the first that fixes all leads
      Rotor& held = model_.rotors[at(rotor)];
      const auto all = [](const FixedAxes& axes) { return axes[0] && axes[1] && axes[2]; };
      if (held.hold < 0 || (all(hold.fix_orientation) && !all(held.fixed))) held.hold = index;
      for (std::size_t axis = 0; axis < 3; ++axis) held.fixed[axis] = held.fixed[axis] || hold.fix_orientation[axis];
    }
  }

  // A hold on a free body: a tie for the position, the body's own rotor for the orientation.
  void hold_to_body(const Hold& hold, int node) {
    const FreeBody& body = model_.bodies[at(body_index_[at(index_of(scene_.bodies, hold.body))])];
    const scene::Placement place = hold_place(hold);
    if (hold.holds_position()) {
      model_.hold_tie.back() = static_cast<int>(model_.ties.size());
      model_.ties.push_back({node, body.node, body.rotor, place.position - model_.start_position[at(body.node)]});
    }
    if (!hold.holds_orientation()) return;
    node_rotor_[node] = body.rotor;
    node_base_[node] = place.frame;
  }

  // A torque, or a force that turns with the rod, needs a cross-section to act on.
  void add_load_rotors() {
    for (const PointTorque& torque : scene_.torques)
      if (torque.body.empty()) rotor_at(node_of(torque.point));
    for (const PointForce& force : scene_.forces)
      if (force.body.empty() && force.follow) rotor_at(node_of(force.point));
  }

  // The rest shape's own polygon: frames at the nodes and of the edges, and the edges' lengths.
  struct RestFrames {
    std::vector<Mat3> node;
    std::vector<Mat3> edge;
    std::vector<double> length;
  };
  RestFrames rest_frames(int index) const {
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
    for (std::size_t k = 0; k < placed.size(); k += 2) frames.node.push_back(placed[k].frame);
    for (std::size_t k = 1; k < placed.size(); k += 2) {
      const Vec3 chord = placed[k + 1].position - placed[k - 1].position;
      frames.edge.push_back(rod::carried_frame(placed[k].frame, chord, 0));
      frames.length.push_back(chord.norm() * mesh.length / drawn);
    }
    return frames;
  }

  void add_joints(int index) {
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

  Mat3 section_base(int index, int i) const {
    const auto held = node_base_.find(model_.rods[at(index)].first_node + i);
    if (held != node_base_.end()) return held->second;
    return layouts_[at(index)].at(model_.rods[at(index)].mesh.s[at(i)]).frame;
  }

  // Edge indices are local to the rod; −1 on a side means the section.
  void add_joint(int index, int i, int before, int after, int section, const Reach& bend, const Reach& half,
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
      joint.elasticity.rest = rod::joint_strain(left, right, 0).vector();
    } else if (rod.rest.kind == RestKind::Uniform) {
      joint.elasticity.rest = joint.cell * Vec3(rod.rest.curvature[0], rod.rest.curvature[1], rod.rest.twist_rate);
    }
    start_twist(joint, rod, joint.cell, seam);
    model_.joints.push_back(joint);
  }

  // The rod's initial twist, evenly spread. At a closed rod's seam the frames need not meet: the offset makes up for
  // it.
  void start_twist(Joint& joint, const Rod& rod, double cell, bool seam) {
    const double wanted = rod.twist * cell / length(joint.rod);
    Mat3 left = frame_of(joint.left);
    const Mat3 right = frame_of(joint.right);
    const double found = rod::joint_strain(left, right, wanted).twist;
    if (seam) joint.offset = found - wanted;
    model_.start_twist.push_back(seam ? wanted : found);
  }

  Mat3 frame_of(const Side& side) const {
    if (side.is_edge()) return model_.start_frame[at(side.edge)];
    return model_.sections[at(side.section)].base;
  }

  // The node and, if something turns, the rotor that a load acts on.
  struct Place {
    int node = 0;
    int rotor = -1;
  };
  Place place_of(const RodPoint& point, const std::string& body, bool turns) {
    if (body.empty()) {
      const int node = node_of(point);
      return {node, turns ? rotor_at(node) : -1};
    }
    const FreeBody& free = model_.bodies[at(body_index_[at(index_of(scene_.bodies, body))])];
    return {free.node, turns ? free.rotor : -1};
  }

  void add_loads() {
    for (std::size_t k = 0; k < scene_.forces.size(); ++k) {
      const PointForce& force = scene_.forces[k];
      const Place place = place_of(force.point, force.body, force.follow);
      model_.forces.push_back({place.node, place.rotor, static_cast<int>(k), force.follow, force.force});
      if (force.follow) model_.conservative = false;
    }
    for (std::size_t k = 0; k < scene_.torques.size(); ++k) {
      const PointTorque& torque = scene_.torques[k];
      const Place place = place_of(torque.point, torque.body, true);
      model_.torques.push_back({place.node, place.rotor, static_cast<int>(k), torque.follow, torque.torque});
      model_.conservative = false;
    }
    model_.distributed.assign(at(model_.nodes), Vec3::Zero());
    for (const DistributedForce& load : scene_.distributed) add_distributed(load);
    for (int rod = 0; rod < static_cast<int>(model_.rods.size()); ++rod) {
      const RodRange& range = model_.rods[at(rod)];
      for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node)
        if (const Vec3& force = model_.distributed[at(node)]; !force.isZero(0))
          model_.loaded.push_back({node, rod, force});
    }
  }

  void add_distributed(const DistributedForce& load) {
    const int rod = rod_index(load.rod);
    const double from = load.from.at(length(rod));
    const double to = load.to.at(length(rod));
    const RodRange& range = model_.rods[at(rod)];
    for (int j = 0; j < range.mesh.edges(); ++j) {
      const double middle = range.mesh.s[at(j)] + 0.5 * range.mesh.edge_length(j);
      if (middle < from || middle > to) continue;
      Edge& edge = model_.edges[at(range.first_edge + j)];
      const Vec3 half = 0.5 * range.mesh.edge_length(j) * load.force_per_length;
      edge.distributed += 2 * half;
      model_.distributed[at(edge.a)] += half;
      model_.distributed[at(edge.b)] += half;
    }
  }

  // What only shows once everything is in place: which rods could spin freely about themselves.
  void finish() {
    for (std::size_t r = 0; r < model_.rods.size(); ++r) {
      const RodRange& range = model_.rods[r];
      model_.size = r == 0 ? range.mesh.length : std::max(model_.size, range.mesh.length);
      bool referenced = false;
      for (int i = 0; i < range.mesh.nodes(); ++i) {
        const auto rotor = node_rotor_.find(range.first_node + i);
        if (rotor != node_rotor_.end() && model_.rotors[at(rotor->second)].hold >= 0) referenced = true;
      }
      model_.spin_free.push_back(!referenced);
      if (!has_spin_inertia(static_cast<int>(r)))
        for (int j = 0; j < range.mesh.edges(); ++j) model_.edges[at(range.first_edge + j)].spin_inertia = 0;
      model_.root.push_back(root_of(static_cast<int>(r)));
    }
  }

  // Rotary inertia about the tangent: on request, and where without it the angles would be all but undetermined: those
  // of a rod whose orientation nothing holds, and whose bending depends on them.
  bool has_spin_inertia(int index) const {
    const Simulation& simulation = scene_.simulation;
    if (simulation.rotary_inertia) return true;
    if (simulation.stepper != Stepper::Implicit || !model_.spin_free[at(index)]) return false;
    if (simulation.integrator != Integrator::EnergyMomentum && simulation.integrator != Integrator::ImplicitEuler)
      return false;
    const Damping& damping = scene_.rods[at(index)].damping;
    if (damping.stiffness > 0 || damping.bend > 0) return true;
    const RodRange& range = model_.rods[at(index)];
    for (const Stiffness& stiff : range.edge_stiffness)
      if (stiff.EI[0] != stiff.EI[1]) return true;
    for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
      if (!model_.joints[at(k)].elasticity.rest.head<2>().isZero(0)) return true;
    return false;
  }

  // The only node by which an open rod is tied to anything, or −1 if there are several. A rod that hangs on nothing has
  // its first node.
  int root_of(int rod) const {
    const RodRange& range = model_.rods[at(rod)];
    if (range.mesh.closed) return -1;
    for (const Slider& slider : model_.sliders)
      if (slider.rod == rod) return -1;
    int root = -1;
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
      const auto& hold = model_.position_hold[at(node)];
      bool tied = hold[0] >= 0 || hold[1] >= 0 || hold[2] >= 0;
      for (const Tie& tie : model_.ties) tied = tied || tie.slave == node || tie.master == node;
      if (!tied) continue;
      if (root >= 0) return -1;
      root = node;
    }
    return root >= 0 ? root : range.first_node;
  }

  const Scene& scene_;
  scene::Names names_;
  ModelData model_;
  std::vector<scene::RodLayout> layouts_;
  std::vector<int> body_index_;  // per body of the scene: its place among the free ones, or −1
  std::map<int, int> node_rotor_;
  std::map<int, Mat3> node_base_;  // frames of sections that a hold, not the shape, places
};

}  // namespace

ModelData compile_model(const Scene& scene) {
  return Compiler(scene).run();
}

}  // namespace filum::discrete
