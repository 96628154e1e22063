#include "channel/wall_rows.hpp"

#include "base/index.hpp"

namespace filum::channel {
namespace {

Eigen::Matrix2d outer(const Vec2& a, const Vec2& b) {
  return a * b.transpose();
}

// ∇∇s = stretch bend (t nᵀ + n tᵀ)
Eigen::Matrix2d along_hessian(const Place& place) {
  return place.stretch * place.bend * (outer(place.tangent, place.normal) + outer(place.normal, place.tangent));
}

// c = w(s) ∓ y. The force of a wall that rubs is turned against the sliding by the angle of friction: with J a quarter turn
// to the left, (1 + m J) ∇c, m = ±μ by side and sense.
Row wall_row(int node, RowKind kind, const Place& place, const Width& width, double rubs) {
  const double sign = kind == RowKind::Left ? -1 : 1;
  Row row;
  row.node = node;
  row.kind = kind;
  row.value = width.value + sign * place.y;
  row.gradient = width.slope * place.stretch * place.tangent + sign * place.normal;
  const Eigen::Matrix2d tt = outer(place.tangent, place.tangent);
  row.hessian = -sign * place.bend * tt + width.slope * along_hessian(place) +
                width.curvature * place.stretch * place.stretch * tt;
  Eigen::Matrix2d turned;
  turned << 1, -sign * rubs, sign * rubs, 1;
  row.push = turned * row.gradient;
  row.turn = turned * row.hessian;
  return row;
}

}  // namespace

Configuration configure(const Passage& passage, const Beam& beam, std::vector<double> angles) {
  Configuration configuration;
  configuration.nodes = positions(beam, angles);
  configuration.places = places(passage, configuration.nodes);
  configuration.angles = std::move(angles);
  return configuration;
}

void move_to(const Passage& passage, const Beam& beam, const std::vector<double>& angles,
             Configuration& configuration) {
  configuration.angles = angles;
  configuration.nodes = positions(beam, angles);
  for (std::size_t i = 0; i < configuration.nodes.size(); ++i)
    configuration.places[i] = passage.locate(configuration.nodes[i], configuration.places[i].piece);
}

std::vector<Row> make_rows(const Passage& passage, const Beam& beam, const Configuration& configuration,
                           double friction) {
  std::vector<Row> rows;
  rows.reserve(2 * configuration.nodes.size());
  for (int node = 1; node <= beam.links; ++node) {
    const Place& place = configuration.places[at(node)];
    for (const RowKind side : {RowKind::Left, RowKind::Right}) {
      const Width width = side == RowKind::Left ? passage.left(place.s) : passage.right(place.s);
      rows.push_back(wall_row(node, side, place, width, beam.sense * friction));
      rows.back().give = beam.give_of(node);
    }
  }
  if (!beam.tip) return rows;
  const Place& place = configuration.places.back();
  rows.push_back(tip_row<Row>(beam.links, RowKind::TipAlong, place.s - *beam.tip, place.stretch * place.tangent,
                              along_hessian(place)));
  if (beam.centred)
    rows.push_back(tip_row<Row>(beam.links, RowKind::TipAcross, place.y, place.normal,
                                -place.bend * outer(place.tangent, place.tangent)));
  return rows;
}

}  // namespace filum::channel
