#include "formulations/chain/rest/chain_equilibrium.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/joint_residual.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "math/block_ldlt.hpp"
#include "math/rotation.hpp"
#include "rod/joint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace filum::chain {

namespace {

constexpr double kTolerance = 1e-10;   // of the residual
constexpr double kMostTurn = 0.4;      // of a part in one iteration, rad
constexpr int kMostIterations = 2000;  // far beyond what any scene has needed
constexpr int kMostStale = 200;        // without a lower residual
constexpr int kMostTries = 40;         // at a time step whose matrix is that of a minimum
constexpr double kLower = 0.9;         // of the lowest so far: what counts as lower
constexpr double kFloorFactor = 10;    // converged also at so many times the round-off
constexpr double kNothing = 1e-6;      // of the force that bends a rod by a rad: a rod let go bears none at all

// What a link that yields gives way by: (K − S)⁻¹, with a little of K left where nothing is.
Mat6 give_of(const Link& link, const LinkYield& yield) {
  const Vec6 stiffness = link_stiffness(link);
  Mat6 give = Mat6::Zero();
  for (int first = link.first_row(); first < link.first_row() + link.rows(); first += 3) {
    const Mat3 elastic = stiffness.segment<3>(first).asDiagonal();
    give.block<3, 3>(first, first) =
        Mat3(elastic - kMostSoftened * yield.softening.block<3, 3>(first, first)).inverse();
  }
  return give;
}

class Balance {
 public:
  Balance(const ModelData& model, const Mechanism& mechanism, const Targets& targets)
      : model_(model), mechanism_(mechanism), targets_(targets) {
    analyse();
  }

  // Residuals and stiffnesses at a state.
  void evaluate(const ChainState& state);
  // The matrix at a time step τ; false if it is not that of a minimum.
  bool factor(double tau);
  // The motion and the forces that the residual asks for.
  void solve();
  // Takes a share of it.
  void advance(ChainState& state, double share) const;

