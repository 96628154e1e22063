#include "formulations/chain/reeving/ropes.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

void place_rope(const RopeWay& way, const std::vector<PartState>& parts, std::vector<Pulley>& places) {
  places.clear();
  for (const RopeWay::Place& place : way.places) {
    const PartState& part = parts[at(place.part)];
    places.push_back({part.position + part.orientation * place.point, part.orientation * place.axis, place.radius});
  }
}

// Length of the way from a place on; what lies on that place's own sheave is not counted.
double length_from(const RopePath& path, const RopeWay& way, int from) {
  double length = 0;
  for (std::size_t j = at(from); j < path.part.size(); ++j) {
    length += path.part[j];
    length += way.places[j + 1].radius * path.angle[j + 1];
  }
  return length;
}

// Whether the scene drives a rope's length.
bool is_driven(const Scene& scene, const Rope& rope) {
  for (const Driver& driver : scene.drivers) {
    if (driver.kind != DriverKind::Rope || driver.target != rope.name) continue;
    for (const Keyframe& key : driver.path)
      if (key.length) return true;
  }
  return false;
}

bool rubs(const RopeWay& way, std::size_t place) {
  return place > 0 && place + 1 < way.places.size() && way.places[place].friction > 0;
}

}  // namespace

std::vector<RopeState> start_ropes(const Mechanism& mechanism, const Scene& scene,
                                   const std::vector<PartState>& parts) {
  std::vector<RopeState> ropes;
  std::vector<Pulley> places;
  RopePath path;
  for (std::size_t r = 0; r < mechanism.ropes.size(); ++r) {
    const RopeWay& way = mechanism.ropes[r];
    place_rope(way, parts, places);
    find_path(places, path);
    RopeState rope;
    rope.length = scene.ropes[r].length.value_or(path.length);
    rope.tied = scene.ropes[r].tied;
    rope.tension = scene.ropes[r].stiffness * std::max(0.0, path.length - rope.length);
    for (std::size_t i = 0; i < way.places.size(); ++i)
      if (rubs(way, i)) {
        // slack or stretch is shared in proportion
        rope.beyond.push_back(length_from(path, way, static_cast<int>(i)) * rope.length / path.length);
        rope.friction.push_back(0);
        rope.bound.push_back(0);
      }
    ropes.push_back(std::move(rope));
  }
  return ropes;
}

void Ropes::add_to(ConstraintSet& set, const Mechanism& mechanism, const Scene& scene) {
  rows_.clear();
  driven_.clear();
  for (const Rope& rope : scene.ropes) driven_.push_back(is_driven(scene, rope));
  paths_.assign(scene.ropes.size(), {});
  auto add_row = [&](int rope, int from, int sheave) {
    const RopeWay& way = mechanism.ropes[at(rope)];
    // in the group of what couples
    const int before = sheave < 0 ? -1 : rows_.back().constraint;
    rows_.push_back({rope, from, set.add(1, static_cast<int>(scene.rods.size())), sheave});
    set.constraints.back().follows = before;
    for (std::size_t i = at(from); i < way.places.size(); ++i)
      set.join(way.places[i].part, mechanism.parts[at(way.places[i].part)].moves);
  };
  for (std::size_t r = 0; r < mechanism.ropes.size(); ++r) {
    add_row(static_cast<int>(r), 0, -1);
    for (std::size_t i = 0; i < mechanism.ropes[r].places.size(); ++i)
      if (rubs(mechanism.ropes[r], i)) add_row(static_cast<int>(r), static_cast<int>(i), static_cast<int>(i));
  }
}

// The length that a rope is to have at the end of the step.
double Ropes::wanted_length(int rope, const ChainState& state, const Targets& targets) const {
  const RopeState& memory = state.ropes[at(rope)];
  const double asked = targets.rope_length[at(rope)];
  return asked > 0 && (!memory.retied || driven_[at(rope)] != 0) ? asked : memory.length;
}

