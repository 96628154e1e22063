#include "channel/polish.hpp"

namespace filum::channel {

Configuration PlaneModel::moved(const Configuration& now, const Eigen::VectorXd& step) const {
  std::vector<double> angles = now.angles;
  for (std::size_t j = 0; j < angles.size(); ++j) angles[j] += step[static_cast<Eigen::Index>(j)];
  Configuration trial = now;
  move_to(passage, beam, angles, trial);
  return trial;
}

Polished polish(const Passage& passage, const Beam& beam, const std::vector<double>& angles,
                const std::vector<Vec2>& ties) {
  const PlaneModel model{passage, beam};
  return Polisher(model).run(configure(passage, beam, angles), ties);
}

Polished follow(const Passage& passage, const Beam& beam, const Polished& from) {
  const PlaneModel model{passage, beam};
  return Polisher(model).follow(from);
}

}  // namespace filum::channel