  [[nodiscard]] double residual() const { return residual_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double largest_turn() const;
  [[nodiscard]] double largest_move() const;
  // How far it leads a link, in strains of first yield.
  [[nodiscard]] double largest_strain() const;
  // Links may yield from here on, or may not. Whether any would at the state last looked at.
  void let_yield(bool may) { may_yield_ = may; }
  [[nodiscard]] bool would_yield(const ChainState& state) const;
  // The end of the increment. False: it is a jump that no motion would have led to, and nothing is kept.
  bool keep(ChainState& state) const;
  [[nodiscard]] bool is_minimum() const { return ldlt_.inertia().negative == rows_ && ldlt_.inertia().zero == 0; }

 private:
  struct Place {
    int block = -1;
    int row = 0;  // within the block
  };

  void analyse();
  void add(Place a, Place b, const Mat6& matrix, int rows, int columns, int first_row, int first_column);

  const ModelData& model_;
  const Mechanism& mechanism_;
  const Targets& targets_;
  math::BlockGraph graph_;
  math::BlockLdlt ldlt_;
  std::vector<Place> part_place_;
  std::vector<Place> link_place_;
  int rows_ = 0;  // of all links

  std::vector<LinkRows> rows_of_;
  std::vector<Vec6> force_;       // per part: f + Jᵀλ
  std::vector<double> size_;      // per part: Σ of the absolute forces and moments on it
  std::vector<Vec6> link_gap_;    // per link: φ + ελ
  std::vector<LinkYield> yield_;  // per link
  bool may_yield_ = false;
  struct LinkStiffness {
    Mat3 aa, bb, ab;  // on the rotations of its parts
  };
  std::vector<LinkStiffness> stiffness_;
  std::vector<double> vector_;
  double soft_force_ = 0;  // what nothing that acts is told from: a small part of what bends the softest rod by a rad
  double residual_ = 0;
  double floor_ = 0;
};

// Parts outwards from what is held, each with the link that leads to it.
void Balance::analyse() {
  const std::size_t parts = mechanism_.parts.size();
  const std::size_t links = mechanism_.links.size();
  std::vector<std::vector<int>> of_part(parts);
  for (std::size_t k = 0; k < links; ++k) {
    of_part[at(mechanism_.links[k].a)].push_back(static_cast<int>(k));
    of_part[at(mechanism_.links[k].b)].push_back(static_cast<int>(k));
  }
  part_place_.assign(parts, {});
  link_place_.assign(links, {});
  std::vector<bool> seen(parts, false);
  std::vector<int> found;  // blocks from the held outwards
  std::queue<int> next;
  auto go_out = [&] {
    while (!next.empty()) {
      const int part = next.front();
      next.pop();
      for (const int k : of_part[at(part)]) {
        const Link& link = mechanism_.links[at(k)];
        const int other = link.a == part ? link.b : link.a;
        if (seen[at(other)]) continue;
        seen[at(other)] = true;
        const int block = graph_.add_block(6 + link.rows());
        part_place_[at(other)] = {block, 0};
        link_place_[at(k)] = {block, 6};
        found.push_back(block);
        next.push(other);
      }
    }
  };
  for (std::size_t p = 0; p < parts; ++p)
    if (!mechanism_.parts[p].moves) {
      seen[p] = true;
      next.push(static_cast<int>(p));
    }
  go_out();
  // what hangs on nothing
  for (std::size_t p = 0; p < parts; ++p)
    if (!seen[p]) {
      seen[p] = true;
      part_place_[p] = {graph_.add_block(6), 0};
      found.push_back(part_place_[p].block);
      next.push(static_cast<int>(p));
      go_out();
    }
  std::vector<int> order(found.rbegin(), found.rend());
  for (std::size_t k = 0; k < links; ++k) {
    rows_ += mechanism_.links[k].rows();
    if (link_place_[k].block >= 0) continue;
    link_place_[k] = {graph_.add_block(mechanism_.links[k].rows()), 0};
    order.push_back(link_place_[k].block);
  }
  for (std::size_t k = 0; k < links; ++k) {
    const Link& link = mechanism_.links[k];
    const int a = part_place_[at(link.a)].block;
    const int b = part_place_[at(link.b)].block;
    for (const int block : {a, b})
      if (block >= 0) graph_.connect(link_place_[k].block, block);
    if (a >= 0 && b >= 0) graph_.connect(a, b);
  }
  ldlt_.analyse(graph_, order);
  for (const Link& link : mechanism_.links) {
    if (!link.turn || !(link.turn_compliance.head<2>().minCoeff() > 0)) continue;
    const double bending = link.cell / link.turn_compliance.head<2>().maxCoeff();
    const double force = kNothing * bending / (model_.size * model_.size);
    soft_force_ = soft_force_ > 0 ? std::min(soft_force_, force) : force;
  }
  rows_of_.resize(links);
  stiffness_.resize(links);
  link_gap_.resize(links);
  yield_.resize(links);
  force_.resize(parts);
  size_.resize(parts);
  vector_.resize(at(graph_.rows()));
}

void Balance::evaluate(const ChainState& state) {
  // what acts from outside
  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p) {
    const Part& part = mechanism_.parts[p];
    force_[p].setZero();
    force_[p].head<3>() = targets_.load * (part.mass * model_.gravity + part.load);
    size_[p] = force_[p].norm();
  }
  auto push = [&](const PartLoad& load, double scale, bool turns) {
    const Mat3 axes = state.parts[at(load.part)].orientation.toRotationMatrix();
    const Vec3 value = targets_.load * scale * load.share * (load.follow ? Vec3(axes * load.value) : load.value);
    if (turns)
      force_[at(load.part)].tail<3>() += value;
    else
      force_[at(load.part)] += (Vec6() << value, (axes * load.arm).cross(value)).finished();
    size_[at(load.part)] += turns ? value.norm() / model_.size : value.norm();
  };
  for (const PartLoad& load : mechanism_.forces) push(load, targets_.force_scale[at(load.index)], false);
  for (const PartLoad& load : mechanism_.torques) push(load, targets_.torque_scale[at(load.index)], true);

