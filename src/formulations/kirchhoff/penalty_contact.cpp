#include "formulations/kirchhoff/penalty_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "formulations/discrete/friction_of.hpp"
#include "formulations/discrete/strand_neighbours.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/swept_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

// κ and ζ. A point on springs stays at rest by symplectic Euler while h²(ω² + 2c/(h m)) < 4: this takes 1.6 of it, and a
// blow leaves a fifth of its speed.
constexpr double kFirmness = 0.4;
constexpr double kDamping = 1.5;
// Of the radius: no force counts a greater depth, so that what is drawn inside comes out gently.
constexpr double kDeepest = 0.5;
// Ways that are looked at again, of the radii together: how near edges may come on them.
constexpr double kThrough = 0.5;
constexpr double kInward = 0.8;

geometry::Segment chord(const ModelData& model, const std::vector<Vec3>& nodes, int edge) {
  return {nodes[at(model.edges[at(edge)].a)], nodes[at(model.edges[at(edge)].b)]};
}

bool is_held(const ModelData& model, int node) {
  const auto& hold = model.position_hold[at(node)];
  return hold[0] >= 0 && hold[1] >= 0 && hold[2] >= 0;
}

// A centre that was outside a solid and is inside: so deep that the way out may be another than the way in.
bool goes_under(const Solid& solid, const geometry::Segment& way) {
  if (solid.bounds.square_distance(geometry::Box{way.to, way.to}) > 0) return false;
  return geometry::distance_from(solid.shape, way.to).value < 0 &&
         geometry::distance_from(solid.shape, way.from).value >= 0;
}

Vec3 across(const Vec3& v, const Vec3& normal) {
  return v - normal.dot(v) * normal;
}

}  // namespace

PenaltyContact::PenaltyContact(const ModelData& model)
    : model_(model), before_(model.solids.size()), now_(model.solids.size()), load_(at(model.nodes), 0) {
  double thinnest = std::numeric_limits<double>::infinity();
  for (const contact::Span& span : model.spans) thinnest = std::min(thinnest, span.radius);
  margin_ = thinnest;
  boxes_.resize(model.spans.size());
}

void PenaltyContact::find(const RodState& state, const Targets& targets, double step) {
  touching_.clear();
  place_solids(state, targets);
  find_on_solids(state, step);
  find_on_rods(state);
  share_stiffness(step);
  act(state, step);
}

void PenaltyContact::place_solids(const RodState& state, const Targets& targets) {
  for (std::size_t k = 0; k < model_.solids.size(); ++k) {
    before_[k] = {state.solid_position[k], state.solid_rotation[k]};
    now_[k] = model_.solids[k].body < 0 ? before_[k] : place_of(model_.solids[k], targets);
  }
}

void PenaltyContact::find_on_solids(const RodState& state, double step) {
  const std::size_t solids = model_.solids.size();
  for (std::size_t i = 0; i < model_.stations.size(); ++i) {
    const ContactStation& station = model_.stations[i];
    const Vec3 x = position_of(state, station);
    for (std::size_t k = 0; k < solids; ++k) {
      const std::size_t pair = i * solids + k;
      if (model_.apart[pair] != 0) continue;
      const Vec3 seen = before_[k].seen(x);
      if (model_.solids[k].bounds.square_distance(geometry::Box{seen, seen}) > station.radius * station.radius)
        continue;
      const geometry::Distance distance = geometry::distance_from(model_.solids[k].shape, seen, station.radius);
      if (!(distance.value < station.radius)) continue;
      Touching& touching = touching_.emplace_back();
      touching.pair = static_cast<int>(pair);
      touching.count = station.b < 0 ? 1 : 2;
      touching.node = {station.a, station.b};
      touching.weight = {1 - station.share, station.share};
      touching.normal = before_[k].rotation * distance.normal;
      touching.depth = std::min(station.radius - distance.value, kDeepest * station.radius);
      touching.lead = (now_[k].position + now_[k].rotation * seen - x) / step;
      touching.friction = friction_of(model_, station, k);
      // what acted last, as the anchor says it (contact/contact_law.hpp)
      if (!is_open(state, touching.pair))
        touching.stick =
            -station.stick_stiffness * (before_[k].rotation * (seen - state.contact_anchor[at(touching.pair)]));
    }
  }
}

