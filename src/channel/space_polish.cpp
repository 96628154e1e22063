#include "channel/space_polish.hpp"

namespace filum::channel {

std::vector<SpaceRow> SpaceModel::rows(const Configuration& now, double share) const {
  std::vector<SpaceRow> rows;
  rows.reserve(now.nodes.size() * at(wall.rows()));
  for (int node = 1; node <= beam.links; ++node)
    for (int which = 0; which < wall.rows(); ++which) {
      rows.push_back(wall.row(now.places[at(node)], which, beam.sense * share * beam.friction));
      rows.back().node = node;
      rows.back().give = beam.give_of(node);
    }
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

}  // namespace filum::channel
