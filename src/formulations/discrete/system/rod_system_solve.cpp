// Solving for a step and moving the state by it.
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "math/lane_table.hpp"
#include "math/rotation.hpp"
#include "rod/joint_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace filum::discrete {

namespace {
// Of the stiffness of a rod's softest bending mode.
constexpr double kMobileShift = 1e-6;

// What the linear step makes of joints' twists, and of moments that are Newton's own. `turn(k)`: of the right side of
// joint k against its left.
template <class TurnOf>
struct Foreseen {
  const std::vector<rod::JointStrain>& strain;
  const TurnOf& turn;
  double factor;
};

template <class T, class TurnOf, class Joint>
math::Vec3Of<T> turns_of(const Foreseen<TurnOf>& from, const Joint& joint) {
  std::array<Vec3, math::kLanesOf<T>> turns;
  for (int i = 0; i < math::kLanesOf<T>; ++i) turns[at(i)] = from.turn(joint(i));
  return math::gathered<math::Vec3Of, T>([&](int i) -> const Vec3& { return turns[at(i)]; });
}

// Where moments are Newton's own: by how much that of joint k grows with its strain, what acted, and what is foreseen.
template <class SlopeOf>
struct ForeseenMoments {
  const SlopeOf& slope;
  const std::vector<Vec3>& acted;
  std::vector<Vec3>& moments;
};

// `moments`: null where they are not.
template <class TurnOf, class SlopeOf>
void foresee(const Foreseen<TurnOf>& from, const ForeseenMoments<SlopeOf>* moments, std::vector<double>& twists) {
  const int joints = static_cast<int>(twists.size());
  math::in_lanes([&]<class T>() {
    for (int first = 0; first < joints; first += math::kLanesOf<T>) {
      const auto k = [&](int lane) { return at(std::min(first + lane, joints - 1)); };
      const auto vectors = [&](const auto& pick) {
        return math::gathered<math::Vec3Of, T>([&](int i) -> const Vec3& { return pick(k(i)); });
      };
      const auto strain =
          math::gathered<rod::JointStrainOf, T>([&](int i) -> const rod::JointStrain& { return from.strain[k(i)]; });
      const math::Vec3Of<T> turn = turns_of<T>(from, k);
      const T twist = math::gathered<math::NumberOf, T>([&](int i) -> const double& { return twists[k(i)]; });
      math::scatter<math::NumberOf, T>(T(twist + from.factor * strain.twist_gradient().dot(turn)), joints - first,
                                       [&](int i) -> double& { return twists[k(i)]; });
      if (moments == nullptr) continue;
      const math::Vec3Of<T> change = rod::strain_gradient(strain).transpose() * turn;
      const math::Vec3Of<T> before = vectors([&](std::size_t j) -> const Vec3& { return moments->moments[j]; });
      const math::Vec3Of<T> foreseen = vectors([&](std::size_t j) -> const Vec3& { return moments->acted[j]; }) +
                                       vectors(moments->slope).cwiseProduct(change);
      math::scatter<math::Vec3Of, T>(math::Vec3Of<T>(before + from.factor * (foreseen - before)), joints - first,
                                     [&](int i) -> Vec3& { return moments->moments[k(i)]; });
    }
  });
}

}  // namespace

// Whether a rod is put together from its edges. In motion that takes a root that is held, or free on all axes, and turns
// that are not so large that inertia would mind where it then comes to lie.
bool RodSystem::hangs(int rod, bool far) const {
  const int root = model_.root[at(rod)];
  if (root < 0 || motion_ == nullptr) return root >= 0;
  const auto& hold = model_.position_hold[at(root)];
  const auto held = std::count_if(hold.begin(), hold.end(), [](int by) { return by >= 0; });
  return !far && (held == 3 || (held == 0 && conserving()));
}

// Positions of a rod from its edges. One that moves and is not held has its centre of mass where the linear step puts it:
// so no momentum is lost.
void RodSystem::hang(int rod, RodState& state) const {
  if (motion_ == nullptr || model_.position_hold[at(model_.root[at(rod)])][0] >= 0) return hang_from_root(rod, state);
  const RodRange& range = model_.rods[at(rod)];
  const int end = range.first_node + range.mesh.nodes();
  double mass = 0;
  Vec3 lag = Vec3::Zero();
  for (int node = range.first_node; node < end; ++node) {
    mass += model_.node_mass[at(node)];
    lag += model_.node_mass[at(node)] * state.position[at(node)];
  }
  hang_from_root(rod, state);
  for (int node = range.first_node; node < end; ++node) lag -= model_.node_mass[at(node)] * state.position[at(node)];
  for (int node = range.first_node; node < end; ++node) state.position[at(node)] += lag / mass;
}

