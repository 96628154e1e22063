// Where the parts of a chain touch, or will within the step.
//
// An element touches a solid by the balls at its two ends and, where it lies across something, between them: at the two ends
// of the stretch along which it is nearest, or, if that is short, once. Bodies touch by the features of one and the distance
// from the other (formulations/discrete/solid_feature.hpp).
//
// The ways are those of the parts in a step, straight, as the other sees them. What is far apart is met on its way: the
// normal is that of the first meeting, and the gap is counted along it from where the step begins, so that nothing goes
// through anything however fast it is, and nothing is held that only passes by.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "geometry/box_pairs.hpp"

#include <span>
#include <vector>

namespace filum::chain {

// A place where two parts touch or would meet.
struct TouchFound {
  int part = 0;  // as in TouchState
  int other = 0;
  int own = -1;
  int feature = 0;
  int solid = -1;
  double gap = 0;               // m
  double give = 0;              // what of it is no harm, m
  double size = 0;              // the radius, or of the smaller body, m
  Vec3 normal = Vec3::UnitZ();  // out of the other
  Vec3 point = Vec3::Zero();    // on the surface that touches, at the start of the step
};

class TouchSearch {
 public:
  // Of the parts of a mechanism.
  void lay_out(const ModelData& model, const Mechanism& mechanism, const ChainState& state);

  // With these velocities of the parts over a step.
  const std::vector<TouchFound>& look(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                                      std::span<const Vec6> velocity, double dt);

  // Whether an element or a corner has come from one side of a solid to another.
  [[nodiscard]] bool crossed(const ModelData& model, const Mechanism& mechanism, const std::vector<PartState>& before,
                             const ChainState& after) const;

  // The part that has a solid.
  [[nodiscard]] static int carrier(const ModelData& model, const Mechanism& mechanism, int solid);

 private:
  struct Seen;
  struct Sight;
  void look_at_element(const Sight& sight, int element, int solid);
  void look_at_pair(const Sight& sight, int pair);
  void look_at_feature(const Sight& sight, const discrete::SolidFeature& feature, int a, int b, const Seen& what);
  void look_at_row(const Sight& sight, int own, int other, const Seen& what, double time);
  void look_at_ring(const Sight& sight, const discrete::SolidFeature& feature, int a, int b, const Seen& what);
  void look_at_elements(const Sight& sight, int first, int second);
  [[nodiscard]] bool is_left_out(const ModelData& model, const Element& element, int feature, int solid) const;

  [[nodiscard]] bool are_neighbours(const ModelData& model, const ChainState& state, int a, int b) const;

  std::vector<double> radius_;          // per element
  std::vector<std::vector<int>> tied_;  // per element: the parts that are none and that it is linked with
  std::vector<geometry::Box> boxes_;    // per element: of its way
  geometry::BoxPairs near_;
  std::vector<TouchFound> found_;
};

}  // namespace filum::chain
