#include "formulations/discrete/push_out.hpp"

#include "base/index.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "rod/edge.hpp"

#include <filum/scene.hpp>

#include <algorithm>

namespace filum::discrete {
namespace {

constexpr int kMostSteps = 200;
constexpr double kOut = 1e-3;  // beyond touching, of the radius

// One solid where it is.
class Leaving {
 public:
  Leaving(const ModelData& model, const Targets& targets, std::size_t solid)
      : model_(model), solid_(solid), place_(place_of(model.solids[solid], targets)) {}

  // Of the centre line, in the world.
  [[nodiscard]] geometry::Distance distance(const Vec3& x) const {
    geometry::Distance d = geometry::distance_from(model_.solids[solid_].shape, place_.seen(x));
    d.normal = place_.rotation * d.normal;
    return d;
  }

  // How far along `direction` until the rod is clear of the solid: by steps that are never too long. Infinite: it is
  // inside everywhere.
  [[nodiscard]] double way_out(const Vec3& x, const Vec3& direction, double radius) const {
    double way = 0;
    for (int k = 0; k < kMostSteps; ++k) {
      const double gap = distance(x + way * direction).value - radius;
      if (gap >= 0) return way;
      way += std::max(-gap, kOut * radius);
    }
    return geometry::kFarAway;
  }

  // From the first to the last of a run of node stations.
  [[nodiscard]] PushedOut move(const std::vector<int>& run, RodState& state) const {
    const auto place = [&](int i) { return state.position[at(model_.stations[at(i)].a)]; };
    const auto longest = [&](const Vec3& direction) {
      double way = 0;
      for (const int i : run) way = std::max(way, way_out(place(i), direction, model_.stations[at(i)].radius));
      return way;
    };
    PushedOut pushed;
    pushed.way = geometry::kFarAway;
    std::vector<Vec3> tried;
    for (const int i : run) {
      const Vec3 direction = distance(place(i)).normal;
      if (std::any_of(tried.begin(), tried.end(), [&](const Vec3& other) { return other.dot(direction) > 0.99; }))
        continue;
      tried.push_back(direction);
      if (const double way = longest(direction); way < pushed.way) {
        pushed.way = way;
        pushed.direction = direction;
      }
    }
    if (pushed.way == geometry::kFarAway) return pushed;
    double deepest = -1;
    for (const int i : run) {
      const ContactStation& station = model_.stations[at(i)];
      const double way = way_out(place(i), pushed.direction, station.radius);
      if (way > deepest) {
        deepest = way;
        pushed.rod = station.rod;
        pushed.s = station.s;
      }
      state.position[at(station.a)] += (way + kOut * station.radius) * pushed.direction;
    }
    pushed.solid = static_cast<int>(solid_);
    return pushed;
  }

 private:
  const ModelData& model_;
  std::size_t solid_;
  SolidPlace place_;
};

bool is_free(const ModelData& model, int node) {
  const auto& hold = model.position_hold[at(node)];
  return hold[0] < 0 && hold[1] < 0 && hold[2] < 0;
}

// Edges and frames as the nodes now have them.
void follow_nodes(const ModelData& model, RodState& state) {
  for (std::size_t j = 0; j < model.edges.size(); ++j) {
    const Vec3 edge = state.position[at(model.edges[j].b)] - state.position[at(model.edges[j].a)];
    if ((edge - state.edge[j]).norm() <= 1e-12 * edge.norm()) continue;
    state.edge[j] = edge;
    state.frame[j] = rod::carried_frame(state.frame[j], edge, 0);
  }
}

}  // namespace

std::vector<PushedOut> push_out(const ModelData& model, const Targets& targets, RodState& state) {
  std::vector<PushedOut> list;
  const int stations = static_cast<int>(model.stations.size());
  for (std::size_t solid = 0; solid < model.solids.size(); ++solid) {
    const Leaving leaving(model, targets, solid);
    std::vector<int> run;
    const auto end_run = [&] {
      if (!run.empty()) list.push_back(leaving.move(run, state));
      run.clear();
    };
    for (int i = 0; i < stations; ++i) {
      const ContactStation& station = model.stations[at(i)];
      if (station.b >= 0) continue;
      if (!run.empty() && model.stations[at(run.back())].rod != station.rod) end_run();
      const bool inside = model.apart[at(i) * model.solids.size() + solid] == 0 && is_free(model, station.a) &&
                          leaving.distance(state.position[at(station.a)]).value < 0;
      if (inside)
        run.push_back(i);
      else
        end_run();
    }
    end_run();
  }
  if (!list.empty()) follow_nodes(model, state);
  std::erase_if(list, [](const PushedOut& pushed) { return pushed.way == geometry::kFarAway; });
  return list;
}

Event pushed_event(const ModelData& model, const PushedOut& pushed) {
  const Scene& scene = *model.scene;
  const Solid& solid = model.solids[at(pushed.solid)];
  const Vec3& n = pushed.direction;
  // the axis that says most of the direction
  int axis = 0;
  n.cwiseAbs().maxCoeff(&axis);
  Event event;
  event.kind = EventKind::PushedOut;
  event.object = {ObjectKind::Rod, scene.rods[at(pushed.rod)].name};
  event.from = {PlaceKind::Along, "", pushed.s};
  event.value = pushed.way;
  event.why = (solid.obstacle < 0 ? "body '" + scene.bodies[at(solid.body)].name
                                  : "obstacle '" + scene.obstacles[at(solid.obstacle)].name) +
              "', towards " + (n[axis] < 0 ? "−" : "+") + "xyz"[axis];
  return event;
}

}  // namespace filum::discrete
