// The particle models against differences, against the oscillator they are made of, and against the published table.
#include "differences.hpp"
#include "published/servin_particles.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_servin_particles {

using namespace filum::published;
using Eigen::VectorXd;

namespace {

constexpr double kStep = 1.0 / 60;
constexpr double kShake = 1e-9;  // share of a link by which particles of a hanging chain start off the line
constexpr ParticleModel kModels[] = {ParticleModel::Links, ParticleModel::TotalLength, ParticleModel::LoadEnforced,
                                     ParticleModel::NoBottomLink, ParticleModel::Angles};

// A chain somewhere near the horizontal, moving.
ParticleState shaken(const ParticleChain& chain, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  ParticleState state = horizontal(chain);
  for (double& x : state.x) x += 0.3 * any(random);
  for (double& v : state.v) v = any(random);
  return state;
}

// Straight down, links stretched by what hangs on them, each particle off the line by kShake or less.
ParticleState hanging(const ParticleChain& chain) {
  ParticleState state = horizontal(chain);
  state.x.setZero();
  double z = 0;
  for (int i = 0; i < chain.particles; ++i) {
    const double below = chain.load + (chain.particles - 1 - i) * chain.mass;
    z -= chain.link + chain.link_compliance * below * chain.gravity;
    state.x[3 * i + 2] = z;
    if (i + 1 < chain.particles) state.x[3 * i] = kShake * std::cos(2.0 * i * i) * chain.link;
  }
  return state;
}

// By how much the largest sideways place has grown after ten seconds, over one second.
double growth(const ParticleChain& chain) {
  ParticleState state = hanging(chain);
  double largest = 0;
  for (int k = 0; k < 660; ++k) {
    step(chain, kStep, state);
    for (int i = 0; i < chain.particles && k >= 600; ++i) largest = std::max(largest, std::abs(state.x[3 * i]));
  }
  return largest / (kShake * chain.link);
}

}  // namespace

TEST_CASE("particle models: every Jacobian is the derivative of its rows") {
  for (const ParticleModel model : kModels) {
    const ParticleChain chain{.model = model};
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const VectorXd x = shaken(chain, seed).x;
      ParticleRows rows;
      evaluate(chain, x, rows);
      for (int r = 0; r < rows.value.size(); ++r) {
        const auto row = [&](const VectorXd& moved) {
          ParticleRows there;
          evaluate(chain, moved, there);
          return there.value[r];
        };
        const VectorXd differences = test::gradient_of<Eigen::Dynamic>(row, x);
        // five-point differences of numbers of order one leave 1e-12; 1e-7 where a joint is so nearly straight that the
        // fifth derivative of its angle is large
        CHECK((rows.jacobian.row(r).transpose() - differences).norm() < 1e-6);
      }
    }
  }
}

TEST_CASE("particle models: a straight chain has finite rows, and angles that do not pull") {
  for (const ParticleModel model : kModels) {
    const ParticleChain chain{.model = model};
    ParticleRows rows;
    evaluate(chain, horizontal(chain).x, rows);
    CHECK(rows.value.norm() == 0);
    CHECK(rows.jacobian.allFinite());
    if (model == ParticleModel::Angles) CHECK(rows.jacobian.bottomRows(4).norm() == 0);
  }
}

TEST_CASE("particle models: λ is what the rows, moved on by the step's end velocity, ask for") {
  for (const ParticleModel model : kModels) {
    const ParticleChain chain{.model = model, .link_compliance = 1e-3, .further_compliance = 1e-3};
    ParticleState state = shaken(chain, 7);
    ParticleRows rows;
    evaluate(chain, state.x, rows);
    step(chain, kStep, state);
    const VectorXd asked = -(rows.value + kStep * rows.jacobian * state.v);
    // one small well-conditioned system, some 1e3 round-offs
    CHECK((rows.compliance.cwiseProduct(state.lambda) - asked).norm() < 1e-12);
  }
}

TEST_CASE("one particle on one link loses the share that the scheme says, whatever its stiffness") {
  for (const double compliance : {1e-1, 1e-4, 1e-8}) {
    const ParticleChain chain{.particles = 1, .load = 2, .link_compliance = compliance, .gravity = 0};
    ParticleState state = horizontal(chain);
    state.x[0] += 0.01;
    const double w = kStep * kStep / (compliance * chain.load);
    double before = 0.01;  // at rest, where it was
    for (int k = 0; k < 20; ++k) {
      const double now = state.x[0] - 1;
      step(chain, kStep, state);
      // (1 + h²k/m) u⁺ = 2u − u⁻: the amplitude falls by (1 + h²k/m)^(−1/2) a step
      CHECK(std::abs((1 + w) * (state.x[0] - 1) - (2 * now - before)) < 1e-14 * (1 + w));
      before = now;
    }
  }
}

