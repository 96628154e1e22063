// Rods that hold each other off: their centre lines span by span, and which places of them belong together.
#include "base/index.hpp"
#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/slider.hpp"
#include "scene/friction.hpp"

#include <filum/scene.hpp>

#include <algorithm>

namespace filum::discrete {
namespace {

// Held places of rods that are no further apart than so many times their radii together belong together.
constexpr double kSideBySide = 1.5;

// The cubic that sliding holds use, on one edge, as a polynomial.
contact::Span span_of(const RodRange& range, int edge) {
  const RodMesh& mesh = range.mesh;
  const double length = mesh.edge_length(edge);
  const double start = mesh.s[at(edge)];
  const SliderSupport support = slider_support(mesh, start);
  const SliderWeights first = slider_weights(mesh, start);
  const SliderWeights middle = slider_weights(mesh, start + 0.5 * length);
  contact::Span span;
  span.count = support.count;
  span.length = length;
  span.radius = range.edge_stiffness[at(edge)].outline.maxCoeff();
  for (int p = 0; p < support.count; ++p) {
    span.node[at(p)] = range.first_node + support.node[at(p)];
    const double c0 = first.value[at(p)];
    const double c1 = first.slope[at(p)] * length;
    const double c2 = 0.5 * first.curvature[at(p)] * length * length;
    span.weight.row(p) << c0, c1, c2, 8 * (middle.value[at(p)] - c0 - 0.5 * c1 - 0.25 * c2);
  }
  return span;
}

// Nodes of rods that are tied to one another or to one body, or held beside each other.
void find_joined(ModelData& model) {
  struct Place {
    int rod;
    double s;
    int node;
  };
  std::vector<Place> held;
  const auto place_of = [&](int node) {
    for (std::size_t r = 0; r < model.rods.size(); ++r) {
      const RodRange& range = model.rods[r];
      if (node >= range.first_node && node < range.first_node + range.mesh.nodes())
        return Place{static_cast<int>(r), range.mesh.s[at(node - range.first_node)], node};
    }
    return Place{-1, 0, node};
  };
  for (std::size_t node = 0; node < model.position_hold.size(); ++node) {
    const auto& hold = model.position_hold[node];
    if (hold[0] >= 0 || hold[1] >= 0 || hold[2] >= 0) held.push_back(place_of(static_cast<int>(node)));
  }
  const auto join = [&](const Place& a, const Place& b) {
    if (a.rod >= 0 && b.rod >= 0 && a.node != b.node) model.joined.push_back({a.rod, a.s, b.rod, b.s});
  };
  const auto radius = [&](const Place& place) {
    return place.rod < 0 ? 0.0 : model.rods[at(place.rod)].edge_stiffness.front().outline.maxCoeff();
  };
  for (std::size_t i = 0; i < held.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 apart = model.start_position[at(held[i].node)] - model.start_position[at(held[j].node)];
      if (apart.norm() < kSideBySide * (radius(held[i]) + radius(held[j]))) join(held[i], held[j]);
    }
  for (std::size_t i = 0; i < model.ties.size(); ++i) {
    join(place_of(model.ties[i].slave), place_of(model.ties[i].master));
    for (std::size_t j = 0; j < i; ++j)
      if (model.ties[i].master == model.ties[j].master)
        join(place_of(model.ties[i].slave), place_of(model.ties[j].slave));
  }
}

// Rods on rods stick no harder than 10 EI/a³, unless their weight asks for it: where many stations change between stick
// and slip in two directions, as in a knot, a harder stick flips.
SpanLaw span_law(const ModelData& model, int rod, int edge) {
  constexpr double kStick = 10;
  constexpr double kHeld = 1e-4;  // of the radius, under a span's own weight
  const RodRange& range = model.rods[at(rod)];
  const Stiffness& stiff = range.edge_stiffness[at(edge)];
  const double radius = stiff.outline.maxCoeff();
  const double weight = model.edges[at(range.first_edge + edge)].mass * model.scene->gravity.norm();
  const double bending = kStick * stiff.EI.maxCoeff() / (radius * radius * radius);
  SpanLaw law = edge_law(model, rod, edge);
  law.stick = std::min(law.stick, std::max(bending, weight / (kHeld * radius)));
  return law;
}

}  // namespace

void compile_rod_friction(ModelData& model) {
  const Contact& contact = model.scene->contact;
  if (!contact.rods) return;
  for (const std::string& one : model.surfaces)
    for (const std::string& other : model.surfaces)
      model.rod_friction.push_back(scene::pair_friction(contact, one, other).value_or(contact.friction));
}

void compile_rod_contact(ModelData& model) {
  if (!model.scene->contact.rods) return;
  compile_rod_friction(model);
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod)
    for (int edge = 0; edge < model.rods[at(rod)].mesh.edges(); ++edge) {
      model.spans.push_back(span_of(model.rods[at(rod)], edge));
      model.span_laws.push_back(span_law(model, rod, edge));
    }
  find_joined(model);
  // what touches things is not put together from its edges: that would move the stations
  std::fill(model.root.begin(), model.root.end(), -1);
}

}  // namespace filum::discrete
