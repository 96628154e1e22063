#include "formulations/chain/solve/links.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/joint_residual.hpp"
#include "formulations/chain/mechanism/row_weights.hpp"
#include "formulations/chain/mechanism/tension_stiffness.hpp"

namespace filum::chain {

namespace {

// The group of a link: that of its rod, or, if it joins two rods, `coupling`.
int group_of(const Link& link, int coupling) {
  return link.joins ? coupling : link.rod;
}

// By how much the gap of a link opens beyond J v, as its parts turn on for a time.
Vec3 gap_bow(const Link& link, const Vec3& arm_a, const Vec3& arm_b, const Vec3& spin_a, const Vec3& spin_b,
             double time) {
  Vec3 bow = bow_of(time * spin_b, arm_b) - bow_of(time * spin_a, arm_a);
  for (int r = 0; r < 3; ++r)
    if (!link.gap[at(r)]) bow[r] = 0;
  return bow;
}

// The rows that a link has, as the first ones of its constraint.
void put(const Link& link, const LinkRows& rows, const Vec6& right, const Vec6& softness, Incidence& a, Incidence& b,
         Constraint& constraint) {
  if (link.first_row() == 0) {
    a.rows = rows.by_a;
    b.rows = rows.by_b;
    constraint.right = right;
    constraint.softness = softness;
    return;
  }
  a.rows.topRows<3>() = rows.by_a.bottomRows<3>();
  b.rows.topRows<3>() = rows.by_b.bottomRows<3>();
  constraint.right.head<3>() = right.tail<3>();
  constraint.softness.head<3>() = softness.tail<3>();
}

}  // namespace

void Links::add_to(ConstraintSet& set, const Mechanism& mechanism, int rods) {
  gap_.assign(mechanism.links.size(), Vec3::Zero());
  bow_.assign(mechanism.links.size(), {});
  twist_.assign(mechanism.links.size(), {});
  for (const Link& link : mechanism.links) {
    set.add(link.rows(), group_of(link, rods));
    for (const int part : {link.a, link.b}) set.join(part, mechanism.parts[at(part)].moves);
  }
}

void Links::fill(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
                 const std::vector<Vec6>& velocity, double dt) {
  const bool plain = model.variant.plain || has_grown(state, dt);
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    Constraint& constraint = set.constraints[k];
    LinkRows rows =
        link_rows(link, model.variant.joint, state.parts[at(link.a)], state.parts[at(link.b)], state.links[k].twist);
    state.links[k].twist = rows.twist;
    gap_[k] = rows.value.head<3>();
    Vec6 right = -(rows.by_a * velocity[at(link.a)] + rows.by_b * velocity[at(link.b)]);
    Incidence& a = set.incidences[at(constraint.first)];
    Incidence& b = set.incidences[at(constraint.first) + 1];
    a.arm = state.parts[at(link.a)].orientation * link.arm_a;
    b.arm = state.parts[at(link.b)].orientation * link.arm_b;
    const Vec3& spin_a = state.parts[at(link.a)].spin;
    const Vec3& spin_b = state.parts[at(link.b)].spin;
    const bool bows = !model.variant.plain && link.has_gap() && !state.links[k].broken;
    Vec3 gap_rate = rows.gap_rate(state.parts[at(link.a)], state.parts[at(link.b)]);
    const RowWeights stretch = plain ? RowWeights{} : row_weights(rows.value.head<3>().norm(), dt * gap_rate.norm());
    // as it has opened over the last step, of which the spins know
    if (bows && state.last_step > 0)
      gap_rate -= gap_bow(link, a.arm, b.arm, -spin_a, -spin_b, state.last_step) / state.last_step;
    const double twist_rate = rows.twist_rate(state.parts[at(link.a)], state.parts[at(link.b)]);
    const RowWeights twist = plain ? RowWeights{} : kTwistWeights;
    const double twist_before = state.links[k].twist_rate;
    twist_[k] = {rows.value[5], twist_rate};
    bow_[k] = {};
    if (bows) {
      bow_[k].told = gap_bow(link, a.arm, b.arm, spin_a, spin_b, dt);
      bow_[k].weight = stretch.now / (stretch.now * dt + link.gap_damping);
      right.head<3>() -= bow_[k].weight * bow_[k].told;
    }
    Vec6 softness;
    for (int r = 0; r < 6; ++r) {
      const bool gap = r < 3;
      const RowWeights weights = gap ? stretch : r == 5 ? twist : RowWeights{};
      const double rate = gap ? gap_rate[r] : twist_rate;
      const double damping = gap ? link.gap_damping : link.turn_damping[r - 3];
      const double compliance = gap ? link.gap_compliance : link.turn_compliance[r - 3];
      const double ahead = weights.now * dt + damping;
      const double back = weights.before * rate + weights.older * twist_before;
      right[r] -= (rows.value[r] - dt * back) / ahead;
      // a row that is not there has an equation of its own
      const bool there = !state.links[k].broken && (rows.by_b.row(r).any() || rows.by_a.row(r).any());
      softness[r] = there ? compliance / (dt * ahead) : 1;
      if (!there) right[r] = 0;
    }
    if (state.links[k].broken) {
      rows.by_a.setZero();
      rows.by_b.setZero();
    }
    put(link, rows, right, softness, a, b, constraint);
  }
}

