// The variational stepper in motion: what it conserves, how it vibrates, sags and falls, and when it refuses.
#include "unit/kirchhoff/test_variational_rig.hpp"

#include "math/rotation.hpp"

#include <algorithm>

namespace filum::test_variational_motion {

using namespace filum::test::threads;

namespace {

// A bent thread that flies, tumbles and vibrates.
Motion tumbling(int segments) {
  Thread thread;
  thread.segments = segments;
  Scene scene = thread.scene();
  Rod& rod = scene.rods[0];
  rod.shape = Curve{};
  rod.shape.kind = CurveKind::Arc;
  rod.shape.start = {1, 0, 0};
  rod.shape.centre = {0, 0, 0};
  rod.shape.axis = {0, 0, 1};
  rod.shape.angle = 1;
  Motion motion(scene);
  for (std::size_t n = 0; n < motion.state.velocity.size(); ++n)
    motion.state.velocity[n] =
        Vec3(0.02, 0.03, -0.01) + Vec3(1, -2, 1.5).cross(motion.state.position[n] - Vec3(0.9, 0.4, 0));
  return motion;
}

struct Drift {
  double momentum = 0;  // relative
  double spin = 0;
  double strain = 0;
  double low = 0;  // of the energy: its range, and the means of the first and last tenth
  double high = 0;
  double early = 0;
  double late = 0;
  double iterations = 0;
};

Drift fly(Motion motion, long steps, double h) {
  motion.step(h);
  const Vec3 p = motion.momentum();
  const Vec3 j = motion.spin();
  Drift drift;
  drift.low = drift.high = motion.energy();
  long early = 0;
  long late = 0;
  for (long k = 0; k < steps; ++k) {
    const StepReport report = motion.step(h);
    drift.iterations += static_cast<double>(report.iterations) / static_cast<double>(steps);
    if (k % 7 != 0) continue;
    const double energy = motion.energy();
    drift.low = std::min(drift.low, energy);
    drift.high = std::max(drift.high, energy);
    if (k < steps / 10) drift.early += energy, ++early;
    if (k >= steps - steps / 10) drift.late += energy, ++late;
    drift.strain = std::max(drift.strain, motion.strain());
  }
  drift.early /= static_cast<double>(early);
  drift.late /= static_cast<double>(late);
  drift.momentum = (motion.momentum() - p).norm() / p.norm();
  drift.spin = (motion.spin() - j).norm() / j.norm();
  MESSAGE(steps << " steps of " << h << " s: momentum " << drift.momentum << ", angular " << drift.spin << ", strain "
                << drift.strain << ", energy " << drift.low << " to " << drift.high << " J, mean " << drift.early
                << " then " << drift.late << ", iterations " << drift.iterations);
  return drift;
}

// A thread clamped at its start along x, gravity in −z.
Scene cantilever(const Thread& thread, double gravity) {
  Scene scene = thread.scene();
  scene.gravity = {0, 0, -gravity};
  scene.holds.push_back(hold("clamp", 0, true, true));
  return scene;
}

}  // namespace

TEST_CASE("a free thread keeps both momenta, its lengths, and its energy within a band that goes with the step") {
  const Thread thread;
  const double h = 0.5 * thread.limit();
  const Drift whole = fly(tumbling(20), 4000, h);
  // round-off of some thousand steps
  CHECK(whole.momentum < 1e-12);
  CHECK(whole.spin < 1e-12);
  CHECK(whole.strain < 1e-10);
  const Drift half = fly(tumbling(20), 8000, h / 2);
  // symplectic Euler: amplitude proportional to h
  const double ratio = (half.high - half.low) / (whole.high - whole.low);
  CHECK(ratio > 0.4);
  CHECK(ratio < 0.6);
}

TEST_CASE("a cantilever sags by μgL⁴/8EI and vibrates at 0.5596 √(EI/μL⁴)") {
  Thread thread;
  thread.segments = 50;
  const double sag = 1e-3;
  const double gravity = 8 * sag * thread.bend / (thread.mass_per_length * std::pow(thread.length, 4));
  Motion motion(cantilever(thread, gravity));
  const double h = motion.scheme->longest_step();
  // released from the straight line it swings about the sagged one: mean 1, first mode almost alone
  const double period = 1 / (0.5596 * std::sqrt(thread.bend / thread.mass_per_length));
  const double rest = motion.state.position.back().z();
  double mean = 0;
  double before = 0;
  std::vector<double> crossings;
  const long steps = std::lround(4 * period / h);
  for (long k = 0; k < steps; ++k) {
    motion.step(h);
    const double z = (rest - motion.state.position.back().z()) / sag - 1;
    mean += z / static_cast<double>(steps);
    if (before < 0 && z >= 0) crossings.push_back(static_cast<double>(k) + before / (before - z));
    before = z;
  }
  // 2 % as Wang's discretisation with 50 edges should reach; the clamp holds the end section, so it is far better
  REQUIRE(crossings.size() >= 3);
  const double measured = (crossings.back() - crossings.front()) * h / static_cast<double>(crossings.size() - 1);
  MESSAGE("period " << measured << " s, beam theory " << period << " s");
  // the second mode moves a zero crossing by up to 2 % of a period, over three periods
  CHECK(measured == doctest::Approx(period).epsilon(0.006));
  CHECK(std::abs(mean) < 0.02);
  CHECK(motion.strain() < 1e-8);
}

TEST_CASE("damped, the same cantilever comes to rest where statics has it, and the hold carries its weight") {
  Thread thread;
  thread.segments = 16;
  const double sag = 1e-3;
  const double gravity = 8 * sag * thread.bend / (thread.mass_per_length * std::pow(thread.length, 4));
  Scene scene = cantilever(thread, gravity);
  const double omega = 3.516 * std::sqrt(thread.bend / thread.mass_per_length);
  scene.rods[0].damping.mass = 2 * omega;
  Motion motion(scene);
  const double h = motion.scheme->longest_step();
  motion.run(30 / omega, h);
  // linear theory: sag²/L² off
  CHECK(-motion.state.position.back().z() == doctest::Approx(sag).epsilon(1e-3));
  const double weight = thread.mass_per_length * thread.length * gravity;
  CHECK(motion.state.hold_force[0].z() == doctest::Approx(weight).epsilon(1e-6));
  CHECK(motion.state.hold_moment[0].y() == doctest::Approx(-0.5 * weight * thread.length).epsilon(1e-5));
}

TEST_CASE("every kind of damping takes energy at all times, and the ledger closes") {
  for (int kind = 0; kind < 5; ++kind) {
    Thread thread;
    thread.segments = 16;
    Scene scene = cantilever(thread, 9.81);
    scene.holds.push_back(hold("far", 1, true, true));
    Damping& damping = scene.rods[0].damping;
    scene.rods[0].shape.kind = CurveKind::Spline;
    scene.rods[0].shape.points = {{0, 0, 0}, {0.25, 0.05, -0.2}, {0.5, 0, -0.3}, {0.7, 0, 0}};
    if (kind == 0) damping.mass = 2;
    if (kind == 1) damping.stiffness = 2e-3;
    if (kind == 2) damping.bend = 2e-6;
    if (kind == 3) damping.twist = 1e-4;
    if (kind == 4) damping.air = 0.05;
    Motion motion(scene);
    const double h = 0.2 * motion.scheme->longest_step();
    motion.step(h);
    const double start = motion.balance();
    const double first = std::abs(motion.energy());
    double before = motion.state.dissipated;
    double worst = 0;
    for (int k = 0; k < 6000; ++k) {
      // the far end turns, so that twist has a rate
      if (k < 3000) motion.targets.holds[1].turns += 2e-4;
      motion.step(h);
      CHECK(motion.state.dissipated >= before);
      before = motion.state.dissipated;
      worst = std::max(worst, std::abs(motion.balance() - start));
    }
    MESSAGE("damping " << kind << ": dissipated " << before << " J of " << first << ", work " << motion.state.work
                       << ", ledger off by " << worst);
    CHECK(before > 1e-4 * first);
    // the energy of this integrator swings by h; here it is a few thousandths of what moves
    CHECK(worst < 0.01 * first);
  }
}

TEST_CASE("a falling thread reaches the speed at which drag carries its weight") {
  Thread thread;
  thread.segments = 8;
  Scene scene = thread.scene();
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].damping.air = 0.05;
  Motion motion(scene);
  const double terminal = std::sqrt(thread.mass_per_length * 9.81 / 0.05);
  const double h = 0.1 * motion.scheme->longest_step();
  motion.run(10 * terminal / 9.81, h);
  for (const Vec3& v : motion.state.velocity) CHECK(v.z() == doctest::Approx(-terminal).epsilon(0.01));
}

