#include "base/index.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/spline/segment_frames.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/stretch_rule.hpp"
#include "math/frame.hpp"
#include "rod/cubic_basis.hpp"
#include "rod/rope_lay.hpp"
#include "rod/spline_strain.hpp"
#include "scene/layout.hpp"

#include <filum/scene.hpp>

#include <cmath>
#include <utility>

namespace filum::spline {

namespace {

const double kGauss = 0.5 - 0.5 * std::sqrt(0.6);
const std::array<double, kBendPoints> kShare{kGauss, 0.5, 1 - kGauss};
constexpr std::array<double, kBendPoints> kWeight{5.0 / 18, 8.0 / 18, 5.0 / 18};

// The weights of a drawn curve as a function of arc length: that of its parameter, spread evenly over the rod. So where the
// rod has the curve's knots among its own, more knots leave the function as it is.
void weigh(const Curve& shape, double length, rod::SplineKnots& knots) {
  if (shape.kind != CurveKind::Control || shape.basis != CurveBasis::Nurbs || shape.weights.empty()) return;
  const rod::CubicBasis basis = shape.knots.empty() ? rod::CubicBasis::clamped(static_cast<int>(shape.points.size()))
                                                    : rod::CubicBasis::b_spline(shape.knots);
  const double rate = (basis.end() - basis.begin()) / length;
  knots.weigh([&](double s) {
    const rod::BasisAt there = basis.at(basis.begin() + rate * s);
    rod::SplineKnots::Weight weight{0, 0};
    for (std::size_t i = 0; i < 4; ++i) {
      weight.value += there.derivative[0][i] * shape.weights[at(there.first) + i];
      weight.slope += rate * there.derivative[1][i] * shape.weights[at(there.first) + i];
    }
    return weight;
  });
}

class Compiler {
 public:
  explicit Compiler(const Scene& scene) {
    model_.nodes = discrete::compile_model(scene);
    model_.components = discrete::find_components(model_.nodes);
  }

  SplineModel run() {
    for (int rod = 0; rod < static_cast<int>(model_.nodes.rods.size()); ++rod) {
      add_rod(rod);
      shape_at_rest(rod);
    }
    find_round();
    close_seams();
    add_bodies();
    find_sections();
    add_grips();
    add_memory();
    return std::move(model_);
  }

 private:
  void add_rod(int rod) {
    const discrete::RodRange& range = model_.nodes.rods[at(rod)];
    RodSpline spline;
    spline.knots = knots_of(rod);
    spline.first_control = model_.controls;
    spline.first_segment = static_cast<int>(model_.segments.size());
    spline.first_stretch = static_cast<int>(model_.stretches.size());
    for (const scene::Placement& place : scene::RodLayout(model_.nodes.scene->rods[at(rod)]).place(range.mesh.s))
      spline.drawn_frame.push_back(place.frame);
    for (int i = 0; i < spline.knots.controls(); ++i)
      model_.own.push_back(model_.controls + i % spline.knots.own_controls());
    model_.controls += spline.knots.controls();
    model_.control_mass.resize(at(model_.controls), 0);
    model_.control_load.resize(at(model_.controls), Vec3::Zero());
    for (int k = 0; k < spline.knots.segments(); ++k) add_segment(rod, spline, k);
    for (int k = 0; k < spline.knots.segments(); ++k) lay_segment(model_.segments[at(spline.first_segment + k)]);
    for (const RulePoint& point : stretch_rule(spline.knots)) {
      Segment& segment = model_.segments[at(spline.first_segment + point.segment)];
      if (segment.stretch[1] == 0) segment.stretch[0] = static_cast<int>(model_.stretches.size());
      StretchPoint& made = model_.stretches.emplace_back();
      segment.stretch[1] = static_cast<int>(model_.stretches.size());
      made.segment = spline.first_segment + point.segment;
      made.share = point.share;
      made.weight = point.weight;
      made.slope = spline.knots.at(point.segment, point.share).slope;
    }
    spline.stretches = static_cast<int>(model_.stretches.size()) - spline.first_stretch;
    for (int i = 0; i < range.mesh.nodes(); ++i) add_node(rod, spline, i);
    model_.rods.push_back(std::move(spline));
  }

