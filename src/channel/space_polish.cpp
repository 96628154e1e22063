#include "channel/space_polish.hpp"

namespace filum::channel {
namespace {

// Where a pushed tip is: ∇s = q t, ∇∇s = q (t bᵀ + b tᵀ); across, ∇u = d1, ∇∇u = −(b·d1) t tᵀ.
void add_tip(const SpaceBeam& beam, const SpacePlace& place, std::vector<SpaceRow>& rows) {
  const Eigen::Matrix3d turns = place.tangent * place.bend.transpose();
  rows.push_back(tip_row<SpaceRow>(beam.links, RowKind::TipAlong, place.s - *beam.tip, place.stretch * place.tangent,
                                   place.stretch * (turns + turns.transpose())));
  if (!beam.centred) return;
  const Eigen::Matrix3d tt = place.tangent * place.tangent.transpose();
  rows.push_back(tip_row<SpaceRow>(beam.links, RowKind::TipAcross, place.u, place.d1, -place.bend.dot(place.d1) * tt));
  rows.push_back(tip_row<SpaceRow>(beam.links, RowKind::TipAcross, place.v, place.d2, -place.bend.dot(place.d2) * tt));
}

}  // namespace

std::vector<SpaceRow> SpaceModel::rows(const Configuration& now, double share) const {
  std::vector<SpaceRow> rows;
  rows.reserve(now.nodes.size() * at(wall.rows()));
  for (int node = 1; node <= beam.links; ++node)
    for (int which = 0; which < wall.rows(); ++which) {
      rows.push_back(wall.row(now.places[at(node)], which, beam.sense * share * beam.friction));
      rows.back().node = node;
      rows.back().give = beam.give_of(node);
    }
  if (beam.tip) add_tip(beam, now.places.back(), rows);
  return rows;
}

bool SpaceModel::forward(const Configuration& now) const {
  for (std::size_t link = 0; link < now.tangents.size(); ++link)
    if (now.tangents[link].dot(now.places[link + 1].tangent) <= 0) return false;
  return true;
}

SpacePolished polish(const SpaceModel& model, const std::vector<Vec3>& tangents, const std::vector<Vec3>& ties) {
  return Polisher(model).run(configure(model.passage, model.beam, tangents), ties);
}

SpacePolished follow(const SpaceModel& model, SpacePolished from, double turned) {
  from.configuration.twist += turned;
  return Polisher(model).follow(from);
}

}  // namespace filum::channel