// Positions of a rod from its root and its edges.
void RodSystem::hang_from_root(int rod, RodState& state) const {
  const RodRange& range = model_.rods[at(rod)];
  const int root = model_.root[at(rod)];
  for (int node = root; node + 1 < range.first_node + range.mesh.nodes(); ++node)
    state.position[at(node + 1)] =
        state.position[at(node)] + state.edge[at(range.first_edge + node - range.first_node)];
  for (int node = root; node > range.first_node; --node)
    state.position[at(node - 1)] =
        state.position[at(node)] - state.edge[at(range.first_edge + node - 1 - range.first_node)];
}

void RodSystem::prepare_tangent(double shift) {
  tangent_.strike_out();
  if (shift > 0) tangent_.shift(primal_, shift);
  // rods that could move as rigid bodies are kept by soft springs to where they are: no force at equilibrium
  if (motion_ == nullptr && moves_) tangent_.shift(mobile_, kMobileShift * soft_stiffness_);
}

bool RodSystem::factor_shifted(double shift) {
  prepare_tangent(shift);
  return tangent_.factor();
}

bool RodSystem::solve(double shift) {
  prepare_tangent(shift);
  if (!tangent_.factor_and_solve(step_.data())) return false;
  return std::all_of(step_.begin(), step_.end(), [](double v) { return std::isfinite(v); });
}

void RodSystem::add_rotor_mass(int rotor, const Mat3& amount) {
  if (const int block = rotor_block(rotor); block >= 0) tangent_.add_diagonal(tangent_.pair(block, block), amount);
}

void RodSystem::add_edge_mass(int edge, const Mat3& amount) {
  const EdgeSlots& slots = edge_slots_[at(edge)];
  tangent_.add_diagonal(slots.aa, amount);
  tangent_.add_diagonal(slots.bb, amount);
  tangent_.add(slots.ab, Mat3(-amount));
}

bool RodSystem::factor() {
  tangent_.strike_out();
  return tangent_.factor();
}

// The world rotation that the last step gives a side of a joint, to first order.
Vec3 RodSystem::side_rotation(const RodState& state, const Side& side) const {
  if (side.is_edge()) {
    const Edge& edge = model_.edges[at(side.edge)];
    const double* a = step_.data() + node_row_[at(edge.a)];
    const double* b = step_.data() + node_row_[at(edge.b)];
    const Vec3 de(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const Vec3 t = state.frame[at(side.edge)].col(2);
    const double theta = a[3] / (edge.rest_length * state.length_factor[at(edge.rod)]);
    return per_length_[at(side.edge)] * t.cross(de) + theta * t;
  }
  return rotor_step(model_.sections[at(side.section)].rotor);
}

Vec3 RodSystem::rotor_step(int rotor) const {
  if (rotor_block(rotor) < 0) return Vec3::Zero();
  const double* w = step_.data() + tangent_.rows_before(rotor_block(rotor));
  return Vec3(w[0], w[1], w[2]) / arm_;
}

double RodSystem::largest_rotation(const RodState& state) const {
  double rotation = 0;
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const double* a = step_.data() + node_row_[at(edge.a)];
    const double* b = step_.data() + node_row_[at(edge.b)];
    const Vec3 de(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const Vec3 t = state.frame[j].col(2);
    rotation = std::max(rotation, (per_length_[j] * t.cross(de)).squaredNorm());
  }
  rotation = std::sqrt(rotation);
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    if (rotor_block_[r] < 0) continue;
    const double* w = step_.data() + tangent_.rows_before(rotor_block_[r]);
    rotation = std::max(rotation, Vec3(w[0], w[1], w[2]).norm() / arm_);
  }
  return rotation;
}

