// The joints of a compiled model, strung together: a span runs from one held cross-section (or a free end) to the next,
// and its twist is one number.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "rod/uniform_twist.hpp"

#include <span>
#include <vector>

namespace filum::kirchhoff {

// What a span's twist is measured between.
enum class SpanEnds {
  Loose,  // one end (or both) may turn about itself: no twist
  Held,   // a cross-section held at either end
  Ring    // comes round to its first edge: the link is kept
};

struct TwistSpan {
  SpanEnds ends = SpanEnds::Loose;
  int rod = 0;
  int first = 0;  // its joints: a range of SpanLayout::joints
  int count = 0;
  int anchor = 0;         // the side that its directors are carried from: a held section's, or an edge's
  int far = -1;           // the side that they are compared with; −1 for a loose span
  double compliance = 0;  // Σ 1/k_t, 1/(N·m)
  double offset = 0;      // Σ of the joints' offsets
};

// Joints that turn by the same angle when the torque is the same.
struct TurnClass {
  int span = 0;
  double compliance = 0;
  double offset = 0;
};

struct SpanLayout {
  explicit SpanLayout(const discrete::ModelData& model);

  [[nodiscard]] std::span<const rod::SpanJoint> joints_of(const TwistSpan& span) const {
    return std::span(joints).subspan(static_cast<std::size_t>(span.first), static_cast<std::size_t>(span.count));
  }
  // Sides are numbered edges first, then sections.
  [[nodiscard]] bool is_section(int side) const { return side >= edges; }

  int edges = 0;
  int sides = 0;
  std::vector<TwistSpan> spans;
  std::vector<rod::SpanJoint> joints;   // span after span, in the order in which directors are carried
  std::vector<int> model_joint;         // per joint here: its place in ModelData::joints
  std::vector<int> turn_class;          // per joint here
  std::vector<TurnClass> turn_classes;  // span after span
};

}  // namespace filum::kirchhoff