void Ropes::tie(const Mechanism& mechanism, const Targets& targets, ChainState& state) {
  for (std::size_t r = 0; r < state.ropes.size(); ++r) {
    RopeState& rope = state.ropes[r];
    const bool tied = targets.rope_tied[r] != 0;
    if (rope.tied == tied) continue;
    rope.tied = tied;
    rope.tension = 0;
    std::fill(rope.friction.begin(), rope.friction.end(), 0.0);
    if (!tied) continue;
    rope.retied = true;
    std::vector<Pulley> places;
    RopePath path;
    const RopeWay& way = mechanism.ropes[r];
    place_rope(way, state.parts, places);
    find_path(places, path);
    rope.length = path.length;
    std::size_t friction = 0;
    for (std::size_t i = 0; i < way.places.size(); ++i)
      if (rubs(way, i)) rope.beyond[friction++] = length_from(path, way, static_cast<int>(i));
  }
}

template <class Motion>
double Ropes::bow_of(const Row& row, const ConstraintSet& set, const Mechanism& mechanism, const ChainState& state,
                     const Motion& velocity, double dt) {
  const RopeWay& way = mechanism.ropes[at(row.rope)];
  moved_places_.clear();
  for (const RopeWay::Place& place : way.places) {
    const PartState& part = state.parts[at(place.part)];
    const Vec6 moves = velocity(place.part);
    const Quat turned = math::exp_quat(dt * moves.tail<3>()) * part.orientation;
    moved_places_.push_back(
        {part.position + dt * moves.head<3>() + turned * place.point, turned * place.axis, place.radius});
  }
  find_path(moved_places_, moved_);
  const RopePath& path = paths_[at(row.rope)];
  const auto length = [&](const RopePath& p) { return row.sheave < 0 ? p.length : length_from(p, way, row.from); };
  double change = length(moved_) - length(path);
  const Constraint& constraint = set.constraints[at(row.constraint)];
  for (int i = constraint.first; i < constraint.last; ++i)
    change -= dt * set.incidences[at(i)].rows.row(0).dot(velocity(set.incidences[at(i)].part));
  return change;
}

double Ropes::missed_bows(const ConstraintSet& set, const Mechanism& mechanism, const Scene& scene,
                          const ChainState& state, const std::vector<Vec6>& velocity, double dt) {
  double missed = 0;
  if (plain_) return missed;
  for (Row& row : rows_) {
    const auto moves = [&](int part) -> Vec6 { return velocity[at(part)] + set.changes[at(part)]; };
    row.found = bow_of(row, set, mechanism, state, moves, dt);
    const Constraint& constraint = set.constraints[at(row.constraint)];
    double off = std::abs(row.found - row.told);
    if (constraint.bound != Bound::Free) {
      // untied, slack or slipping it does not matter, unless it would come out taut
      if (row.sheave >= 0 || constraint.lowest == 0) continue;
      double rate = 0;
      for (int i = constraint.first; i < constraint.last; ++i)
        rate += set.incidences[at(i)].rows.row(0).dot(set.changes[at(set.incidences[at(i)].part)]);
      off = std::clamp(row.found - row.told + dt * (rate - constraint.right[0]), 0.0, off);
    }
    const double stiffness = scene.ropes[at(row.rope)].stiffness;
    double give = stiffness > 0 ? 1 / stiffness : 0;
    for (const RopeWay::Place& place : mechanism.ropes[at(row.rope)].places)
      if (mechanism.parts[at(place.part)].moves) give += dt * dt / mechanism.parts[at(place.part)].mass;
    if (give > 0) missed += 0.5 * off * off / give;
  }
  return missed;
}

void Ropes::foretell_again(ConstraintSet& set, double dt) {
  for (Row& row : rows_) {
    set.constraints[at(row.constraint)].right[0] -= (row.found - row.told) / dt;
    row.told = row.found;
  }
}