  [[nodiscard]] rod::SplineKnots knots_of(int index) const {
    using Kind = rod::SplineKnots::Kind;
    const discrete::RodMesh& mesh = model_.nodes.rods[at(index)].mesh;
    const CurveBasis basis = model_.nodes.scene->simulation.spline.basis;
    const Kind kind = basis == CurveBasis::CatmullRom ? Kind::CatmullRom : Kind::BSpline;
    if (mesh.closed) {
      std::vector<double> places = mesh.s;
      places.push_back(mesh.length);
      return rod::SplineKnots::ring(places, mesh.is_break, kind);
    }
    rod::SplineKnots knots(mesh.s, mesh.is_break, kind);
    if (basis == CurveBasis::Nurbs) weigh(model_.nodes.scene->rods[at(index)].shape, mesh.length, knots);
    return knots;
  }

  // The control point beside which the angle of a node stands: one of those that move its tangent. Of a closed rod the
  // node after the last is the first.
  static int angle_control(const rod::SplineKnots& knots, int node) {
    if (node < knots.segments()) return knots.first_control(node) + 1;
    return knots.closed() ? knots.first_control(0) + 1 + knots.own_controls() : knots.first_control(node - 1) + 2;
  }

  void add_segment(int rod, const RodSpline& spline, int k) {
    const discrete::RodRange& range = model_.nodes.rods[at(rod)];
    const rod::SplineKnots& knots = spline.knots;
    Segment& segment = model_.segments.emplace_back();
    segment.rod = rod;
    segment.first = spline.first_control + knots.first_control(k);
    segment.width = knots.width(k);
    segment.stiffness = range.edge_stiffness[at(k)];
    segment.law = range.edge_law.empty() ? -1 : range.edge_law[at(k)];
    for (int end = 0; end < 2; ++end) {
      segment.node[at(end)] = range.first_node + (k + end) % range.mesh.nodes();
      segment.turner[at(end)] = angle_control(knots, k + end) - knots.first_control(k);
    }
    for (int i = 0; i < 3; ++i) segment.slope[at(i)] = knots.at(k, 0.5 * i).slope;
    add_mass(knots, k, segment);
    const Vec3 load = model_.nodes.edges[at(range.first_edge + k)].distributed / segment.width;
    for (int g = 0; g < kBendPoints; ++g) {
      const rod::SplineBasis basis = knots.at(k, kShare[at(g)]);
      BendPoint& point = model_.bends.emplace_back();
      point.share = kShare[at(g)];
      point.weight = kWeight[at(g)] * segment.width;
      point.slope = basis.slope;
      point.bend = basis.bend;
      for (int p = 0; p < 4; ++p) {
        const double share = point.weight * basis.value[at(p)];
        model_.control_mass[at(segment.first + p)] += share * segment.stiffness.mass_per_length;
        model_.control_load[at(segment.first + p)] += share * load;
      }
    }
  }

  // A rope that is free to turn is softer, and unlays as it is stretched (rod/rope_lay.hpp).
  void lay_segment(Segment& segment) {
    const Stiffness& stiff = segment.stiffness;
    const double coupling = rod::lay_coupling(model_.nodes.scene->rods[at(segment.rod)].lay.torque_factor, stiff);
    segment.axial = stiff.EA;
    if (coupling == 0) return;
    segment.lay = coupling / stiff.GJ;
    segment.axial -= coupling * segment.lay;
    model_.laid = true;
  }

