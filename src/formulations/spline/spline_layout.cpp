// Which unknowns there are, which blocks of the matrix they share, and which are held.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/slider.hpp"

#include <algorithm>
#include <numbers>

namespace filum::spline {

System::System(const SplineModel& model, Symmetry symmetry)
    : model_(model), symmetric_(model.nodes.conservative && symmetry == Symmetry::Conservative) {
  set_scales();
  axial_.resize(model.stretches.size());
  axial_gradient_.resize(model.stretches.size());
  if (!model.memory.empty()) {
    stretch_yields_.resize(model.stretches.size(), 0);
    bend_yields_.resize(model.segments.size(), 0);
  }
  strain_change_.assign(model.stretches.size(), 0);
  force_sum_.resize(at(model.controls));
  if (model.laid) laid_slope_.resize(model.segments.size());
  rotor_moment_.resize(model.nodes.rotors.size());
  section_moment_.resize(model.grips.size());
  slide_pull_.resize(model.nodes.sliders.size());
  // where they are drawn; who evaluates has them tracked
  SplineState drawn;
  for (std::size_t k = 0; k < model.nodes.sliders.size(); ++k) {
    drawn.slide.push_back(discrete::drawn_slide(model.nodes, model.nodes.sliders[k]));
    slider_first_.push_back(slider_place(model, drawn, static_cast<int>(k)).first);
  }
  analyse();
}

void System::set_scales() {
  double total = 0;
  stiffness_scale_ = soft_stiffness_ = 0;
  for (const Segment& segment : model_.segments) {
    total += segment.width;
    largest_axial_ = std::max(largest_axial_, segment.stiffness.EA);
    largest_bending_ = std::max(largest_bending_, segment.stiffness.EI.maxCoeff() / segment.width);
    stiffness_scale_ = std::max(stiffness_scale_, segment.stiffness.EA / segment.width);
    // Euler-Bernoulli: stiffness per length EI (π/L)⁴, times a segment
    const double length = model_.nodes.rods[at(segment.rod)].mesh.length;
    const double wave = std::numbers::pi / length;
    soft_force_ = std::max(soft_force_, segment.stiffness.EI.maxCoeff() / (length * length));
    soft_stiffness_ =
        std::max(soft_stiffness_, segment.stiffness.EI.minCoeff() * wave * wave * wave * wave * segment.width);
  }
  arm_ = total / static_cast<double>(std::max<std::size_t>(1, model_.segments.size()));
  stiffness_scale_ = std::max(stiffness_scale_, largest_bending_ / (arm_ * arm_));
  for (const Segment& segment : model_.segments)
    spin_stiffness_ = std::max(spin_stiffness_, segment.stiffness.GJ / (segment.width * arm_ * arm_));
}

void System::analyse() {
  // a control point, the angle of a node, the multipliers of what grips
  std::vector<int> size(at(model_.controls), 3);
  const auto size_of = [&](int control) -> int& { return size[at(model_.own[at(control)])]; };
  for (const NodeCurve& curve : model_.curve)
    if (curve.angle >= 0) size_of(curve.angle) = 4;
  grip_row_.clear();
  for (const Grip& grip : model_.grips) {
    grip_row_.push_back(size_of(grip.control));
    size_of(grip.control) += 3;
  }
  math::BlockGraph graph;
  block_.clear();
  for (int i = 0; i < model_.controls; ++i)
    block_.push_back(model_.own[at(i)] == i ? graph.add_block(size[at(i)]) : block_[at(model_.own[at(i)])]);
  rotor_block_.clear();
  for (const discrete::Rotor& rotor : model_.nodes.rotors) {
    if (fixes_all(rotor.fixed)) {
      rotor_block_.push_back(-1);
      continue;
    }
    rotor_block_.push_back(static_cast<int>(block_.size()));
    block_.push_back(graph.add_block(3));
  }
  slider_block_.clear();
  for (std::size_t k = 0; k < model_.nodes.sliders.size(); ++k) {
    slider_block_.push_back(static_cast<int>(block_.size()));
    block_.push_back(graph.add_block(4));
  }
  const auto connect = [&](int a, int b) {
    if (block_[at(a)] != block_[at(b)]) graph.connect(block_[at(a)], block_[at(b)]);
  };
  // who meets whom
  for (const Segment& segment : model_.segments)
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < p; ++q) connect(segment.first + p, segment.first + q);
  const auto connect_node = [&](int block, int node) {
    const NodeCurve& curve = model_.curve[at(node)];
    for (int p = 0; p < curve.points; ++p) connect(block, curve.first + p);
    if (curve.angle >= 0) connect(block, curve.angle);
  };
  for (const Grip& grip : model_.grips) {
    connect_node(grip.control, grip.node);
    int rotor = -1;
    if (grip.kind == GripKind::Section) {
      rotor = model_.nodes.sections[at(model_.curve[at(grip.node)].section)].rotor;
    } else if (grip.kind == GripKind::Tie) {
      rotor = model_.nodes.ties[at(grip.tie)].rotor;
      connect_node(grip.control, model_.nodes.ties[at(grip.tie)].master);
    }
    if (rotor < 0 || rotor_block_[at(rotor)] < 0) continue;
    connect(grip.control, rotor_block_[at(rotor)]);
    connect_node(rotor_block_[at(rotor)], grip.node);
  }
  for (const discrete::PointLoad& force : model_.nodes.forces)
    if (force.follow && rotor_block_[at(force.rotor)] >= 0) connect_node(rotor_block_[at(force.rotor)], force.node);

