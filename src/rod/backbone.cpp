#include "rod/backbone.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace filum::rod {

namespace {

// Of a section without bore.
double full_value(const Backbone& b, double x) {
  if (b.form == Backbone::Form::Slip) return std::tanh(x);
  if (x <= 1) return x;
  if (b.form == Backbone::Form::Power) return b.full - (b.full - 1) * std::pow(x, -1 / (b.full - 1));
  const double a = std::asin(1 / x);
  return 4 / std::numbers::pi * (x * (a / 2 - std::sin(4 * a) / 8) + 4.0 / 3 * std::pow(1 - 1 / (x * x), 1.5));
}

double full_slope(const Backbone& b, double x) {
  if (b.form == Backbone::Form::Slip) return 1 / (std::cosh(x) * std::cosh(x));
  if (x <= 1) return 1;
  if (b.form == Backbone::Form::Power) return std::pow(x, -1 / (b.full - 1) - 1);
  const double a = std::asin(1 / x);
  return 4 / std::numbers::pi * (a / 2 - std::sin(4 * a) / 8);
}

double full_plateau(const Backbone& b) {
  if (b.form == Backbone::Form::Slip) return 1;
  return b.form == Backbone::Form::Power ? b.full : 16 / (3 * std::numbers::pi);
}

// Where the points of contact may lie: u = k/kPlaces from 0 to 1, x from where B leaves its first tangent to ∞.
constexpr int kPlaces = 4000;

double place(const Backbone& b, int k) {
  const double u = static_cast<double>(k) / kPlaces;
  return b.form == Backbone::Form::Slip ? u / (1 - u) : 1 / (1 - u);
}

// A tangent: its slope, and where it meets x = 0.
struct Tangent {
  double slope = 0;
  double start = 0;
};
Tangent tangent_at(const Backbone& b, int k) {
  if (k == kPlaces) return {0, b.plateau()};
  const double x = place(b, k);
  const double slope = b.slope(x);
  return {slope, b.value(x) - x * slope};
}

}  // namespace

double Backbone::value(double x) const {
  if (bore == 0) return full_value(*this, x);
  return (full_value(*this, x) - std::pow(bore, 3) * full_value(*this, bore * x)) / (1 - std::pow(bore, 4));
}

double Backbone::slope(double x) const {
  if (bore == 0) return full_slope(*this, x);
  return (full_slope(*this, x) - std::pow(bore, 4) * full_slope(*this, bore * x)) / (1 - std::pow(bore, 4));
}

double Backbone::plateau() const {
  return full_plateau(*this) * (1 - std::pow(bore, 3)) / (1 - std::pow(bore, 4));
}

ParallelElements elements_below(const Backbone& backbone, int count, double scale) {
  // a corner between tangents dx apart is off by −B'' dx²/8: equal shares of ∫ √(−B''/B) dx make relative errors equal
  std::vector<double> sum(kPlaces + 1, 0);
  for (int k = 0; k < kPlaces; ++k) {
    const bool last = k + 1 == kPlaces;
    double part = k > 0 ? sum[static_cast<std::size_t>(k)] - sum[static_cast<std::size_t>(k) - 1] : 0;
    if (!last) {
      const double x0 = place(backbone, k), x1 = place(backbone, k + 1);
      const double fall = std::max(0.0, backbone.slope(x0) - backbone.slope(x1));
      part = std::sqrt(fall * (x1 - x0) / backbone.value(x1));
    }
    sum[static_cast<std::size_t>(k) + 1] = sum[static_cast<std::size_t>(k)] + part;
  }

  ParallelElements elements;
  Tangent before = tangent_at(backbone, 0);
  for (int i = 1; i <= count; ++i) {
    const double wanted = sum.back() * i / count;
    const auto found = std::lower_bound(sum.begin(), sum.end(), wanted);
    const int k = i == count ? kPlaces : static_cast<int>(found - sum.begin());
    const Tangent after = tangent_at(backbone, k);
    const double share = before.slope - after.slope;
    // a curve that is straight for a while needs fewer
    if (share < 1e-9) continue;
    elements.share.push_back(scale * share);
    elements.corner.push_back((after.start - before.start) / share);
    before = after;
  }
  return elements;
}

ParallelElements one_element(double scale) {
  return {{scale}, {1}, 0};
}

}  // namespace filum::rod
