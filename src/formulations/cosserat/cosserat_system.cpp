#include "formulations/cosserat/cosserat_system.hpp"

#include "base/index.hpp"
#include "formulations/cosserat/lift.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::cosserat {

namespace {

// Keeps what nothing orients where it is, of a joint's twist stiffness.
constexpr double kSpinShift = 1e-8;
// A rod that nothing loads is measured against what would bend it by about a thousandth.
constexpr double kSmallLoad = 1e-3;

}  // namespace

Vec3 System::place_of(const CableState& state, int root, const std::vector<Arm>& arms) const {
  Vec3 x = state.rods.position[at(network_.roots[at(root)].node)];
  for (const Arm& arm : arms) x += state.rods.rotor[at(arm.rotor)] * arm.arm;
  return x;
}

Vec3 System::position(const CableState& state, int station) const {
  const Station& s = network_.stations[at(station)];
  return place_of(state, s.root, s.arms);
}

void System::set_targets(const Targets& targets, const CableState& state) {
  targets_ = &targets;
  const Vec3 gravity = targets.load * model_.gravity;
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const discrete::RodRange& range = model_.rods[r];
    const double factor = state.rods.length_factor[r];
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node)
      node_load_[at(node)] =
          factor * (model_.node_mass[at(node)] * gravity + targets.load * model_.distributed[at(node)]);
  }
  for (const discrete::FreeBody& body : model_.bodies)
    node_load_[at(body.node)] = model_.node_mass[at(body.node)] * gravity;
  for (const discrete::PointLoad& load : model_.forces)
    if (!load.follow) node_load_[at(load.node)] += targets.load * targets.force_scale[at(load.index)] * load.value;

  // what hangs between a segment and the far end of its chain
  for (std::size_t c = 0; c < network_.chains.size(); ++c) {
    const Chain& chain = network_.chains[c];
    Vec3 sum = Vec3::Zero();
    if (chain.forward()) {
      if (!chain.is_span()) sum = node_load_[at(model_.edges[at(chain.edges.back())].b)];
      for (auto edge = chain.edges.rbegin(); edge != chain.edges.rend(); ++edge) {
        segment_load_[at(*edge)] = sum;
        if (edge + 1 != chain.edges.rend()) sum += node_load_[at(model_.edges[at(*edge)].a)];
      }
    } else {
      for (const int edge : chain.edges) {
        sum += node_load_[at(model_.edges[at(edge)].a)];
        segment_load_[at(edge)] = -sum;
      }
    }
    chain_load_[c] = sum;
  }
}

rod::PulledSegment System::segment(const CableState& state, int edge) const {
  const discrete::Edge& e = model_.edges[at(edge)];
  const double rest = e.rest_length * state.rods.length_factor[at(e.rod)];
  rod::PulledSegment made =
      rod::pulled_segment(state.rods.frame[at(edge)].col(2),
                          segment_load_[at(edge)] + state.span_force[at(network_.chain_of_edge[at(edge)])],
                          state.rods.tension[at(edge)], rest, e.axial_stiffness);
  // what has been stretched for good is longer
  if (!model_.plasticity.empty())
    made.length += rest * discrete::edge_yield(model_, state.rods, made.length, false, edge).kept / e.axial_stiffness;
  return made;
}

Balance System::evaluate(CableState& state, bool want_tangent) {
  begin(want_tangent);
  std::fill(gap_.begin(), gap_.end(), 0.0);
  for (Vec3& f : root_force_) f.setZero();

  Balance balance;
  weigh_sliders(state);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) measure_joint(state, static_cast<int>(k), balance);
  // pulls on the stations, then the segments with the forces in them
  for (std::size_t s = 0; s < network_.stations.size(); ++s)
    station_pull_[s] = node_load_[at(network_.stations[s].node)];
  for (std::size_t j = 0; j < model_.edges.size(); ++j) segments_[j] = segment(state, static_cast<int>(j));
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const Chain& chain = network_.chains[at(network_.chain_of_slider[k])];
    for (std::size_t j = 0; j < chain.edges.size(); ++j)
      segments_[at(chain.edges[j])].force += reach_[k].value[j] * state.rods.slide_force[k];
    station_pull_[at(chain.anchor())] -= state.rods.slide_force[k];
  }
  for (std::size_t c = 0; c < network_.chains.size(); ++c) add_chain(state, static_cast<int>(c), balance);
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) add_slider(state, static_cast<int>(k), balance);
  add_pegs(state, balance);
  add_stations(state, balance);
  add_torques(state.rods, *targets_);
  measure(state, balance);
  return balance;
}

