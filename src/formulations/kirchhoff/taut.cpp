#include "formulations/kirchhoff/taut.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <array>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

// A rod between two holds that is this near to its full length cannot move sideways.
constexpr double kTight = 1e-6;

bool is_held(const std::array<int, 3>& hold) {
  return hold[0] >= 0 && hold[1] >= 0 && hold[2] >= 0;
}

}  // namespace

StringRate::StringRate(const ModelData& model) : per_tension_(model.edges.size(), 0) {
  std::vector<int> edges_at(at(model.nodes), 0);
  for (const Edge& edge : model.edges)
    for (const int node : {edge.a, edge.b}) ++edges_at[at(node)];
  for (std::size_t j = 0; j < model.edges.size(); ++j)
    for (const int node : {model.edges[j].a, model.edges[j].b})
      if (!is_held(model.position_hold[at(node)]))
        per_tension_[j] += edges_at[at(node)] / (model.node_mass[at(node)] * model.edges[j].rest_length);
}

double StringRate::fastest(std::span<const double> tension, int first_edge, int edges) const {
  double rate = 0;
  for (auto j = at(first_edge); j < at(first_edge + edges); ++j) rate = std::max(rate, per_tension_[j] * tension[j]);
  return rate;
}

bool has_tight_rod(const ModelData& model, std::span<const Vec3> position) {
  for (const RodRange& range : model.rods) {
    int last = -1;
    for (int i = 0; i < range.mesh.nodes(); ++i) {
      if (!is_held(model.position_hold[at(range.first_node + i)])) continue;
      if (last >= 0) {
        const double arc = range.mesh.s[at(i)] - range.mesh.s[at(last)];
        const Vec3 apart = position[at(range.first_node + i)] - position[at(range.first_node + last)];
        if (apart.norm() > (1 - kTight) * arc) return true;
      }
      last = i;
    }
  }
  return false;
}

}  // namespace filum::kirchhoff
