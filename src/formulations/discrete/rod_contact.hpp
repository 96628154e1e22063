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

  // At the nodes of `state`; closes contacts whose gap is negative.
  void evaluate(const RodState& state);
  [[nodiscard]] const std::vector<ContactTerm>& terms() const { return terms_; }
  [[nodiscard]] bool settled() const { return !changed_ && deepest_ <= kGap && !pulled_; }
  [[nodiscard]] bool touches() const { return !terms_.empty() || changed_; }

  // Pairs of nodes whose blocks contacts may need, sorted. `lacks_links`: since the last `take_links` one needs more.
  [[nodiscard]] bool lacks_links() const { return lacks_links_; }
  const std::vector<std::pair<int, int>>& take_links();

  // After a linear solve: `moved(node)` is the whole step of a node, `share` what of it is taken.
  template <class Moved>
  void update(double share, const Moved& moved) {
    changed_ = false;
    const bool may_open = deepest_ <= kFirm && share == 1;
    for (Near& near : near_) {
      if (near.memory.touch == contact::Touch::Open) continue;
      Vec3 by = Vec3::Zero();
      for (int k = 0; k < near.curve.count; ++k)
        by += near.curve.weight[static_cast<std::size_t>(k)] * moved(near.curve.node[static_cast<std::size_t>(k)]);
      update_contact(near, by, share, may_open);
    }
  }

  Way look_back(const RodState& state);

  // At the end of a step: what contacts remember, and the accounts. Adds to `halt` what is to have no speed.
  void end(RodState& state, std::vector<HaltRow>& halt);

 private:
  static constexpr double kGap = 1e-6;   // of the radius: a contact is closed
  static constexpr double kFirm = 1e-3;  // likewise, near enough for a negative force to open one

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
    double radius = 0;                 // of both together
    Vec3 side = Vec3::Zero();          // the normal as last seen: which side the strands are on
    Vec3 start_normal = Vec3::Zero();  // of one that touched at the start of a step that keeps energy; else nil
    bool touched = false;              // at the start of the step
    bool found = true;                 // its place, at the latest iterate
    bool leads_on = false;             // it stands at an end of its span, beyond which the strands are nearer
    bool doubled = false;              // another has come to the same place
    int linked = -1;                   // the span of b that the pattern of the matrix is made for
  };

  [[nodiscard]] bool together(int i, int j) const;
  [[nodiscard]] bool has_stations(int i, int j) const;
  [[nodiscard]] geometry::Segment chord(const std::vector<Vec3>& nodes, int span) const;
  void find_pairs(const std::vector<Vec3>& from, const std::vector<Vec3>& to, double margin);
  void find_seeds(const std::vector<Vec3>& from, const std::vector<Vec3>& to, double reach);
  [[nodiscard]] bool leads_to_neighbours(const std::vector<Vec3>& nodes, int a, int b) const;
  void find_bent_seeds(const std::vector<Vec3>& nodes, int a, int b, double reach);
  [[nodiscard]] bool known(const contact::Approach& place) const;
  [[nodiscard]] bool is_there(const contact::Approach& place) const;
  Near& add(const contact::Approach& place);
  void recall(const RodState& state);
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
  [[nodiscard]] bool is_shadowed(const Near& near) const;
  [[nodiscard]] ContactTerm term(const Near& near, const RodState& state) const;
  void link(Near& near);
  [[nodiscard]] bool crosses(const std::vector<Vec3>& to, int i, int j) const;

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
};

// Of another model of an edited scene, where the spans are the same.
void transfer_rod_touches(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state);

}  // namespace filum::discrete