// Its strain with every turn counted, its energy, and what it adds to the rotations of its two sides.
void System::measure_joint(CableState& state, int index, Balance& balance) {
  const discrete::Joint& joint = model_.joints[at(index)];
  const double near = state.rods.twist[at(index)];
  rod::JointStrain strain = rod::joint_strain(discrete::side_frame(model_, state.rods, joint.left, joint.offset),
                                              discrete::side_frame(model_, state.rods, joint.right, 0), near);
  const double counted = counted_twist(model_, state, index, strain.twist, near);
  // bend components belong to the frame half way, which another half of a turn turns round
  if (std::abs(counted - strain.twist) > 1) {
    const double half = 0.5 * (counted - strain.twist);
    strain.bend = Vec2(std::cos(half) * strain.bend[0] + std::sin(half) * strain.bend[1],
                       std::cos(half) * strain.bend[1] - std::sin(half) * strain.bend[0]);
    strain.twist = counted;
  }
  state.rods.twist[at(index)] = strain.twist;
  strain_[at(index)] = strain;
  const double factor = state.rods.length_factor[at(joint.rod)];
  const rod::JointElasticity elasticity{joint.elasticity.stiffness / factor, joint.elasticity.rest * factor};
  rod::JointYield yield;
  if (!model_.plasticity.empty()) yield = discrete::joint_yield(model_, state.rods, strain.vector(), true, index);
  const double energy = rod::joint_energy(strain, elasticity) + yield.energy;
  balance.elastic += energy;
  balance.potential += yield.spent;
  balance.size += energy + yield.spent;
  add_joint(index, strain, elasticity, yield);
}

// The segments of a chain, and whether a span leads where it should.
void System::add_chain(const CableState& state, int index, Balance& balance) {
  const Chain& chain = network_.chains[at(index)];
  Vec3 way = Vec3::Zero();
  Vec3 settled = Vec3::Zero();
  Mat3 compliance = Mat3::Zero();
  for (const int edge : chain.edges) {
    const rod::PulledSegment& segment = segments_[at(edge)];
    const double stretch = 0.5 * segment.pull * segment.pull * segment.give;
    const double load = segment_load_[at(edge)].dot(segment.way());
    balance.elastic += stretch;
    balance.potential -= load;
    balance.size += stretch + std::abs(load);
    force_scale_ = std::max(force_scale_, segment.force.norm());
    way += segment.way();
    settled += segment.settled_way();
    add_segment(segment, edge);
    if (want_tangent_) compliance += segment.compliance();
  }
  station_pull_[at(chain.anchor())] += chain_load_[at(index)];
  if (!chain.is_span()) return;

  const Vec3& force = state.span_force[at(index)];
  station_pull_[at(chain.start)] += force;
  station_pull_[at(chain.end)] -= force;
  const Vec3 chord = position(state, chain.end) - position(state, chain.start);
  const double gap = (chord - way).norm();
  balance.gap += gap;
  balance.worst_gap = std::max(balance.worst_gap, gap / model_.size);
  const int row = force_row_[at(index)];
  for (int axis = 0; axis < 3; ++axis) gap_[at(row + axis)] = chord[axis] - settled[axis];
  if (!want_tangent_) return;
  const int block = force_block_[at(index)];
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(-force_unit_ / model_.size * compliance), 3, 3);
  const FixedAxes every{true, true, true};
  const Station& start = network_.stations[at(chain.start)];
  const Station& end = network_.stations[at(chain.end)];
  couple(state, start.root, start.arms, block, 3, -1, every);
  couple(state, end.root, end.arms, block, 3, 1, every);
}