TEST_CASE("a thread without stiffness hangs in a catenary") {
  Thread thread;
  thread.segments = 40;
  thread.bend = thread.twist = 1e-7;
  Scene scene = thread.scene();
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].damping.mass = 6;
  scene.rods[0].shape.kind = CurveKind::Spline;
  scene.rods[0].shape.points = {{0, 0, 0}, {0.25, 0, -0.38}, {0.5, 0, 0}};
  scene.holds = {hold("left", 0, true, false), hold("right", 1, true, false)};
  Motion motion(scene);
  // tension makes it stiffer than bending does: a step for waves along the string
  const double h = 2e-3;
  motion.run(6, h);
  // span 0.5 of length 1: 2a sinh(1/4a) = 1, sag a (cosh(1/4a) − 1)
  double a = 0.1;
  for (int k = 0; k < 60; ++k) {
    const double u = 0.25 / a;
    const double f = 2 * a * std::sinh(u) - 1;
    const double slope = 2 * std::sinh(u) - 2 * u * std::cosh(u);
    a -= f / slope;
  }
  const double sag = a * (std::cosh(0.25 / a) - 1);
  double lowest = 0;
  for (const Vec3& x : motion.state.position) lowest = std::min(lowest, x.z());
  CHECK(-lowest == doctest::Approx(sag).epsilon(0.01));
  // the ends carry half of the weight each, to the last digits once it is at rest
  CHECK(motion.state.hold_force[0].z() == doctest::Approx(0.5 * 9.81 * 0.01).epsilon(1e-3));
  CHECK(motion.state.hold_force[0].x() == doctest::Approx(-a * 9.81 * 0.01).epsilon(0.02));
  // held ends are where they are held, to the last bit
  CHECK(motion.state.position.front() == motion.targets.holds[0].position);
  CHECK(motion.state.position.back() == motion.targets.holds[1].position);
  CHECK(motion.strain() < 1e-8);
}

