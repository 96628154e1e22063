// Stations of rods and solids of obstacles: what may touch what.
#include "formulations/discrete/compile/compile_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "scene/body_mass.hpp"
#include "scene/friction.hpp"
#include "scene/layout.hpp"
#include "scene/obstacle_shape.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace filum::discrete {
namespace {

// k over the stiffest that the rod itself sets against a station: larger, and round-off weighs more; smaller, and
// Newton needs more iterations.
constexpr double kFirmness = 100;
// Give of the stick under a station's own weight, of the radius.
constexpr double kGive = 1e-4;
// Stations between nodes, of the radius apart: a sharp edge then comes no nearer than 0.97 of it between two of them.
constexpr double kApart = 0.5;
constexpr int kMostBetween = 31;  // on one edge
// Likewise of flat rods, whose radius is half their thickness, along and across: 0.92 of it.
constexpr double kFlatApart = 0.8;
constexpr int kMostFlatBetween = 31;
constexpr int kMostAcross = 15;

// `obstacle`, `body`: in the scene's lists, or −1.
void add_solid(ModelData& model, geometry::Shape shape, int obstacle, int body, double friction,
               const std::string& material) {
  Solid solid;
  solid.shape = std::move(shape);
  solid.bounds = geometry::bounds_of(solid.shape);
  solid.obstacle = obstacle;
  solid.body = body;
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    if (body >= 0 && model.bodies[k].body == body) solid.free = static_cast<int>(k);
  solid.friction = friction;
  solid.material = material;
  for (const std::string& rods : model.surfaces)
    solid.rod_friction.push_back(scene::pair_friction(model.scene->contact, rods, material).value_or(friction));
  model.solids.push_back(std::move(solid));
}

// On an edge, at a share of it.
ContactStation station_at(const ModelData& model, int rod, int edge, double share) {
  const RodRange& range = model.rods[at(rod)];
  const Edge& of = model.edges[at(range.first_edge + edge)];
  ContactStation station;
  station.rod = rod;
  station.s = range.mesh.s[at(edge)] + share * range.mesh.edge_length(edge);
  station.a = share < 1 ? of.a : of.b;
  station.b = share > 0 && share < 1 ? of.b : -1;
  station.share = station.b < 0 ? 0 : share;
  station.radius = range.edge_stiffness[at(edge)].outline.maxCoeff();
  const SpanLaw law = edge_law(model, rod, edge);
  station.surface = range.edge_surface[at(edge)];
  station.normal_stiffness = law.normal;
  station.stick_stiffness = law.stick;
  return station;
}

// From the middle of a section that is not round to the middle of its rounded edge, in the edge's frame.
Vec3 reach_of(const Stiffness& stiff) {
  const Vec2 reach = stiff.outline.array() - stiff.outline.minCoeff();
  return {reach[0], reach[1], 0};
}

// The frames that carry a station beside the centre line: of the edge it stands on; at a node half of each that meets
// there, which knows no direction along the rod.
void put_beside(const ModelData& model, int rod, int edge, double across, ContactStation& station) {
  const RodRange& range = model.rods[at(rod)];
  const auto put = [&](int of, double share, double turn) {
    const Vec3 reach = reach_of(range.edge_stiffness[at(edge)]);
    const Vec3 turned(std::cos(turn) * reach[0] - std::sin(turn) * reach[1],
                      std::sin(turn) * reach[0] + std::cos(turn) * reach[1], 0);
    station.frame[at(station.frames++)] = {range.first_edge + of, share, turned};
  };
  station.across = across;
  station.radius = range.edge_stiffness[at(edge)].outline.minCoeff();
  const int last = range.mesh.edges() - 1;
  const bool at_start = station.b < 0 && station.a == model.edges[at(range.first_edge + edge)].a;
  if (!at_start || (edge == 0 && !range.mesh.closed)) return put(edge, 1, 0);
  // the seam of a closed rod
  double seam = 0;
  for (const Joint& joint : model.joints)
    if (edge == 0 && joint.left.edge == range.first_edge + last && joint.right.edge == range.first_edge)
      seam = joint.offset;
  put(edge > 0 ? edge - 1 : last, 0.5, seam);
  put(edge, 0.5, 0);
}

// Rows of stations along a flat rod, side by side: its two edges and, where a solid is not flat, some between them.
void add_flat_stations(ModelData& model, int rod, bool flat) {
  const RodRange& range = model.rods[at(rod)];
  double wide = 0;  // of a row apart from the next, in radii, if there were two
  for (const Stiffness& stiff : range.edge_stiffness)
    wide = std::max(wide, 2 * reach_of(stiff).norm() / stiff.outline.minCoeff());
  // an odd number: one is in the middle
  const int half = std::clamp(static_cast<int>(std::ceil(0.5 * wide / kFlatApart)), 1, kMostAcross / 2);
  const int rows = flat ? 2 : 2 * half + 1;
  for (int row = 0; row < rows; ++row) {
    const double across = 2.0 * row / (rows - 1) - 1;
    const auto add = [&](int edge, double share) {
      ContactStation station = station_at(model, rod, edge, share);
      put_beside(model, rod, edge, across, station);
      model.stations.push_back(station);
    };
    for (int edge = 0; edge < range.mesh.edges(); ++edge) {
      add(edge, 0);
      const double length = model.edges[at(range.first_edge + edge)].rest_length;
      const double apart = kFlatApart * range.edge_stiffness[at(edge)].outline.minCoeff();
      const int between = flat ? 0 : std::clamp(static_cast<int>(std::ceil(length / apart)) - 1, 0, kMostFlatBetween);
      for (int k = 1; k <= between; ++k) add(edge, k / (between + 1.0));
    }
    if (!range.mesh.closed) add(range.mesh.edges() - 1, 1);
  }
}

bool is_round(const RodRange& range) {
  return std::all_of(range.edge_stiffness.begin(), range.edge_stiffness.end(),
                     [](const Stiffness& stiff) { return stiff.outline[0] == stiff.outline[1]; });
}

// Nodes, and points between them where a solid is not flat.
void add_stations(ModelData& model, int rod, bool flat) {
  const RodRange& range = model.rods[at(rod)];
  if (!is_round(range)) {
    model.outlines = true;
    return add_flat_stations(model, rod, flat);
  }
  for (int edge = 0; edge < range.mesh.edges(); ++edge) {
    model.stations.push_back(station_at(model, rod, edge, 0));
    const double radius = model.stations.back().radius;
    const double length = model.edges[at(range.first_edge + edge)].rest_length;
    const int between =
        flat ? 0 : std::clamp(static_cast<int>(std::ceil(length / (kApart * radius))) - 1, 0, kMostBetween);
    for (int k = 1; k <= between; ++k) model.stations.push_back(station_at(model, rod, edge, k / (between + 1.0)));
  }
  if (!range.mesh.closed) model.stations.push_back(station_at(model, rod, range.mesh.edges() - 1, 1));
}

// Of a round solid; zero of one with edges, infinite of a plane.
double round_radius(const geometry::Shape& shape) {
  if (const auto* ball = std::get_if<geometry::Ball>(&shape)) return ball->radius;
  if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) return capsule->radius;
  if (const auto* cylinder = std::get_if<geometry::Cylinder>(&shape)) return cylinder->radius;
  return std::holds_alternative<geometry::HalfSpace>(shape) ? geometry::kFarAway : 0;
}