  // By four Gauss points: exact for the product of two cubics.
  static void add_mass(const rod::SplineKnots& knots, int k, Segment& segment) {
    const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)),
                 outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
    const double heavy = (18 + std::sqrt(30.0)) / 72, light = (18 - std::sqrt(30.0)) / 72;
    for (const auto& [x, weight] : {std::pair{-outer, light}, {-inner, heavy}, {inner, heavy}, {outer, light}}) {
      const rod::SplineBasis basis = knots.at(k, 0.5 + 0.5 * x);
      const double mass = weight * segment.width * segment.stiffness.mass_per_length;
      for (std::size_t p = 0; p < 4; ++p)
        for (std::size_t q = 0; q < 4; ++q) segment.mass[p][q] += mass * basis.value[p] * basis.value[q];
    }
  }

  void add_node(int rod, const RodSpline& spline, int i) {
    const bool last = i == spline.knots.segments();
    const rod::SplineBasis basis = spline.knots.at(last ? i - 1 : i, last ? 1 : 0);
    NodeCurve& node = model_.curve.emplace_back();
    node.rod = rod;
    node.first = spline.first_control + basis.first;
    node.value = basis.value;
    node.slope = basis.slope;
    node.angle = spline.first_control + angle_control(spline.knots, i);
  }

  // What the rest shape's own spline has of speed, curvature and twist: drawn at rest, the rod is free of stress.
  void shape_at_rest(int index) {
    const Rod& rod = model_.nodes.scene->rods[at(index)];
    const RodSpline& spline = model_.rods[at(index)];
    const int segments = spline.knots.segments();
    if (rod.rest.kind == RestKind::Uniform) {
      for (int k = spline.first_segment; k < spline.first_segment + segments; ++k) {
        model_.segments[at(k)].rest_twist = rod.rest.twist_rate * model_.segments[at(k)].width;
        for (int g = 0; g < kBendPoints; ++g) model_.bends[at(kBendPoints * k + g)].rest = rod.rest.curvature;
      }
    }
    if (rod.rest.kind != RestKind::AsShaped && rod.rest.kind != RestKind::Curve) {
      // with weights a straight line cannot be run along evenly: as evenly as can be
      std::vector<Vec3> line;
      for (int i = 0; i < spline.knots.controls(); ++i) line.emplace_back(spline.knots.abscissa(i), 0, 0);
      if (spline.knots.weighted()) set_rest_speeds(spline, line);
      return;
    }

    const auto [placed, scale] = rest_places(index);
    const bool closed = spline.knots.closed();
    std::vector<Vec3> point, slope;
    for (const scene::Placement& place : placed) {
      point.push_back(scale * place.position);
      slope.push_back(place.frame.col(2));
    }
    if (closed) point.pop_back(), slope.pop_back();
    const std::vector<Vec3> control = spline.knots.through(point, slope);
    set_rest_speeds(spline, control);
    const auto leg = [&](int first, const std::array<double, 3>& weight) {
      return polygon_sum(control, first - spline.first_control, weight);
    };
    for (int k = 0; k < segments; ++k) {
      Segment& segment = model_.segments[at(spline.first_segment + k)];
      const std::array<Vec3, 3> v{leg(segment.first, segment.slope[0]), leg(segment.first, segment.slope[1]),
                                  leg(segment.first, segment.slope[2])};
      const Mat3 from = math::frame_from(v[0], placed[at(k)].frame.col(0));
      const Mat3 to = math::frame_from(v[2], placed[at(k + 1)].frame.col(0));
      SegmentFrames frames = segment_frames(v, kShare, from, to, placed[at(k) + 1].roll - placed[at(k)].roll);
      // twist-free frames come round a ring turned by an angle, which is no strain
      if (closed && k + 1 == segments)
        frames = segment_frames(v, kShare, from, to * Eigen::AngleAxisd(-frames.twist, Vec3::UnitZ()), 0);
      segment.rest_twist = frames.twist;
      for (int g = 0; g < kBendPoints; ++g) {
        BendPoint& bend = model_.bends[at(kBendPoints * (spline.first_segment + k) + g)];
        bend.rest = rod::spline_strain(leg(segment.first, bend.slope), leg(segment.first, bend.bend),
                                       frames.bend[at(g)], bend.rest_speed)
                        .curvature;
      }
    }
  }

