// Rods that hold each other and themselves off, in the balance of discrete rods.
//
// A contact belongs to a span of one strand, its station, and touches another strand where that is nearest
// (contact/approach.hpp). Of two strands one has the stations, the finer one or, of one rod, the piece that comes first:
// with stations on both each place would be held twice. The law is that of obstacles (contact/contact_law.hpp), on the way
// between the two points.
//
// Only contacts that touch are remembered from step to step; who may touch is found anew in each, by boxes about the
// ways of the spans. Contacts are edges of the block graph: `links` says which blocks they need, and when those change the
// matrix is analysed anew. Newton's iterates may be anywhere, a contact knows which side it came from; the way of a
// finished step is swept.
//
// At rest (rod_contact_rest.cpp) the way of each of Newton's steps is swept instead, and ends where strands are half
// through each other: so every iterate is on the side that the rods came from, and who touches whom is found anew at each
// from the state alone.
#pragma once

#include "contact/approach.hpp"
#include "contact/contact_law.hpp"
#include "formulations/discrete/contact_term.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "geometry/box_pairs.hpp"

#include <utility>
#include <vector>

namespace filum::discrete {

class RodContact {
 public:
  explicit RodContact(const ModelData& model);
  [[nodiscard]] bool empty() const { return model_.spans.empty(); }

  // Before the first balance of a step. `state`: as foreseen.
  void begin(const RodState& state, const Motion& motion);
  // Before the search for an equilibrium; with friction, if it `rubs`, against ways from `start`, where nodes were before
  // anything was moved.
  void begin_rest(const std::vector<Vec3>& start, bool rubs);
  // Before the forces of an equilibrium that has been found are evaluated once more: nothing closes any longer.
  void begin_as_it_is(const RodState& state);
  // Contacts do not act from now on, until one of these is called.
  void leave() { acts_ = false; }
  [[nodiscard]] bool acts() const { return acts_; }

  // At the nodes of `state`; closes contacts whose gap is negative.
  void evaluate(RodState& state);
  [[nodiscard]] const std::vector<ContactTerm>& terms() const { return terms_; }
  [[nodiscard]] bool settled() const { return !changed_ && deepest_ <= kGap && !pulled_; }
  [[nodiscard]] bool touches() const { return !terms_.empty() || changed_; }

  // Pairs of nodes whose blocks contacts may need, sorted. `lacks_links`: since the last `take_links` one needs more.
  [[nodiscard]] bool lacks_links() const { return lacks_links_; }
  const std::vector<std::pair<int, int>>& take_links();

  // After a linear solve: `moved(node)` is the whole step of a node, `share` what of it is taken.
  template <class Moved>
  void update(RodState& state, double share, const Moved& moved) {
    changed_ = false;
    const bool firm = deepest_ <= kFirm && share == 1;
    const bool one_by_one = stage_ == Stage::Search && ++turns_ > kAllAtOnce;
    const bool may_open = firm && !one_by_one;
    for (Near& near : near_) {
      if (near.memory.touch == contact::Touch::Open) continue;
      Vec3 by = Vec3::Zero();
      for (int k = 0; k < near.curve.count; ++k)
        by += near.curve.weight[static_cast<std::size_t>(k)] * moved(near.curve.node[static_cast<std::size_t>(k)]);
      update_contact(near, by, share, may_open);
    }
    if (firm && one_by_one) open_most_pulled();
    if (stage_ == Stage::Search) store(state);
  }

  Way look_back(const RodState& state);
  // What of the straight way from some places of the nodes to others may be gone lest strands go through each other.
  [[nodiscard]] double free_share(const std::vector<Vec3>& from, const std::vector<Vec3>& to);

  [[nodiscard]] bool leads_through(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    return !empty() && free_share(from, to) < 1;
  }

  // At the end of a step: what contacts remember, and the accounts. Adds to `halt` what is to have no speed.
  void end(RodState& state, std::vector<HaltRow>& halt);
  // When an equilibrium has been found: what contacts remember of it.
  void end_rest(RodState& state);
  // Some contact rubs: then the balance has no energy.
  [[nodiscard]] bool rubbing(const RodState& state) const;
  // Σ of how deep strands are in each other, m.
  [[nodiscard]] double sunk() const { return sunk_; }

 private:
  static constexpr double kGap = 1e-6;   // of the radius: a contact is closed
  static constexpr double kFirm = 1e-3;  // likewise, near enough for a negative force to open one
  // At rest, as for obstacles: iterations after which contacts that pull are opened one at a time; and, of the radii
  // together, how shallow an overlap is that is not taken hold of while something else pulls.
  static constexpr int kAllAtOnce = 15;
  static constexpr double kShallow = 0.1;
  // And after which two contacts on both sides of a node may hold the same place.
  static constexpr int kOneHolds = 8;
  enum class Stage { Step, Search, Shown };

