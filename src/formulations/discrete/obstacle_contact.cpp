#include "formulations/discrete/obstacle_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "formulations/discrete/friction_of.hpp"
#include "scene/layout.hpp"
#include "scene/obstacle_shape.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace filum::discrete {
namespace {

// A way that counts as none when a contact closes, of the radius.
constexpr double kNoWay = 1e-7;
// Beyond what is foreseen, of the radius: who is looked at.
constexpr double kMargin = 4;

// The nodes of a station, as those of a contact at a share of its edge.
template <class Contact>
void stand_on(const ContactStation& station, double share, Contact& out) {
  out.count = station.b < 0 ? 1 : 2;
  out.node = {station.a, station.b};
  out.weight = {1 - share, share};
}

}  // namespace

ObstacleContact::ObstacleContact(const ModelData& model) : model_(model) {
  const std::size_t pairs = model.stations.size() * model.solids.size();
  before_.resize(model.solids.size());
  now_.resize(model.solids.size());
  is_near_.assign(pairs, 0);
  start_normal_.resize(pairs, Vec3::Zero());
  clear_.resize(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) foot_.push_back(station_of(static_cast<int>(pair)).share);
  near_.reserve(pairs);
  forces_.reserve(pairs);
  has_free_ = std::any_of(model.solids.begin(), model.solids.end(), [](const Solid& solid) { return solid.free >= 0; });
}

Vec3 ObstacleContact::start(const ContactStation& station) const {
  return position_of(motion_->start_position, motion_->start_frame, station);
}

contact::Stiffness ObstacleContact::law(const ContactStation& station, std::size_t solid) const {
  // in short steps inertia is stiffer than the rod, and the contact must be stiffer still
  constexpr double kFirmness = 100;
  const double inertia = motion_->inertia * model_.node_mass[at(station.a)];
  return {std::max(station.normal_stiffness, kFirmness * inertia), station.stick_stiffness,
          rubs_ ? friction_of(model_, station, solid) : 0};
}

contact::Gap ObstacleContact::gap(const RodState& state, int pair) const {
  const ContactStation& station = station_of(pair);
  const std::size_t solid = solid_of(pair);
  const Vec3 foot = now_[solid].seen(position_of(state, station, foot_[at(pair)]));
  const geometry::Distance distance = geometry::distance_from(model_.solids[solid].shape, foot);
  contact::Gap gap;
  gap.value = distance.value - station.radius;
  gap.normal = gap.push = distance.normal;
  gap.hessian = distance.hessian;
  // of the station, which stands still on the rod while its foot slides
  gap.way = now_[solid].seen(position_of(state, station)) - state.contact_anchor[at(pair)];
  if (!start_normal_[at(pair)].isZero(0)) {
    gap.push = 0.5 * (start_normal_[at(pair)] + distance.normal);
    gap.share = 0.5;
  }
  return gap;
}

void ObstacleContact::place_solids(const RodState& state, const Targets& targets) {
  for (std::size_t k = 0; k < model_.solids.size(); ++k) {
    before_[k] = {state.solid_position[k], state.solid_rotation[k]};
    now_[k] = model_.solids[k].body < 0 ? before_[k] : place_of(model_.solids[k], targets);
  }
  place_free_solids(state);
}

void ObstacleContact::place_free_solids(const RodState& state) {
  if (!has_free_) return;
  for (std::size_t k = 0; k < model_.solids.size(); ++k)
    if (model_.solids[k].free >= 0) now_[k] = place_of(model_, model_.solids[k], state.position, state.rotor);
}

// From the centre of the free body that bears the solid.
Vec3 ObstacleContact::arm_of(const RodState& state, int pair, double along) const {
  return position_of(state, station_of(pair), along) - now_[solid_of(pair)].position;
}

// From now on in every iteration.
void ObstacleContact::look_at(int pair) {
  is_near_[at(pair)] = 1;
  near_.push_back(pair);
  if (model_.solids[solid_of(pair)].free >= 0) lacks_links_ = true;
}

