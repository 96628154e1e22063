// Cables dragged about at random: none is lost, no turn is lost, and the merit of every solve falls.
#include "sim/formulations.hpp"
#include "sim/statics/load_stepping.hpp"
#include "unit/cosserat/laying_rig.hpp"

#include <doctest/doctest.h>

#include <random>

namespace filum::test_drags {

namespace {

struct Tally {
  int lost = 0;          // not in equilibrium
  int out_of_count = 0;  // turns that do not add up
  double remainder = 0;
  int most_iterations = 0;
  double worst_rise = 0;
};

// The count of turns depends on the way an end goes: the shortest one to its new tangent and normal, then the turns
// about its own tangent, both in steps that are small where tangents are nearly opposite.
void follow_end(rod::LinkLedger& ledger, const test::LayingRig& rig, bool last, const Vec3& swing, double turns) {
  constexpr int kSteps = 1000;
  const Mat3 before = rig.end_frame(last);
  const Mat3 other = rig.end_frame(!last);
  const auto follow = [&](const Mat3& end) { ledger.follow(last ? other : end, last ? end : other); };
  for (int i = 1; i <= kSteps; ++i) follow(math::exp_so3(static_cast<double>(i) / kSteps * swing) * before);
  for (int i = 1; i <= kSteps; ++i)
    follow(math::exp_so3(swing) * before * math::exp_so3(2 * math::kPi * turns * i / kSteps * Vec3::UnitZ()));
}

// Ends put anywhere in a cube of half the edge `reach`, oriented and turned at random, lengths changed now and then.
Tally drag(int moves, int segments, double reach, double turn, unsigned seed, int look_every) {
  test::LayingRig rig(test::cable_scene(segments));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto unit = [&] { return Vec3(any(random), any(random), any(random)); };
  CHECK(rig.solve().converged);
  rod::LinkLedger ledger(rig.view());
  Tally tally;
  for (int k = 0; k < moves; ++k) {
    const std::size_t end = random() % 2;
    HoldTarget& hold = rig.targets.holds[end];
    hold.position = reach * unit();
    const Vec3 swing = std::min(turn, 3.0) * any(random) * unit().normalized();
    hold.orientation = math::exp_quat(swing) * hold.orientation;
    const double spun = turn / (2 * math::kPi) * any(random);
    hold.turns += spun;
    if (k % 10 == 9) rig.targets.rod_length[0] = 0.5 * (1 + 0.3 * any(random));
    follow_end(ledger, rig, end == 1, swing, spun);
    const SolveReport report = rig.solve();
    tally.lost += report.converged ? 0 : 1;
    tally.most_iterations = std::max(tally.most_iterations, report.iterations);
    ledger.follow(rig.end_frame(false), rig.end_frame(true));
    REQUIRE(rig.cable.rods.position.back().allFinite());
    if (k % look_every != 0) continue;
    const rod::LinkBalance balance = ledger.balance(rig.view());
    tally.remainder = std::max(tally.remainder, std::abs(balance.remainder));
    tally.out_of_count += std::abs(balance.remainder) > 1e-6 ? 1 : 0;
  }
  tally.worst_rise = rig.course.worst_rise;
  return tally;
}

}  // namespace

TEST_CASE("random drags within reach converge and keep count of every turn") {
  const Tally tally = drag(150, 60, 0.25, 1.5, 3, 5);
  CHECK(tally.lost == 0);
  CHECK(tally.out_of_count == 0);
  // round-off of energies that nearly cancel
  CHECK(tally.worst_rise < 1e-12);
}

TEST_CASE("random drags far out of reach converge and keep count of every turn") {
  const Tally tally = drag(150, 60, 1.0, 3.0, 5, 5);
  CHECK(tally.lost == 0);
  CHECK(tally.out_of_count == 0);
  CHECK(tally.worst_rise < 1e-12);
}

TEST_SUITE("long") {
  // As a workbench does it: with the step-by-step fall-back, looked at through poses alone.
  TEST_CASE("a hundred thousand drags: not one in ten thousand lost, every turn counted") {
    const Scene scene = test::cable_scene(100);
    const std::unique_ptr<Formulation> formulation = sim::make_formulation("cosserat");
    const std::unique_ptr<Model> model = formulation->compile(scene);
    const std::unique_ptr<Workspace> workspace = model->workspace();
    Targets targets = sim::resting_targets(scene);
    std::unique_ptr<State> state = model->start(targets);
    REQUIRE(model->solve(*workspace, *state, targets).converged);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto unit = [&] { return Vec3(any(random), any(random), any(random)); };
    const auto frame_of = [&](std::size_t end) {
      const HoldTarget& hold = targets.holds[end];
      return Mat3(hold.orientation.toRotationMatrix() * math::exp_so3(2 * math::kPi * hold.turns * Vec3::UnitZ()));
    };
    const auto view = [&](const Pose& pose) {
      return rod::LinkView{pose.rods[0].turns, pose.rods[0].position, frame_of(0), frame_of(1)};
    };
    const Pose drawn = model->sample(*workspace, *state, targets);
    rod::LinkLedger ledger(view(drawn));
    int lost = 0;
    long iterations = 0;
    double remainder = 0;
    for (int k = 0; k < 100000; ++k) {
      const Targets before = targets;
      const std::size_t end = random() % 2;
      HoldTarget& hold = targets.holds[end];
      const Mat3 other = frame_of(1 - end);
      const auto follow = [&](const Mat3& now) { ledger.follow(end == 1 ? other : now, end == 1 ? now : other); };
      const Mat3 old = frame_of(end);
      const Vec3 swing = 3 * any(random) * unit().normalized();
      const double turns = any(random);
      hold.position = 0.5 * unit();
      hold.orientation = (math::exp_quat(swing) * hold.orientation).normalized();
      hold.turns += turns;
      for (int i = 1; i <= 300; ++i) follow(math::exp_so3(i / 300.0 * swing) * old);
      for (int i = 1; i <= 300; ++i)
        follow(math::exp_so3(swing) * old * math::exp_so3(2 * math::kPi * turns * i / 300.0 * Vec3::UnitZ()));
      if (k % 10 == 9) targets.rod_length[0] = 0.5 * (1 + 0.3 * any(random));
      const SolveReport report =
          sim::follow_equilibrium(*model, *workspace, scene, state, sim::Begins::InBalance, before, targets, {});
      iterations += report.iterations;
      lost += report.converged ? 0 : 1;
      if (k % 100 != 0 || !report.converged) continue;
      const Pose pose = model->sample(*workspace, *state, targets);
      remainder = std::max(remainder, std::abs(ledger.balance(view(pose)).remainder));
    }
    MESSAGE("lost ", lost, ", iterations a drag ", static_cast<double>(iterations) / 1e5, ", remainder ", remainder);
    CHECK(lost < 10);
    CHECK(remainder < 1e-6);
  }
}

}  // namespace filum::test_drags
