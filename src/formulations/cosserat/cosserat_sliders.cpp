// Sliding holds of a cosserat model: a grip on the point of a chain whose arc length is unknown.
#include "formulations/cosserat/cosserat_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/slider.hpp"

#include <algorithm>
#include <cmath>

namespace filum::cosserat {

// a(s) of every sliding hold: x(s) = x(anchor) − Σ a l(1+ε) d over the segments of its chain.
void System::weigh_sliders(const CableState& state) {
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const Chain& chain = network_.chains[at(network_.chain_of_slider[k])];
    const discrete::SliderSupport support = discrete::slider_support(chain.mesh, state.rods.slide[k]);
    const discrete::SliderWeights w = discrete::slider_weights(chain.mesh, state.rods.slide[k]);
    for (std::size_t j = 0; j < chain.edges.size(); ++j) {
      double value = 0, slope = 0, bend = 0;
      for (int i = 0; i < support.count; ++i) {
        if (at(support.node[at(i)]) <= j) continue;
        value += w.value[at(i)];
        slope += w.slope[at(i)];
        bend += w.curvature[at(i)];
      }
      reach_[k].value[j] = chain.forward() ? -value : 1 - value;
      reach_[k].slope[j] = -slope;
      reach_[k].bend[j] = -bend;
    }
  }
}

// Lagrangian λ·(x(s) − p) of the grip on a point whose arc length s is free.
void System::add_slider(const CableState& state, int index, Balance& balance) {
  const discrete::Slider& slider = model_.sliders[at(index)];
  const int chain_index = network_.chain_of_slider[at(index)];
  const Chain& chain = network_.chains[at(chain_index)];
  const SliderReach& reach = reach_[at(index)];
  const Vec3& lambda = state.rods.slide_force[at(index)];
  const double size = model_.size;
  Vec3 point = position(state, chain.anchor());
  Vec3 settled = point;
  Vec3 slope = Vec3::Zero();
  Vec3 bend = Vec3::Zero();
  for (std::size_t j = 0; j < chain.edges.size(); ++j) {
    const rod::PulledSegment& segment = segments_[at(chain.edges[j])];
    point -= reach.value[j] * segment.way();
    settled -= reach.value[j] * segment.settled_way();
    slope -= reach.slope[j] * segment.way();
    bend -= reach.bend[j] * segment.way();
  }
  const Vec3 target = discrete::slider_target(slider, *targets_);
  Vec3 gap = point - target;
  const int row = slider_row_[at(index)];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<int>(axis);
    if (!slider.fixed[axis]) gap[a] = 0;
    gap_[at(row) + axis] = slider.fixed[axis] ? settled[a] - target[a] : 0;
  }
  balance.gap += gap.norm();
  balance.worst_gap = std::max(balance.worst_gap, gap.norm() / size);
  const bool stopped = state.rods.slide_stop[at(index)] != 0;
  const discrete::SliderFriction friction = discrete::slider_friction(model_, index, state.rods);
  slide_pull_[at(index)] = lambda.dot(slope) + friction.force;
  balance.potential += friction.energy;
  balance.size += friction.energy;
  if (!stopped) step_[at(row + 3)] = slide_pull_[at(index)];
  if (!want_tangent_) return;

  const int block = slider_block_[at(index)];
  using Mat34 = Eigen::Matrix<double, 3, 4>;
  Mat3 with_span = Mat3::Zero();
  for (std::size_t j = 0; j < chain.edges.size(); ++j) {
    const rod::PulledSegment& segment = segments_[at(chain.edges[j])];
    with_span -= reach.value[j] * segment.compliance();
    if (reach.value[j] == 0 && reach.slope[j] == 0) continue;
    Mat34 h;
    h.leftCols<3>() = reach.value[j] * segment.coupling() / size;
    h.col(3) = stopped
                   ? Vec3::Zero()
                   : Vec3(-reach.slope[j] * segment.length * segment.direction.cross(lambda) * (size / moment_unit_));
    tangent_.add(tangent_.pair(edge_block_[at(chain.edges[j])], block), h);
  }
  if (const int force = force_block_[at(chain_index)]; force >= 0)
    tangent_.add(tangent_.pair(force, block), Mat3(force_unit_ / size * with_span), 3, 0);
  const Station& anchor = network_.stations[at(chain.anchor())];
  couple(state, anchor.root, anchor.arms, block, 0, 1, slider.fixed);
  Eigen::Matrix4d own = Eigen::Matrix4d::Zero();
  for (std::size_t j = 0; j < chain.edges.size(); ++j)
    own.topLeftCorner<3, 3>() -=
        force_unit_ / size * reach.value[j] * reach.value[j] * segments_[at(chain.edges[j])].compliance();
  if (!stopped) {
    own.topRightCorner<3, 1>() = slope;
    own.bottomLeftCorner<1, 3>() = slope.transpose();
  }
  own(3, 3) = stopped ? 1
                      : (lambda.dot(bend) + discrete::slider_keep(model_, slider) + friction.stiffness) * size * size /
                            moment_unit_;
  tangent_.add_diagonal(tangent_.pair(block, block), own);
  // segments that another hold on the chain pulls too
  for (int other = 0; other < index; ++other) {
    if (network_.chain_of_slider[at(other)] != chain_index) continue;
    Mat3 shared = Mat3::Zero();
    for (std::size_t j = 0; j < chain.edges.size(); ++j)
      shared -=
          force_unit_ / size * reach.value[j] * reach_[at(other)].value[j] * segments_[at(chain.edges[j])].compliance();
    tangent_.add(tangent_.pair(block, slider_block_[at(other)]), shared);
  }
}

void System::release_stops(CableState& state) const {
  for (std::size_t k = 0; k < model_.sliders.size(); ++k)
    if (state.rods.slide_stop[k] * slide_pull_[k] > 0) state.rods.slide_stop[k] = 0;
}

}  // namespace filum::cosserat
