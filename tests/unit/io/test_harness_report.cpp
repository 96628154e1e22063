// The harness report: lengths add up, clips bear what hangs on them, the worst of a path is told.
#include "report/harness/harness_report.hpp"

#include <filum/report.hpp>
#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace filum::test_harness_report {

namespace {

constexpr const char* kLoom = R"(
filum: 1
sections:
  thick: {shape: bundle, bundle: [{wire: FLRY-B 2.5, count: 7}], tape: 0.3 mm, bond: 0.2}
  thin:  {shape: bundle, bundle: [{wire: FLRY-B 0.5, count: 3}], bond: 0.2}
rods:
  trunk: {section: thick, length: 0.52, segments: 40, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}, limits: {min_bend_radius: 10 d}}
  left:  {section: thin, length: 0.32, segments: 30, shape: {line: [[0.5, 0, 0], [0.7, 0.2, 0]]}, limits: {min_bend_radius: 5 d}}
  right: {section: thin, segments: 30, shape: {line: [[0.5, 0, 0], [0.7, -0.2, 0]]}}
junctions:
  - {name: y, rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}
holds:
  - {name: plug, rod: trunk, at: start, fix: [position, orientation]}
  - {name: clip, rod: trunk, at: 0.2, fix: [position], max_shear: 2 N}
  - {name: lamp, rod: left, at: end, fix: [position, orientation]}
  - {name: motor, rod: right, at: end, fix: [position, orientation]}
wires:
  - {name: KL30, along: [{rod: trunk}, {rod: left}]}
  - {name: KL31, along: [{rod: trunk}, {rod: right}]}
)";

}  // namespace

TEST_CASE("harness report: segments between holds and junctions, wires along them, clips in balance") {
  const auto scene = parse_scene(kLoom, "loom");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  const auto outcome = solve(*scene);
  REQUIRE(outcome.ok());
  REQUIRE(outcome->solve.converged);
  io::HarnessReporter reporter(*scene, {0.03, 0.02, 0.005});
  reporter.add(outcome->states.back());
  const io::HarnessReport report = reporter.report();
  // trunk in two parts, left, right
  REQUIRE(report.segments.size() == 4);
  for (std::size_t i = 1; i < report.segments.size(); ++i) CHECK(report.segments[i - 1].use >= report.segments[i].use);
  // lengths along a route add up
  const auto found = [&](const std::string& rod) {
    double sum = 0;
    for (const io::SegmentRow& row : report.segments)
      if (row.rod == rod) sum += row.found;
    return sum;
  };
  REQUIRE(report.wires.size() == 2);
  CHECK(std::abs(found("trunk") + found("left") - report.wires[0].found) < 1e-9);
  CHECK(report.wires[0].found == doctest::Approx(0.84).epsilon(1e-12));
  CHECK(report.wires[0].along == "trunk, left");
  // found · 1.03 + 20 mm, up to the next 5 mm
  CHECK(report.wires[0].cut == doctest::Approx(0.890).epsilon(1e-12));
  const auto trunk = std::find_if(report.segments.begin(), report.segments.end(), [](const io::SegmentRow& row) {
    return row.from.kind == PlaceKind::Hold && row.from.name == "plug";
  });
  REQUIRE(trunk != report.segments.end());
  CHECK(trunk->to.name == "clip");
  CHECK(trunk->found == doctest::Approx(0.2));
  CHECK(trunk->drawn == doctest::Approx(0.2 * 0.5 / 0.52));
  CHECK(trunk->source == "bundle of 7 wires");
  CHECK(*trunk->limit == doctest::Approx(10 * trunk->diameter));
  CHECK(trunk->use == doctest::Approx(*trunk->limit / trunk->radius));
  // what the holds bear is the weight
  Vec3 sum = Vec3::Zero();
  for (const HoldPose& hold : outcome->states.back().pose.holds) sum += hold.force;
  double mass = 0;
  for (const Rod& rod : scene->rods) {
    const Section& section = scene->sections[rod.section == "thick" ? 0 : 1].section;
    mass += stiffness(section, {}).mass_per_length * (rod.length ? *rod.length : std::sqrt(0.08));
  }
  CHECK((sum - Vec3(0, 0, 9.81 * mass)).norm() < 1e-6 * mass);
  // a clip by its own axes
  const auto clip =
      std::find_if(report.clips.begin(), report.clips.end(), [](const io::ClipRow& row) { return row.hold == "clip"; });
  REQUIRE(clip != report.clips.end());
  CHECK(std::hypot(clip->along, clip->across) ==
        doctest::Approx(outcome->states.back().pose.holds[1].force.norm()).epsilon(1e-9));
  CHECK(clip->use == doctest::Approx(clip->across / 2));
  // both bounds and what is between
  REQUIRE(report.bundles.size() == 2);
  CHECK(report.bundles[0].facts.slipping.EI < report.bundles[0].facts.chosen.EI);
  CHECK(report.bundles[0].facts.chosen.EI < report.bundles[0].facts.bonded.EI);
  // files and page
  const std::string csv = segments_csv(report);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  CHECK(csv.find("\"hold 'clip'\"") != std::string::npos);
  CHECK(clips_csv(report).find("\"clip\",\"trunk\",200,") != std::string::npos);
  CHECK(wires_csv(report).find("\"KL30\",\"trunk, left\",") != std::string::npos);
  const std::string page = report_html(*scene, *outcome);
  for (const char* heading : {"<h2>Segments</h2>", "<h2>Clips</h2>", "<h2>Wires</h2>", "<h2>Bundles</h2>"})
    CHECK(page.find(heading) != std::string::npos);
}

