#include "sim/live/slip.hpp"

#include "base/index.hpp"

#include <cmath>

namespace filum::sim {

std::vector<Slip> overpowered(const Asked& asked, const Pose& pose) {
  std::vector<Slip> list;
  for (std::size_t h = 0; h < asked.holds.size(); ++h) {
    const Vec3& force = pose.holds[h].force;
    const double most = asked.holds[h].most;
    if (force.norm() > most) list.push_back({static_cast<int>(h), most * force.normalized()});
  }
  return list;
}

std::vector<Slip> at_full_strength(const Asked& asked, const Targets& held) {
  std::vector<Slip> list;
  for (std::size_t h = 0; h < asked.holds.size(); ++h) {
    const AskedHold& hold = asked.holds[h];
    if (!hold.position || !std::isfinite(hold.most)) continue;
    list.push_back({static_cast<int>(h), hold.most * (*hold.position - held.holds[h].position).normalized()});
  }
  return list;
}

Scene slipping(Scene scene, const std::vector<Slip>& slips) {
  for (const Slip& slip : slips) {
    Hold& hold = scene.holds[at(slip.hold)];
    PointForce pull;
    pull.point = {hold.rod, hold.at};
    pull.force = slip.force;
    scene.forces.push_back(pull);
    hold.fix.position = {};
    hold.position.reset();
  }
  return scene;
}

}  // namespace filum::sim