  // Σ weight_i D_{first+i} of a control polygon.
  static Vec3 polygon_sum(const std::vector<Vec3>& control, int first, const std::array<double, 3>& weight) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 3; ++i) sum += weight[at(i)] * (control[at(first + i + 1)] - control[at(first + i)]);
    return sum;
  }

  // The speeds of the curve with these control points are those at rest.
  void set_rest_speeds(const RodSpline& spline, const std::vector<Vec3>& control) {
    const auto speed = [&](int segment, const std::array<double, 3>& weight) {
      return polygon_sum(control, model_.segments[at(segment)].first - spline.first_control, weight).norm();
    };
    const int end = spline.first_segment + spline.knots.segments();
    for (int g = kBendPoints * spline.first_segment; g < kBendPoints * end; ++g)
      model_.bends[at(g)].rest_speed = speed(g / kBendPoints, model_.bends[at(g)].slope);
    for (int g = spline.first_stretch; g < spline.first_stretch + spline.stretches; ++g)
      model_.stretches[at(g)].rest_speed = speed(model_.stretches[at(g)].segment, model_.stretches[at(g)].slope);
  }

  // Frames drawn round a closed rod need not meet at its seam; that is no twist but the one that the scene gives.
  void close_seams() {
    for (std::size_t r = 0; r < model_.rods.size(); ++r) {
      const RodSpline& spline = model_.rods[r];
      const discrete::RodRange& range = model_.nodes.rods[r];
      if (!spline.knots.closed()) continue;
      const auto first = model_.nodes.start_position.begin() + range.first_node;
      const std::vector<Vec3> points(first, first + range.mesh.nodes());
      std::vector<Vec3> slopes;
      for (const Mat3& frame : spline.drawn_frame)
        slopes.emplace_back(range.drawn_length / range.mesh.length * frame.col(2));
      SplineState drawn;
      drawn.control = spline.knots.through(points, slopes);
      measure_legs(drawn);
      Segment& last = model_.segments[at(spline.first_segment + spline.knots.segments() - 1)];
      Segment alone = last;
      alone.first -= spline.first_control;
      const std::array<Vec3, 3> v = segment_slopes(drawn.leg, alone);
      const double wanted = model_.nodes.scene->rods[r].twist * last.width / range.mesh.length;
      const Mat3 from = math::frame_from(v[0], spline.drawn_frame.back().col(0));
      const Mat3 to = math::frame_from(v[2], spline.drawn_frame.front().col(0));
      last.seam = wanted - segment_frames(v, kShare, from, to, wanted).twist;
    }
  }

  void find_round() {
    for (std::size_t k = 0; k < model_.segments.size(); ++k) {
      Segment& segment = model_.segments[k];
      const BendPoint* bend = model_.bends.data() + kBendPoints * k;
      segment.round =
          segment.stiffness.EI[0] == segment.stiffness.EI[1] &&
          std::all_of(bend, bend + kBendPoints, [](const BendPoint& point) { return point.rest.isZero(0); });
      for (const int node : segment.node)
        model_.curve[at(node)].spin_inertia += 0.5 * model_.nodes.edges[k].spin_inertia;
    }
  }

  // Twist-free frames along the rest shape at the nodes, and what its drawn length is to be scaled by.
  std::pair<std::vector<scene::Placement>, double> rest_places(int index) const {
    const Rod& rod = model_.nodes.scene->rods[at(index)];
    const discrete::RodMesh& mesh = model_.nodes.rods[at(index)].mesh;
    std::vector<double> s = mesh.s;
    if (mesh.closed) s.push_back(mesh.length);
    if (rod.rest.kind == RestKind::AsShaped) {
      const scene::RodLayout layout(rod);
      return {layout.place(s, false), mesh.length / layout.shape_length()};
    }
    const CurvePath path(rod.rest.curve, mesh.closed);
    const Vec3 tangent = path.at(0).tangent;
    const Vec3 normal = rod.normal.value_or(math::any_perpendicular(tangent));
    return {scene::place_along(path, mesh.length, math::frame_from(tangent, normal), s), mesh.length / path.length()};
  }

  void add_bodies() {
    for (const discrete::FreeBody& body : model_.nodes.bodies) {
      NodeCurve& node = model_.curve.emplace_back();
      model_.own.push_back(model_.controls);
      node.first = model_.controls++;
      node.points = 1;
      node.value = {1, 0, 0, 0};
      model_.control_mass.push_back(model_.nodes.node_mass[at(body.node)]);
      model_.control_load.push_back(Vec3::Zero());
    }
  }

  void find_sections() {
    for (const discrete::Joint& joint : model_.nodes.joints)
      for (const discrete::Side& side : {joint.left, joint.right})
        if (!side.is_edge()) model_.curve[at(joint.node)].section = side.section;
  }

  // Sites remember in the order of the curve.
  void add_memory() {
    SplineMemory& memory = model_.memory;
    for (const rod::SectionPlasticity& law : model_.nodes.plasticity.laws) {
      rod::SectionPlasticity& bend = memory.bend.emplace_back(law);
      bend.twist = bend.stretch = {};
      rod::SectionPlasticity& twist = memory.twist.emplace_back(law);
      twist.bend = twist.stretch = {};
      memory.stretch.push_back(discrete::stretch_as_twist(law));
    }
    if (memory.empty()) return;
    const auto place = [&](const std::vector<rod::SectionPlasticity>& laws, int law) {
      const int first = memory.size;
      if (law >= 0) memory.size += laws[at(law)].joint_memory();
      return first;
    };
    for (std::size_t g = 0; g < model_.bends.size(); ++g)
      memory.bend_place.push_back(place(memory.bend, model_.segments[g / kBendPoints].law));
    for (const Segment& segment : model_.segments) memory.twist_place.push_back(place(memory.twist, segment.law));
    for (const StretchPoint& point : model_.stretches)
      memory.stretch_place.push_back(place(memory.stretch, model_.segments[at(point.segment)].law));
  }

  void add_grips() {
    for (int node = 0; node < static_cast<int>(model_.curve.size()); ++node) {
      const NodeCurve& curve = model_.curve[at(node)];
      if (curve.rod < 0) continue;
      Grip place;
      place.node = node;
      place.control = position_control(node);
      for (std::size_t axis = 0; axis < 3; ++axis) place.rows[axis] = model_.nodes.position_hold[at(node)][axis] >= 0;
      if (place.rows[0] || place.rows[1] || place.rows[2]) model_.grips.push_back(place);
      if (curve.section < 0) continue;
      Grip& section = model_.grips.emplace_back();
      section.kind = GripKind::Section;
      section.node = node;
      section.control = curve.angle;
      section.rows = {true, true, true};
    }
    for (std::size_t k = 0; k < model_.nodes.ties.size(); ++k) {
      Grip& tie = model_.grips.emplace_back();
      tie.kind = GripKind::Tie;
      tie.node = model_.nodes.ties[k].slave;
      tie.tie = static_cast<int>(k);
      tie.control = position_control(tie.node);
      tie.rows = {true, true, true};
    }
  }

  // The control point that moves a node most.
  [[nodiscard]] int position_control(int node) const {
    const NodeCurve& curve = model_.curve[at(node)];
    int most = 0;
    for (int p = 1; p < curve.points; ++p)
      if (curve.value[at(p)] > curve.value[at(most)]) most = p;
    return curve.first + most;
  }

  SplineModel model_;
};

}  // namespace

SplineModel compile_spline(const Scene& scene) {
  return Compiler(scene).run();
}

}  // namespace filum::spline
