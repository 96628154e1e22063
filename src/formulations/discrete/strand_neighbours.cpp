#include "formulations/discrete/strand_neighbours.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace filum::discrete {
namespace {

// Along one rod, and from a place on where rods are joined or held, so many radii belong together.
constexpr double kNeighbours = 4;

}  // namespace

bool belong_together(const ModelData& model, int edge, int other) {
  const int i = std::min(edge, other);
  const int j = std::max(edge, other);
  const Edge& a = model.edges[at(i)];
  const Edge& b = model.edges[at(j)];
  const RodMesh& mesh = model.rods[at(a.rod)].mesh;
  const RodMesh& mesh_b = model.rods[at(b.rod)].mesh;
  const int p = i - model.rods[at(a.rod)].first_edge;
  const int q = j - model.rods[at(b.rod)].first_edge;
  const double near = kNeighbours * std::max(model.spans[at(i)].radius, model.spans[at(j)].radius);
  if (a.rod == b.rod) {
    const double between = mesh.s[at(q)] - (mesh.s[at(p)] + mesh.edge_length(p));
    if (q - p < kBeside || between < near) return true;
    const double round = mesh.s[at(p)] + mesh.length - (mesh.s[at(q)] + mesh.edge_length(q));
    if (mesh.closed && (q - p > mesh.edges() - kBeside || round < near)) return true;
  }
  const auto beside = [](const RodMesh& of, int k, double s, double reach) {
    return s > of.s[at(k)] - reach && s < of.s[at(k)] + of.edge_length(k) + reach;
  };
  return std::any_of(model.joined.begin(), model.joined.end(), [&](const JoinedPlaces& place) {
    return (place.rod_a == a.rod && place.rod_b == b.rod && beside(mesh, p, place.s_a, near) &&
            beside(mesh_b, q, place.s_b, near)) ||
           (place.rod_a == b.rod && place.rod_b == a.rod && beside(mesh, p, place.s_b, near) &&
            beside(mesh_b, q, place.s_a, near));
  });
}

}  // namespace filum::discrete