// Edges that may touch on the way of the nodes.
void PenaltyContact::find_pairs(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  const auto moved = [&](std::size_t i) { return (to[i] - looked_from_[i]).squaredNorm(); };
  bool anew = looked_from_.empty();
  for (std::size_t i = 0; !anew && i < to.size(); ++i) anew = moved(i) > 0.25 * margin_ * margin_;
  if (!anew) return;
  looked_from_ = to;
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    geometry::Box box;
    for (const int node : {model_.edges[k].a, model_.edges[k].b}) {
      box.add(from[at(node)]);
      box.add(to[at(node)]);
    }
    boxes_[k] = box.grown(model_.spans[k].radius + margin_);
  }
  finder_.set(boxes_);
  pairs_.clear();
  finder_.each([&](int i, int j) {
    if (!belong_together(model_, i, j)) pairs_.emplace_back(i, j);
  });
  std::sort(pairs_.begin(), pairs_.end());
}

void PenaltyContact::find_on_rods(const RodState& state) {
  if (model_.spans.empty()) return;
  find_pairs(state.position, state.position);
  for (const auto& [i, j] : pairs_) {
    const geometry::Segment one = chord(model_, state.position, i);
    const geometry::Segment other = chord(model_, state.position, j);
    const geometry::SegmentPair near = geometry::closest_between(one, other);
    const double radius = model_.spans[at(i)].radius + model_.spans[at(j)].radius;
    if (!(near.distance < radius)) continue;
    Touching& touching = touching_.emplace_back();
    const Edge& a = model_.edges[at(i)];
    const Edge& b = model_.edges[at(j)];
    touching.count = 4;
    touching.node = {a.a, a.b, b.a, b.b};
    touching.weight = {1 - near.first, near.first, near.second - 1, -near.second};
    const Vec3 apart = one.at(near.first) - other.at(near.second);
    touching.normal = near.distance > 1e-9 * radius
                          ? apart / near.distance
                          : (one.to - one.from).cross(other.to - other.from).stableNormalized();
    touching.depth = std::min(radius - near.distance, kDeepest * radius);
    touching.friction = edge_friction(model_, i, j);
    touching.rods.a = i;
    touching.rods.b = j;
    touching.rods.u = near.first;
    touching.rods.v = near.second;
    for (const RodTouch& known : state.rod_touch.list) {
      if (known.a != i || known.b != j) continue;
      touching.stick = -std::min(model_.span_laws[at(i)].stick, model_.span_laws[at(j)].stick) * known.drift;
      touching.rods.chafing = known.chafing;
    }
  }
}

void PenaltyContact::share_stiffness(double step) {
  std::fill(load_.begin(), load_.end(), 0.0);
  const auto each = [&](const Touching& touching, const auto& visit) {
    double sum = 0;
    for (int k = 0; k < touching.count; ++k) sum += std::abs(touching.weight[at(k)]);
    for (int k = 0; k < touching.count; ++k) {
      const double load = std::abs(touching.weight[at(k)]) * sum;
      if (load > 0 && !is_held(model_, touching.node[at(k)])) visit(at(touching.node[at(k)]), load);
    }
  };
  for (const Touching& touching : touching_)
    each(touching, [&](std::size_t node, double load) { load_[node] += load; });
  for (Touching& touching : touching_) {
    double least = std::numeric_limits<double>::infinity();
    each(touching, [&](std::size_t node, double) { least = std::min(least, model_.node_mass[node] / load_[node]); });
    // all its nodes are held: nothing gives way
    touching.stiffness = std::isfinite(least) ? kFirmness * least / (step * step) : 0;
  }
}

void PenaltyContact::act(const RodState& state, double step) {
  for (Touching& touching : touching_) {
    Vec3 speed = -touching.lead;
    for (int k = 0; k < touching.count; ++k) speed += touching.weight[at(k)] * state.velocity[at(touching.node[at(k)])];
    const double damping = kDamping * step * touching.stiffness;
    const Vec3& n = touching.normal;
    touching.press = std::max(0.0, touching.stiffness * touching.depth - damping * n.dot(speed));
    touching.force = touching.press * n;
    if (touching.friction == 0) continue;
    touching.stick = across(touching.stick, n);
    Vec3 rub = touching.stick - damping * across(speed, n);
    const double limit = touching.friction * touching.press;
    touching.slips = rub.norm() > limit;
    if (touching.slips) rub *= limit / rub.norm();
    touching.force += rub;
  }
}

