#include "formulations/kirchhoff/mobility.hpp"

#include "base/index.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::kirchhoff {

namespace {

int rod_of(const ModelData& model, int node) {
  int rod = 0;
  while (rod + 1 < static_cast<int>(model.rods.size()) && model.rods[at(rod + 1)].first_node <= node) ++rod;
  return rod;
}

// For each rod, the first rod of its component.
std::vector<int> leaders(const ModelData& model) {
  std::vector<int> leader(model.rods.size());
  std::iota(leader.begin(), leader.end(), 0);
  auto find = [&](int rod) {
    while (leader[at(rod)] != rod) rod = leader[at(rod)];
    return rod;
  };
  for (const Tie& tie : model.ties) {
    const int a = find(rod_of(model, tie.slave));
    const int b = find(rod_of(model, tie.master));
    leader[at(std::max(a, b))] = std::min(a, b);
  }
  for (std::size_t r = 0; r < leader.size(); ++r) leader[r] = find(static_cast<int>(r));
  return leader;
}

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

// Adds what a hold opposes, as forces on the six rigid motions (translation, rotation about the origin over the size).
void oppose(Mat6& gram, const Vec3& point, const FixedAxes& position, const FixedAxes& orientation, double size) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec6 row;
    if (position[at(axis)]) {
      row << Vec3::Unit(axis), point.cross(Vec3::Unit(axis)) / size;
      gram += row * row.transpose();
    }
    if (orientation[at(axis)]) {
      row << Vec3::Zero(), Vec3::Unit(axis);
      gram += row * row.transpose();
    }
  }
}

}  // namespace

std::vector<Component> find_components(const ModelData& model) {
  const std::vector<int> leader = leaders(model);
  std::vector<Component> components;
  for (int first = 0; first < static_cast<int>(leader.size()); ++first) {
    if (leader[at(first)] != first) continue;
    Component component;
    for (std::size_t r = 0; r < leader.size(); ++r)
      if (leader[r] == first) component.rods.push_back(static_cast<int>(r));

    Mat6 gram = Mat6::Zero();
    const Vec3 origin = model.start_position[at(model.rods[at(first)].first_node)];
    for (std::size_t h = 0; h < model.scene.holds.size(); ++h) {
      const Hold& hold = model.scene.holds[h];
      const auto rod = std::find_if(component.rods.begin(), component.rods.end(),
                                    [&](int r) { return model.scene.rods[at(r)].name == hold.rod; });
      if (rod == component.rods.end()) continue;
      const RodRange& range = model.rods[at(*rod)];
      const int node = range.first_node + range.mesh.node_at(hold.at.at(range.mesh.length));
      oppose(gram, model.start_position[at(node)] - origin, hold.fix_position, hold.fix_orientation, model.size);
      for (std::size_t axis = 0; axis < 3; ++axis)
        component.held[axis] = component.held[axis] || hold.fix_position[axis];
    }
    component.mobile = Eigen::SelfAdjointEigenSolver<Mat6>(gram).eigenvalues()[0] < 1e-9;
    components.push_back(std::move(component));
  }
  return components;
}

std::string unopposed_force(const ModelData& model, const std::vector<Component>& components, const Targets& targets) {
  for (const Component& component : components) {
    Vec3 net = Vec3::Zero();
    double sum = 0;
    auto add = [&](const Vec3& force) {
      net += force;
      sum += force.norm();
    };
    for (const int r : component.rods) {
      const RodRange& range = model.rods[at(r)];
      for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
        add(targets.load * model.node_mass[at(node)] * model.scene.gravity);
        add(targets.load * model.distributed[at(node)]);
      }
      for (const PointLoad& load : model.forces)
        if (!load.follow && rod_of(model, load.node) == r)
          add(targets.load * targets.force_scale[at(load.index)] * load.value);
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (component.held[at(axis)] || std::abs(net[axis]) <= 1e-12 * sum) continue;
      const char* name = axis == 0 ? "x" : axis == 1 ? "y" : "z";
      return "nothing holds rod '" + model.scene.rods[at(component.rods.front())].name + "' along " + name +
             ", and a net force acts on it: there is no equilibrium";
    }
  }
  return {};
}

}  // namespace filum::kirchhoff
