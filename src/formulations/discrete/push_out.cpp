#include "formulations/discrete/push_out.hpp"

#include "base/index.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "rod/edge.hpp"
#include "scene/obstacle_shape.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::discrete {
namespace {

constexpr double kOut = 1e-3;          // beyond touching, of the radius
constexpr double kSlope = 0.3;         // of the rod beside what is moved, down to where it stays
constexpr double kApart = 0.5;         // of points that are looked at, of the radius
constexpr double kFarthestWay = 0.25;  // of the rod's length: whatever is further inside is left to the user

// A point of the centre line inside a solid.
struct Inside {
  Vec3 x = Vec3::Zero();
  double s = 0;
  double radius = 0;
};

bool is_free(const ModelData& model, int node) {
  const auto& hold = model.position_hold[at(node)];
  return hold[0] < 0 && hold[1] < 0 && hold[2] < 0 &&
         std::none_of(model.ties.begin(), model.ties.end(),
                      [&](const Tie& tie) { return tie.slave == node || tie.master == node; });
}

// One rod and one solid, where they are.
class Leaving {
 public:
  Leaving(const ModelData& model, const Targets& targets, int rod, std::size_t solid)
      : model_(model),
        rod_(rod),
        solid_(solid),
        range_(model.rods[at(rod)]),
        shape_(model.solids[solid].shape),
        place_(place_of(model.solids[solid], targets)) {}

  // Runs of edges that are inside, one after the other. `gripped`: per node, that a hold keeps it in the solid.
  void leave(const std::vector<char>& gripped, RodState& state, std::vector<PushedOut>& list) const {
    std::vector<Inside> run;
    int first = 0;
    const auto end_run = [&](int last) {
      if (!run.empty()) move(run, first, last, state, list);
      run.clear();
    };
    for (int k = 0; k < range_.mesh.edges(); ++k) {
      const Edge& edge = model_.edges[at(range_.first_edge + k)];
      const std::size_t before = run.size();
      if (gripped[at(edge.a)] == 0 && gripped[at(edge.b)] == 0) look_along(k, state, run);
      if (run.size() == before)
        end_run(k - 1);
      else if (before == 0)
        first = k;
    }
    end_run(range_.mesh.edges() - 1);
  }

 private:
  // Adds the points of an edge that are inside.
  void look_along(int k, const RodState& state, std::vector<Inside>& run) const {
    const Edge& edge = model_.edges[at(range_.first_edge + k)];
    const geometry::Segment seen{place_.seen(state.position[at(edge.a)]), place_.seen(state.position[at(edge.b)])};
    geometry::Box box;
    box.add(seen.from);
    box.add(seen.to);
    if (model_.solids[solid_].bounds.square_distance(box) > 0) return;
    const double radius = range_.edge_stiffness[at(k)].outline.maxCoeff();
    const geometry::SegmentDistance deepest = geometry::distance_from(shape_, seen, radius);
    if (deepest.value > 0) return;
    const auto add = [&](double share) {
      run.push_back({state.position[at(edge.a)] + share * (state.position[at(edge.b)] - state.position[at(edge.a)]),
                     range_.mesh.s[at(k)] + share * range_.mesh.edge_length(k), radius});
    };
    const int parts = std::max(1, static_cast<int>(std::ceil((seen.to - seen.from).norm() / (kApart * radius))));
    for (int i = 0; i <= parts; ++i)
      if (geometry::distance_from(shape_, seen.at(i / double(parts))).value < 0) add(i / double(parts));
    add(deepest.share);
  }

  // How far along `direction` until the rod is clear of the solid: by steps that are never too long. Infinite: it is
  // inside everywhere.
  [[nodiscard]] double way_out(const Inside& point, const Vec3& direction) const {
    constexpr int kMostSteps = 200;
    double way = 0;
    for (int k = 0; k < kMostSteps; ++k) {
      const double gap = geometry::distance_from(shape_, place_.seen(point.x + way * direction)).value - point.radius;
      if (gap >= 0) return way;
      way += std::max(-gap, kOut * point.radius);
    }
    return geometry::kFarAway;
  }

  [[nodiscard]] double longest_way(const std::vector<Inside>& run, const Vec3& direction) const {
    double way = 0;
    for (const Inside& point : run) way = std::max(way, way_out(point, direction));
    return way;
  }

