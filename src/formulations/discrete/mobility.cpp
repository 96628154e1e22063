#include "formulations/discrete/mobility.hpp"

#include "base/index.hpp"
#include "math/dense.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::discrete {

namespace {

// Rods and free bodies are numbered together, rods first.
int thing_of(const ModelData& model, int node) {
  const int rods = static_cast<int>(model.rods.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].node == node) return rods + static_cast<int>(b);
  int rod = 0;
  while (rod + 1 < rods && model.rods[at(rod + 1)].first_node <= node) ++rod;
  return rod;
}

// For each thing, the first thing of its component.
std::vector<int> leaders(const ModelData& model) {
  std::vector<int> leader(model.rods.size() + model.bodies.size());
  std::iota(leader.begin(), leader.end(), 0);
  auto find = [&](int thing) {
    while (leader[at(thing)] != thing) thing = leader[at(thing)];
    return thing;
  };
  const auto join = [&](int one, int other) {
    const int a = find(one), b = find(other);
    leader[at(std::max(a, b))] = std::min(a, b);
  };
  for (const Tie& tie : model.ties) join(thing_of(model, tie.slave), thing_of(model, tie.master));
  for (const Slider& slider : model.sliders)
    if (slider.carried()) join(slider.rod, static_cast<int>(model.rods.size()) + slider.body);
  for (std::size_t r = 0; r < leader.size(); ++r) leader[r] = find(static_cast<int>(r));
  return leader;
}

bool is_on_free_body(const ModelData& model, const Hold& hold) {
  return std::any_of(model.bodies.begin(), model.bodies.end(),
                     [&](const FreeBody& b) { return model.scene->bodies[at(b.body)].name == hold.body; });
}

using Vec6 = Eigen::Matrix<double, 6, 1>;
using math::Mat6;

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
    const int rods = static_cast<int>(model.rods.size());
    for (int thing = 0; thing < static_cast<int>(leader.size()); ++thing)
      if (leader[at(thing)] == first)
        thing < rods ? component.rods.push_back(thing) : component.bodies.push_back(thing - rods);

    Mat6 gram = Mat6::Zero();
    const Vec3 origin =
        model.start_position[at(first < rods ? model.rods[at(first)].first_node : model.bodies[at(first - rods)].node)];
    for (std::size_t h = 0; h < model.scene->holds.size(); ++h) {
      const Hold& hold = model.scene->holds[h];
      if (is_on_free_body(model, hold)) continue;
      const auto rod = std::find_if(component.rods.begin(), component.rods.end(),
                                    [&](int r) { return model.scene->rods[at(r)].name == hold.rod; });
      if (rod == component.rods.end()) continue;
      const RodRange& range = model.rods[at(*rod)];
      const int node = range.first_node + range.mesh.node_at(hold.at.at(range.mesh.length));
      oppose(gram, model.start_position[at(node)] - origin, hold.fix.position, hold.fix.orientation, model.size);
      for (std::size_t axis = 0; axis < 3; ++axis)
        component.held[axis] = component.held[axis] || hold.fix.position[axis];
    }
    component.mobile = math::least_eigenvalue(gram) < 1e-9;
    components.push_back(std::move(component));
  }
  return components;
}

namespace {

bool belongs(const ModelData& model, const Component& component, int node) {
  const int rods = static_cast<int>(model.rods.size());
  const int thing = thing_of(model, node);
  const std::vector<int>& list = thing < rods ? component.rods : component.bodies;
  return std::find(list.begin(), list.end(), thing < rods ? thing : thing - rods) != list.end();
}

}  // namespace

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
        add(targets.load * model.node_mass[at(node)] * model.gravity);
        add(targets.load * model.distributed[at(node)]);
      }
    }
    for (const int b : component.bodies)
      add(targets.load * model.node_mass[at(model.bodies[at(b)].node)] * model.gravity);
    for (const PointLoad& load : model.forces)
      if (!load.follow && belongs(model, component, load.node))
        add(targets.load * targets.force_scale[at(load.index)] * load.value);
    for (int axis = 0; axis < 3; ++axis) {
      if (component.held[at(axis)] || std::abs(net[axis]) <= 1e-12 * sum) continue;
      const char* name = axis == 0 ? "x" : axis == 1 ? "y" : "z";
      const std::string what =
          component.rods.empty()
              ? "body '" + model.scene->bodies[at(model.bodies[at(component.bodies.front())].body)].name
              : "rod '" + model.scene->rods[at(component.rods.front())].name;
      return "nothing holds " + what + "' along " + name + ", and a net force acts on it: there is no equilibrium";
    }
  }
  return {};
}

}  // namespace filum::discrete
