#include "formulations/kirchhoff/refine.hpp"

#include "base/index.hpp"
#include "formulations/kirchhoff/slider.hpp"
#include "rod/edge.hpp"

#include <algorithm>
#include <cmath>

namespace filum::kirchhoff {

namespace {

// The coarse edge that holds s.
int edge_at(const RodMesh& mesh, double s) {
  const auto above = std::upper_bound(mesh.s.begin(), mesh.s.end(), s);
  return std::clamp(static_cast<int>(above - mesh.s.begin()) - 1, 0, mesh.edges() - 1);
}

Vec3 position_at(const RodRange& range, const RodState& state, double s) {
  const SliderSupport support = slider_support(range.mesh, s);
  const SliderWeights weights = slider_weights(range.mesh, s);
  Vec3 x = Vec3::Zero();
  for (int i = 0; i < support.count; ++i)
    x += weights.value[at(i)] * state.position[at(range.first_node + support.node[at(i)])];
  return x;
}

// Twist rate of a rod at each of its nodes, rad/m; 0 at a free end.
std::vector<double> twist_rates(const ModelData& model, const RodRange& range, const RodState& state) {
  std::vector<double> rate(at(range.mesh.nodes()), 0);
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
    rate[at(model.joints[at(k)].node - range.first_node)] = state.twist[at(k)] / model.joints[at(k)].cell;
  return rate;
}

// The frame at s: from the middle of the edge there, turned by the twist rate of the nearer node.
Mat3 frame_at(const RodRange& range, const RodState& state, const std::vector<double>& rate, double s) {
  const RodMesh& mesh = range.mesh;
  const int edge = edge_at(mesh, s);
  const double offset = s - (mesh.s[at(edge)] + 0.5 * mesh.edge_length(edge));
  const double turn = offset * rate[at(mesh.node_at(s))];
  return state.frame[at(range.first_edge + edge)] * Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
}

}  // namespace

void refine(const ModelData& coarse, const RodState& coarse_state, const ModelData& fine, RodState& fine_state) {
  for (std::size_t r = 0; r < fine.rods.size(); ++r) {
    const RodRange& from = coarse.rods[r];
    const RodRange& to = fine.rods[r];
    const std::vector<double> rate = twist_rates(coarse, from, coarse_state);
    for (int i = 0; i < to.mesh.nodes(); ++i)
      fine_state.position[at(to.first_node + i)] = position_at(from, coarse_state, to.mesh.s[at(i)]);
    for (int j = 0; j < to.mesh.edges(); ++j) {
      const double s = to.mesh.s[at(j)] + 0.5 * to.mesh.edge_length(j);
      const auto index = at(to.first_edge + j);
      const Edge& edge = fine.edges[index];
      fine_state.edge[index] = fine_state.position[at(edge.b)] - fine_state.position[at(edge.a)];
      fine_state.frame[index] = rod::carried_frame(frame_at(from, coarse_state, rate, s), fine_state.edge[index], 0);
      fine_state.tension[index] = coarse_state.tension[at(from.first_edge + edge_at(from.mesh, s))];
    }
    // twists in proportion to the cells; the joints only need them to tell whole turns apart
    for (int k = to.first_joint; k < to.first_joint + to.joints; ++k) {
      const Joint& joint = fine.joints[at(k)];
      const double s = to.mesh.s[at(joint.node - to.first_node)];
      fine_state.twist[at(k)] = rate[at(from.mesh.node_at(s))] * joint.cell;
    }
  }
  fine_state.rotor = coarse_state.rotor;
  fine_state.rotor_target = coarse_state.rotor_target;
  fine_state.rotor_turns = coarse_state.rotor_turns;
  fine_state.tie_force = coarse_state.tie_force;
  fine_state.slide = coarse_state.slide;
  fine_state.slide_force = coarse_state.slide_force;
  fine_state.slide_stop = coarse_state.slide_stop;
}

}  // namespace filum::kirchhoff
