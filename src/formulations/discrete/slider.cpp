#include "formulations/discrete/slider.hpp"

#include "base/index.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace filum::discrete {

namespace {

// The edge that holds s, and its nodes with one neighbour on either side where there is one.
struct Stencil {
  SliderSupport support;
  std::array<double, 4> s{};  // arc lengths of the nodes, unwrapped around `edge`
  int left = 0;               // place of the edge's first node in the support
};

Stencil stencil(const RodMesh& mesh, double s) {
  const int nodes = mesh.nodes();
  const int edges = mesh.edges();
  const auto above = std::upper_bound(mesh.s.begin(), mesh.s.end(), s);
  const int edge = std::clamp(static_cast<int>(above - mesh.s.begin()) - 1, 0, edges - 1);

  Stencil st;
  int first = edge - 1;
  int last = edge + 2;
  if (!mesh.closed) {
    first = std::max(first, 0);
    last = std::min(last, nodes - 1);
  }
  if (mesh.closed && nodes < 4) {
    first = edge;
    last = edge + 1;
  }
  for (int k = first; k <= last; ++k) {
    const int node = (k % nodes + nodes) % nodes;
    const auto place = static_cast<std::size_t>(st.support.count);
    st.support.node[place] = node;
    st.s[place] = mesh.s[static_cast<std::size_t>(node)] + mesh.length * std::floor(static_cast<double>(k) / nodes);
    if (k == edge) st.left = st.support.count;
    ++st.support.count;
  }
  return st;
}

// Slope at node `at` of the parabola through three neighbouring support nodes (of the line through two).
std::array<double, 4> node_slope(const Stencil& st, int at) {
  std::array<double, 4> w{};
  auto s = [&](int k) { return st.s[static_cast<std::size_t>(k)]; };
  if (st.support.count < 3) {
    const double h = s(1) - s(0);
    w[0] = -1 / h;
    w[1] = 1 / h;
    return w;
  }
  // the three nodes around `at`, shifted inwards at a rod's end
  const int first = std::clamp(at - 1, 0, st.support.count - 3);
  for (int k = first; k < first + 3; ++k) {
    const int p = k == first ? first + 1 : first;
    const int q = k == first + 2 ? first + 1 : first + 2;
    // derivative of the Lagrange polynomial of node k at node `at`
    w[static_cast<std::size_t>(k)] = ((s(at) - s(p)) + (s(at) - s(q))) / ((s(k) - s(p)) * (s(k) - s(q)));
  }
  return w;
}

}  // namespace

SliderSupport slider_support(const RodMesh& mesh, double s) {
  return stencil(mesh, s).support;
}

SliderWeights slider_weights(const RodMesh& mesh, double s) {
  const Stencil st = stencil(mesh, s);
  const auto left = static_cast<std::size_t>(st.left);
  const double h = st.s[left + 1] - st.s[left];
  const double u = (s - st.s[left]) / h;

  const std::array<double, 4> m0 = node_slope(st, st.left);
  const std::array<double, 4> m1 = node_slope(st, st.left + 1);
  // Hermite basis: values at the ends (p) and slopes (m), with their derivatives by s
  const double p1 = u * u * (3 - 2 * u), dp1 = 6 * u * (1 - u) / h, ddp1 = (6 - 12 * u) / (h * h);
  const double q0 = h * u * (1 - u) * (1 - u), dq0 = 1 + u * (3 * u - 4), ddq0 = (6 * u - 4) / h;
  const double q1 = h * u * u * (u - 1), dq1 = u * (3 * u - 2), ddq1 = (6 * u - 2) / h;

  SliderWeights w;
  for (std::size_t k = 0; k < 4; ++k) {
    w.value[k] = q0 * m0[k] + q1 * m1[k];
    w.slope[k] = dq0 * m0[k] + dq1 * m1[k];
    w.curvature[k] = ddq0 * m0[k] + ddq1 * m1[k];
  }
  w.value[left] += 1 - p1;
  w.slope[left] -= dp1;
  w.curvature[left] -= ddp1;
  w.value[left + 1] += p1;
  w.slope[left + 1] += dp1;
  w.curvature[left + 1] += ddp1;
  return w;
}

Vec3 nodal_at(const RodMesh& mesh, const std::vector<Vec3>& nodal, int first_node, double s) {
  const SliderSupport support = slider_support(mesh, s);
  const SliderWeights weights = slider_weights(mesh, s);
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(support.count); ++i)
    sum += weights.value[i] * nodal[static_cast<std::size_t>(first_node + support.node[i])];
  return sum;
}

double drawn_slide(const ModelData& model, const Slider& slider) {
  const RodMesh& mesh = model.rods[at(slider.rod)].mesh;
  if (!slider.slides) return mesh.s[at(model.hold_node[at(slider.hold)] - model.rods[at(slider.rod)].first_node)];
  const double s = model.scene->holds[at(slider.hold)].at.at(mesh.length) + slider.offset;
  return mesh.closed ? s : std::clamp(s, 0.0, mesh.length);
}

double slide_way(const ModelData& model, const Slider& slider, double from, double to) {
  const RodMesh& mesh = model.rods[at(slider.rod)].mesh;
  const double by = to - from;
  return mesh.closed ? by - mesh.length * std::round(by / mesh.length) : by;
}

