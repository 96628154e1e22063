// Outcomes made by hand, with curves whose curvature is known, so that files and pictures are tested without a solver.
#pragma once

#include "math/dense.hpp"

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

namespace filum::fixture {

struct Case {
  Scene scene;
  Outcome outcome;
};

// A rod along `curve(u)`, u in [0, 1], with frames by parallel transport, finite-difference curvature and the moments
// EI κ, GJ τ of a uniform rod. Good for pictures and files; the forces are not in equilibrium.
inline RodPose trace(const std::function<Vec3(double)>& curve, int segments, double radius, bool closed = false) {
  RodPose rod;
  rod.closed = closed;
  const auto n = static_cast<size_t>(segments) + 1;
  for (size_t i = 0; i < n; ++i) rod.position.push_back(curve(static_cast<double>(i) / segments));
  // tangents by central differences
  std::vector<Vec3> tangent(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t a = i == 0 ? 0 : i - 1, b = std::min(i + 1, n - 1);
    tangent[i] = (rod.position[b] - rod.position[a]).normalized();
  }
  // frames by parallel transport, arc length along the chords
  Quat frame = math::smallest_turn(Vec3::UnitZ(), tangent[0]);
  double s = 0;
  for (size_t i = 0; i < n; ++i) {
    if (i > 0) {
      frame = (math::smallest_turn(tangent[i - 1], tangent[i]) * frame).normalized();
      s += (rod.position[i] - rod.position[i - 1]).norm();
    }
    rod.s.push_back(s);
    rod.frame.push_back(frame);
  }
  rod.length = s;
  // curvature from the turning of the tangent: κb = t × t', on d1 and d2
  rod.min_bend_radius.value = INFINITY;
  for (size_t i = 0; i < n; ++i) {
    const size_t a = i == 0 ? 0 : i - 1, b = std::min(i + 1, n - 1);
    const double ds = rod.s[b] - rod.s[a];
    const Vec3 local = rod.frame[i].conjugate() * tangent[a].cross(tangent[b]) / (ds > 0 ? ds : 1);
    rod.curvature.emplace_back(local.x(), local.y());
    rod.twist.push_back(0.4);
    rod.axial_force.push_back(2.5 - 0.8 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / segments));
    rod.moment.emplace_back(0.02 * local.x(), 0.02 * local.y(), 0.006);
    rod.outline.emplace_back(radius, radius);
    const double kappa = rod.curvature.back().norm();
    if (kappa > 0 && 1 / kappa < rod.min_bend_radius.value) rod.min_bend_radius = {1 / kappa, rod.s[i]};
  }
  rod.turns = 0.4 * s / (2 * std::numbers::pi);
  return rod;
}

inline void add_rod(Case& test, const std::string& name, RodPose pose) {
  Rod rod;
  rod.name = name;
  rod.segments = static_cast<int>(pose.s.size()) - 1;
  rod.closed = pose.closed;
  test.scene.rods.push_back(rod);
  if (test.outcome.states.empty()) test.outcome.states.emplace_back();
  test.outcome.states.back().pose.rods.push_back(std::move(pose));
}

// A hold on the rod added last.
inline void add_hold(Case& test, const std::string& name, size_t node, const Vec3& force, const Vec3& moment) {
  const RodPose& rod = test.outcome.states.back().pose.rods.back();
  Hold hold;
  hold.name = name;
  hold.rod = test.scene.rods.back().name;
  hold.at = {0, rod.s[node]};
  hold.fix.position = kAllAxes;
  hold.fix.orientation = kAllAxes;
  test.scene.holds.push_back(hold);
  test.outcome.states.back().pose.holds.push_back({force, moment, rod.position[node], rod.s[node], false});
}

inline void solved(Case& test) {
  SolveReport& solve = test.outcome.solve;
  solve.converged = true;
  solve.stable = true;
  solve.iterations = 7;
  solve.residual = 3.1e-13;
  solve.floor = 1.2e-14;
  solve.seconds = 0.0011;
  test.outcome.states.back().pose.energy = {0.0824, -0.0312, 0};
}