void PenaltyContact::add_forces(std::vector<Vec3>& node_force) const {
  for (const Touching& touching : touching_)
    for (int k = 0; k < touching.count; ++k)
      node_force[at(touching.node[at(k)])] += touching.weight[at(k)] * touching.force;
}

bool PenaltyContact::leads_through(const RodState& end, const std::vector<Vec3>& start) {
  const std::size_t solids = model_.solids.size();
  for (std::size_t i = 0; i < model_.stations.size(); ++i)
    for (std::size_t k = 0; k < solids; ++k) {
      if (model_.apart[i * solids + k] != 0) continue;
      const ContactStation& station = model_.stations[i];
      const Vec3 from = position_of(start, end.frame, station);
      const geometry::Segment way{before_[k].seen(from), now_[k].seen(position_of(end, station))};
      if (discrete::leads_through(model_.solids[k], way, station.radius) || goes_under(model_.solids[k], way))
        return true;
    }
  if (model_.spans.empty()) return false;
  find_pairs(start, end.position);
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) {
    const auto& [i, j] = pair;
    const geometry::MovingSegment one{chord(model_, start, i), chord(model_, end.position, i)};
    const geometry::MovingSegment other{chord(model_, start, j), chord(model_, end.position, j)};
    const double radius = model_.spans[at(i)].radius + model_.spans[at(j)].radius;
    // what was nearer already, since it was drawn so, is let out, but no further in
    const double before = geometry::closest_between(one.from, other.from).distance;
    return geometry::first_meeting(one, other, std::min(kThrough * radius, kInward * before)).meets;
  });
}

// The stick goes on from where this step leaves it, and gives no more than friction bears.
void PenaltyContact::remember(double step, const std::vector<Vec3>& start, RodState& end) const {
  std::fill(end.contact_touch.begin(), end.contact_touch.end(), static_cast<int>(contact::Touch::Open));
  std::fill(end.contact_force.begin(), end.contact_force.end(), 0.0);
  std::fill(end.contact_way.begin(), end.contact_way.end(), Vec3::Zero());
  end.rod_touch.list.clear();
  for (const Touching& touching : touching_) {
    Vec3 moved = -step * touching.lead;
    for (int k = 0; k < touching.count; ++k) {
      const auto node = at(touching.node[at(k)]);
      moved += touching.weight[at(k)] * (end.position[node] - start[node]);
    }
    moved = across(moved, touching.normal);
    Vec3 stick = touching.stick - touching.stiffness * moved;
    const double limit = touching.friction * touching.press;
    if (stick.norm() > limit) stick *= limit / stick.norm();
    const Vec3 slipped =
        touching.stiffness > 0 ? Vec3(moved + (stick - touching.stick) / touching.stiffness) : Vec3::Zero();
    const int touch = static_cast<int>(touching.slips ? contact::Touch::Slip : contact::Touch::Stick);
    if (touching.pair < 0) {
      RodTouch& out = end.rod_touch.list.emplace_back(touching.rods);
      out.touch = touch;
      out.force = touching.press;
      out.drift = -stick / std::min(model_.span_laws[at(out.a)].stick, model_.span_laws[at(out.b)].stick);
      out.way = slipped;
      out.chafing += touching.press * slipped.norm();
      continue;
    }
    const auto pair = at(touching.pair);
    const std::size_t solid = pair % model_.solids.size();
    const ContactStation& station = model_.stations[pair / model_.solids.size()];
    const Mat3 back = now_[solid].rotation.transpose();
    end.contact_touch[pair] = touch;
    end.contact_force[pair] = touching.press;
    end.contact_anchor[pair] = now_[solid].seen(position_of(end, station)) + back * stick / station.stick_stiffness;
    end.contact_way[pair] = back * slipped;
    end.contact_chafing[pair] += touching.press * slipped.norm();
  }
  for (std::size_t k = 0; k < model_.solids.size(); ++k) {
    end.solid_position[k] = now_[k].position;
    end.solid_rotation[k] = now_[k].rotation;
  }
}

}  // namespace filum::kirchhoff