void System::add_segment(const rod::PulledSegment& segment, int edge) {
  const SegmentSlots& slots = segment_slots_[at(edge)];
  add_to_step(edge_row_[at(edge)], segment.settled_moment());
  if (!want_tangent_) return;
  Mat3 h = segment.turning_stiffness();
  const discrete::Edge& e = model_.edges[at(edge)];
  if (model_.spin_free[at(e.rod)])
    h += kSpinShift * moment_unit_ * model_.size / e.rest_length * segment.direction * segment.direction.transpose();
  tangent_.add_diagonal(slots.own, Mat3(h / moment_unit_));
  const int chain = network_.chain_of_edge[at(edge)];
  if (force_block_[at(chain)] < 0) return;
  const Mat3 b = segment.coupling() / model_.size;
  if (force_block_[at(chain)] == edge_block_[at(edge)]) {
    tangent_.add_diagonal(slots.own, b, 0, 3);
    tangent_.add_diagonal(slots.own, Mat3(b.transpose()), 3, 0);
  } else {
    tangent_.add(slots.force, b, 0, 3);
  }
}

// A multiplier's coupling to where a station is: ± (X + Σ R·arm), on the axes it acts on.
void System::couple(const CableState& state, int root, const std::vector<Arm>& arms, int block, int row, double sign,
                    const FixedAxes& axes) {
  Mat3 unit = Mat3::Zero();
  for (int axis = 0; axis < 3; ++axis)
    if (axes[at(axis)]) unit(axis, axis) = sign;
  if (const int own = root_block_[at(root)]; own >= 0) {
    if (own == block) {
      tangent_.add_diagonal(tangent_.pair(own, own), unit, row, 0);
      tangent_.add_diagonal(tangent_.pair(own, own), unit, 0, row);
    } else {
      tangent_.add(tangent_.pair(block, own), unit, row, 0);
    }
  }
  for (const Arm& arm : arms) {
    const int rotor = rotor_block_[at(arm.rotor)];
    if (rotor < 0) continue;
    const Vec3 a = state.rods.rotor[at(arm.rotor)] * arm.arm / model_.size;
    tangent_.add(tangent_.pair(block, rotor), Mat3(-unit * math::skew(a)), row, 0);
  }
}

// −P·x of a place on arms: gradient, and how it curves with the rotors.
void System::pull(const CableState& state, int root, const std::vector<Arm>& arms, const Vec3& force) {
  root_force_[at(root)] -= force;
  for (const Arm& arm : arms) {
    const Vec3 a = state.rods.rotor[at(arm.rotor)] * arm.arm;
    rotor_moment_[at(arm.rotor)] -= a.cross(force);
    const int block = rotor_block_[at(arm.rotor)];
    if (!want_tangent_ || block < 0) continue;
    const Mat3 outer = 0.5 * a * force.transpose();
    const Mat3 h = a.dot(force) * Mat3::Identity() - outer - outer.transpose();
    tangent_.add_diagonal(tangent_.pair(block, block), Mat3(h / moment_unit_));
  }
}

void System::add_pegs(const CableState& state, Balance& balance) {
  for (std::size_t k = 0; k < network_.pegs.size(); ++k) {
    const Peg& peg = network_.pegs[k];
    const Station& station = network_.stations[at(peg.station)];
    const Vec3& force = state.peg_force[k];
    Vec3 gap = position(state, peg.station);
    if (peg.other_root >= 0)
      gap -= place_of(state, peg.other_root, peg.other_arms);
    else
      gap -= targets_->holds[at(peg.hold)].position;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!peg.axes[axis]) gap[static_cast<int>(axis)] = 0;
      gap_[at(peg_row_[k]) + axis] = gap[static_cast<int>(axis)];
    }
    balance.gap += gap.norm();
    balance.worst_gap = std::max(balance.worst_gap, gap.norm() / model_.size);
    station_pull_[at(peg.station)] -= force;
    if (peg.other_root >= 0) pull(state, peg.other_root, peg.other_arms, force);
    if (!want_tangent_) continue;
    couple(state, station.root, station.arms, peg_block_[k], peg_offset_[k], 1, peg.axes);
    if (peg.other_root >= 0) couple(state, peg.other_root, peg.other_arms, peg_block_[k], peg_offset_[k], -1, peg.axes);
  }
}

