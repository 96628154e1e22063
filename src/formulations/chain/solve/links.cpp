#include "formulations/chain/solve/links.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/joint_residual.hpp"
#include "formulations/chain/mechanism/row_weights.hpp"
#include "formulations/chain/mechanism/tension_stiffness.hpp"

#include <utility>

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

// A law is followed to this share of first yield.
constexpr double kFollowed = 1e-8;

// ε of its rows.
Vec6 compliance_of(const Link& link) {
  return (Vec6() << Vec3::Constant(link.gap_compliance), link.turn_compliance).finished();
}

// Strains of its rows at first yield.
Vec6 yield_scale(const Link& link) {
  return (Vec6() << Vec3::Constant(link.stretch_yield), link.yield).finished();
}

}  // namespace

void Links::add_to(ConstraintSet& set, const Mechanism& mechanism, int rods) {
  gap_.assign(mechanism.links.size(), Vec3::Zero());
  bow_.assign(mechanism.links.size(), {});
  twist_.assign(mechanism.links.size(), {});
  yielding_.clear();
  yielding_of_.assign(mechanism.links.size(), -1);
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    if (mechanism.links[k].law < 0) continue;
    yielding_of_[k] = static_cast<int>(yielding_.size());
    yielding_.emplace_back().link = static_cast<int>(k);
  }
  for (const Link& link : mechanism.links) {
    set.add(link.rows(), group_of(link, rods));
    for (const int part : {link.a, link.b}) set.join(part, mechanism.parts[at(part)].moves);
  }
}

// As the step finds it: elastic, from what it remembers.
void Links::Yielding::begin(const ModelData& model, const Link& own, const LinkRows& rows, const ChainState& state) {
  softened = false;
  at = rows.value;
  const LinkState& memory = state.links[filum::at(link)];
  if (!has_yielded(memory)) {
    if (std::exchange(gives, false)) law = {};
    return;
  }
  gives = true;
  tangent = link_tangent(own, state);
  law = link_yield(model, own, tangent, rows.value, memory.plastic, false);
}

void Links::fill(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
                 const std::vector<Vec6>& velocity, double dt, bool kept) {
  const bool plain = model.variant.plain || has_grown(state, dt);
  gives_ = false;
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
    const bool bows = !model.variant.plain && link.has_gap() && !link.carried && !state.links[k].broken;
    Vec3 gap_rate = rows.gap_rate(state.parts[at(link.a)], state.parts[at(link.b)]);
    const RowWeights stretch = plain ? RowWeights{} : row_weights(rows.value.head<3>().norm(), dt * gap_rate.norm());
    // as it has opened over the last step, of which the spins know
    if (bows && state.last_step > 0)
      gap_rate -= gap_bow(link, a.arm, b.arm, -spin_a, -spin_b, state.last_step) / state.last_step;
    const double twist_rate = rows.twist_rate(state.parts[at(link.a)], state.parts[at(link.b)]);
    const RowWeights twist = plain ? RowWeights{} : kTwistWeights;
    const double twist_before = state.links[k].twist_rate;
    twist_[k] = {rows.value[5], twist_rate};
    if (!kept) bow_[k] = {};
    if (bows) {
      if (!kept) bow_[k].told = gap_bow(link, a.arm, b.arm, spin_a, spin_b, dt);
      bow_[k].weight = stretch.now / (stretch.now * dt + link.gap_damping);
      right.head<3>() -= bow_[k].weight * bow_[k].told;
    }
    Yielding* yields = yielding_of_[k] < 0 || state.links[k].broken ? nullptr : &yielding_[at(yielding_of_[k])];
    constraint.softened = nullptr;
    Vec6 relief = Vec6::Zero();
    if (yields != nullptr) {
      yields->begin(model, link, rows, state);
      gives_ = gives_ || yields->gives;
      yields->free = right;
      yields->free.head<3>() += bow_[k].weight * bow_[k].told;
      if (yields->gives) relief = yields->law.relief;
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
      right[r] -= (rows.value[r] - dt * back - compliance * relief[r]) / ahead;
      if (yields != nullptr) {
        yields->strain[r] = rows.value[r] - dt * back;
        yields->ahead[r] = weights.now * dt;
        yields->damping[r] = damping;
      }
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
    if (yields != nullptr && yields->gives) foresee(*yields, link, rows, mechanism, model, state, constraint, dt);
  }
}

// A link that has yielded goes on as its parts move now.
void Links::foresee(Yielding& own, const Link& link, const LinkRows& rows, const Mechanism& mechanism,
                    const ModelData& model, const ChainState& state, Constraint& constraint, double dt) const {
  const auto motion = [&](int part) {
    Vec6 moves;
    moves << state.parts[at(part)].velocity, state.parts[at(part)].spin;
    return moves;
  };
  own.at = own.strain + own.ahead.cwiseProduct(rows.by_a * motion(link.a) + rows.by_b * motion(link.b));
  own.law = link_yield(model, link, own.tangent, own.at, state.links[at(own.link)].plastic, true);
  if (own.law.yields) soften(own, mechanism, constraint, dt);
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
    const Vec3 more = bow_[k].found - bow_[k].told;
    const bool softened = yielding_of_[k] >= 0 && yielding_[at(yielding_of_[k])].softened;
    set.constraints[k].right.head<3>() -=
        softened ? Vec3(yielding_[at(yielding_of_[k])].bow * more) : Vec3(bow_[k].weight * more);
    bow_[k].told = bow_[k].found;
  }
}