void ObstacleContact::take_links(std::vector<std::pair<int, int>>& links) {
  lacks_links_ = false;
  for (const int pair : near_) {
    const int free = model_.solids[solid_of(pair)].free;
    if (free < 0) continue;
    const ContactStation& station = station_of(pair);
    const int body = model_.bodies[at(free)].node;
    links.emplace_back(station.a, body);
    if (station.b >= 0) links.emplace_back(station.b, body);
    for (int f = 0; f < station.frames; ++f) {
      const Edge& edge = model_.edges[at(station.frame[at(f)].edge)];
      links.emplace_back(edge.a, body);
      links.emplace_back(edge.b, body);
    }
  }
}

// As far as it is foreseen to go, and some more.
bool ObstacleContact::may_touch(const RodState& state, int pair) const {
  const ContactStation& station = station_of(pair);
  const std::size_t solid = solid_of(pair);
  const Vec3 from = before_[solid].seen(start(station));
  const Vec3 to = now_[solid].seen(position_of(state, station));
  const double reach = 1.5 * (to - from).norm() + (1 + kMargin) * station.radius;
  const geometry::Box& bounds = model_.solids[solid].bounds;
  if (bounds.square_distance(geometry::Box{from, from}) > reach * reach) return false;
  return geometry::distance_from(model_.solids[solid].shape, from, reach).value <= reach;
}

void ObstacleContact::begin(RodState& state, const Targets& targets, const Motion& motion) {
  if (empty()) return;
  motion_ = &motion;
  acts_ = rubs_ = true;
  at_rest_ = has_feet_ = false;
  place_solids(state, targets);
  near_.clear();
  forces_.clear();
  changed_ = pulled_ = false;
  deepest_ = 0;
  for (int pair = 0; pair < static_cast<int>(is_near_.size()); ++pair) {
    is_near_[at(pair)] = 0;
    foot_[at(pair)] = station_of(pair).share;
    start_normal_[at(pair)].setZero();
    if (model_.apart[at(pair)] != 0) continue;
    const std::size_t solid = solid_of(pair);
    const bool open = is_open(state, pair);
    const Vec3 from = before_[solid].seen(start(station_of(pair)));
    if (open) state.contact_anchor[at(pair)] = from;
    if (open && !may_touch(state, pair)) continue;
    if (!open && motion.conserving)
      start_normal_[at(pair)] = geometry::distance_from(model_.solids[solid].shape, from).normal;
    look_at(pair);
  }
}

void ObstacleContact::evaluate(RodState& state) {
  forces_.clear();
  place_free_solids(state);
  deepest_ = sunk_ = 0;
  pulled_ = false;
  if (at_rest_) look_around(state);
  if (has_feet_) follow_feet(state);
  const bool waits = at_rest_ && pulls(state);
  for (const int pair : near_) {
    const ContactStation& station = station_of(pair);
    const std::size_t solid = solid_of(pair);
    const contact::Stiffness stiff = law(station, solid);
    contact::Memory memory = memory_of(state, pair);
    if (at_rest_ && memory.touch == contact::Touch::Open && !finds_foot(state, pair)) continue;
    const contact::Gap here = gap(state, pair);
    sunk_ += std::max(0.0, -here.value);
    if (waits && memory.touch == contact::Touch::Open && here.value > -kShallow * station.radius) continue;
    const double depth = at_rest_ ? 0 : contact::kNoDepth * station.radius;
    if (((at_rest_ && !station.flat()) || stands_out(state, pair, here.value)) &&
        contact::close(stiff, here, kNoWay * station.radius, depth, memory)) {
      changed_ = true;
      keep(memory, pair, state);
    }
    if (memory.touch == contact::Touch::Open) continue;
    const contact::Reaction local = contact::react(stiff, here, memory);
    const Mat3& rotation = now_[solid].rotation;
    ContactTerm& out = forces_.emplace_back();
    stand_on(station, foot_[at(pair)], out);
    stand_beside(state, station, out);
    out.force = rotation * local.force;
    out.stiffness = rotation * local.stiffness * rotation.transpose();
    if (model_.solids[solid].free >= 0) act_on_body(state, pair, local, out);
    if (has_feet_ && station.b >= 0 && !station.flat()) slide_foot(state, pair, here, out);
    out.floor = std::numeric_limits<double>::epsilon() * stiff.normal *
                (position_of(state, station).norm() + now_[solid].position.norm());
    deepest_ = std::max(deepest_, std::abs(here.value) / station.radius);
    pulled_ = pulled_ || memory.force < 0;
  }
}