bool is_held(const ModelData& model, int node) {
  const auto& hold = model.position_hold[at(node)];
  return hold[0] >= 0 && hold[1] >= 0 && hold[2] >= 0;
}

// On the free body that bears the solid.
bool is_tied(const ModelData& model, const Solid& solid, int node) {
  if (solid.free < 0) return false;
  const int body = model.bodies[at(solid.free)].node;
  const auto ties = [&](const Tie& tie) { return tie.slave == node && tie.master == body; };
  const auto grips = [&](const Slider& slider) {
    return slider.body == solid.free && !slider.slides && model.hold_node[at(slider.hold)] == node;
  };
  return std::any_of(model.ties.begin(), model.ties.end(), ties) ||
         std::any_of(model.sliders.begin(), model.sliders.end(), grips);
}

// From a hold that is on or in a solid the rod leaves it: as far as it is drawn inside and its gap rises, the two are
// no contact. Nor is what is held wholly, unless the solid may move.
void leave_out_holds(ModelData& model) {
  const std::size_t solids = model.solids.size();
  const int count = static_cast<int>(model.stations.size());
  model.apart.assign(model.stations.size() * solids, 0);
  for (std::size_t k = 0; k < solids; ++k) {
    const Solid& solid = model.solids[k];
    const Body* body = solid.body >= 0 ? &model.scene->bodies[at(solid.body)] : nullptr;
    const auto gap = [&](int i) {
      const ContactStation& station = model.stations[at(i)];
      Vec3 x = position_of(model.start_position, model.start_frame, station);
      if (body != nullptr) x = body->orientation.conjugate() * (x - body->position);
      return geometry::distance_from(solid.shape, x).value - station.radius;
    };
    // what is drawn just touching is not inside by round-off
    constexpr double kInside = 1e-9;  // of the radius
    const auto inside = [&](int i) { return gap(i) < -kInside * model.stations[at(i)].radius; };
    const auto leave_out = [&](int i) { model.apart[at(i) * solids + k] = 1; };
    // a rod that slides through a body goes through its solid
    for (const Slider& slider : model.sliders)
      for (int i = 0; slider.carried() && slider.slides && slider.body == solid.free && i < count; ++i)
        if (model.stations[at(i)].rod == slider.rod) leave_out(i);
    // round a smooth solid a rod goes by its nodes: a straight edge would touch with its middle, and its nodes stand off
    for (int i = 0; i < count; ++i) {
      const ContactStation& station = model.stations[at(i)];
      const double length =
          station.b < 0 ? 0 : (model.start_position[at(station.b)] - model.start_position[at(station.a)]).norm();
      if (station.b >= 0 && round_radius(solid.shape) > length) leave_out(i);
    }
    for (int i = 0; i < count; ++i) {
      const ContactStation& station = model.stations[at(i)];
      const auto grips = [&](int node) { return is_held(model, node) || is_tied(model, solid, node); };
      if (!grips(station.a) && (station.b < 0 || !grips(station.b))) continue;
      if (station.b < 0 && (solid.free < 0 || inside(i))) leave_out(i);
      if (!inside(i)) continue;
      for (const int step : {-1, 1})
        for (int j = i + step; j >= 0 && j < count; j += step) {
          const bool same = model.stations[at(j)].rod == station.rod && model.stations[at(j)].across == station.across;
          if (!same || !inside(j) || gap(j) < gap(j - step)) break;
          leave_out(j);
        }
    }
  }
}