  // what the links do
  double gap = 0;
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    const PartState& a = state.parts[at(link.a)];
    const PartState& b = state.parts[at(link.b)];
    const Vec6& lambda = state.links[k].force;
    rows_of_[k] = link_rows(link, JointForm::Vector, a, b, state.links[k].twist);
    const LinkRows& rows = rows_of_[k];
    force_[at(link.a)] += rows.by_a.transpose() * lambda;
    force_[at(link.b)] += rows.by_b.transpose() * lambda;
    const double strength = lambda.head<3>().norm() + lambda.tail<3>().norm() / model_.size;
    size_[at(link.a)] += strength;
    size_[at(link.b)] += strength;
    link_gap_[k] = rows.value;
    link_gap_[k].head<3>() += link.gap_compliance * lambda.head<3>();
    link_gap_[k].tail<3>() += link.turn_compliance.cwiseProduct(lambda.tail<3>());
    for (int r = 0; r < 3; ++r)
      if (!link.gap[at(r)]) link_gap_[k][r] = 0;
    if (!link.turn) link_gap_[k].tail<3>().setZero();
    if (link.law >= 0) {
      yield_[k] = link_yield(model_, link, link_tangent(link, state), rows.value, state.links[k].plastic, may_yield_);
      const Vec6 relief = yield_[k].relief;
      link_gap_[k].head<3>() -= link.gap_compliance * relief.head<3>();
      link_gap_[k].tail<3>() -= link.turn_compliance.cwiseProduct(relief.tail<3>());
    }
    gap = std::max({gap, link_gap_[k].head<3>().norm() / model_.size, link_gap_[k].tail<3>().norm()});
    if (yield_[k].yields) link_gap_[k] = give_of(link, yield_[k]) * link_stiffness(link).cwiseProduct(link_gap_[k]);

    // geometric stiffness
    LinkStiffness& stiff = stiffness_[k];
    auto of_gap = [&](const Vec3& f, const Vec3& arm) {
      return Mat3(f.dot(arm) * Mat3::Identity() - 0.5 * (f * arm.transpose() + arm * f.transpose()));
    };
    const Vec3 f = lambda.head<3>();
    stiff.aa = of_gap(-f, a.orientation * link.arm_a);
    stiff.bb = of_gap(f, b.orientation * link.arm_b);
    stiff.ab.setZero();
    if (!link.turn) continue;
    Vec3 components = -lambda.tail<3>();
    // of a laid rope the tension has a torque too
    if (link.lay != 0) components[2] -= link.lay * f.dot(a.orientation * link.base_a.col(2));
    const rod::JointStrain strain = rod::joint_strain(a.orientation.toRotationMatrix() * link.base_a,
                                                      b.orientation.toRotationMatrix() * link.base_b, rows.twist);
    const Mat3 c = rod::joint_stiffness(strain, {}, components);
    stiff.aa += c;
    stiff.bb += c;
    stiff.ab += -c + 0.5 * math::skew(rod::joint_moment(strain, components));
  }

  // forces out of balance against forces at work; gaps against the rod
  double worst = 0;
  double most = soft_force_;
  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p) {
    if (!mechanism_.parts[p].moves) continue;
    worst = std::max({worst, force_[p].head<3>().norm(), force_[p].tail<3>().norm() / model_.size});
    most = std::max(most, size_[p]);
  }
  residual_ = std::max(most > 0 ? worst / most : 0, gap);
  floor_ = std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(mechanism_.parts.size())) * 8;
}

void Balance::add(Place a, Place b, const Mat6& matrix, int rows, int columns, int first_row, int first_column) {
  const math::Slot slot = ldlt_.slot(a.block, b.block);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      // of a block on the diagonal, the lower triangle
      const int row = a.row + r;
      const int column = b.row + c;
      if (a.block == b.block && row < column) continue;
      ldlt_.values()[slot.at(row, column)] += matrix(first_row + r, first_column + c);
    }
}