// A hose that leaves two bodies at an angle and sags between them, with a bend radius limit.
inline Case hose(int segments = 60) {
  Case test;
  test.scene.title = "Brake hose, full droop";
  const auto curve = [](double u) {
    const double w = 1 - u;
    // a cubic Bézier arc in space
    const Vec3 a(0, 0, 0), b(0.16, 0.02, 0.02), c(0.13, 0.16, -0.34), d(0.3, 0.1, -0.12);
    return Vec3(w * w * w * a + 3 * w * w * u * b + 3 * w * u * u * c + u * u * u * d);
  };
  add_rod(test, "hose", trace(curve, segments, 0.0052));
  test.scene.rods[0].limits.min_bend_radius = BendLimit{{0.04, false}, {}, BendLine::Centre};
  test.scene.rods[0].limits.max_tension = 60;
  add_hold(test, "frame end", 0, Vec3(-1.2, 0.4, 2.9), Vec3(0.01, -0.12, 0.02));
  add_hold(test, "knuckle end", static_cast<size_t>(segments), Vec3(1.2, -0.4, 1.7), Vec3(0.0, 0.09, -0.02));
  Body knuckle;
  knuckle.name = "knuckle";
  knuckle.box = Vec3(0.05, 0.06, 0.08);
  knuckle.position = Vec3(0.325, 0.1, -0.12);
  knuckle.motion = BodyMotion::Driven;
  test.scene.bodies.push_back(knuckle);
  test.outcome.states[0].pose.bodies.push_back(
      {knuckle.position, Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ())), Vec3::Zero(), Vec3::Zero()});
  const BendRadius& radius = test.outcome.states[0].pose.rods[0].min_bend_radius;
  test.outcome.checks = {
      {CheckKind::BendRadius, {ObjectKind::Rod, "hose"}, radius.value, 0.04, radius.s, 0, radius.value < 0.04},
      {CheckKind::Tension, {ObjectKind::Rod, "hose"}, 3.3, 60, 0.2, 0, false},
  };
  solved(test);
  return test;
}

// A helical spring of `turns` turns.
inline Case helix(int segments = 300, double turns = 6) {
  Case test;
  test.scene.title = "Helical spring";
  const auto curve = [turns](double u) {
    const double angle = 2 * std::numbers::pi * turns * u;
    return Vec3(0.05 * std::cos(angle), 0.05 * std::sin(angle), 0.2 * u);
  };
  add_rod(test, "spring", trace(curve, segments, 0.002));
  add_hold(test, "foot", 0, Vec3(0, 0, 4.2), Vec3(0.0, 0.21, 0));
  solved(test);
  return test;
}

// A trunk that splits into two branches.
inline Case harness() {
  Case test;
  test.scene.title = "Y harness <engine & cabin>";
  const Vec3 fork(0.4, 0, -0.06);
  const auto branch = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    return [=](double u) { return Vec3((1 - u) * (1 - u) * a + 2 * u * (1 - u) * b + u * u * c); };
  };
  add_rod(test, "trunk", trace(branch(Vec3(0, 0, 0), Vec3(0.2, 0.02, -0.12), fork), 40, 0.008));
  add_hold(test, "plug A", 0, Vec3(-3, 0.2, 4), Vec3(0, 0.2, 0));
  add_rod(test, "left", trace(branch(fork, Vec3(0.55, -0.01, -0.01), Vec3(0.7, 0.22, -0.1)), 30, 0.005));
  add_hold(test, "plug B", 30, Vec3(1.5, 0.9, 1.2), Vec3(0.02, 0, 0.01));
  add_rod(test, "right", trace(branch(fork, Vec3(0.55, -0.01, -0.01), Vec3(0.72, -0.2, 0.05)), 30, 0.005));
  add_hold(test, "plug C", 30, Vec3(1.5, -1.1, 1.9), Vec3(0.02, 0, -0.01));
  solved(test);
  test.outcome.solve.stable.reset();
  test.outcome.solve.why = "a following force is not conservative";
  return test;
}