void System::add_stations(const CableState& state, Balance& balance) {
  for (std::size_t c = 0; c < network_.chains.size(); ++c) {
    const double load = chain_load_[c].dot(position(state, network_.chains[c].anchor()));
    balance.potential -= load;
    balance.size += std::abs(load);
  }
  for (const discrete::PointLoad& load : model_.forces) {
    if (!load.follow) continue;
    const int index = network_.station_of[at(load.node)];
    const Vec3 force =
        targets_->load * targets_->force_scale[at(load.index)] * (state.rods.rotor[at(load.rotor)] * load.value);
    station_pull_[at(index)] += force;
    // the force turns with the rotor, δF = w × F: on the root alone, arms that turn with it keep their moment
    const int root = root_block_[at(network_.stations[at(index)].root)];
    const int rotor = rotor_block_[at(load.rotor)];
    if (want_tangent_ && root >= 0 && rotor >= 0)
      tangent_.add_one_sided(tangent_.pair(root, rotor), Mat3(model_.size / moment_unit_ * math::skew(force)));
  }
  for (std::size_t s = 0; s < network_.stations.size(); ++s) {
    const Station& station = network_.stations[s];
    const double load = node_load_[at(station.node)].dot(position(state, static_cast<int>(s)));
    balance.potential -= load;
    balance.size += std::abs(load);
    pull(state, station.root, station.arms, station_pull_[s]);
  }
}

// Turns gradients into the right-hand side, and measures them.
void System::measure(const CableState& state, Balance& balance) {
  double moment = 0;
  double force = 0;
  double axial = 0;
  double bending = 0;
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    moment = std::max(moment, step_at(edge_row_[j]).norm());
    const double tension = state.rods.tension[j];
    force = std::max(force, std::abs(tension - segments_[j].along()));
    axial = std::max(axial, std::abs(tension));
  }
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    if (rotor_row_[r] < 0) continue;
    add_to_step(rotor_row_[r], rotor_moment_[r]);
    for (int axis = 0; axis < 3; ++axis)
      if (held_[at(rotor_row_[r] + axis)] == 0) moment = std::max(moment, std::abs(rotor_moment_[r][axis]));
  }
  for (std::size_t r = 0; r < network_.roots.size(); ++r) {
    if (root_row_[r] < 0) continue;
    add_to_step(root_row_[r], model_.size * root_force_[r]);
    for (int axis = 0; axis < 3; ++axis)
      if (held_[at(root_row_[r] + axis)] == 0) force = std::max(force, std::abs(root_force_[r][axis]));
  }
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    step_[at(slider_row_[k] + 3)] *= model_.size;
    if (state.rods.slide_stop[k] == 0) force = std::max(force, std::abs(slide_pull_[k]));
  }
  for (std::size_t row = 0; row < step_.size(); ++row)
    step_[row] = held_[row] != 0 ? 0 : -(step_[row] / moment_unit_ + gap_[row] / model_.size);

  for (const discrete::Joint& joint : model_.joints) bending = std::max(bending, joint.elasticity.stiffness.maxCoeff());
  const double force_scale = std::max({force_scale_, moment_scale_ / model_.size, kSmallLoad * force_unit_});
  const double moment_scale = std::max(moment_scale_, force_scale * segment_);
  constexpr double kRoundOff = std::numeric_limits<double>::epsilon();
  balance.residual = std::max(moment / moment_scale, force / force_scale);
  balance.floor = kRoundOff * std::max(bending / moment_scale, axial / force_scale);
  // a largest of many does not tell of one among them that is no number
  balance.finite = step_is_finite() && std::isfinite(balance.residual) && std::isfinite(balance.elastic) &&
                   std::isfinite(balance.potential) && std::isfinite(balance.gap);
}

}  // namespace filum::cosserat
