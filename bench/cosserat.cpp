#include "bench/cosserat.hpp"

#include "bench/heavy_cantilever.hpp"
#include "formulations/cosserat/cosserat.hpp"
#include "sim/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace filum::bench {
namespace {

constexpr int kBranches = 59;

Section cable_section() {
  Section section;
  section.shape = SectionShape::Given;
  section.radius = 0.003;
  section.EA = 1e5;
  section.EI = {0.02, 0.02};
  section.GJ = 0.015;
  section.mass_per_length = 0.1;
  return section;
}

Rod cable(const std::string& name, const Vec3& from, const Vec3& to, int segments) {
  Rod rod;
  rod.name = name;
  rod.section = "cable";
  rod.segments = segments;
  rod.shape.points = {from, to};
  // a quarter more than the way
  rod.length = 1.25 * (to - from).norm();
  return rod;
}

Hold held(const std::string& name, const std::string& rod, double fraction) {
  Hold hold = clamp(name, {fraction, 0});
  hold.rod = rod;
  return hold;
}

Scene single_cable(int segments) {
  Scene scene;
  scene.sections.push_back({"cable", cable_section()});
  scene.rods.push_back(cable("cable", Vec3::Zero(), Vec3(0.4, 0, 0), segments));
  scene.holds = {held("a", "cable", 0), held("b", "cable", 1)};
  return scene;
}

// Branches leave the trunk to all sides and end in clamps.
Scene harness() {
  Scene scene;
  scene.sections.push_back({"cable", cable_section()});
  scene.rods.push_back(cable("trunk", Vec3::Zero(), Vec3(3, 0, 0), 640));
  scene.rods[0].length = 3;
  scene.holds = {held("start", "trunk", 0), held("end", "trunk", 1)};
  for (int k = 0; k < kBranches; ++k) {
    const double share = (k + 1.0) / (kBranches + 1);
    const double angle = 2.4 * k;
    const Vec3 root(3 * share, 0, 0);
    const std::string name = "branch " + std::to_string(k);
    scene.rods.push_back(cable(name, root, root + Vec3(0.1, 0.3 * std::cos(angle), 0.3 * std::sin(angle)), 40));
    scene.junctions.push_back({"junction " + std::to_string(k), {{"trunk", {share, 0}}, {name, {0, 0}}}});
    scene.holds.push_back(held("clamp " + std::to_string(k), name, 1));
  }
  return scene;
}

// A model in equilibrium, and where it is to go.
struct LayingRig {
  explicit LayingRig(const Scene& scene)
      : model(cosserat::CosseratFormulation().compile(scene)),
        workspace(model->workspace()),
        targets(sim::resting_targets(scene)) {
    state = model->start(targets);
    model->solve(*workspace, *state, targets);
    before = state->clone();
  }
  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  Targets targets;
  std::unique_ptr<State> state;
  std::unique_ptr<State> before;
};

// From the state before to where the targets are, again and again.
Work again(const std::shared_ptr<LayingRig>& rig) {
  return Work{.reset = [rig] { rig->state->assign(*rig->before); },
              .run = [rig] { rig->model->solve(*rig->workspace, *rig->state, rig->targets); },
              .hash =
                  [rig] {
                    const std::vector<Vec3> positions =
                        rig->model->sample(*rig->workspace, *rig->state, rig->targets).rods.front().position;
                    return hash_of({positions.front().data(), 3 * positions.size()});
                  }};
}

// `hold`: the one that is moved, by 5 mm.
Work follow_hand(const Scene& scene, std::size_t hold) {
  const auto rig = std::make_shared<LayingRig>(scene);
  rig->targets.holds[hold].position += Vec3(0.003, 0, 0.004);
  return again(rig);
}

// Of ten thousand random moves of a cable's ends, by up to 50 mm and half a radian each, the one that only ten others
// surpass in iterations: a time of its own that the noise of ten thousand times does not blur.
Work rare_move(int segments) {
  constexpr int kMoves = 10000;
  constexpr std::size_t kRank = 10;
  struct Move {
    int iterations = 0;
    Targets targets;
    std::unique_ptr<State> before;
  };
  const auto rig = std::make_shared<LayingRig>(single_cable(segments));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto unit = [&] { return Vec3(any(random), any(random), any(random)); };
  std::vector<Move> slowest;
  const Targets rest = rig->targets;
  for (int k = 0; k < kMoves; ++k) {
    HoldTarget& hold = rig->targets.holds[random() % 2];
    hold.position += 0.05 / std::sqrt(3.0) * unit();
    hold.orientation = Quat(Eigen::AngleAxisd(0.5 * any(random), unit().normalized())) * hold.orientation;
    // now and then back to the middle, lest it walk away
    if (k % 20 == 19) rig->targets = rest;
    rig->before->assign(*rig->state);
    const int iterations = rig->model->solve(*rig->workspace, *rig->state, rig->targets).iterations;
    if (slowest.size() == kRank && iterations <= slowest.back().iterations) continue;
    if (slowest.size() == kRank) slowest.pop_back();
    slowest.push_back({iterations, rig->targets, rig->before->clone()});
    std::stable_sort(slowest.begin(), slowest.end(),
                     [](const Move& a, const Move& b) { return a.iterations > b.iterations; });
  }
  rig->targets = slowest.back().targets;
  rig->before = std::move(slowest.back().before);
  return again(rig);
}

}  // namespace

Bench cable_rare_move(int segments) {
  // a frame at 60 Hz is about 60 000 yardsticks
  return {.name = "cosserat-cable-99.9-percent-" + std::to_string(segments),
          .per = "solve",
          .target = 60000,
          .make = [segments] { return rare_move(segments); }};
}

Bench cable_again(int segments) {
  return {.name = "cosserat-cable-again-" + std::to_string(segments),
          .per = "solve",
          .target = 50.0 * segments,
          .make = [segments] { return follow_hand(single_cable(segments), 1); }};
}

Bench harness_again() {
  return {.name = "cosserat-harness-again-60", .per = "solve", .target = 60000, .make = [] {
            return follow_hand(harness(), 30);
          }};
}

}  // namespace filum::bench