TEST_CASE("bending becomes unstable at h = (l²/2) √(μ/EI), as the longest step knows; larger steps are refused") {
  Thread thread;
  thread.segments = 30;
  Motion motion(thread.scene());
  CHECK(motion.scheme->longest_step() == doctest::Approx(0.9 * thread.limit()).epsilon(0.02));
  CHECK(motion.scheme->longest_step() <= 0.9 * thread.limit());
  CHECK_FALSE(motion.stepper->step(motion.state, motion.targets, 1.05 * thread.limit()).usable);

  // small sideways motion by the same forces, without constraint: bounded below the limit, growing above it
  const kirchhoff::SpanLayout layout(motion.model);
  const auto grown = [&](double share) {
    const double h = share * thread.limit();
    std::vector<double> y;
    std::vector<double> v(motion.state.position.size(), 0);
    for (std::size_t n = 0; n < v.size(); ++n) y.push_back(1e-9 * std::sin(1.7 * static_cast<double>(n * n)));
    const double l = thread.length / thread.segments;
    for (int k = 0; k < 2000; ++k) {
      std::vector<Vec3> tangent;
      for (std::size_t n = 0; n + 1 < y.size(); ++n) tangent.emplace_back(1, (y[n + 1] - y[n]) / l, 0);
      std::vector<Vec3> gradient(tangent.size(), Vec3::Zero());
      rod::add_gradient(layout.joints, tangent, std::vector<double>(layout.joints.size(), 0), gradient);
      for (std::size_t n = 0; n < y.size(); ++n) {
        const double after = n + 1 < y.size() ? gradient[n].y() : 0;
        const double before = n > 0 ? gradient[n - 1].y() : 0;
        v[n] += h / motion.model.node_mass[n] * (after - before);
        y[n] += h * v[n];
        if (!(std::abs(y[n]) < 1e-6)) return true;
      }
    }
    return false;
  };
  CHECK_FALSE(grown(0.99));
  CHECK(grown(1.01));
}

TEST_CASE("a step without a solution says so") {
  // 40 rad a step: no tension keeps the lengths
  Thread thread;
  Motion motion = tumbling(20);
  for (std::size_t n = 0; n < motion.state.velocity.size(); ++n)
    motion.state.velocity[n] = Vec3(0, 0, 4e4 * (n % 2 == 0 ? 1 : -1));
  const StepReport report = motion.stepper->step(motion.state, motion.targets, 0.5 * thread.limit());
  CHECK_FALSE(report.usable);
  CHECK(std::string(report.why).find("time step too large") == 0);
  // drawn tight between two holds it cannot move at all
  Scene scene = thread.scene();
  scene.gravity = {0, 0, -9.81};
  scene.holds = {hold("left", 0, true, false), hold("right", 1, true, false)};
  Motion tight(scene);
  const StepReport stuck = tight.stepper->step(tight.state, tight.targets, 0.5 * thread.limit());
  CHECK_FALSE(stuck.usable);
  CHECK(std::string(stuck.why).find("stretched tight") != std::string::npos);
}

