// Newton's step of a cosserat model: found, taken, and shown to others.
#include "formulations/cosserat/cosserat_system.hpp"

#include "base/index.hpp"
#include "formulations/cosserat/lift.hpp"
#include "formulations/discrete/plastic_rods.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <utility>

namespace filum::cosserat {

namespace {

// Keeps what nothing orients where it is, of the bending stiffness of a whole rod.
constexpr double kLeastShift = 1e-9;
// A sliding hold stops short of another hold or a junction by this share of a segment: both would hold one point.
constexpr double kStopShort = 0.25;

// Where on its chain a sliding hold may be.
std::pair<double, double> slide_range(const Chain& chain) {
  const std::vector<double>& s = chain.mesh.s;
  const double first = s.front() + (chain.start >= 0 ? kStopShort * (s[1] - s[0]) : 0);
  const double last = s.back() - (chain.end >= 0 ? kStopShort * (s.back() - s[s.size() - 2]) : 0);
  return {first, last};
}

}  // namespace

bool System::factor(double shift) {
  const double amount = std::max(shift, kLeastShift);
  for (std::size_t row = 0; row < weight_.size(); ++row)
    if (weight_[row] > 0 && held_[row] == 0) tangent_.add_at(static_cast<int>(row), amount * weight_[row]);
  tangent_.strike_out();
  return tangent_.factor();
}

bool System::solve(double shift) {
  if (!factor(shift)) return false;
  tangent_.solve(step_.data());
  return step_is_finite();
}

void System::solve_gaps() {
  for (std::size_t row = 0; row < step_.size(); ++row) step_[row] = held_[row] != 0 ? 0 : -gap_[row] / model_.size;
  tangent_.solve(step_.data());
}

double System::largest_force(const CableState& state) const {
  double largest = 0;
  for (std::size_t c = 0; c < network_.chains.size(); ++c)
    if (force_row_[c] >= 0)
      largest = std::max(largest, (state.span_force[c] + force_unit_ * step_at(force_row_[c])).norm());
  for (std::size_t k = 0; k < network_.pegs.size(); ++k)
    largest = std::max(largest, (state.peg_force[k] + force_unit_ * step_at(peg_row_[k])).norm());
  for (std::size_t k = 0; k < model_.sliders.size(); ++k)
    largest = std::max(largest, (state.rods.slide_force[k] + force_unit_ * step_at(slider_row_[k])).norm());
  return largest;
}

void System::advance(CableState& state, double factor) const {
  discrete::RodState& rods = state.rods;
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Vec3 w = step_at(edge_row_[j]);
    const int chain = network_.chain_of_edge[j];
    Vec3 force_step = Vec3::Zero();
    if (force_row_[at(chain)] >= 0) force_step = force_unit_ * step_at(force_row_[at(chain)]);
    for (std::size_t k = 0; k < model_.sliders.size(); ++k)
      if (network_.chain_of_slider[k] == chain)
        force_step += reach_[k].value[at(network_.place_of_edge[j])] * force_unit_ * step_at(slider_row_[k]);
    rods.tension[j] += factor * (segments_[j].next_pull(w, force_step) - rods.tension[j]);
    turn(rods.frame[j], state.edge_lift[j], factor * w);
  }
  for (std::size_t r = 0; r < model_.rotors.size(); ++r)
    if (rotor_row_[r] >= 0) turn(rods.rotor[r], state.rotor_lift[r], factor * step_at(rotor_row_[r]));
  for (std::size_t r = 0; r < network_.roots.size(); ++r)
    if (root_row_[r] >= 0) rods.position[at(network_.roots[r].node)] += factor * model_.size * step_at(root_row_[r]);
  for (std::size_t c = 0; c < network_.chains.size(); ++c)
    if (force_row_[c] >= 0) state.span_force[c] += factor * force_unit_ * step_at(force_row_[c]);
  for (std::size_t k = 0; k < network_.pegs.size(); ++k)
    state.peg_force[k] += factor * force_unit_ * step_at(peg_row_[k]);
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const Chain& chain = network_.chains[at(network_.chain_of_slider[k])];
    const auto [first, last] = slide_range(chain);
    rods.slide_force[k] += factor * force_unit_ * step_at(slider_row_[k]);
    const double wanted = rods.slide[k] + factor * model_.size * step_[at(slider_row_[k] + 3)];
    if (wanted <= first || wanted >= last) rods.slide_stop[k] = wanted <= first ? -1 : 1;
    rods.slide[k] = std::clamp(wanted, first, last);
  }
}