void Ropes::fill(ConstraintSet& set, const Mechanism& mechanism, const Scene& scene, const ChainState& state,
                 const std::vector<Vec6>& velocity, const Targets& targets, double dt, bool plain, bool kept) {
  plain_ = plain;
  std::size_t friction = 0;
  for (Row& row : rows_) {
    const RopeWay& way = mechanism.ropes[at(row.rope)];
    const RopeState& rope = state.ropes[at(row.rope)];
    RopePath& path = paths_[at(row.rope)];
    if (row.sheave < 0) {
      place_rope(way, state.parts, places_);
      find_path(places_, path);
      friction = 0;
    }
    Constraint& constraint = set.constraints[at(row.constraint)];
    const double wanted = wanted_length(row.rope, state, targets);
    // rope that is wound at the far end comes in beyond every sheave
    const double more = scene.ropes[at(row.rope)].wound == RopeEnd::End ? wanted - rope.length : 0;
    const double value =
        row.sheave < 0 ? path.length - wanted : length_from(path, way, row.from) - rope.beyond[friction] - more;
    const double stiffness = scene.ropes[at(row.rope)].stiffness;
    const double share = row.sheave < 0 ? 1 : length_from(path, way, row.from) / path.length;
    constraint.softness[0] = stiffness > 0 ? share / (stiffness * dt * dt) : 0;
    constraint.right[0] = -value / dt;

    // the straight parts pull at the places they end in
    for (int i = row.from; i < static_cast<int>(way.places.size()); ++i) {
      Incidence& incidence = set.incidences[at(constraint.first + i - row.from)];
      const Vec3 centre = state.parts[at(way.places[at(i)].part)].position;
      Vec6 gradient = Vec6::Zero();
      auto pull = [&](const Vec3& direction, const Vec3& point) {
        gradient.head<3>() += direction;
        gradient.tail<3>() += (point - centre).cross(direction);
      };
      auto along = [&](int part) {
        return Vec3((path.arrives[at(part) + 1] - path.leaves[at(part)]) / std::max(path.part[at(part)], 1e-300));
      };
      if (i > row.from) pull(along(i - 1), path.arrives[at(i)]);
      if (at(i) + 1 < way.places.size()) pull(-along(i), path.leaves[at(i)]);
      incidence.rows.row(0) = gradient.transpose();
      incidence.arm = places_[at(i)].centre - centre;
      constraint.right[0] -= gradient.dot(velocity[at(way.places[at(i)].part)]);
    }
    const auto moves = [&](int part) -> Vec6 {
      return (Vec6() << state.parts[at(part)].velocity, state.parts[at(part)].spin).finished();
    };
    if (!kept) row.told = plain ? 0 : bow_of(row, set, mechanism, state, moves, dt);
    constraint.right[0] -= row.told / dt;

    // a rope only pulls; a broken one does not even that. Where it stood last time, it begins
    if (row.sheave < 0) {
      const bool loose = rope.broken || !rope.tied;
      constraint.lowest = loose ? 0 : -std::numeric_limits<double>::infinity();
      constraint.highest = 0;
      constraint.bound = loose || rope.slack ? Bound::High : Bound::Free;
      constraint.impulse[0] = -dt * rope.tension;
    } else {
      // e^{−μβ} ≤ T beyond / T before ≤ e^{μβ}
      const double turn = way.places[at(row.sheave)].friction * std::max(0.0, path.angle[at(row.sheave)]);
      constraint.low = -std::expm1(turn);
      constraint.high = -std::expm1(-turn);
      constraint.bound = static_cast<Bound>(rope.bound[friction]);
      constraint.impulse[0] = dt * rope.friction[friction];
      ++friction;
    }
  }
}