  connect_sliders(graph);

  tangent_.analyse(graph, elimination_order(), symmetric_);
  step_.assign(at(graph.rows()), 0);
  gradient_.assign(at(graph.rows()), 0);
  slots_.clear();
  for (const Segment& segment : model_.segments) {
    SegmentSlots& slots = slots_.emplace_back();
    int k = 0;
    for (int p = 0; p < 4; ++p) {
      slots.own[at(p)] = pair(segment.first + p, segment.first + p).direct;
      for (int q = p + 1; q < 4; ++q) slots.pair[at(k++)] = pair(segment.first + p, segment.first + q);
    }
  }
  mark_rows();
}

// Rods from end to end, one tied at its start from its far end; what is tied comes after all rods, bodies and rotors
// last: nothing fills in but the border of rods tied at both ends.
std::vector<int> System::elimination_order() const {
  std::vector<char> tied(at(model_.controls), 0);
  const auto mark = [&](int node) {
    const NodeCurve& curve = model_.curve[at(node)];
    for (int p = 0; p < curve.points; ++p) tied[at(model_.own[at(curve.first + p)])] = 1;
  };
  for (const discrete::Tie& tie : model_.nodes.ties) mark(tie.slave), mark(tie.master);
  std::vector<int> order;
  for (const RodSpline& rod : model_.rods) {
    const auto begin = static_cast<std::ptrdiff_t>(order.size());
    const int last = rod.first_control + rod.knots.own_controls() - 1;
    for (int control = rod.first_control; control <= last; ++control)
      if (tied[at(control)] == 0) order.push_back(block_[at(control)]);
    if (tied[at(rod.first_control)] != 0 && tied[at(last)] == 0) std::reverse(order.begin() + begin, order.end());
  }
  const int of_rods = model_.rods.empty() ? 0 : model_.rods.back().first_control + model_.rods.back().knots.controls();
  for (int control = 0; control < of_rods; ++control)
    if (tied[at(control)] != 0) order.push_back(block_[at(control)]);
  for (std::size_t id = at(of_rods); id < block_.size(); ++id) order.push_back(block_[id]);
  return order;
}

void System::mark_rows() {
  fixed_.assign(step_.size(), 0);
  primal_.assign(step_.size(), 1);
  mobile_.assign(step_.size(), 0);
  idle_.assign(step_.size(), 0);
  constraint_rows_ = 0;
  for (std::size_t k = 0; k < model_.grips.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      const auto row = at(first_row(model_.grips[k].control) + grip_row_[k] + i);
      primal_[row] = 0;
      if (model_.grips[k].rows[at(i)])
        ++constraint_rows_;
      else
        fixed_[row] = 1;
    }
  for (std::size_t k = 0; k < slider_block_.size(); ++k)
    for (int axis = 0; axis < 3; ++axis) {
      const auto row = at(first_row(slider_block_[k]) + axis);
      primal_[row] = 0;
      if (model_.nodes.sliders[k].fixed[at(axis)])
        ++constraint_rows_;
      else
        fixed_[row] = 1;
    }
  for (std::size_t r = 0; r < rotor_block_.size(); ++r)
    for (int axis = 0; axis < 3 && rotor_block_[r] >= 0; ++axis) {
      const auto row = at(first_row(rotor_block_[r]) + axis);
      if (model_.nodes.rotors[r].fixed[at(axis)]) fixed_[row] = 1;
      if (model_.nodes.rotors[r].body >= 0) mobile_[row] = 1;
      if (model_.nodes.rotors[r].body >= 0 && model_.nodes.rotors[r].inertia.isZero(0)) idle_[row] = 1;
    }
  for (const NodeCurve& curve : model_.curve)
    if (curve.rod >= 0 && model_.nodes.spin_free[at(curve.rod)]) idle_[at(first_row(curve.angle) + 3)] = 1;
  const auto free = [&](int control) {
    for (int axis = 0; axis < 3; ++axis) mobile_[at(first_row(control) + axis)] = 1;
  };
  for (const discrete::Component& component : model_.components) {
    if (!component.mobile) continue;
    for (const int rod : component.rods)
      for (int i = 0; i < model_.rods[at(rod)].knots.controls(); ++i) free(model_.rods[at(rod)].first_control + i);
    for (const int body : component.bodies) free(model_.curve[at(model_.nodes.bodies[at(body)].node)].first);
  }
  tangent_.hold_rows(fixed_);
}

}  // namespace filum::spline