// A closed ring, buckled out of its plane, unstable.
inline Case ring() {
  Case test;
  test.scene.title = "Twisted ring";
  test.scene.gravity = Vec3::Zero();
  const auto curve = [](double u) {
    const double a = 2 * std::numbers::pi * u;
    return Vec3(0.1 * std::cos(a), 0.1 * std::sin(a), 0.02 * std::cos(2 * a));
  };
  add_rod(test, "ring", trace(curve, 80, 0.003, true));
  solved(test);
  test.outcome.solve.stable = false;
  return test;
}

// The hose pulled down in `count` states, with a history of as many rows.
inline Case path(int count = 9) {
  Case test = hose();
  const Snapshot last = test.outcome.states[0];
  test.outcome.states.clear();
  test.scene.record.probes.push_back({"middle", {"hose", {0.5, 0}}});
  for (int k = 0; k < count; ++k) {
    const double share = static_cast<double>(k + 1) / count;
    Snapshot state = last;
    state.t = 2 * share;
    for (Vec3& p : state.pose.rods[0].position) p.z() *= share;
    for (HoldPose& hold : state.pose.holds) {
      hold.force *= 0.4 + 0.6 * share * share;
      hold.position.z() *= share;
    }
    state.pose.bodies[0].position.z() *= share;
    state.pose.energy = {0.08 * share * share, -0.03 * share, 0};
    HistoryRow row;
    row.t = state.t;
    row.energy = state.pose.energy;
    row.probe = {state.pose.rods[0].position[30]};
    for (const HoldPose& hold : state.pose.holds) {
      row.hold_force.push_back(hold.force);
      row.hold_moment.push_back(hold.moment);
    }
    test.outcome.history.push_back(row);
    test.outcome.states.push_back(state);
  }
  Event& event = test.outcome.events.emplace_back();
  event.t = 1.2;
  event.kind = EventKind::SliderStopped;
  event.object = {ObjectKind::Hold, "knuckle end"};
  event.rod = "hose";
  event.to.kind = PlaceKind::End;
  return test;
}

// The same as a run: velocities, a closed ledger, turns; stopped short of its end.
inline Case run(int count = 40) {
  Case test = path(count);
  std::vector<Snapshot>& states = test.outcome.states;
  for (size_t k = 0; k < states.size(); ++k) {
    const double t = 0.05 * static_cast<double>(k);
    states[k].t = t;
    RodPose& rod = states[k].pose.rods[0];
    for (const Vec3& p : rod.position) rod.velocity.push_back(Vec3(0, 0.2 * std::cos(t), 0.5) + p);
    rod.turns = 3 * t;
    states[k].pose.bodies[0].velocity = Vec3(0.1, 0, -t);
    states[k].pose.bodies[0].spin = Vec3(0, 0, 2);
    states[k].pose.energy = {0.08 * t * t, -0.03 * t, 0.02 * t, 0.08 * t * t, 0.01 * t};
    HistoryRow& row = test.outcome.history[k];
    row.t = t;
    row.energy = states[k].pose.energy;
    row.probe_velocity = {rod.velocity[30]};
    row.turns = {rod.turns};
  }
  RunReport report;
  report.why = "the step at t = 1.95 s did not converge";
  report.steps = 120;
  report.failed_steps = 3;
  report.halvings = 7;
  report.rejected_steps = 4;
  report.unconverged_steps = 1;
  report.iterations = 5'000'000'000;
  report.max_energy_error = 1.25e-5;
  report.energy_scale = 0.02;
  report.neglected_strain = 2e-4;
  report.smallest_step = 0.002;
  report.largest_step = 1.0 / 60;
  report.end = states.back().t;
  report.seconds = 0.31;
  test.outcome.run = report;
  return test;
}

}  // namespace filum::fixture
