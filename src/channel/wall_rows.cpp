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

// c = w(s) ∓ y
Row wall_row(int node, RowKind kind, const Place& place, const Width& width) {
  const double sign = kind == RowKind::Left ? -1 : 1;
  Row row;
  row.node = node;
  row.kind = kind;
  row.value = width.value + sign * place.y;
  row.gradient = width.slope * place.stretch * place.tangent + sign * place.normal;
  const Eigen::Matrix2d tt = outer(place.tangent, place.tangent);
  row.hessian = -sign * place.bend * tt + width.slope * along_hessian(place) +
                width.curvature * place.stretch * place.stretch * tt;
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

std::vector<Row> make_rows(const Passage& passage, const Beam& beam, const Configuration& configuration) {
  std::vector<Row> rows;
  rows.reserve(2 * configuration.nodes.size());
  for (int node = 1; node <= beam.links; ++node) {
    const Place& place = configuration.places[at(node)];
    rows.push_back(wall_row(node, RowKind::Left, place, passage.left(place.s)));
    rows.push_back(wall_row(node, RowKind::Right, place, passage.right(place.s)));
  }
  if (!beam.tip) return rows;
  const Place& place = configuration.places.back();
  Row along{beam.links, RowKind::TipAlong, place.s - *beam.tip, place.stretch * place.tangent, along_hessian(place)};
  rows.push_back(along);
  if (beam.centred)
    rows.push_back(
        {beam.links, RowKind::TipAcross, place.y, place.normal, -place.bend * outer(place.tangent, place.tangent)});
  return rows;
}

}  // namespace filum::channel