// The frames that carry a station of a flat rod.
template <class Contact>
void ObstacleContact::stand_beside(const RodState& state, const ContactStation& station, Contact& out) const {
  out.frames = station.across == 0 ? 0 : station.frames;
  for (int f = 0; f < out.frames; ++f) {
    const StationFrame& frame = station.frame[at(f)];
    const Vec3 end = frame_arm(state.frame, frame, station.across);
    const bool mean = motion_->conserving;
    out.frame[at(f)] = {frame.edge, end,
                        mean ? Vec3(0.5 * (end + frame_arm(motion_->start_frame, frame, station.across))) : end};
  }
}

// What acts on the station acts on the free body with the sign reversed. With y what the solid sees, R its rotation, r the
// arm from the body's centre, bars for means over the step and Θ Cayley's vector of its turn,
//
//     Δr − Θ × r̄ = (1 − ¼ [Θ]×²) R̄ Δy = R̄⁻ᵀ Δy,
//
// so that in a step that keeps energy a force R̄ f with the arm r̄ does f·Δy in all, and leaves momenta alone.
void ObstacleContact::act_on_body(const RodState& state, int pair, const contact::Reaction& local,
                                  ContactTerm& out) const {
  const std::size_t solid = solid_of(pair);
  const FreeBody& body = model_.bodies[at(model_.solids[solid].free)];
  const SolidPlace& now = now_[solid];
  ContactTurn& turn = out.turn[0];
  out.turns = 1;
  turn.rotor = body.rotor;
  turn.holds_off = true;
  turn.end = turn.arm = -arm_of(state, pair, foot_[at(pair)]);
  out.end_force = now.rotation * local.force;
  if (motion_->conserving) {
    const Mat3 mean = 0.5 * (before_[solid].rotation + now.rotation);
    out.share = 0.5;
    out.force = mean * local.force;
    out.stiffness = mean * local.stiffness * now.rotation.transpose();
    turn.arm = 0.5 * (turn.end - (start(station_of(pair)) - before_[solid].position));
  }
  out.node[at(out.count)] = body.node;
  out.weight[at(out.count)] = -1;
  ++out.count;
}

// A station between two nodes whose gap is the mean of theirs is held by them already: on a flat face each place would be
// held more than once, and what each of the contacts bears would be anything. Likewise one between the edges of a band.
bool ObstacleContact::stands_out(const RodState& state, int pair, double gap) const {
  constexpr double kFlat = 1e-6;  // of the radius
  const ContactStation& station = station_of(pair);
  if (!(gap < 0)) return true;
  const std::size_t solid = solid_of(pair);
  const auto gap_at = [&](double share, double across) {
    const Vec3 seen = now_[solid].seen(position_of(state.position, state.frame, station, share, across));
    return geometry::distance_from(model_.solids[solid].shape, seen).value - station.radius;
  };
  const double wanted = gap + kFlat * station.radius;
  if (station.b >= 0 &&
      !(wanted < (1 - station.share) * gap_at(0, station.across) + station.share * gap_at(1, station.across)))
    return false;
  if (!station.flat() || std::abs(station.across) == 1) return true;
  return wanted <
         0.5 * ((1 - station.across) * gap_at(station.share, -1) + (1 + station.across) * gap_at(station.share, 1));
}

