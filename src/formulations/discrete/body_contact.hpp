// Solids that hold each other off, in motion: free bodies against obstacles, driven bodies and each other.
//
// Of two solids one is seen by its distance, the other by features (solid_feature.hpp): balls, rows of balls and rings of
// them, whose union is swept of its edges. A ball is one, a capsule has its two ends and the row between them, a block and a
// mesh their corners and edges with a small radius, inset by as much, so that faces lie where they are and edges are
// rounded: two edges that cross then have a normal; a cylinder has its rims and, as a row as thick as it is, its mantle. A
// ball touches where it is nearest; a row only at a foot between its ends (contact_foot.hpp), over an edge or a corner of
// the other: along a face its ends hold it. A ring touches at its foot if it is tilted against the other; where the face
// that it bounds lies flat on it, by balls that stand still on it.
//
// The law is that of contact/contact_law.hpp. Friction acts where the surfaces meet, at p, so that things roll: with the
// turns Θ of the two in the step and arms r from their centres to p, in a step that keeps energy means over it, what slips is
//
//     u = Δx_a + Θ_a × r_a − Δx_b − Θ_b × r_b,
//
// and the force on the one is that on the other with the sign reversed, at the same place: momenta are left alone, and the
// work done is f·u.
#pragma once

#include "contact/contact_law.hpp"
#include "formulations/discrete/contact_term.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "formulations/formulation.hpp"

#include <utility>
#include <vector>

namespace filum::discrete {

class BodyContact {
 public:
  explicit BodyContact(const ModelData& model);
  [[nodiscard]] bool empty() const { return model_.solid_pairs.empty(); }

  // Before the first balance of a step: who may touch. `state`: as foreseen.
  void begin(const RodState& state, const Targets& targets, const Motion& motion);
  void leave() { acts_ = false; }
  [[nodiscard]] bool acts() const { return acts_; }

  // Closes contacts whose gap is negative.
  void evaluate(const RodState& state);
  [[nodiscard]] const std::vector<ContactTerm>& terms() const { return terms_; }
  [[nodiscard]] bool settled() const { return !changed_ && deepest_ <= kGap && !pulled_; }
  [[nodiscard]] bool touches() const { return !terms_.empty() || changed_; }
  // Pairs of nodes whose blocks contacts may need. `lacks_links`: since the last `take_links` more are.
  [[nodiscard]] bool lacks_links() const { return lacks_links_; }
  void take_links(std::vector<std::pair<int, int>>& links);

  // After a linear solve: `moved(node)`, `turned(rotor)` are the whole steps, `share` what of them is taken.
  template <class Moved, class Turned>
  void update(double share, const Moved& moved, const Turned& turned) {
    changed_ = false;
    const bool may_open = deepest_ <= kFirm && share == 1;
    for (Candidate& each : near_) {
      if (each.memory.touch == contact::Touch::Open) continue;
      const SolidPair& pair = model_.solid_pairs[static_cast<std::size_t>(each.pair)];
      const auto step = [&](int solid) -> Vec3 {
        const FreeBody* body = free_body(solid);
        if (body == nullptr) return Vec3::Zero();
        return moved(body->node) + turned(body->rotor).cross(each.point - place(solid).position);
      };
      const Vec3 by = place(pair.b).rotation.transpose() * (step(pair.a) - step(pair.b));
      if (contact::update(law(pair), each.gap, by, share, may_open, each.memory)) changed_ = true;
    }
  }

  // When all is in balance: was anything missed?
  Way look_back();
  // At the end of a step: what contacts remember, and the accounts. Adds to `halt` what is to have no speed.
  void end(RodState& state, std::vector<HaltRow>& halt);

 private:
  static constexpr double kGap = 1e-7;   // of the smaller solid: a contact is closed
  static constexpr double kFirm = 1e-4;  // likewise, near enough for a negative force to open one

  // A feature that may touch.
  struct Candidate {
    int pair = 0;
    int feature = 0;
    contact::Memory memory;            // its anchor: what friction's spring had given when the step began
    Vec3 start_normal = Vec3::Zero();  // of one that touched then, in a step that keeps energy; else nil
    Vec3 start_point = Vec3::Zero();   // where the surfaces met, or would have
    contact::Gap gap;                  // as last evaluated
    Vec3 point = Vec3::Zero();         // where they meet now
    double share = 0;                  // of a row or ring: where it touches; below 0: not known yet
    bool has_foot = true;              // likewise
    double chafing = 0;                // until the step began
  };
  // By which each of the two has gone at the point, and the arms.
  struct Slip {
    Vec3 by_a = Vec3::Zero();
    Vec3 by_b = Vec3::Zero();
    Vec3 arm_a = Vec3::Zero();
    Vec3 arm_b = Vec3::Zero();
  };
  [[nodiscard]] const FreeBody* free_body(int solid) const {
    const int free = model_.solids[static_cast<std::size_t>(solid)].free;
    return free < 0 ? nullptr : &model_.bodies[static_cast<std::size_t>(free)];
  }
  [[nodiscard]] const SolidPlace& place(int solid) const { return now_[static_cast<std::size_t>(solid)]; }
  [[nodiscard]] const SolidFeature& feature_of(const Candidate& each) const;
  [[nodiscard]] contact::Stiffness law(const SolidPair& pair) const;
  [[nodiscard]] SolidFeature seen(const SolidPair& pair, const SolidFeature& feature,
                                  const std::vector<SolidPlace>& places) const;
  void look_for(int pair, double reach);
  void add(int pair, int feature);
  static void follow_row(const geometry::Shape& shape, const geometry::Segment& core, double size, Candidate& each);
  static void follow_foot(const geometry::Shape& shape, const SolidFeature& feature, double size, Candidate& each);
  void measure(Candidate& each) const;
  [[nodiscard]] Mat3 mean_rotation(int solid) const;
  [[nodiscard]] Slip slip_of(const Candidate& each) const;
  void add_term(const Candidate& each);
  [[nodiscard]] bool went_through(int pair, const SolidFeature& feature) const;
  [[nodiscard]] bool is_near(int pair, int feature) const;
  void account(const Candidate& each, const Vec3& friction, RodState& state) const;
  [[nodiscard]] BodyTouch ended(const Candidate& each, const Vec3& give) const;
  void add_halt(const Candidate& each, std::vector<HaltRow>& halt) const;

  const ModelData& model_;
  const Motion* motion_ = nullptr;
  std::vector<SolidPlace> before_;  // per solid: at the start of the step
  std::vector<SolidPlace> now_;     // per solid: at its end
  std::vector<double> reach_;       // per solid: of its farthest point from its middle
  std::vector<Vec3> middle_;        // per solid: as it sees itself
  std::vector<Candidate> near_;
  std::vector<ContactTerm> terms_;
  double deepest_ = 0;
  bool pulled_ = false;
  bool changed_ = false;
  bool acts_ = false;
  bool lacks_links_ = false;
};

}  // namespace filum::discrete
