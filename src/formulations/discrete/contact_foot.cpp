#include "formulations/discrete/contact_foot.hpp"

#include "base/index.hpp"
#include "formulations/discrete/foot_between.hpp"

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
  const Vec3 e = edge.to - edge.from;
  const auto slope_at = [&](double share) {
    const geometry::Distance here = geometry::distance_from(shape, edge.at(share));
    return FootSlope{here.normal.dot(e), e.dot(here.hessian * e)};
  };
  if (geometry::distance_from(shape, edge.at(reach.low)).normal.dot(e) >= 0) return {reach.low, -1};
  if (geometry::distance_from(shape, edge.at(reach.high)).normal.dot(e) <= 0) return {reach.high, 1};
  return {foot_between(reach.low, reach.high, slope_at), 0};
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