double Links::missed_bows(const ConstraintSet& set, const Mechanism& mechanism, const std::vector<Vec6>& velocity,
                          double dt) {
  double missed = 0;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (bow_[k].weight == 0) continue;
    const Incidence& a = set.incidences[at(set.constraints[k].first)];
    const Incidence& b = set.incidences[at(set.constraints[k].first) + 1];
    auto spin = [&](int part) -> Vec3 { return velocity[at(part)].tail<3>() + set.changes[at(part)].tail<3>(); };
    bow_[k].found = gap_bow(link, a.arm, b.arm, spin(link.a), spin(link.b), dt);
    // what it is worth: of the spring, or of what moves to close it within a step
    double give = link.gap_compliance;
    for (const int part : {link.a, link.b})
      if (mechanism.parts[at(part)].moves) give += dt * dt / mechanism.parts[at(part)].mass;
    if (give > 0) missed += 0.5 * (bow_[k].found - bow_[k].told).squaredNorm() / give;
  }
  return missed;
}

void Links::foretell_again(ConstraintSet& set) {
  for (std::size_t k = 0; k < bow_.size(); ++k) {
    if (bow_[k].weight == 0) continue;
    set.constraints[k].right.head<3>() -= bow_[k].weight * (bow_[k].found - bow_[k].told);
    bow_[k].told = bow_[k].found;
  }
}

void Links::take_forces(const ConstraintSet& set, const Mechanism& mechanism, ChainState& state, double dt) {
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Constraint& constraint = set.constraints[k];
    Vec6& force = state.links[k].force;
    force.setZero();
    for (int r = 0; r < constraint.rows; ++r) force[r + mechanism.links[k].first_row()] = constraint.impulse[r] / dt;
  }
}

// The gap and the twist at the end, φ + h J v⁺ + b, beyond −ελ.
void Links::take_lags(const ConstraintSet& set, const Mechanism& mechanism, ChainState& state,
                      const std::vector<Vec6>& velocity, double dt) const {
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    LinkState& link = state.links[k];
    link.lag.setZero();
    link.twist_lag = 0;
    link.twist_rate = twist_[k].rate;
    if (link.broken) continue;
    const int first = set.constraints[k].first;
    if (mechanism.links[k].turn) {
      link.twist_lag = twist_[k].value + mechanism.links[k].turn_compliance[2] * link.force[5];
      const int row = 5 - mechanism.links[k].first_row();
      for (const int i : {first, first + 1})
        link.twist_lag += dt * set.incidences[at(i)].rows.row(row).dot(velocity[at(set.incidences[at(i)].part)]);
    }
    if (!mechanism.links[k].has_gap()) continue;
    link.lag = gap_[k] + bow_[k].told + mechanism.links[k].gap_compliance * link.force.head<3>();
    for (const int i : {first, first + 1})
      link.lag += dt * set.incidences[at(i)].rows.topRows<3>() * velocity[at(set.incidences[at(i)].part)];
  }
}

}  // namespace filum::chain