bool Balance::factor(double tau) {
  ldlt_.set_zero();
  const double least = 1e-6 * model_.size * model_.size;
  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p) {
    const Part& part = mechanism_.parts[p];
    if (!part.moves) continue;
    Mat6 mass = Mat6::Zero();
    mass.diagonal().head<3>().setConstant(part.mass / (tau * tau));
    mass.diagonal().tail<3>().setConstant(std::max(part.inertia.maxCoeff(), least * part.mass) / (tau * tau));
    add(part_place_[p], part_place_[p], mass, 6, 6, 0, 0);
  }
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    const Place a = part_place_[at(link.a)];
    const Place b = part_place_[at(link.b)];
    const Place own = link_place_[k];
    const int first = link.first_row();
    Mat6 stiff = Mat6::Zero();
    if (a.block >= 0) {
      stiff.bottomRightCorner<3, 3>() = stiffness_[k].aa;
      add(a, a, stiff, 6, 6, 0, 0);
      add(own, a, -rows_of_[k].by_a, link.rows(), 6, first, 0);
    }
    if (b.block >= 0) {
      stiff.bottomRightCorner<3, 3>() = stiffness_[k].bb;
      add(b, b, stiff, 6, 6, 0, 0);
      add(own, b, -rows_of_[k].by_b, link.rows(), 6, first, 0);
    }
    if (a.block >= 0 && b.block >= 0) {
      stiff.bottomRightCorner<3, 3>() = stiffness_[k].ab;
      add(a, b, stiff, 6, 6, 0, 0);
    }
    Mat6 soft = Mat6::Zero();
    for (int r = 0; r < 3; ++r) {
      soft(r, r) = link.gap[at(r)] ? -link.gap_compliance : -1;
      soft(r + 3, r + 3) = -link.turn_compliance[r];
    }
    if (yield_[k].yields) soft = -give_of(link, yield_[k]);
    add(own, own, soft, link.rows(), link.rows(), first, first);
  }
  return ldlt_.factor() && is_minimum();
}

void Balance::solve() {
  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p)
    if (const Place place = part_place_[p]; place.block >= 0)
      for (int r = 0; r < 6; ++r) vector_[at(graph_.first_row(place.block) + place.row + r)] = force_[p][r];
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    const Place place = link_place_[k];
    for (int r = 0; r < link.rows(); ++r)
      vector_[at(graph_.first_row(place.block) + place.row + r)] = link_gap_[k][link.first_row() + r];
  }
  ldlt_.solve(vector_.data());
}

double Balance::largest_turn() const {
  double most = 0;
  for (const Place& place : part_place_)
    if (place.block >= 0)
      most = std::max(most, Vec3::Map(&vector_[at(graph_.first_row(place.block) + place.row + 3)]).norm());
  return most;
}

double Balance::largest_move() const {
  double most = 0;
  for (const Place& place : part_place_)
    if (place.block >= 0)
      most = std::max(most, Vec3::Map(&vector_[at(graph_.first_row(place.block) + place.row)]).norm());
  return most;
}

double Balance::largest_strain() const {
  if (!may_yield_) return 0;
  double most = 0;
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    if (link.law < 0) continue;
    Vec6 change = Vec6::Zero();
    for (const auto& [part, rows] : {std::pair{link.a, &rows_of_[k].by_a}, std::pair{link.b, &rows_of_[k].by_b}})
      if (const Place place = part_place_[at(part)]; place.block >= 0)
        change += *rows * Vec6::Map(&vector_[at(graph_.first_row(place.block) + place.row)]);
    most = std::max(most, change.tail<3>().cwiseQuotient(link.yield).norm());
  }
  return most;
}

bool Balance::would_yield(const ChainState& state) const {
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    if (link.law >= 0 &&
        link_yield(model_, link, link_tangent(link, state), rows_of_[k].value, state.links[k].plastic, true).yields)
      return true;
  }
  return false;
}