TEST_CASE("harness report: of several states the worst, with its time") {
  const auto scene = parse_scene(kLoom, "loom");
  REQUIRE(scene.ok());
  const auto outcome = solve(*scene);
  REQUIRE(outcome.ok());
  Snapshot tight = outcome->states.back();
  tight.t = 3;
  for (Vec2& curvature : tight.pose.rods[0].curvature) curvature *= 4;
  tight.pose.holds[1].force *= 10;
  Snapshot last = outcome->states.back();
  last.t = 5;
  io::HarnessReporter reporter(*scene, {});
  for (const Snapshot& each : std::vector<Snapshot>{outcome->states.back(), tight, last}) reporter.add(each, true);
  const io::HarnessReport report = reporter.report();
  CHECK(report.segments[0].rod == "trunk");
  CHECK(report.segments[0].t == 3);
  const auto clip =
      std::find_if(report.clips.begin(), report.clips.end(), [](const io::ClipRow& row) { return row.hold == "clip"; });
  CHECK(clip->t == 3);
  CHECK(std::hypot(clip->along, clip->across) ==
        doctest::Approx(10 * outcome->states.back().pose.holds[1].force.norm()).epsilon(1e-9));
}

TEST_CASE("harness report: gaps between cables, the smallest of all states, against their limits") {
  // two straight cables of 10 and 6 mm side by side, 30 mm apart, and a third one far off; a body is no cable
  const auto scene = parse_scene(R"(
filum: 1
gravity: [0, 0, 0]
sections:
  thick: {shape: circle, radius: 5 mm}
  thin: {shape: circle, radius: 3 mm}
bodies:
  post: {box: [0.02, 0.02, 0.02], position: [0.2, -0.02, 0]}
rods:
  a: {material: pvc, section: thick, segments: 20, shape: {line: [[0, 0, 0], [1, 0, 0]]}, limits: {min_clearance: 11 mm}}
  b: {material: pvc, section: thin, segments: 20, shape: {line: [[0, 0.03, 0], [1, 0.03, 0]]}}
  c: {material: pvc, section: thin, segments: 20, shape: {line: [[0, 0.5, 0], [1, 0.5, 0]]}}
holds:
  - {name: ha, rod: a, at: start, fix: [position, orientation]}
  - {name: hb, rod: b, at: start, fix: [position, orientation]}
  - {name: hc, rod: c, at: start, fix: [position, orientation]}
)",
                                 "gaps");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  const auto outcome = solve(*scene);
  REQUIRE(outcome.ok());
  Snapshot nearer = outcome->states.back();
  nearer.t = 2;
  for (Vec3& p : nearer.pose.rods[1].position) p.y() -= 0.012;
  io::HarnessReporter reporter(*scene, {});
  reporter.add(outcome->states.back(), true);
  CHECK(reporter.report().gaps[0].gap == doctest::Approx(0.022).epsilon(1e-9));
  CHECK(reporter.report().gaps[0].use == doctest::Approx(0.5).epsilon(1e-9));
  reporter.add(nearer, true);
  reporter.add(outcome->states.back(), true);
  const std::vector<io::GapRow> gaps = reporter.report().gaps;
  REQUIRE(gaps.size() == 3);
  // by use, then the smallest
  CHECK(gaps[0].rod == "a");
  CHECK(gaps[0].other == "b");
  CHECK(gaps[0].gap == doctest::Approx(0.010).epsilon(1e-9));
  CHECK(gaps[0].t == 2);
  CHECK(gaps[0].use == doctest::Approx(1.1).epsilon(1e-9));
  CHECK(gaps[1].rod == "b");
  CHECK(gaps[1].other == "a");
  CHECK_FALSE(gaps[1].limit.has_value());
  CHECK(gaps[2].rod == "c");
  CHECK(gaps[2].gap == doctest::Approx(0.464).epsilon(1e-9));
  CHECK(gaps_csv(reporter.report()).find("\"a\",") != std::string::npos);
}

TEST_CASE("adapted lengths are rounded up, but not by what rounding leaves") {
  const io::LengthRule rule{0, 0, 0.005};
  CHECK(rule.adapted(0.5) == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(rule.adapted(0.5001) == doctest::Approx(0.505).epsilon(1e-14));
  CHECK(io::LengthRule{0.1, 0.01, 0}.adapted(1) == doctest::Approx(1.11));
}

}  // namespace filum::test_harness_report
