// Rods that hold each other off at rest: how far a step of Newton's may go, what is remembered of an equilibrium.
#include "formulations/discrete/rod_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/friction_of.hpp"

#include <algorithm>

namespace filum::discrete {

void RodContact::begin_rest(const std::vector<Vec3>& start, bool rubs) {
  acts_ = !empty();
  if (!acts_) return;
  motion_ = &rest_;
  rest_.start_position = start;
  stage_ = Stage::Search;
  rubs_ = rubs;
  near_.clear();
  terms_.clear();
  links_.clear();
  changed_ = pulled_ = lacks_links_ = false;
  deepest_ = sunk_ = 0;
  turns_ = 0;
}

void RodContact::begin_as_it_is(const RodState& state) {
  begin_rest(state.position, true);
  stage_ = Stage::Shown;
}

// The contacts of `state`, and who else is near.
void RodContact::gather(const RodState& state) {
  near_.clear();
  for (const RodTouch& touch : state.rod_touch.list)
    if (Near* const near = recalled(touch, state.position)) near->found = approach(*near, state.position);
  if (stage_ == Stage::Shown) return;
  constexpr double kReach = 0.25;  // as far as the matrix has room
  find_pairs(state.position, state.position, kReach);
  find_seeds(state.position, state.position, kReach);
  for (const Seed& seed : seeds_) {
    Near near = add(seed.place, state.position);
    near_.pop_back();
    if (!approach(near, state.position) || is_there(near.place)) continue;
    near_.push_back(near);
    link(near_.back());
  }
}

void RodContact::store(RodState& state) const {
  state.rod_touch.list.clear();
  for (const Near& near : near_)
    if (near.memory.touch != contact::Touch::Open)
      state.rod_touch.list.push_back({near.place.a, near.place.b, near.place.u, near.place.v,
                                      static_cast<int>(near.memory.touch), near.memory.force, near.memory.anchor,
                                      near.memory.slip, Vec3::Zero(), near.chafing});
}

void RodContact::open_most_pulled() {
  Near* most = nullptr;
  for (Near& near : near_)
    if (near.memory.touch != contact::Touch::Open && near.memory.force < 0 &&
        (most == nullptr || near.memory.force < most->memory.force))
      most = &near;
  if (most == nullptr) return;
  most->memory = {};
  changed_ = true;
}

double RodContact::free_share(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  double share = 1;
  find_pairs(from, to, 0);
  for (const auto& [a, b] : pairs_) share = std::min(share, meeting(from, to, a, b));
  return share;
}

bool RodContact::rubbing(const RodState& state) const {
  return acts_ && rubs_ &&
         std::any_of(state.rod_touch.list.begin(), state.rod_touch.list.end(),
                     [&](const RodTouch& touch) { return edge_friction(model_, touch.a, touch.b) > 0; });
}

// What was found without friction sticks where it is from now on.
void RodContact::end_rest(RodState& state) {
  if (empty()) return;
  stage_ = Stage::Shown;
  gather(state);
  state.rod_touch.list.clear();
  for (Near& near : near_) {
    look(near, state);
    if (!rubs_) {
      const bool rubs = edge_friction(model_, near.place.a, near.place.b) > 0;
      near.memory.touch = rubs ? contact::Touch::Stick : contact::Touch::Slip;
      near.gap.way.setZero();
    }
    state.rod_touch.list.push_back(ended(near, contact::friction_force(near.law, near.gap, near.memory)));
  }
}

}  // namespace filum::discrete