// φ₀ + b + a J v⁺
Vec6 Links::strain_of(const Yielding& own, const ConstraintSet& set, const Mechanism& mechanism,
                      const std::vector<Vec6>& velocity, double dt) const {
  const Link& link = mechanism.links[at(own.link)];
  const Constraint& constraint = set.constraints[at(own.link)];
  Vec6 rate = Vec6::Zero();
  for (int i = constraint.first; i < constraint.last; ++i) {
    const Incidence& incidence = set.incidences[at(i)];
    const Vec6 moves = velocity[at(incidence.part)] + set.changes[at(incidence.part)];
    if (link.rows() == 6)
      rate.noalias() += incidence.rows * moves;
    else if (link.first_row() == 0)
      rate.head<3>().noalias() += incidence.rows.topRows<3>() * moves;
    else
      rate.tail<3>().noalias() += incidence.rows.topRows<3>() * moves;
  }
  Vec6 strain = own.strain + own.ahead.cwiseProduct(rate);
  strain.head<3>() += own.ahead[0] / dt * bow_[at(own.link)].told;
  return strain;
}

// The rows of a link by its law about φ*.
void Links::soften(Yielding& own, const Mechanism& mechanism, Constraint& constraint, double dt) const {
  const Link& link = mechanism.links[at(own.link)];
  const Vec6 stiffness = link_stiffness(link);
  own.softness.setZero();
  for (int first = link.first_row(); first < link.first_row() + link.rows(); first += 3) {
    const Vec3 own_stiffness = stiffness.segment<3>(first);
    const Mat3 elastic = own_stiffness.asDiagonal();
    const Mat3 soft = kMostSoftened * own.law.softening.block<3, 3>(first, first);
    const Mat3 left = elastic - soft;
    const Mat3 give =
        Mat3(left * own.ahead.segment<3>(first).asDiagonal() + elastic * own.damping.segment<3>(first).asDiagonal())
            .inverse();
    const int row = first - link.first_row();
    Vec3 from = own.strain.segment<3>(first);
    if (first == 0) {
      const double weight = own.ahead[0] / dt;
      own.bow = weight * give * left;
      from += weight * bow_[at(own.link)].told;
    }
    const Vec3 held = left * from - own.law.relief.segment<3>(first) + soft * own.at.segment<3>(first);
    constraint.right.segment<3>(row) = own.free.segment<3>(first) - give * held;
    own.softness.block<3, 3>(row, row) = give / dt;
  }
  constraint.softened = &own.softness;
  own.softened = true;
}

bool Links::give_way(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, const ChainState& state,
                     const std::vector<Vec6>& velocity, double dt) {
  bool again = false;
  for (Yielding& own : yielding_) {
    const LinkState& memory = state.links[at(own.link)];
    if (memory.broken) continue;
    const Link& link = mechanism.links[at(own.link)];
    Vec6 strain = own.found = strain_of(own, set, mechanism, velocity, dt);
    if (!own.softened && link_rests(model, link, strain, memory)) continue;
    if (!std::exchange(own.gives, true)) own.tangent = link_tangent(link, state);
    const Vec6 foreseen = own.law.relief + kMostSoftened * own.law.softening * (strain - own.at);
    LinkYield law = link_yield(model, link, own.tangent, strain, memory.plastic, true);
    const Vec6 scale = yield_scale(link);
    const Vec6 off = (law.relief - foreseen).cwiseProduct(compliance_of(link)).cwiseQuotient(scale);
    if (off.cwiseAbs().maxCoeff() <= kFollowed) continue;
    const double far = (strain - own.at).cwiseQuotient(scale).norm();
    if (far > kMostYield) {
      strain = own.at + kMostYield / far * (strain - own.at);
      law = link_yield(model, link, own.tangent, strain, memory.plastic, true);
    }
    own.at = strain;
    own.law = law;
    soften(own, mechanism, set.constraints[at(own.link)], dt);
    again = true;
  }
  return again;
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
void Links::take_lags(const ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
                      const std::vector<Vec6>& velocity, double dt) const {
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    LinkState& link = state.links[k];
    link.lag.setZero();
    link.twist_lag = 0;
    link.twist_rate = twist_[k].rate;
    if (link.broken) continue;
    const int first = set.constraints[k].first;
    Vec6 force = link.force;
    if (yielding_of_[k] >= 0) {
      const Yielding& own = yielding_[at(yielding_of_[k])];
      if (own.gives)
        state.dissipated += keep_yield(model, mechanism.links[k], own.tangent, own.found, link);
      else
        link.strain = own.found;
      // −ελ of a link that has given way is what is left of its strain
      if (has_yielded(link)) force = -link_stiffness(mechanism.links[k]).cwiseProduct(own.found);
    }
    if (mechanism.links[k].turn) {
      link.twist_lag = twist_[k].value + mechanism.links[k].turn_compliance[2] * force[5];
      const int row = 5 - mechanism.links[k].first_row();
      for (const int i : {first, first + 1})
        link.twist_lag += dt * set.incidences[at(i)].rows.row(row).dot(velocity[at(set.incidences[at(i)].part)]);
    }
    if (!mechanism.links[k].has_gap()) continue;
    link.lag = gap_[k] + bow_[k].told + mechanism.links[k].gap_compliance * force.head<3>();
    for (const int i : {first, first + 1})
      link.lag += dt * set.incidences[at(i)].rows.topRows<3>() * velocity[at(set.incidences[at(i)].part)];
  }
}

}  // namespace filum::chain