void ObstacleContact::update_pair(RodState& state, int pair, const Vec3& by, double share, bool may_open) {
  if (is_open(state, pair)) return;
  // at rest, where sticking and slipping have taken turns for long, each is followed for some iterations before it is
  // judged: what a single one foresees of a contact that presses harder once it slips is wrong both ways
  constexpr int kPatience = 4;
  const std::size_t solid = solid_of(pair);
  const contact::Memory before = memory_of(state, pair);
  contact::Memory memory = before;
  const Vec3 moved = now_[solid].rotation.transpose() * by;
  if (contact::update(law(station_of(pair), solid), gap(state, pair), moved, share, may_open, memory)) changed_ = true;
  const bool waits = at_rest_ && turns_ > kAllAtOnce && turns_ % kPatience != 0;
  if (waits && memory.touch != contact::Touch::Open) {
    memory.touch = before.touch;
    if (before.touch == contact::Touch::Stick) memory.slip = before.slip;
  }
  keep(memory, pair, state);
}

bool ObstacleContact::went_through(const RodState& state, int pair) const {
  const ContactStation& station = station_of(pair);
  const std::size_t solid = solid_of(pair);
  return leads_through(model_.solids[solid],
                       {before_[solid].seen(start(station)), now_[solid].seen(position_of(state, station))},
                       station.radius);
}

Way ObstacleContact::look_back(const RodState& state) {
  bool further = false;
  for (int pair = 0; pair < static_cast<int>(is_near_.size()); ++pair) {
    if (model_.apart[at(pair)] != 0) continue;
    if (went_through(state, pair)) return Way::Through;
    if (is_near_[at(pair)] != 0) continue;
    const ContactStation& station = station_of(pair);
    const std::size_t solid = solid_of(pair);
    const Vec3 seen = now_[solid].seen(position_of(state, station));
    const double square = model_.solids[solid].bounds.square_distance(geometry::Box{seen, seen});
    if (square > station.radius * station.radius) continue;
    if (geometry::distance_from(model_.solids[solid].shape, seen, station.radius).value >= station.radius) continue;
    look_at(pair);
    further = true;
  }
  return further ? Way::Further : Way::Free;
}

void ObstacleContact::end(RodState& state, std::vector<HaltRow>& halt) {
  if (empty()) return;
  std::fill(state.contact_way.begin(), state.contact_way.end(), Vec3::Zero());
  for (const int pair : near_) {
    if (is_open(state, pair)) continue;
    const std::size_t solid = solid_of(pair);
    const contact::Stiffness stiff = law(station_of(pair), solid);
    const contact::Gap here = gap(state, pair);
    const Vec3 friction = contact::friction_force(stiff, here, memory_of(state, pair));
    account(state, pair, here, friction);
    remember(state, pair, here, friction / stiff.stick);
  }
  for (const int pair : near_)
    if (!is_open(state, pair)) add_halt(state, pair, halt);
  leave_solids(state);
}

// The anchor is put where its spring says just what acted; by so much the station has slipped.
void ObstacleContact::remember(RodState& state, int pair, const contact::Gap& here, const Vec3& give) const {
  const Vec3 moved = here.way + give;
  state.contact_anchor[at(pair)] += moved;
  state.contact_way[at(pair)] = moved - here.normal.dot(moved) * here.normal;
  state.contact_chafing[at(pair)] += state.contact_force[at(pair)] * state.contact_way[at(pair)].norm();
}

void ObstacleContact::leave_solids(RodState& state) const {
  for (std::size_t k = 0; k < model_.solids.size(); ++k) {
    state.solid_position[k] = now_[k].position;
    state.solid_rotation[k] = now_[k].rotation;
  }
}

// Along the solid it is lost, with the solid it is work, unless it moves freely.
void ObstacleContact::account(RodState& state, int pair, const contact::Gap& here, const Vec3& friction) const {
  const ContactStation& station = station_of(pair);
  const std::size_t solid = solid_of(pair);
  const Vec3 x = position_of(state, station);
  const Vec3 force = state.contact_force[at(pair)] * here.push + friction;
  const double lost = -force.dot(now_[solid].seen(x) - before_[solid].seen(start(station)));
  state.dissipated += lost;
  if (model_.solids[solid].free >= 0) return;
  state.work += (now_[solid].rotation * force).dot(x - start(station)) + lost;
}