  // Across the rod: outwards from the nearest faces, and all round. A run up to a free end may leave along the rod too.
  [[nodiscard]] std::vector<Vec3> directions(const std::vector<Inside>& run, const Vec3& along, bool has_end) const {
    constexpr int kRound = 8;
    constexpr double kAcross = 0.3;
    constexpr double kSame = 0.999;
    std::vector<Vec3> list;
    const auto add = [&](const Vec3& direction) {
      const auto alike = [&](const Vec3& other) { return other.dot(direction) > kSame; };
      if (std::none_of(list.begin(), list.end(), alike)) list.push_back(direction);
    };
    for (const Inside& point : run) {
      const Vec3 normal = place_.rotation * geometry::distance_from(shape_, place_.seen(point.x)).normal;
      const Vec3 across = normal - along.dot(normal) * along;
      if (has_end) add(normal);
      if (across.norm() > kAcross) add(across.normalized());
    }
    const Vec3 side = along.unitOrthogonal();
    for (int k = 0; k < kRound; ++k) {
      const double angle = 2 * std::numbers::pi * k / kRound;
      add(std::cos(angle) * side + std::sin(angle) * along.cross(side));
    }
    return list;
  }

  // From the first to the last edge of a run.
  void move(const std::vector<Inside>& run, int first, int last, RodState& state, std::vector<PushedOut>& list) const {
    const Edge& from = model_.edges[at(range_.first_edge + first)];
    const Edge& to = model_.edges[at(range_.first_edge + last)];
    const Vec3 chord = state.position[at(to.b)] - state.position[at(from.a)];
    const auto ends = [&](bool outermost, int node) {
      return outermost && !range_.mesh.closed && is_free(model_, node);
    };
    const bool has_end = ends(first == 0, from.a) || ends(last == range_.mesh.edges() - 1, to.b);
    PushedOut pushed;
    pushed.way = geometry::kFarAway;
    for (const Vec3& direction : directions(run, chord.stableNormalized(), has_end)) {
      const double way = longest_way(run, direction);
      // of two that are all but equal the first
      if (!(way < (1 - 1e-6) * pushed.way)) continue;
      pushed.way = way;
      pushed.direction = direction;
    }
    if (pushed.way > kFarthestWay * range_.mesh.length) return;
    pushed.rod = rod_;
    pushed.solid = static_cast<int>(solid_);
    lift(run, pushed, state);
    list.push_back(pushed);
  }

  // What is inside goes out, what is beside it as far as a gentle slope asks for, what is held stays.
  void lift(const std::vector<Inside>& run, PushedOut& pushed, RodState& state) const {
    std::vector<double> ways;
    for (const Inside& point : run) {
      ways.push_back(way_out(point, pushed.direction) + kOut * point.radius);
      if (ways.back() >= pushed.way) pushed.s = point.s;
    }
    const auto arc = [&](double a, double b) {
      const double way = std::abs(a - b);
      return range_.mesh.closed ? std::min(way, range_.mesh.length - way) : way;
    };
    std::vector<double> rise(at(range_.mesh.nodes()), 0);
    for (int i = 0; i < range_.mesh.nodes(); ++i)
      for (std::size_t k = 0; k < run.size(); ++k)
        rise[at(i)] = std::max(rise[at(i)], ways[k] - kSlope * arc(range_.mesh.s[at(i)], run[k].s));
    for (int h = 0; h < range_.mesh.nodes(); ++h) {
      if (is_free(model_, range_.first_node + h)) continue;
      const double held = range_.mesh.s[at(h)];
      double slope = kSlope;
      for (std::size_t k = 0; k < run.size(); ++k)
        if (const double away = arc(held, run[k].s); away > 0) slope = std::max(slope, ways[k] / away);
      for (int i = 0; i < range_.mesh.nodes(); ++i)
        rise[at(i)] = std::min(rise[at(i)], slope * arc(held, range_.mesh.s[at(i)]));
    }
    for (int i = 0; i < range_.mesh.nodes(); ++i)
      state.position[at(range_.first_node + i)] += rise[at(i)] * pushed.direction;
  }

  const ModelData& model_;
  int rod_;
  std::size_t solid_;
  const RodRange& range_;
  const geometry::Shape& shape_;
  SolidPlace place_;
};

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
  std::vector<char> gripped(at(model.nodes), 0);
  for (std::size_t solid = 0; solid < model.solids.size(); ++solid) {
    for (std::size_t i = 0; i < model.stations.size(); ++i)
      if (model.stations[i].b < 0) gripped[at(model.stations[i].a)] = model.apart[i * model.solids.size() + solid];
    for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod)
      Leaving(model, targets, rod, solid).leave(gripped, state, list);
  }
  if (!list.empty()) follow_nodes(model, state);
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
                                  : "obstacle '" + scene::obstacle_named(scene, solid.obstacle).name) +
              "': it begins on the side of " + (n[axis] < 0 ? "−" : "+") + "xyz"[axis];
  return event;
}

}  // namespace filum::discrete
