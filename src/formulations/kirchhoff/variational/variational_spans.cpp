#include "formulations/kirchhoff/variational/variational_spans.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

// Compliances that differ by less than this share are the same: only rounding told them apart.
constexpr double kSameCompliance = 1e-12;

class Stringer {
 public:
  Stringer(const ModelData& model, SpanLayout& layout) : model_(model), layout_(layout) {
    before_.assign(model.edges.size(), -1);
    after_.assign(model.edges.size(), -1);
    taken_.assign(model.edges.size(), false);
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
      const Joint& joint = model.joints[k];
      if (joint.right.is_edge()) before_[at(joint.right.edge)] = static_cast<int>(k);
      if (joint.left.is_edge()) after_[at(joint.left.edge)] = static_cast<int>(k);
    }
  }

  void run() {
    // spans that begin at a section or a free end, then rings that nothing holds
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      const int joint = before_[j];
      if (joint < 0 || !model_.joints[at(joint)].left.is_edge()) string_from(static_cast<int>(j));
    }
    for (std::size_t j = 0; j < model_.edges.size(); ++j)
      if (!taken_[j]) string_from(static_cast<int>(j));
  }

 private:
  int side(const Side& s) const { return s.is_edge() ? s.edge : layout_.edges + s.section; }

  void string_from(int first_edge) {
    std::vector<int> chain;  // model joints in the rod's own order
    const int start = before_[at(first_edge)];
    const bool held_start = start >= 0 && !model_.joints[at(start)].left.is_edge();
    if (held_start) chain.push_back(start);
    // edge by edge to a free end, a section, or the first edge again
    bool held_end = false;
    bool ring = false;
    for (int edge = first_edge;;) {
      taken_[at(edge)] = true;
      const int joint = after_[at(edge)];
      if (joint < 0) break;
      chain.push_back(joint);
      const Side& next = model_.joints[at(joint)].right;
      held_end = !next.is_edge();
      ring = next.edge == first_edge;
      if (held_end || ring) break;
      edge = next.edge;
    }
    TwistSpan span;
    span.rod = model_.edges[at(first_edge)].rod;
    span.anchor = held_start ? side(model_.joints[at(start)].left) : first_edge;
    if (ring) span.ends = SpanEnds::Ring;
    if (held_start && held_end) span.ends = SpanEnds::Held;
    // a span held at its end alone is gone through backwards; it has no twist, so no sign to mind
    const bool backwards = held_end && !held_start;
    if (backwards) {
      std::reverse(chain.begin(), chain.end());
      span.anchor = side(model_.joints[at(chain.front())].right);
    }
    if (span.ends == SpanEnds::Ring) span.far = first_edge;
    if (span.ends == SpanEnds::Held) span.far = side(model_.joints[at(chain.back())].right);
    add(span, chain, backwards);
  }

  void add(TwistSpan span, const std::vector<int>& chain, bool backwards) {
    span.first = static_cast<int>(layout_.joints.size());
    span.count = static_cast<int>(chain.size());
    const auto first_class = layout_.turn_classes.size();
    for (const int k : chain) {
      const Joint& joint = model_.joints[at(k)];
      rod::SpanJoint strung;
      strung.from = side(backwards ? joint.right : joint.left);
      strung.to = side(backwards ? joint.left : joint.right);
      strung.bend = joint.elasticity.stiffness[0];
      strung.twist_compliance = 1 / joint.elasticity.stiffness[2];
      strung.inverse_from = inverse_length(strung.from);
      strung.inverse_to = inverse_length(strung.to);
      layout_.joints.push_back(strung);
      layout_.model_joint.push_back(k);
      span.compliance += strung.twist_compliance;
      span.offset += joint.offset;
      layout_.turn_class.push_back(turn_class(first_class, strung.twist_compliance, joint.offset));
    }
    layout_.spans.push_back(span);
  }

  double inverse_length(int s) const { return s < layout_.edges ? 1 / model_.edges[at(s)].rest_length : 0; }

  // Found among the span's own, or made.
  int turn_class(std::size_t first, double compliance, double offset) {
    std::vector<TurnClass>& all = layout_.turn_classes;
    for (std::size_t k = first; k < all.size(); ++k)
      if (all[k].offset == offset && std::abs(all[k].compliance - compliance) <= kSameCompliance * compliance)
        return static_cast<int>(k);
    all.push_back({static_cast<int>(layout_.spans.size()), compliance, offset});
    return static_cast<int>(all.size()) - 1;
  }

  const ModelData& model_;
  SpanLayout& layout_;
  std::vector<int> before_;  // per edge: the joint at its start, or −1
  std::vector<int> after_;
  std::vector<bool> taken_;
};

}  // namespace

SpanLayout::SpanLayout(const ModelData& model)
    : edges(static_cast<int>(model.edges.size())), sides(edges + static_cast<int>(model.sections.size())) {
  Stringer(model, *this).run();
}

}  // namespace filum::kirchhoff