// That hold something off.
bool has_solids(const Scene& scene) {
  const bool solid = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& body) { return body.solid; });
  return scene.contact.obstacles && (scene::has_obstacles(scene) || solid);
}

// By its own shape, or by obstacles and solid scenery that it carries.
bool is_solid(const Scene& scene, const Body& body) {
  return body.solid ||
         std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [&](const Obstacle& obstacle) { return obstacle.body == body.name; }) ||
         std::any_of(scene.scenery.begin(), scene.scenery.end(),
                     [&](const Scenery& item) { return item.solid && item.body == body.name; });
}

bool is_used(const Scene& scene, const std::string& section) {
  return std::any_of(scene.rods.begin(), scene.rods.end(), [&](const Rod& rod) {
    return rod.section == section || std::any_of(rod.stations.begin(), rod.stations.end(),
                                                 [&](const Station& s) { return s.section == section; });
  });
}

// The explicit steppers push rods that are round, off what does not move freely.
void refuse_with_penalty(const Scene& scene, bool obstacles, std::vector<scene::Problem>& refusals) {
  for (const Body& body : scene.bodies)
    if (obstacles && body.motion == BodyMotion::Free && is_solid(scene, body))
      refusals.push_back({{"bodies", body.name},
                          "not yet supported: a free body that holds rods off with this stepper (body '" + body.name +
                              "'); implicit has it"});
  for (const SectionEntry& entry : scene.sections) {
    const Vec2 outline = stiffness(entry.section, Material{}).outline;
    if (is_used(scene, entry.name) && outline[0] != outline[1])
      refusals.push_back({{"sections", entry.name},
                          "not yet supported: contact of a section that is not round with this stepper (section '" +
                              entry.name + "'); implicit has it"});
  }
}

}  // namespace

