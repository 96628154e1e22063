#include "formulations/discrete/contact_foot.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {
namespace {

// Stations stand evenly on an edge, after its first node.
double spacing(const ModelData& model, int station) {
  const ContactStation& before = model.stations[at(station - 1)];
  return model.stations[at(station)].share - (before.b < 0 ? 0 : before.share);
}

}  // namespace

FootReach foot_reach(const ModelData& model, int station, double wide) {
  const double share = model.stations[at(station)].share;
  const double step = spacing(model, station);
  const double low = share < 1.5 * step ? 0 : share - wide * step;
  const double high = share > 1 - 1.5 * step ? 1 : share + wide * step;
  return {low, high};
}

Foot find_foot(const geometry::Shape& shape, const geometry::Segment& edge, const FootReach& reach) {
  constexpr int kMostSteps = 60;
  constexpr double kEnough = 1e-15;
  const Vec3 e = edge.to - edge.from;
  double low = reach.low;
  double high = reach.high;
  if (geometry::distance_from(shape, edge.at(low)).normal.dot(e) >= 0) return {low, -1};
  if (geometry::distance_from(shape, edge.at(high)).normal.dot(e) <= 0) return {high, 1};
  // Newton's method between two shares that the foot lies between, which are halved where it leaves them
  double share = 0.5 * (low + high);
  for (int k = 0; k < kMostSteps; ++k) {
    const geometry::Distance here = geometry::distance_from(shape, edge.at(share));
    const double slope = here.normal.dot(e);
    if (slope == 0) break;
    (slope < 0 ? low : high) = share;
    const double bend = e.dot(here.hessian * e);
    double next = bend > 0 ? share - slope / bend : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool there = std::abs(next - share) <= kEnough;
    share = next;
    if (there) break;
  }
  return {share, 0};
}

FootSlide foot_slide(const geometry::Distance& there, const Vec3& e, double share) {
  const Vec3 turn = there.hessian * e;
  return {{-there.normal + (1 - share) * turn, there.normal + share * turn}, e.dot(turn)};
}

// The distance falls by no more than the way, nor, where it is about the radius, by more than a ball of that curves.
double foot_margin(const ModelData& model, int station) {
  const ContactStation& of = model.stations[at(station)];
  const double way = spacing(model, station) * (model.start_position[at(of.b)] - model.start_position[at(of.a)]).norm();
  return std::min(way, way * way / (2 * of.radius));
}

}  // namespace filum::discrete