void Ropes::take(const ConstraintSet& set, const Mechanism& mechanism, const Scene& scene, ChainState& state,
                 const std::vector<Vec6>& velocity, const Targets& targets, double dt) {
  std::size_t friction = 0;
  double wound = 0;
  for (const Row& row : rows_) {
    const Constraint& constraint = set.constraints[at(row.constraint)];
    RopeState& rope = state.ropes[at(row.rope)];
    const RopePath& path = paths_[at(row.rope)];
    if (row.sheave >= 0) {
      rope.friction[friction] = constraint.impulse[0] / dt;
      rope.bound[friction] = static_cast<int>(constraint.bound);
      // a sheave that turns takes the rope with it; what slips lies beyond from then on
      const RopeWay::Place& sheave = mechanism.ropes[at(row.rope)].places[at(row.sheave)];
      const Vec3 axis = state.parts[at(sheave.part)].orientation * sheave.axis;
      const double carried = sheave.radius * axis.dot(velocity[at(sheave.part)].tail<3>());
      if (constraint.bound == Bound::Free) {
        rope.beyond[friction] += dt * carried;
        if (scene.ropes[at(row.rope)].wound == RopeEnd::End) rope.beyond[friction] += wound;
      } else {
        double rate = 0;
        for (int i = constraint.first; i < constraint.last; ++i)
          rate += set.incidences[at(i)].rows.row(0).dot(velocity[at(set.incidences[at(i)].part)]);
        // so that it sticks with the friction that it slips with
        const double give = dt * dt * constraint.softness[0] * rope.friction[friction];
        rope.beyond[friction] =
            length_from(path, mechanism.ropes[at(row.rope)], row.from) + dt * (rate + carried) + give;
        const double fed = scene.ropes[at(row.rope)].wound == RopeEnd::End ? wound / dt : 0;
        state.dissipated -= constraint.impulse[0] * (rate - fed);
      }
      ++friction;
      continue;
    }
    friction = 0;
    wound = wanted_length(row.rope, state, targets) - rope.length;
    rope.tension = -constraint.impulse[0] / dt;
    rope.slack = constraint.bound == Bound::High;
    // winding it in or out works against its tension at the end where that is done
    if (wound != 0) {
      double tension = rope.tension;
      if (scene.ropes[at(row.rope)].wound == RopeEnd::End)
        for (int c = row.constraint + 1; c <= row.constraint + static_cast<int>(rope.friction.size()); ++c)
          tension -= set.constraints[at(c)].impulse[0] / dt;
      state.work -= tension * wound;
      rope.length += wound;
    }
    const auto& limit = scene.ropes[at(row.rope)].breaking_tension;
    if (limit && rope.tension > *limit) rope.broken = true;
  }
}

void Ropes::sample(const Mechanism& mechanism, const Scene& scene, const ChainState& state, Pose& pose) {
  std::vector<Pulley> places;
  RopePath path;
  for (std::size_t r = 0; r < scene.ropes.size(); ++r) {
    const RopeWay& way = mechanism.ropes[r];
    const RopeState& rope = state.ropes[r];
    place_rope(way, state.parts, places);
    find_path(places, path);
    RopePose made;
    made.length = path.length;
    made.broken = rope.broken || !rope.tied;
    made.peak_tension = rope.peak.tension;
    double tension = rope.tension;
    std::size_t friction = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      made.path.push_back(path.arrives[i]);
      // round a sheave in steps of an eighth of a right angle
      const int steps = places[i].radius > 0 ? 1 + static_cast<int>(std::abs(path.angle[i]) / 0.2) : 0;
      for (int k = 1; k <= steps; ++k)
        made.path.push_back(places[i].centre + Eigen::AngleAxisd(path.angle[i] * k / steps, places[i].axis) *
                                                   Vec3(path.arrives[i] - places[i].centre));
      if (rubs(way, i)) tension -= rope.friction[friction++];
      if (i + 1 < places.size()) made.tension.push_back(tension);
    }
    pose.ropes.push_back(std::move(made));
  }
}

}  // namespace filum::chain
