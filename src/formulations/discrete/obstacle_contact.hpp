// Obstacles that hold rods off, in the balance of discrete rods.
//
// Stations stand still on a rod: its nodes and, where edges are longer than the rod is thick, points between them, each
// with the radius of the rod. A station against a solid is a contact (contact/contact_law.hpp): it adds a force and a
// stiffness to the one or two nodes that the station is made of, so that the pattern of the matrix stays as it is. A solid
// on a free body moves with the unknowns: what it does to a rod, the rod does to it, and such contacts are edges of the
// block graph, as those of rods with rods are.
//
// A contact holds at the end of a step. Newton's iterates may be anywhere, but the way of a finished step is looked at:
// a station that would have gone through a solid, or that came to touch one that nobody thought of, is found there.
//
// At rest the same rows hold without inertia (obstacle_contact_rest.cpp). There Newton's steps are long and nothing
// binds an iterate to where the rod comes from, so a step ends where it would carry a station through a solid; and
// stations between nodes touch at their feet (contact_foot.hpp), by which a solid's edge slides along the rod.
#pragma once

#include "contact/contact_law.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "formulations/discrete/contact_term.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "formulations/formulation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace filum::discrete {

class ObstacleContact {
 public:
  explicit ObstacleContact(const ModelData& model);
  [[nodiscard]] bool empty() const { return model_.solids.empty() || model_.stations.empty(); }

  // Before the first balance of a step: where the solids are, who may touch them. `state`: as foreseen.
  void begin(RodState& state, const Targets& targets, const Motion& motion);
  // Before the search for an equilibrium from `state`; with friction if it is an increment (Targets::increment), against
  // ways from `start`, where nodes were before anything was moved.
  void begin_rest(RodState& state, const Targets& targets, const std::vector<Vec3>& start);
  // Before the forces of an equilibrium that has been found are evaluated once more: nothing closes any longer.
  void begin_as_it_is(RodState& state, const Targets& targets);
  // Contacts do not act from now on, until one of these is called.
  void leave() { acts_ = false; }
  [[nodiscard]] bool acts() const { return acts_; }

  // At the nodes of `state`; closes contacts whose gap is negative. `terms`: what they do there.
  void evaluate(RodState& state);
  [[nodiscard]] const std::vector<ContactTerm>& terms() const { return forces_; }
  // Pairs of nodes whose blocks contacts with free bodies may need. `lacks_links`: since the last `take_links` more are.
  [[nodiscard]] bool has_links() const { return has_free_; }
  [[nodiscard]] bool lacks_links() const { return lacks_links_; }
  void take_links(std::vector<std::pair<int, int>>& links);
  // No contact has changed since the last linear solve, gaps are nil, forces press.
  [[nodiscard]] bool settled() const { return !changed_ && deepest_ <= kGap && !pulled_; }
  [[nodiscard]] bool touches() const { return !forces_.empty() || changed_; }

  // After a linear solve: `moved(node)`, `turned(rotor)`, `tilted(edge)` are the whole steps, `share` what of them is taken.
  template <class Moved, class Turned, class Tilted>
  void update(RodState& state, double share, const Moved& moved, const Turned& turned, const Tilted& tilted) {
    changed_ = false;
    const bool may_open = deepest_ <= kFirm && share == 1;
    const bool one_by_one = at_rest_ && ++turns_ > kAllAtOnce;
    for (const int pair : near_) {
      const Vec3 by = step_of(state, pair, foot_[static_cast<std::size_t>(pair)], moved, turned, tilted);
      update_pair(state, pair, by, share, may_open && !one_by_one);
    }
    if (may_open && one_by_one) open_most_pulled(state);
  }

  // At rest: what of a step may be taken lest a station goes through a solid, or everything flies off where nothing
  // holds it yet.
  template <class Moved, class Turned, class Tilted>
  [[nodiscard]] double free_share(const RodState& state, const Moved& moved, const Turned& turned,
                                  const Tilted& tilted) const {
    double share = 1;
    double farthest = 0;
    for (int pair = 0; pair < static_cast<int>(is_near_.size()); ++pair) {
      const Vec3 by = step_of(state, pair, station_of(pair).share, moved, turned, tilted);
      farthest = std::max(farthest, by.norm());
      if (model_.apart[static_cast<std::size_t>(pair)] == 0) share = std::min(share, free_way(state, pair, by));
    }
    return std::min(share, model_.size / std::max(farthest, model_.size));
  }

  // When all is in balance: was anything missed?
  Way look_back(const RodState& state);

  // At the end of a step: what contacts remember, and the accounts. Adds to `halt` what is to have no speed.
  void end(RodState& state, std::vector<HaltRow>& halt);
  // When an equilibrium has been found: what contacts remember of it.
  void end_rest(RodState& state);
  // Some contact rubs: then the balance has no energy.
  [[nodiscard]] bool rubbing(const RodState& state) const;
  // Σ of how deep stations are in solids, m: what an energy is weighed against on the way to a minimum.
  [[nodiscard]] double sunk() const { return sunk_; }