double RodSystem::free_share(const RodState& state) {
  double share = 1;
  if (contact_.acts())
    share = contact_.free_share(
        state, [&](int node) { return node_step(node); }, [&](int rotor) { return rotor_step(rotor); },
        [&](int edge) { return side_rotation(state, Side{edge}); });
  if (!rod_contact_.acts()) return share;
  moved_.resize(state.position.size());
  for (int node = 0; node < model_.nodes; ++node) moved_[at(node)] = state.position[at(node)] + share * node_step(node);
  return share * rod_contact_.free_share(state.position, moved_);
}

void RodSystem::begin_contact(RodState& state, const Targets& targets, const std::vector<Vec3>& start) {
  contact_.begin_rest(state, targets, start);
  body_contact_.leave();
  rod_contact_.begin_rest(start, targets.increment);
}

void RodSystem::begin_contact_as_it_is(RodState& state, const Targets& targets) {
  contact_.begin_as_it_is(state, targets);
  body_contact_.leave();
  rod_contact_.begin_as_it_is(state);
}

void RodSystem::end_contact(RodState& state) {
  contact_.end_rest(state);
  rod_contact_.end_rest(state);
}

void RodSystem::release_stops(RodState& state) const {
  for (std::size_t k = 0; k < state.slide_stop.size(); ++k)
    if (state.slide_stop[k] != 0 && stop_pull_[k] * state.slide_stop[k] > 0) state.slide_stop[k] = 0;
}

// A consistent tangent is right on one side of a corner only: with steps of a few yield strains Newton settles, with
// longer ones joints go to and fro between loading and unloading.
double RodSystem::largest_part(const RodState& state, double rotation) const {
  constexpr double kFarthest = 3;  // yield strains in one iteration
  if (model_.plasticity.empty()) return 1;
  // not too far, even if both sides of a joint turned by the most that anything does
  double spin = 0;
  for (const Edge& edge : model_.edges) spin = std::max(spin, std::abs(step_[at(node_row_[at(edge.a)] + 3)]));
  spin /= shortest_edge_ * *std::min_element(state.length_factor.begin(), state.length_factor.end());
  if (2 * rotation <= kFarthest * least_yield_[0] && 2 * (rotation + spin) <= kFarthest * least_yield_[1]) return 1;
  double most = kFarthest;
  for (std::size_t k = 0; k < model_.plasticity.joints.size(); ++k) {
    const PlasticPlace& place = model_.plasticity.joints[k];
    if (place.law < 0) continue;
    const Joint& joint = model_.joints[k];
    const rod::SectionPlasticity& law = model_.plasticity.laws[at(place.law)];
    const Vec3 turn = side_rotation(state, joint.right) - side_rotation(state, joint.left);
    const double along = strain_[k].axes.col(2).dot(turn);
    const double across = std::sqrt(std::max(0.0, turn.squaredNorm() - along * along));
    if (!law.bend.empty()) most = std::max(most, across / place.yield.head<2>().minCoeff());
    if (!law.twist.empty()) most = std::max(most, std::abs(along) / place.yield[2]);
  }
  return kFarthest / most;
}

bool RodSystem::find_stretched(const RodState& state) {
  bool found = false;
  for (std::size_t j = 0; j < stretch_yields_.size(); ++j) {
    if (stretch_yields_[j] != 0) continue;
    const int edge = static_cast<int>(j);
    if (edge_rests(model_, state, state.edge[j].squaredNorm(), edge)) continue;
    if (!edge_yield(model_, state, state.edge[j].norm(), true, edge).yields) continue;
    stretch_yields_[j] = 1;
    edges_yield_ = true;
    found = true;
  }
  return found;
}