  // Two spans that may touch, and where they are nearest as straight segments.
  struct Seed {
    contact::Approach place;
    double distance = 0;
  };
  enum class Same { No, Yes, Mirrored };
  // A contact, open or closed.
  struct Near {
    contact::Approach place;
    contact::Memory memory;
    contact::Stiffness law;
    contact::CurveGap curve;
    contact::Gap gap;
    double keep = 0;
    double chafing = 0;                // so far, N·m
    double radius = 0;                 // of both together
    Vec3 side = Vec3::Zero();          // the normal as last seen: which side the strands are on
    Vec3 start_normal = Vec3::Zero();  // of one that touched at the start of a step that keeps energy; else nil
    bool touched = false;              // at the start of the step
    bool found = true;                 // its place, at the latest iterate
    bool leads_on = false;             // it stands at an end of its span, beyond which the strands are nearer
    bool doubled = false;              // another has come to the same place
    int linked = -1;                   // the span of b that the pattern of the matrix is made for
  };

  [[nodiscard]] bool has_stations(int i, int j) const;
  [[nodiscard]] geometry::Segment chord(const std::vector<Vec3>& nodes, int span) const;
  void find_pairs(const std::vector<Vec3>& from, const std::vector<Vec3>& to, double margin);
  void find_seeds(const std::vector<Vec3>& from, const std::vector<Vec3>& to, double reach);
  [[nodiscard]] bool leads_to_neighbours(const std::vector<Vec3>& nodes, int a, int b) const;
  void find_bent_seeds(const std::vector<Vec3>& nodes, int a, int b, double reach);
  [[nodiscard]] bool known(const contact::Approach& place) const;
  [[nodiscard]] bool is_there(const contact::Approach& place) const;
  Near& add(const contact::Approach& place, const std::vector<Vec3>& nodes);
  Near* recalled(const RodTouch& touch, const std::vector<Vec3>& nodes);
  void recall(const RodState& state);
  void gather(const RodState& state);
  void store(RodState& state) const;
  void open_most_pulled();
  [[nodiscard]] RodTouch ended(const Near& near, const Vec3& friction) const;
  bool approach(Near& near, const std::vector<Vec3>& nodes);
  bool add_met(const RodState& state, int a, int b);
  bool add_overlap(const contact::Approach& place, const RodState& state);
  void update_contact(Near& near, const Vec3& by, double share, bool may_open);
  void look(Near& near, const RodState& state);
  void set_numbers(Near& near) const;
  void find_doubles();
  [[nodiscard]] int span_beyond(const contact::Approach& place) const;
  bool follow(Near& near, const std::vector<Vec3>& nodes);
  void add_beyond(const std::vector<Vec3>& nodes);
  [[nodiscard]] double along(int from_span, double from, int to_span, double to) const;
  [[nodiscard]] Same same_place(const contact::Approach& p, const contact::Approach& q, double reach) const;
  [[nodiscard]] double same_reach(const Near& near) const;
  void hand_on();
  [[nodiscard]] bool holds_both() const { return stage_ == Stage::Search && turns_ > kOneHolds; }
  [[nodiscard]] bool is_shadowed(const Near& near) const;
  [[nodiscard]] ContactTerm term(const Near& near, const RodState& state) const;
  void link(Near& near);
  [[nodiscard]] double meeting(const std::vector<Vec3>& from, const std::vector<Vec3>& to, int i, int j) const;

  const ModelData& model_;
  const Motion* motion_ = nullptr;
  std::vector<geometry::Box> boxes_;
  std::vector<double> bulge_;  // per span, over the step
  geometry::BoxPairs finder_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<Seed> looked_at_;
  std::vector<Seed> seeds_;
  std::vector<Near> near_;
  std::vector<ContactTerm> terms_;
  std::vector<std::pair<int, int>> links_;
  bool lacks_links_ = false;
  double deepest_ = 0;  // largest |gap| of those that touch, of the radius
  bool pulled_ = false;
  bool changed_ = false;
  bool acts_ = false;
  bool rubs_ = true;  // friction acts
  Stage stage_ = Stage::Step;

  // at rest
  int turns_ = 0;  // iterations so far
  double sunk_ = 0;
  Motion rest_;  // nothing in motion; where the search began
};

// Of another model of an edited scene, where the spans are the same.
void transfer_rod_touches(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state);

}  // namespace filum::discrete