TEST_CASE("a hanging chain shakes itself to pieces above the load that the closed form says, and below it does not") {
  ParticleChain chain;
  struct Kind {
    ParticleModel model;
    ParticleBending bending;
    double compliance;
  };
  for (const Kind& kind : {Kind{ParticleModel::Links, ParticleBending::Implicit, 1},
                           Kind{ParticleModel::TotalLength, ParticleBending::Implicit, 1e-9},
                           Kind{ParticleModel::NoBottomLink, ParticleBending::Implicit, 1e-9},
                           Kind{ParticleModel::Angles, ParticleBending::Implicit, 1e-4},
                           Kind{ParticleModel::Angles, ParticleBending::Implicit, 1e-9},
                           Kind{ParticleModel::Angles, ParticleBending::Explicit, 2e-3}}) {
    chain.model = kind.model;
    chain.bending = kind.bending;
    chain.further_compliance = kind.compliance;
    chain.link_compliance = 1e-12;  // so that no link is longer than it should be
    const double limit = largest_ratio(chain, 1);
    // the closed form has links without weight: their own four kilograms are at most 2 % of the lightest load
    chain.load = 0.97 * limit;
    CHECK(growth(chain) < 10);
    chain.load = 1.03 * limit;
    CHECK(growth(chain) > 1e6);
  }
}

TEST_CASE("particle models: the published table, its ends") {
  // the whole of it is the validation case particle-loads
  ParticleChain chain;
  chain.load = 1e3;
  CHECK_FALSE(drop(chain).survived);
  chain.model = ParticleModel::Angles;
  chain.further_compliance = 1e-4;
  CHECK(drop(chain).survived);
  chain.load = 1e4;
  CHECK_FALSE(drop(chain).survived);
  chain = {.model = ParticleModel::LoadEnforced, .load = 1e15, .link_compliance = 1e-18, .further_compliance = 1e-22};
  CHECK(drop(chain).survived);
}

TEST_CASE("bending by forces of the step's start does not carry the load that bending by rows carries") {
  for (const double compliance : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
    ParticleChain chain{.model = ParticleModel::Angles, .load = 1e3, .further_compliance = compliance};
    if (compliance <= 1e-4) CHECK(drop(chain).survived);
    chain.bending = ParticleBending::Explicit;
    CHECK_FALSE(drop(chain).survived);
  }
  // it even harms where no bending is needed
  ParticleChain chain{.model = ParticleModel::Angles, .load = 30, .further_compliance = 1e-4};
  CHECK(drop(chain).survived);
  chain.bending = ParticleBending::Explicit;
  CHECK_FALSE(drop(chain).survived);
}

TEST_CASE("geometric stiffness leaves a chain that turns as a whole alone, if it knows the chord") {
  ParticleChain chain{.model = ParticleModel::TotalLength, .load = 1e3, .gravity = 0};
  ParticleState state = horizontal(chain);
  for (int i = 0; i < chain.particles; ++i) state.v[3 * i + 2] = 2 * state.x[3 * i];
  for (int k = 0; k < 2; ++k) step(chain, kStep, state);  // gives links a tension
  const auto after = [&](ParticleStiffness stiffness) {
    chain.stiffness = stiffness;
    ParticleState next = state;
    step(chain, kStep, next);
    return next.v;
  };
  const VectorXd plain = after(ParticleStiffness::None);
  const double chord = (after(ParticleStiffness::Chord) - plain).norm();
  const double rest = (after(ParticleStiffness::BackwardEuler) - plain).norm();
  // the stretch of the links, 1e-3, is all that keeps the chain from turning as a whole
  CHECK(chord < 1e-3 * rest);
  CHECK(rest > 1e-3 * plain.norm());
}

TEST_CASE("geometric stiffness carries what no model without bending does, and with the chord it keeps the swing") {
  for (const ParticleModel model : {ParticleModel::TotalLength, ParticleModel::NoBottomLink}) {
    // (d): stiff enough that the load's own link, which has no row, is not too long already at rest
    ParticleChain chain{.model = model, .load = 1e6, .memory = 0.9};
    if (model == ParticleModel::NoBottomLink) {
      chain.load = 1e7;
      chain.further_compliance = 1e-11;
    }
    CHECK_FALSE(drop(chain).survived);
    const double swing = chain.load * chain.gravity * chain.particles * chain.link;
    chain.stiffness = ParticleStiffness::BackwardEuler;
    const ParticleDrop damped = drop(chain);
    CHECK(damped.worst < 0.007);
    CHECK(damped.energy.back() < -0.7 * swing);
    chain.stiffness = ParticleStiffness::Chord;
    const ParticleDrop kept = drop(chain);
    CHECK(kept.worst < 0.007);
    CHECK(kept.energy.back() > -0.05 * swing);
  }
}

TEST_CASE("a hanging chain is as long with geometric stiffness as without") {
  ParticleChain chain{.model = ParticleModel::Links, .load = 100, .link_compliance = 1e-6};
  const ParticleState start = hanging(chain);
  chain.stiffness = ParticleStiffness::Chord;
  ParticleState state = start;
  for (int k = 0; k < 600; ++k) step(chain, kStep, state);
  // sideways by a billionth, so in length by its square
  CHECK((stretches(chain, state.x) - stretches(chain, start.x)).norm() < 1e-12);
}

}  // namespace filum::test_servin_particles