void ObstacleContact::add_halt(const RodState& state, int pair, std::vector<HaltRow>& halt) const {
  const ContactStation& station = station_of(pair);
  const std::size_t solid = solid_of(pair);
  // the solid moves at an even rate
  const Vec3 x = position_of(state, station);
  const Vec3 seen = now_[solid].seen(x);
  HaltRow row;
  stand_on(station, station.share, row);
  stand_beside(state, station, row);
  if (const int free = model_.solids[solid].free; free < 0) {
    row.speed = (x - (before_[solid].position + before_[solid].rotation * seen)) / motion_->step;
  } else {
    const FreeBody& body = model_.bodies[at(free)];
    row.node[at(row.count)] = body.node;
    row.weight[at(row.count++)] = -1;
    row.turns = 1;
    row.turn[0] = {body.rotor, Vec3::Zero(), -arm_of(state, pair, station.share), true};
  }
  const Vec3 n = now_[solid].rotation * geometry::distance_from(model_.solids[solid].shape, seen).normal;
  row.along = n;
  halt.push_back(row);
  if (state.contact_touch[at(pair)] != static_cast<int>(contact::Touch::Stick) ||
      friction_of(model_, station, solid) == 0)
    return;
  row.along = n.unitOrthogonal();
  halt.push_back(row);
  row.along = n.cross(row.along);
  halt.push_back(row);
}

void size_contacts(const ModelData& model, const Targets& targets, RodState& state) {
  const std::size_t pairs = model.stations.size() * model.solids.size();
  state.contact_touch.assign(pairs, 0);
  state.contact_force.assign(pairs, 0);
  state.contact_anchor.assign(pairs, Vec3::Zero());
  state.contact_slip.assign(pairs, Vec3::Zero());
  state.contact_way.assign(pairs, Vec3::Zero());
  state.contact_chafing.assign(pairs, 0);
  state.solid_position.assign(model.solids.size(), Vec3::Zero());
  state.solid_rotation.assign(model.solids.size(), Mat3::Identity());
  for (std::size_t k = 0; k < model.solids.size(); ++k) {
    if (model.solids[k].body < 0) continue;
    const SolidPlace place = model.solids[k].free < 0 ? place_of(model.solids[k], targets)
                                                      : place_of(model, model.solids[k], state.position, state.rotor);
    state.solid_position[k] = place.position;
    state.solid_rotation[k] = place.rotation;
  }
}

void transfer_contacts(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state) {
  const auto same = [](const ContactStation& a, const ContactStation& b) {
    return a.rod == b.rod && a.s == b.s && a.share == b.share && a.radius == b.radius && a.across == b.across;
  };
  // free solids are where their bodies are by now
  for (std::size_t k = 0; k < to.solids.size(); ++k) {
    if (to.solids[k].free < 0) continue;
    const SolidPlace place = place_of(to, to.solids[k], to_state.position, to_state.rotor);
    to_state.solid_position[k] = place.position;
    to_state.solid_rotation[k] = place.rotation;
  }
  if (from.stations.empty() ||
      !std::equal(from.stations.begin(), from.stations.end(), to.stations.begin(), to.stations.end(), same))
    return;
  const auto alike = [](const Solid& a, const Solid& b) { return a.obstacle == b.obstacle && a.body == b.body; };
  if (scene::obstacles_of(*from.scene) != scene::obstacles_of(*to.scene) ||
      !std::equal(from.solids.begin(), from.solids.end(), to.solids.begin(), to.solids.end(), alike))
    return;
  to_state.contact_touch = from_state.contact_touch;
  to_state.contact_force = from_state.contact_force;
  to_state.contact_anchor = from_state.contact_anchor;
  to_state.contact_slip = from_state.contact_slip;
  to_state.contact_way = from_state.contact_way;
  to_state.contact_chafing = from_state.contact_chafing;
  to_state.solid_position = from_state.solid_position;
  to_state.solid_rotation = from_state.solid_rotation;
}

}  // namespace filum::discrete
