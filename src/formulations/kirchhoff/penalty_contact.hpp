// Contact of the explicit steppers: springs that push out what is inside, with friction.
//
// After the penalty of [Wang2016, section 4.3], corrected: nearest points count at ends and along parallel edges too, the
// force pushes only, its stiffness follows from masses and step instead of being tuned, and it rubs. With g < 0 the gap of
// two points, w_k their nodes' weights, v = Σ w_k v_k − (what an obstacle moves by) and P = 1 − n nᵀ,
//
//     N = max(0, −k g − c n·v),      T = f − c P v, |T| ≤ μ N,      ḟ = −k P v while it sticks:
//
// an elastic stick that remembers f, so that nothing creeps. k and c are as large as symplectic Euler bears beside the rods'
// own bending. Of all contacts c together the stiffest that a node i feels is at most Σ_c k_c |w_ci| Σ_j |w_cj|
// (Gershgorin), so
//
//     k_c = κ/h² · min_i m_i/Σ_c' |w_c'i| Σ_j |w_c'j|,      c_c = ζ h k_c.
//
// What rests under its weight is therefore inside by g h²/κ. Wang's mean of the spring's force now and where the points are
// bound for is this with c = ½ h k.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "geometry/box_pairs.hpp"

#include <array>
#include <utility>
#include <vector>

namespace filum::kirchhoff {

class PenaltyContact {
 public:
  explicit PenaltyContact(const discrete::ModelData& model);
  [[nodiscard]] bool empty() const { return model_.stations.empty() && model_.spans.empty(); }
  // Of the longest step without contact, what is left with it.
  static constexpr double kStepShare = 0.8;

  // Who touches at the start of a step, and with what force.
  void find(const discrete::RodState& state, const Targets& targets, double step);
  void add_forces(std::vector<Vec3>& node_force) const;

  // The accounts of forces that act for so long on nodes with these velocities, in the mean.
  template <class Velocity>
  void account(double kick, const Velocity& mean, discrete::RodState& state) const {
    for (const Touching& touching : touching_) {
      Vec3 speed = Vec3::Zero();
      for (int k = 0; k < touching.count; ++k)
        speed += touching.weight[static_cast<std::size_t>(k)] * mean(touching.node[static_cast<std::size_t>(k)]);
      state.work += kick * touching.force.dot(touching.lead);
      state.dissipated -= kick * touching.force.dot(speed - touching.lead);
    }
  }

  // At the end of the step: whether things are still on the side where they were, and what contacts remember.
  [[nodiscard]] bool leads_through(const discrete::RodState& end, const std::vector<Vec3>& start);
  void remember(double step, const std::vector<Vec3>& start, discrete::RodState& end) const;

 private:
  static constexpr int kNodes = 4;
  struct Touching {
    int count = 0;
    std::array<int, kNodes> node{};
    std::array<double, kNodes> weight{};
    Vec3 normal = Vec3::UnitZ();
    double depth = 0;
    Vec3 lead = Vec3::Zero();   // velocity of the obstacle there
    double friction = 0;        // μ
    Vec3 stick = Vec3::Zero();  // f
    double stiffness = 0;       // k
    double press = 0;           // N
    Vec3 force = Vec3::Zero();  // all of it
    bool slips = false;
    int pair = -1;            // of a station and a solid, or
    discrete::RodTouch rods;  // of two edges
  };

  void place_solids(const discrete::RodState& state, const Targets& targets);
  void find_on_solids(const discrete::RodState& state, double step);
  void find_pairs(const std::vector<Vec3>& from, const std::vector<Vec3>& to);
  void find_on_rods(const discrete::RodState& state);
  void share_stiffness(double step);
  void act(const discrete::RodState& state, double step);

  const discrete::ModelData& model_;
  std::vector<discrete::SolidPlace> before_;
  std::vector<discrete::SolidPlace> now_;
  std::vector<Touching> touching_;
  std::vector<double> load_;  // per node: Σ_c |w_ci| Σ_j |w_cj|
  // edges that may touch, for as long as no node has moved far from where they were looked for
  std::vector<std::pair<int, int>> pairs_;
  std::vector<Vec3> looked_from_;
  std::vector<geometry::Box> boxes_;
  geometry::BoxPairs finder_;
  double margin_ = 0;
};

}  // namespace filum::kirchhoff