TEST_CASE("positions are of second order in the step") {
  // a cantilever in free fall for a while, against a step sixteen times finer
  Thread thread;
  thread.segments = 10;
  const auto tip = [&](double h) {
    Motion motion(cantilever(thread, 9.81));
    motion.run(0.256, h);
    return motion.state.position.back();
  };
  const double h = 0.256 / std::ceil(0.256 / Motion(cantilever(thread, 9.81)).scheme->longest_step());
  const Vec3 exact = tip(h / 32);
  const double coarse = (tip(h) - exact).norm();
  const double fine = (tip(h / 2) - exact).norm();
  MESSAGE("tip off by " << coarse << " m, with half the step " << fine << " m");
  CHECK(coarse / fine > 3);
  CHECK(coarse / fine < 6);
}

TEST_CASE("shown at one instant, energy and the work of holds balance at second order") {
  // a thread whose clamp goes up and round at an even rate
  Thread thread;
  thread.segments = 10;
  const auto worst = [&](double h) {
    const Scene scene = cantilever(thread, 9.81);
    Motion motion(scene);
    const auto balance = [&] {
      discrete::RodState shown = motion.state;
      motion.stepper->synchronise(shown, motion.targets);
      double energy = motion.stepper->elastic_energy(shown).value() - shown.work + shown.dissipated;
      for (std::size_t n = 0; n < shown.velocity.size(); ++n)
        energy +=
            motion.model.node_mass[n] * (0.5 * shown.velocity[n].squaredNorm() - scene.gravity.dot(shown.position[n]));
      // the edges keep their lengths at this instant
      for (const discrete::Edge& edge : motion.model.edges) {
        const Vec3 e = shown.position[at(edge.b)] - shown.position[at(edge.a)];
        CHECK(std::abs(e.dot(shown.velocity[at(edge.b)] - shown.velocity[at(edge.a)])) < 1e-10);
      }
      return energy;
    };
    const Quat upright = motion.targets.holds[0].orientation;
    double start = 0;
    double error = 0;
    const long steps = std::lround(0.2 / h);
    for (long k = 1; k <= steps; ++k) {
      const double t = static_cast<double>(k) * h;
      motion.targets.holds[0].position.z() = 0.2 * t;
      motion.targets.holds[0].orientation = Quat(Eigen::AngleAxisd(t, Vec3::UnitZ())) * upright;
      motion.step(h);
      // the jerk of setting off is over after a while
      if (k == steps / 10) start = balance();
      if (k > steps / 10) error = std::max(error, std::abs(balance() - start));
    }
    return error;
  };
  const double h = 0.2 / std::ceil(0.2 / (0.25 * thread.limit()));
  const double coarse = worst(h);
  const double fine = worst(h / 2);
  MESSAGE("energy off by " << coarse << " J, with half the step " << fine << " J");
  // 4 for second order; with velocities half a step off it was 2
  CHECK(coarse / fine > 3);
}

TEST_CASE("holds along single axes are exact, forces do their work") {
  Thread thread;
  Scene scene = thread.scene();
  scene.gravity = {0, 0, -9.81};
  Hold rail = hold("rail", 0, true, false);
  rail.fix.position = {false, true, true};
  Hold inner = hold("inner", 0.5, true, false);
  inner.fix.position = {false, false, true};
  scene.holds = {rail, inner};
  PointForce pull;
  pull.point = {"thread", {1, 0}};
  pull.force = {0.05, 0.02, 0.03};
  scene.forces = {pull};
  Motion motion(scene);
  const double h = 0.5 * motion.scheme->longest_step();
  motion.step(h);
  const double start = motion.balance();
  double worst = 0;
  for (int k = 0; k < 400; ++k) {
    motion.step(h);
    CHECK(motion.state.position[0].y() == 0);
    CHECK(motion.state.position[0].z() == 0);
    CHECK(motion.state.position[10].z() == 0);
    worst = std::max(worst, std::abs(motion.balance() - start));
  }
  CHECK(motion.state.position[0].x() > 0.1);
  CHECK(motion.state.work > 0);
  CHECK(worst < 0.05 * motion.state.work);
  CHECK(motion.strain() < 1e-10);
}

TEST_SUITE("long") {
  TEST_CASE("a million steps of a free thread") {
    const Thread thread;
    const double h = 0.5 * thread.limit();
    const Drift whole = fly(tumbling(20), 1000000, h);
    const Drift half = fly(tumbling(20), 1000000, h / 2);
    for (const Drift& drift : {whole, half}) {
      CHECK(drift.momentum < 1e-10);
      CHECK(drift.spin < 1e-10);
      CHECK(drift.strain < 1e-8);
      // no trend: the mean moves by far less than the band is wide
      CHECK(std::abs(drift.late - drift.early) < 0.1 * (drift.high - drift.low));
    }
    const double ratio = (half.high - half.low) / (whole.high - whole.low);
    CHECK(ratio > 0.35);
    CHECK(ratio < 0.65);
  }
}

}  // namespace filum::test_variational_motion
