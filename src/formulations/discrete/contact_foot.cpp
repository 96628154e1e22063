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

// An edge that lies along a face and goes out over its end has the same distance all along the face, to round-off: its
// foot is where the face ends. Otherwise the end of the reach and the face's would take turns.
Foot find_foot(const geometry::Shape& shape, const geometry::Segment& edge, const FootReach& reach) {
  constexpr double kAlong = 5e-7;  // rad, between what lies along a face and what does not
  const Vec3 e = edge.to - edge.from;
  const double along = kAlong * e.norm();
  const auto slope_at = [&](double share) {
    const geometry::Distance here = geometry::distance_from(shape, edge.at(share));
    return FootSlope{here.normal.dot(e), e.dot(here.hessian * e)};
  };
  const double first = slope_at(reach.low).slope;
  const double last = slope_at(reach.high).slope;
  const bool ends_along = first < -along && std::abs(last) <= along;
  const bool begins_along = last > along && std::abs(first) <= along;
  const double level = ends_along ? -along : begins_along ? along : 0;
  if (first >= level) return {reach.low, -1};
  if (last <= level) return {reach.high, 1};
  const auto above_level = [&](double share) {
    const FootSlope here = slope_at(share);
    return FootSlope{here.slope - level, here.bend};
  };
  return {foot_between(reach.low, reach.high, above_level), 0};
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