void RodSystem::advance_edges(int rod, RodState& state, double factor, bool far) {
  const RodRange& range = model_.rods[at(rod)];
  const bool hanging = hangs(rod, far);
  const bool at_once = hanging && !conserving();
  for (std::size_t j = at(range.first_edge); j < at(range.first_edge + range.mesh.edges()); ++j) {
    const Edge& edge = model_.edges[j];
    const double* a = step_.data() + node_row_[at(edge.a)];
    const double* b = step_.data() + node_row_[at(edge.b)];
    const Vec3 de(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const double rest = edge.rest_length * state.length_factor[at(edge.rod)];
    // the axial force follows the linear prediction, not the lengthening that the finite rotation brings; nor do the
    // edges of a rod that hangs on one node, which is then put together again from them
    const Vec3 t = state.frame[j].col(2);
    state.tension[j] += factor * (axial_force_[j] + axial_gradient_[j].dot(de) - state.tension[j]);
    turn_[j] = factor * a[3] / rest;
    if (!hanging) {
      state.edge[j] += factor * de;
    } else if (!at_once) {
      // turns as it is asked to, but lengthens only as that does to first order
      const Vec3 asked = state.edge[j] + factor * de;
      state.edge[j] = (state.edge[j].norm() + factor * t.dot(de)) / asked.norm() * asked;
    } else {
      whole_turn_[j] = factor * (per_length_[j] * t.cross(de) + a[3] / rest * t);
      turn_[j] = state.edge[j].norm() + factor * t.dot(de);
    }
  }
  if (at_once) turn_edges(range, state);
  const auto first = at(range.first_edge);
  const auto count = at(range.mesh.edges());
  rod::carry_frames(std::span(state.frame).subspan(first, count), std::span(state.edge).subspan(first, count),
                    std::span(turn_).subspan(first, count));
}

// About all axes at once: turning as a whole neither lengthens, bends nor twists the rod.
void RodSystem::turn_edges(const RodRange& range, RodState& state) {
  const auto first = at(range.first_edge);
  const auto count = at(range.mesh.edges());
  rod::turn_frames(std::span(state.frame).subspan(first, count), std::span(whole_turn_).subspan(first, count));
  for (std::size_t j = first; j < first + count; ++j) {
    state.edge[j] = turn_[j] * state.frame[j].col(2);
    turn_[j] = 0;
  }
}

void RodSystem::advance(RodState& state, double factor, bool far) {
  const auto step_of = [&](int node) { return node_step(node); };
  const auto turn_of = [&](int rotor) { return rotor_step(rotor); };
  const auto tilt_of = [&](int edge) { return side_rotation(state, Side{edge}); };
  if (contact_.acts()) contact_.update(state, factor, step_of, turn_of, tilt_of);
  if (body_contact_.acts()) body_contact_.update(factor, step_of, turn_of);
  if (rod_contact_.acts()) rod_contact_.update(state, factor, step_of);
  // predicted twists first: they need the old frames
  for (std::size_t j = 0; j < whole_turn_.size(); ++j) whole_turn_[j] = side_rotation(state, Side{static_cast<int>(j)});
  const auto turn = [&](const Side& side) {
    return side.is_edge() ? whole_turn_[at(side.edge)] : side_rotation(state, side);
  };
  const auto joint_turn = [&](std::size_t k) {
    return Vec3(turn(model_.joints[k].right) - turn(model_.joints[k].left));
  };
  const Foreseen<decltype(joint_turn)> foreseen{strain_, joint_turn, factor};
  const Vec3 none = Vec3::Zero();
  const auto slope = [&](std::size_t k) -> const Vec3& { return softens_[k] != 0 ? none : step_law_[k].slope; };
  const ForeseenMoments<decltype(slope)> moments{slope, acted_, state.joint_moment};
  foresee(foreseen, foresees_moments() ? &moments : nullptr, state.twist);
  for (std::size_t r = 0; r < model_.rods.size(); ++r) advance_edges(static_cast<int>(r), state, factor, far);
  for (int node = 0; node < model_.nodes; ++node) {
    const double* a = step_.data() + node_row_[at(node)];
    state.position[at(node)] += factor * Vec3(a[0], a[1], a[2]);
  }
  for (std::size_t r = 0; r < model_.rods.size(); ++r)
    if (const int rod = static_cast<int>(r); hangs(rod, far)) hang(rod, state);
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    if (rotor_block_[r] < 0) continue;
    const double* w = step_.data() + tangent_.rows_before(rotor_block_[r]);
    state.rotor[r] = math::exp_so3(factor / arm_ * Vec3(w[0], w[1], w[2])) * state.rotor[r];
  }
  for (std::size_t k = 0; k < model_.ties.size(); ++k) {
    const double* f = step_.data() + tie_row_[k];
    state.tie_force[k] += factor * stiffness_scale_ * Vec3(f[0], f[1], f[2]);
  }
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const double* f = step_.data() + tangent_.rows_before(slider_block_[k]);
    state.slide_force[k] += factor * stiffness_scale_ * Vec3(f[0], f[1], f[2]);
    slide(model_, static_cast<int>(k), factor * f[3], state);
  }
}

}  // namespace filum::discrete