 private:
  static constexpr double kGap = 1e-6;   // of the radius: a contact is closed
  static constexpr double kFirm = 1e-3;  // likewise, near enough for a negative force to open one
  // Iterations after which contacts that pull are opened one at a time, the strongest first, which cannot go round in
  // circles as opening them all may.
  static constexpr int kAllAtOnce = 15;
  // Of the radius: what is no deeper in a solid is not taken hold of while something else pulls and has yet to be let go.
  // Otherwise the two may take turns for ever.
  static constexpr double kShallow = 0.1;
  [[nodiscard]] const ContactStation& station_of(int pair) const {
    return model_.stations[static_cast<std::size_t>(pair) / model_.solids.size()];
  }
  [[nodiscard]] std::size_t solid_of(int pair) const { return static_cast<std::size_t>(pair) % model_.solids.size(); }
  // How far a step leads a station, at a share of its edge, as the solid would see it if that stood still.
  template <class Moved, class Turned, class Tilted>
  [[nodiscard]] Vec3 step_of(const RodState& state, int pair, double along, const Moved& moved, const Turned& turned,
                             const Tilted& tilted) const {
    const ContactStation& station = station_of(pair);
    Vec3 by = (1 - along) * moved(station.a);
    if (station.b >= 0) by += along * moved(station.b);
    for (int f = 0; f < station.frames; ++f) {
      const StationFrame& frame = station.frame[static_cast<std::size_t>(f)];
      by += tilted(frame.edge).cross(frame_arm(state.frame, frame, station.across));
    }
    const int free = model_.solids[solid_of(pair)].free;
    if (free < 0) return by;
    const FreeBody& body = model_.bodies[static_cast<std::size_t>(free)];
    return by - moved(body.node) - turned(body.rotor).cross(arm_of(state, pair, along));
  }
  [[nodiscard]] Vec3 arm_of(const RodState& state, int pair, double along) const;
  void place_free_solids(const RodState& state);
  void look_at(int pair);
  void act_on_body(const RodState& state, int pair, const contact::Reaction& local, ContactTerm& out) const;
  [[nodiscard]] Vec3 start(const ContactStation& station) const;
  [[nodiscard]] contact::Stiffness law(const ContactStation& station, std::size_t solid) const;
  [[nodiscard]] contact::Gap gap(const RodState& state, int pair) const;
  void place_solids(const RodState& state, const Targets& targets);
  [[nodiscard]] bool may_touch(const RodState& state, int pair) const;
  [[nodiscard]] bool went_through(const RodState& state, int pair) const;
  [[nodiscard]] bool stands_out(const RodState& state, int pair, double gap) const;
  void update_pair(RodState& state, int pair, const Vec3& by, double share, bool may_open);
  void open_most_pulled(RodState& state);
  [[nodiscard]] bool pulls(const RodState& state) const;
  void look_around(const RodState& state);
  [[nodiscard]] geometry::Segment edge_seen(const RodState& state, int pair) const;
  [[nodiscard]] double station_gap(const RodState& state, int pair) const;
  [[nodiscard]] bool finds_foot(const RodState& state, int pair);
  [[nodiscard]] bool nearest_of_its_edge(const RodState& state, int pair) const;
  [[nodiscard]] int foot_beside(const RodState& state, int pair) const;
  void follow_feet(RodState& state);
  void hand_over(RodState& state, int from, int to);
  template <class Contact>
  void stand_beside(const RodState& state, const ContactStation& station, Contact& out) const;
  void slide_foot(const RodState& state, int pair, const contact::Gap& here, ContactTerm& out) const;
  bool look(int pair, int leader, const Vec3& seen);
  [[nodiscard]] double free_way(const RodState& state, int pair, const Vec3& by) const;
  void remember(RodState& state, int pair, const contact::Gap& here, const Vec3& give) const;
  void leave_solids(RodState& state) const;
  void account(RodState& state, int pair, const contact::Gap& here, const Vec3& friction) const;
  void add_halt(const RodState& state, int pair, std::vector<HaltRow>& halt) const;

  const ModelData& model_;
  const Motion* motion_ = nullptr;
  std::vector<SolidPlace> before_;  // per solid: at the start of the step
  std::vector<SolidPlace> now_;     // per solid: at its end
  std::vector<int> near_;           // pairs that may touch
  std::vector<char> is_near_;       // per pair
  std::vector<double> foot_;        // per pair: share of its edge where it touches
  std::vector<Vec3> start_normal_;  // per pair that touched at the start of a step that keeps energy; else nil
  std::vector<ContactTerm> forces_;
  double deepest_ = 0;  // largest |gap| of those that touch, of the radius
  bool pulled_ = false;
  bool changed_ = false;
  bool acts_ = false;
  bool has_free_ = false;  // some solid is on a free body
  bool lacks_links_ = false;

  // at rest
  bool at_rest_ = false;
  bool has_feet_ = false;
  bool rubs_ = true;  // friction acts
  int turns_ = 0;     // iterations so far
  double sunk_ = 0;
  Motion rest_;  // nothing in motion; where the search began
  struct Clear {
    Vec3 seen = Vec3::Zero();
    double distance = 0;  // of the solid from there; 0: not known
  };
  std::vector<Clear> clear_;  // per pair
};

// The memory of contacts, in a state of rods at rest.
void size_contacts(const ModelData& model, const Targets& targets, RodState& state);

// Of another model of an edited scene, where stations and solids are the same.
void transfer_contacts(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state);

}  // namespace filum::discrete