bool Balance::keep(ChainState& state) const {
  const std::vector<LinkState> before = state.links;
  const double far = furthest_yield(model_, mechanism_, state);
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k)
    if (const Link& link = mechanism_.links[k]; link.law >= 0)
      keep_yield(model_, link, link_tangent(link, state), rows_of_[k].value, state.links[k]);
  if (furthest_yield(model_, mechanism_, state) <= far + discrete::kMostJump) return true;
  state.links = before;
  return false;
}

void Balance::advance(ChainState& state, double share) const {
  for (std::size_t p = 0; p < state.parts.size(); ++p) {
    const Place place = part_place_[p];
    if (place.block < 0) continue;
    const double* change = &vector_[at(graph_.first_row(place.block) + place.row)];
    PartState& part = state.parts[p];
    part.position += share * Vec3::Map(change);
    part.orientation = (math::exp_quat(share * Vec3::Map(change + 3)) * part.orientation).normalized();
  }
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    const Place place = link_place_[k];
    for (int r = 0; r < link.rows(); ++r)
      state.links[k].force[link.first_row() + r] += share * vector_[at(graph_.first_row(place.block) + place.row + r)];
    state.links[k].twist = rows_of_[k].twist;
  }
}

}  // namespace

SolveReport find_equilibrium(const ModelData& model, const Mechanism& mechanism, ChainState& state,
                             const Targets& targets, bool conservative, const Progress& progress) {
  SolveReport report;
  for (LinkState& link : state.links) {
    link.lag.setZero();
    link.twist_lag = 0;
  }
  Balance balance(model, mechanism, targets);
  balance.evaluate(state);
  // begins with the time in which a part falls by its own length
  const double gravity = std::max(model.gravity.norm(), 1e-3);
  double tau = 0.1 * std::sqrt(model.size / gravity);
  ChainState best = state;
  double lowest = balance.residual();
  int stale = 0;
  bool yields = false;
  for (; report.iterations < kMostIterations && stale < kMostStale; ++report.iterations, ++stale) {
    if (balance.residual() < kTolerance || balance.residual() < kFloorFactor * balance.floor()) {
      // an increment begins elastic, because unloading is as likely as loading; from that balance on rods yield
      report.converged = yields || !balance.would_yield(state);
      if (report.converged) break;
      yields = true;
      balance.let_yield(true);
      balance.evaluate(state);
      lowest = balance.residual();
      best = state;
      stale = 0;
    }
    // the longest time at which the way leads down
    int tries = 0;
    while (!balance.factor(tau) && conservative && ++tries < kMostTries) tau /= 2;
    if (tries == kMostTries) break;
    balance.solve();
    const double turn = balance.largest_turn();
    const double move = balance.largest_move();
    if (!std::isfinite(turn) || !std::isfinite(move)) break;
    const double share =
        std::min({1.0, kMostTurn / turn, 0.5 * model.size / move, kMostYield / balance.largest_strain()});
    balance.advance(state, share);
    balance.evaluate(state);
    if (share < 1)
      tau /= 2;
    else if (tries == 0)
      tau = std::min(4 * tau, 1e9);
    if (std::isfinite(balance.residual()) && balance.residual() < lowest) {
      if (balance.residual() < kLower * lowest) stale = 0;
      lowest = balance.residual();
      best = state;
    }
    const double near = std::clamp(-std::log10(std::max(lowest, kTolerance)) / 10, 0.0, 1.0);
    if (stops(progress, near, "equilibrium", report)) break;
  }
  if (!report.converged) {
    state = best;
    balance.evaluate(state);
    if (!report.stopped) report.why = "the chain found no equilibrium";
  }
  if (report.converged && !balance.keep(state)) {
    report.converged = false;
    report.why = discrete::kJumped;
  }
  report.residual = balance.residual();
  report.floor = balance.floor();
  if (!report.converged) return report;
  // stable if nothing grows: what moves freely, or more slowly than a hundred swings, counts as neutral
  if (conservative)
    report.stable = balance.factor(100 * std::sqrt(model.size / gravity));
  else
    report.why = "torques and following forces have no energy to judge it by";
  return report;
}

}  // namespace filum::chain
