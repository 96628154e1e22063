#include "rod/inextensible_edges.hpp"

#include <cmath>

namespace filum::rod {

namespace {

// On |e|² / l² − 1, twice the strain. Round-off leaves some 1e-15.
constexpr double kTolerance = 2e-12;
// The tensions of the step before are taken as they are only where nothing but round-off tells them from right ones:
// within the tolerance above they would lag behind the motion when steps are short.
constexpr double kNothingToDo = 1e-15;
// Far more than a step within the stability limit needs: a step that does not get there is too large.
constexpr int kMostIterations = 50;
// A pivot below this share of its diagonal is round-off: its row depends on those before.
constexpr double kRedundant = 1e-13;

}  // namespace

void InextensibleChain::resize(std::size_t edges, bool closed) {
  closed_ = closed;
  matrix_.resize(edges, closed);
}

double InextensibleChain::pull(const Step& step, std::span<const double> tension, std::span<Vec3> edge) const {
  const std::size_t edges = edge.size();
  double worst = 0;
  // what a node is moved by: the pull of the edge after it less that of the edge before
  const Vec3 first = tension[0] * step.direction[0];
  Vec3 here = first;
  Vec3 before = closed_ ? Vec3(tension[edges - 1] * step.direction[edges - 1]) : Vec3(Vec3::Zero());
  Vec3 start_move = step.inverse_mass[0].cwiseProduct(here - before);
  for (std::size_t i = 0; i < edges; ++i) {
    const bool last = i + 1 == edges;
    Vec3 after = Vec3::Zero();
    if (!last)
      after = tension[i + 1] * step.direction[i + 1];
    else if (closed_)
      after = first;
    const Vec3 end_move = step.inverse_mass[last && closed_ ? 0 : i + 1].cwiseProduct(after - here);
    edge[i] = step.moved[i] + step.scale * (end_move - start_move);
    const double excess = edge[i].squaredNorm() / (step.length[i] * step.length[i]) - 1;
    // written so that a NaN stays
    if (!(std::abs(excess) <= worst)) worst = std::abs(excess);
    start_move = end_move;
    here = after;
  }
  return worst;
}

void InextensibleChain::fill_matrix(const Step& step, std::span<const Vec3> edge) {
  const std::size_t edges = edge.size();
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t next = i + 1 < edges ? i + 1 : 0;
    const std::size_t previous = i > 0 ? i - 1 : edges - 1;
    // the row's own vector 2ē + d, weighted by what moves its two nodes
    const Vec3 row = step.scale * (step.moved[i] + edge[i]);
    const Vec3 start = row.cwiseProduct(step.inverse_mass[i]);
    const Vec3 end = row.cwiseProduct(step.inverse_mass[closed_ ? next : i + 1]);
    matrix_.lower[i] = -start.dot(step.direction[previous]);
    matrix_.diagonal[i] = (start + end).dot(step.direction[i]);
    matrix_.upper[i] = -end.dot(step.direction[next]);
  }
}

InextensibleChain::Outcome InextensibleChain::solve(const Step& step, std::span<double> tension, std::span<Vec3> edge) {
  Outcome outcome;
  double excess = pull(step, tension, edge);
  while (!(excess <= (outcome.iterations > 0 ? kTolerance : kNothingToDo)) && outcome.iterations < kMostIterations) {
    fill_matrix(step, edge);
    for (std::size_t i = 0; i < edge.size(); ++i)
      tension[i] = step.moved[i].squaredNorm() - step.length[i] * step.length[i];
    ++outcome.iterations;
    if (!matrix_.factor()) break;
    matrix_.solve(tension);
    excess = pull(step, tension, edge);
    if (!std::isfinite(excess)) break;
  }
  outcome.residual = 0.5 * excess;
  outcome.converged = excess <= kTolerance;
  return outcome;
}

void InextensibleChain::solve_rates(const Step& step, std::span<double> tension) {
  // the rows 2t instead of 2ē + d
  Step instant = step;
  instant.moved = step.direction;
  fill_matrix(instant, step.direction);
  for (std::size_t i = 0; i < tension.size(); ++i) tension[i] = 2 * step.direction[i].dot(step.moved[i]);
  // a rod that lies straight between two held nodes has one row too many
  matrix_.factor_semidefinite(kRedundant);
  matrix_.solve(tension);
}

}  // namespace filum::rod
