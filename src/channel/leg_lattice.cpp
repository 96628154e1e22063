#include "channel/leg_lattice.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

// Where on the wall through `own`, along `heading`, the neighbour's wall is met; walls that are all but parallel, or
// meet far off, end at the ruling between the two.
Vec2 corner(const Vec2& own, const Vec2& along, const Vec2& other, const Vec2& other_along, const Vec2& between) {
  const double middle = along.dot(between - own);
  const double sine = along[0] * other_along[1] - along[1] * other_along[0];
  double x = middle;
  if (std::abs(sine) > 1e-6) {
    const Vec2 d = other - own;
    const double meet = (d[0] * other_along[1] - d[1] * other_along[0]) / sine;
    const double near = 0.5 * (other - own).norm();
    if (std::abs(meet - middle) < near) x = meet;
  }
  return own + x * along;
}

}  // namespace

LegLattice leg_lattice(const Passage& passage, const Beam& beam, int count, int levels, double reach) {
  LegLattice lattice;
  lattice.levels = levels;
  lattice.step = beam.step;
  lattice.legs.resize(at(count));
  const double end = passage.u_of(passage.length());
  std::vector<Vec2> right(at(count)), left(at(count));
  for (int k = 0; k < count; ++k) {
    StraightSection& leg = lattice.legs[at(k)];
    const Ruling ruling = passage.ruling(end * k / (count - 1));
    leg.heading = ruling.heading;
    leg.along = direction(ruling.heading);
    leg.width = ruling.left + ruling.right;
    leg.reach = static_cast<int>(std::floor(beam.step / (leg.width / (levels - 1))));
    right[at(k)] = ruling.point - ruling.right * ruling.normal;
    left[at(k)] = ruling.point + ruling.left * ruling.normal;
    if (k == 0) lattice.start = ruling.right;
  }
  // from corner to corner; each leg has its own, since where widths change walls need not meet
  for (int k = 0; k < count; ++k) {
    StraightSection& leg = lattice.legs[at(k)];
    Vec2 start[2] = {right[at(k)], left[at(k)]}, stop[2] = {right[at(k)], left[at(k)]};
    const Vec2 own[2] = {right[at(k)], left[at(k)]};
    for (const int beside : {k - 1, k + 1}) {
      if (beside < 0 || beside >= count) continue;
      const Ruling between = passage.ruling(end * 0.5 * (k + beside) / (count - 1));
      const Vec2 walls[2] = {between.point - between.right * between.normal,
                             between.point + between.left * between.normal};
      const Vec2 other[2] = {right[at(beside)], left[at(beside)]};
      for (int side = 0; side < 2; ++side)
        (beside < k ? start : stop)[side] =
            corner(own[side], leg.along, other[side], lattice.legs[at(beside)].along, walls[side]);
    }
    leg.origin = start[0];
    leg.start_left = leg.to_local(start[1])[0];
    leg.end_right = leg.to_local(stop[0])[0] + (k == count - 1 ? reach : 0);
    leg.end_left = leg.to_local(stop[1])[0] + (k == count - 1 ? reach : 0);
  }
  return lattice;
}

}  // namespace filum::channel
