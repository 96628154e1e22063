#include "validation/modes_kit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace filum::validation {

namespace {
// Nearer than this they are one frequency, met twice.
constexpr double kPair = 1e-6;
}  // namespace

std::vector<double> frequencies(const Scene& scene, int count) {
  ModesOptions options;
  options.count = count;
  const auto outcome = modes(scene, options);
  std::vector<double> list;
  if (!outcome) return list;
  for (const NaturalMode& mode : outcome->modes) {
    const double omega = mode.eigenvalue > 0 ? std::sqrt(mode.eigenvalue) : 0;
    if (omega > 0 && (list.empty() || omega > (1 + kPair) * list.back())) list.push_back(omega);
  }
  return list;
}

void add_frequency_rows(Sheet& sheet, const std::string& name, const std::vector<double>& reference,
                        const std::function<Scene(int)>& scene) {
  // pairs, and six motions without stiffness
  const int count = 2 * static_cast<int>(reference.size()) + 6;
  const std::vector<double> coarse = frequencies(scene(50), count);
  const std::vector<double> fine = frequencies(scene(100), count);
  for (std::size_t k = 0; k < reference.size(); ++k) {
    const bool found = k < coarse.size() && k < fine.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::string mode = fmt::format("{}, mode {}", name, k + 1);
    sheet.relative(mode + ", N = 50", found ? coarse[k] : nan, reference[k], 0.004,
                   "second order: (kl)²/12 for waves of number k on edges of length l");
    sheet.relative(mode + ", extrapolated", found ? (4 * fine[k] - coarse[k]) / 3 : nan, reference[k], 2e-4,
                   "what remains is of fourth order, and the reference's own idealisation");
  }
}

}  // namespace filum::validation