discrete::Internals System::internals(const CableState& state, const Balance& balance) {
  for (std::size_t j = 0; j < segments_.size(); ++j) edge_force_[j] = segments_[j].force;
  for (Vec3& f : node_force_) f.setZero();
  for (std::size_t h = 0; h < model_.scene->holds.size(); ++h)
    if (model_.hold_node[h] >= 0 && model_.hold_tie[h] < 0 && model_.scene->holds[h].holds_position())
      node_force_[at(model_.hold_node[h])] += hold_force(state, static_cast<int>(h));
  // weight grows with a rod's length, as its mass does
  double gravity = 0;
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const discrete::RodRange& range = model_.rods[r];
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node)
      gravity -=
          state.rods.length_factor[r] * model_.node_mass[at(node)] * model_.gravity.dot(state.rods.position[at(node)]);
  }
  for (const discrete::FreeBody& body : model_.bodies)
    gravity -= model_.node_mass[at(body.node)] * model_.gravity.dot(state.rods.position[at(body.node)]);
  return {strain_,       edge_force_,     state.rods.tension,      {}, {}, node_force_,
          rotor_moment_, balance.elastic, targets_->load * gravity};
}

// What a hold does to its rod, along the axes that it fixes. Not for sliding holds, nor for those on free bodies.
Vec3 System::hold_force(const CableState& state, int hold) const {
  Vec3 force = Vec3::Zero();
  const int node = model_.hold_node[at(hold)];
  const int station = network_.station_of[at(node)];
  const int root = network_.stations[at(station)].root;
  if (network_.roots[at(root)].node == node)
    for (int axis = 0; axis < 3; ++axis)
      if (model_.position_hold[at(node)][at(axis)] == hold) force[axis] = root_force_[at(root)][axis];
  for (std::size_t k = 0; k < network_.pegs.size(); ++k)
    if (network_.pegs[k].hold == hold) force -= state.peg_force[k];
  return force;
}

double System::least_length(const CableState& state) const {
  double least = 1;
  for (std::size_t j = 0; j < model_.edges.size(); ++j)
    least = std::min(least, 1 + state.rods.tension[j] / model_.edges[j].axial_stiffness);
  return least;
}

bool System::stretch_yields(const CableState& state) const {
  for (std::size_t j = 0; j < model_.plasticity.edges.size(); ++j) {
    const int edge = static_cast<int>(j);
    if (discrete::edge_yield(model_, state.rods, segment(state, edge).length, true, edge).yields) return true;
  }
  return false;
}

void System::place_nodes(CableState& state) const {
  discrete::RodState& rods = state.rods;
  for (std::size_t s = 0; s < network_.stations.size(); ++s)
    rods.position[at(network_.stations[s].node)] = position(state, static_cast<int>(s));
  for (std::size_t j = 0; j < model_.edges.size(); ++j) rods.edge[j] = segment(state, static_cast<int>(j)).way();
  for (const Chain& chain : network_.chains) {
    Vec3 x = position(state, chain.anchor());
    if (chain.forward()) {
      const std::size_t inner = chain.edges.size() - (chain.is_span() ? 1 : 0);
      for (std::size_t j = 0; j < inner; ++j) {
        x += rods.edge[at(chain.edges[j])];
        rods.position[at(model_.edges[at(chain.edges[j])].b)] = x;
      }
    } else {
      for (auto edge = chain.edges.rbegin(); edge != chain.edges.rend(); ++edge) {
        x -= rods.edge[at(*edge)];
        rods.position[at(model_.edges[at(*edge)].a)] = x;
      }
    }
  }
  for (std::size_t k = 0; k < model_.ties.size(); ++k)
    rods.tie_force[k] = station_pull_[at(network_.station_of[at(model_.ties[k].slave)])];
}

}  // namespace filum::cosserat