SpanLaw edge_law(const ModelData& model, int rod, int edge) {
  const RodRange& range = model.rods[at(rod)];
  const Edge& of = model.edges[at(range.first_edge + edge)];
  const Stiffness& stiff = range.edge_stiffness[at(edge)];
  const double length = of.rest_length;
  const double radius = stiff.outline.minCoeff();
  const double bending = stiff.EI.maxCoeff();
  const double rigid = std::max(of.axial_stiffness / length, bending / (length * length * length));
  const double weight = of.mass * model.scene->gravity.norm();
  const double soft = 0.01 * bending / (radius * radius);
  return {kFirmness * rigid,
          std::min(std::max(weight, soft) / (kGive * radius), kFirmness * of.axial_stiffness / length)};
}

void compile_solids(ModelData& model) {
  const Scene& scene = *model.scene;
  for (const Obstacle& obstacle : scene::obstacles_of(scene)) {
    const int body = obstacle.body.empty() ? -1 : index_of(scene.bodies, obstacle.body);
    add_solid(model, scene::shape_of(obstacle), static_cast<int>(model.solids.size()), body, obstacle.friction,
              obstacle.material);
  }
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b)
    if (const Body& body = scene.bodies[at(b)]; body.solid)
      if (const std::optional<geometry::Shape> shape = scene::shape_of(body))
        add_solid(model, *shape, -1, b, body.friction, body.material);
}

void compile_contact(ModelData& model) {
  if (!model.scene->contact.obstacles) return;
  compile_solids(model);
  if (model.solids.empty()) return;
  // a straight edge goes through a plane by its ends only
  const bool flat = std::all_of(model.solids.begin(), model.solids.end(), [](const Solid& solid) {
    return std::holds_alternative<geometry::HalfSpace>(solid.shape);
  });
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod) add_stations(model, rod, flat);
  leave_out_holds(model);
  // what touches things is not put together from its edges: that would move the stations
  std::fill(model.root.begin(), model.root.end(), -1);
}

ModelData compile_with_contact(const Scene& scene) {
  ModelData model = compile_model(scene);
  compile_contact(model);
  compile_rod_contact(model);
  compile_body_contact(model);
  return model;
}

bool has_contact(const Scene& scene) {
  return has_solids(scene) || scene.contact.rods;
}

std::vector<scene::Problem> contact_refusals(const Scene& scene) {
  std::vector<scene::Problem> refusals;
  if (!has_contact(scene)) return refusals;
  const bool obstacles = has_solids(scene);
  for (const Body& body : scene.bodies) {
    if (!obstacles || body.motion != BodyMotion::Free || !is_solid(scene, body)) continue;
    if (!(scene::rigid_body(body).inertia.minCoeff() > 0))
      refusals.push_back({{"bodies", body.name},
                          "the free body '" + body.name +
                              "' is to hold rods off and has no inertia about all its axes: give it one, or a shape"});
  }
  for (const SectionEntry& entry : scene.sections) {
    if (!is_used(scene, entry.name)) continue;
    if (entry.section.shape == SectionShape::Given && !(entry.section.radius > 0))
      refusals.push_back(
          {{"sections", entry.name}, "section '" + entry.name + "' has no radius: it needs one to touch anything"});
  }
  if (scene.simulation.stepper != Stepper::Implicit) refuse_with_penalty(scene, obstacles, refusals);
  return refusals;
}

}  // namespace filum::discrete
