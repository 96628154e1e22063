#include "formulations/discrete/mode_search.hpp"

#include "math/block_lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::discrete {

namespace {

constexpr double kAboveNoise = 1e3;
constexpr double kShiftGrowth = 8;
constexpr int kMostShifts = 60;
constexpr int kMostSearches = 3;  // for what the first one missed
// Dimensions of the search: several times what usually suffices.
constexpr int kSearchSpace = 4;
constexpr int kSmallestSpace = 400;

// The vectors that were found, cleaned of what has no mass by one more application of the operator.
template <class Apply>
Eigen::MatrixXd cleaned(const math::BlockLanczos& lanczos, int count, const Apply& apply) {
  Eigen::MatrixXd vectors = lanczos.vectors(count);
  Eigen::Index kept = 0;
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    Eigen::VectorXd x = vectors.col(k);
    apply(x);
    if (lanczos.orthonormalise(x, vectors, static_cast<int>(kept))) vectors.col(kept++) = x;
  }
  vectors.conservativeResize(vectors.rows(), kept);
  return vectors;
}

}  // namespace

double bending_spring(double EI, double length) {
  const double wave = std::numbers::pi / length;
  return EI * wave * wave * wave * wave * length;
}

Modes ModePencil::search(int count, const Progress& progress) {
  Modes modes;
  if (count <= 0 || !choose_shift()) return modes;
  const auto apply_to = [&](Eigen::VectorXd& x) { apply(x); };
  math::BlockLanczos lanczos({rows_, apply_to, [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) { weigh(x, y); }});
  for (int search = 0; search < kMostSearches; ++search) {
    const bool stopped = lanczos.run(count, std::min(rows_, kSearchSpace * count + kSmallestSpace),
                                     [&] { return stops(progress, 0.1 + 0.3 * search, "looking for modes"); });
    if (stopped) return {};
    modes.vectors = cleaned(lanczos, count, apply_to);
    sort_out(shift_, modes);
    if (complete(modes)) break;
    factor(shift_);
    lanczos.refresh();
  }
  return modes;
}

void ModePencil::apply(Eigen::VectorXd& x) {
  Eigen::VectorXd y(x.size());
  weigh(x, y);
  resolve(y);
  x = y;
}

// σ as small as keeps K + σM positive: the frequency at which the whole mass would swing on the softest rod, or so
// much more that the most unstable motion is among the positive ones.
bool ModePencil::choose_shift() {
  const Scales scale = scales();
  if (!(scale.mass > 0)) return false;
  shift_ = std::max(scale.soft, kAboveNoise * scale.noise) / scale.mass;
  // angles without inertia may have negative directions of their own, which no shift takes away
  massless_negative_ = factor(shift_).negative;
  if (massless_negative_ > 0) massless_negative_ = factor(scale.above_all).negative;
  massless_negative_ = std::max(0, massless_negative_);
  for (int k = 0; k < kMostShifts; ++k, shift_ *= kShiftGrowth)
    if (const Factored here = factor(shift_); here.done && here.negative <= massless_negative_) return true;
  return false;
}

// By Sylvester's law of inertia: as many eigenvalues lie below the last one found as have been found there.
bool ModePencil::complete(const Modes& modes) {
  const Eigen::Index found = modes.eigenvalue.size();
  if (found == 0) return true;
  const double last = modes.eigenvalue[found - 1];
  const double below = last - 1e-5 * (last + shift_);
  Eigen::Index known = 0;
  while (known < found && modes.eigenvalue[known] < below) ++known;
  return factor(-below).negative - massless_negative_ <= known;
}

}  // namespace filum::discrete
