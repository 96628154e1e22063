#include "flexible/tube_line.hpp"

#include <algorithm>
#include <cmath>

namespace filum::flexible {

double turn_at(const std::vector<Turn>& turns, double share) {
  if (turns.empty()) return 0;
  const auto after = std::find_if(turns.begin(), turns.end(), [&](const Turn& turn) { return turn.share >= share; });
  if (after == turns.begin()) return after->angle;
  if (after == turns.end()) return turns.back().angle;
  const Turn& before = *std::prev(after);
  return std::lerp(before.angle, after->angle, (share - before.share) / (after->share - before.share));
}

std::vector<Turn> turns_between(const std::vector<Turn>& turns, double from, double to) {
  if (turns.empty()) return {};
  const double begin = turn_at(turns, from);
  std::vector<Turn> part{{0, 0}};
  for (const Turn& turn : turns)
    if (turn.share > from && turn.share < to) part.push_back({(turn.share - from) / (to - from), turn.angle - begin});
  part.push_back({1, turn_at(turns, to) - begin});
  return part;
}

double CentreLine::length() const {
  double sum = 0;
  for (std::size_t i = 1; i < centre.size(); ++i) sum += (centre[i] - centre[i - 1]).norm();
  return sum;
}

}  // namespace filum::flexible