SliderFriction slider_friction(const ModelData& model, int index, const SliderMemory& state) {
  const Slider& slider = model.sliders[at(index)];
  SliderFriction out;
  if (slider.friction == 0) return out;
  const double by = slide_way(model, slider, state.slide_anchor[at(index)], state.slide[at(index)]);
  const double elastic = slider.stick * by;
  if (std::abs(elastic) <= slider.friction) return {elastic, slider.stick, 0.5 * elastic * by};
  out.force = std::copysign(slider.friction, by);
  out.energy = slider.friction * (std::abs(by) - 0.5 * slider.friction / slider.stick);
  return out;
}

double keep_anchors(const ModelData& model, const std::vector<double>* start_slide, SliderMemory& state) {
  double taken = 0;
  for (std::size_t k = 0; k < model.sliders.size(); ++k) {
    const Slider& slider = model.sliders[k];
    if (slider.friction == 0) continue;
    const double force = slider_friction(model, static_cast<int>(k), state).force;
    if (start_slide != nullptr) taken += force * slide_way(model, slider, (*start_slide)[k], state.slide[k]);
    state.slide_anchor[k] = state.slide[k] - force / slider.stick;
  }
  return taken;
}

double stop_blow(const ModelData& model, int index, double start_slide, double stop_pull, const SliderMemory& state) {
  if (state.slide_stop[at(index)] == 0) return 0;
  return -stop_pull * slide_way(model, model.sliders[at(index)], start_slide, state.slide[at(index)]);
}

double slider_keep(const ModelData& model, const Slider& slider) {
  constexpr double kShare = 1e-8;  // of the rod's stretch stiffness
  if (fixes_all(slider.fixed)) return 0;
  const RodRange& range = model.rods[at(slider.rod)];
  return kShare * model.edges[at(range.first_edge)].axial_stiffness / range.mesh.length;
}

HoldPose slider_hold(const ModelData& model, const SliderMemory& state, const std::vector<double>& length_factor,
                     const Targets& targets, int hold) {
  HoldPose pose;
  pose.position = targets.holds[at(hold)].position;
  int grips = 0;
  for (std::size_t k = 0; k < model.sliders.size(); ++k) {
    const Slider& slider = model.sliders[k];
    if (slider.hold != hold) continue;
    pose.s += state.slide[k] * length_factor[at(slider.rod)];
    pose.force -= state.slide_force[k];
    pose.moment -= (slider_target(slider, targets) - pose.position).cross(state.slide_force[k]);
    ++grips;
  }
  pose.s /= grips;
  return pose;
}

GripPoint grip_point(const ModelData& model, int index, double s, const std::vector<Vec3>& position,
                     const std::vector<Mat3>& rotor) {
  const Slider& slider = model.sliders[at(index)];
  const RodRange& range = model.rods[at(slider.rod)];
  GripPoint point;
  point.support = slider_support(range.mesh, s);
  point.weight = slider_weights(range.mesh, s);
  if (slider.carried()) {
    const FreeBody& body = model.bodies[at(slider.body)];
    point.place.apart = -position[at(body.node)];
    point.place.axes = rotor[at(body.rotor)];
  }
  for (int i = 0; i < point.support.count; ++i) {
    const Vec3& x = position[at(range.first_node + point.support.node[at(i)])];
    point.place.apart += point.weight.value[at(i)] * x;
    point.slope += point.weight.slope[at(i)] * x;
    point.bend += point.weight.curvature[at(i)] * x;
  }
  return point;
}

HoldPose carried_hold(const ModelData& model, const RodState& state, int hold) {
  struct Acting {
    Vec3 point, force;
    double s;
  };
  std::vector<Acting> grips;
  for (std::size_t k = 0; k < model.sliders.size(); ++k) {
    const Slider& slider = model.sliders[k];
    if (slider.hold != hold) continue;
    const CarriedPlace place =
        grip_point(model, static_cast<int>(k), state.slide[k], state.position, state.rotor).place;
    grips.push_back({state.position[at(model.bodies[at(slider.body)].node)] + place.apart,
                     -place.axes * state.slide_force[k], state.slide[k] * state.length_factor[at(slider.rod)]});
  }
  HoldPose pose;
  const double share = 1.0 / static_cast<double>(grips.size());
  for (const Acting& grip : grips) {
    pose.position += share * grip.point;
    pose.s += share * grip.s;
    pose.force += grip.force;
  }
  for (const Acting& grip : grips) pose.moment += (grip.point - pose.position).cross(grip.force);
  return pose;
}

void slide(const ModelData& model, int slider, double by, SliderMemory& state) {
  if (state.slide_stop[at(slider)] != 0 || !model.sliders[at(slider)].slides) return;
  const RodMesh& mesh = model.rods[at(model.sliders[at(slider)].rod)].mesh;
  double s = state.slide[at(slider)] + std::clamp(by, -0.1 * mesh.length, 0.1 * mesh.length);
  if (mesh.closed) {
    state.slide[at(slider)] = s - mesh.length * std::floor(s / mesh.length);
    return;
  }
  if (s <= 0 || s >= mesh.length) state.slide_stop[at(slider)] = s <= 0 ? -1 : 1;
  state.slide[at(slider)] = std::clamp(s, 0.0, mesh.length);
}

}  // namespace filum::discrete
