// report.html: it is well-formed, self-contained, escaped, of bounded size, and draws whatever state it is given.
#include <filum/report.hpp>
#include <filum/scene.hpp>

#include "report/report_units.hpp"
#include "report/svg/svg_axis.hpp"
#include "report/svg/svg_camera.hpp"
#include "report/svg/svg_chart.hpp"
#include "report/svg/svg_items.hpp"
#include "unit/io/report_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace filum::test_report {

namespace {

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

// Every element that opens is closed in order (void elements of HTML apart).
bool balanced(const std::string& page) {
  std::vector<std::string> open;
  for (size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const size_t end = page.find('>', at);
    if (end == std::string::npos) return false;
    const bool closing = page[at + 1] == '/', empty = page[end - 1] == '/';
    const size_t start = at + (closing ? 2 : 1);
    const std::string name = page.substr(start, page.find_first_of(" >/", start) - start);
    if (name == "!doctype" || name == "meta" || empty) continue;
    if (!closing) {
      open.push_back(name);
      continue;
    }
    if (open.empty() || open.back() != name) return false;
    open.pop_back();
  }
  return open.empty();
}

void check_sound(const fixture::Case& test) {
  const std::string page = report_html(test.scene, test.outcome);
  CAPTURE(test.scene.title);
  CHECK(balanced(page));
  // nothing from elsewhere, nothing that runs, nothing a viewer cannot read
  for (const char* word : {"http:", "https:", "<script", "src=", "@import", "url(", "\"nan", " nan", ">nan", "inf "}) {
    CAPTURE(word);
    CHECK(page.find(word) == std::string::npos);
  }
  // 2 MB is what mail and review tools still open at once
  CHECK(page.size() < 2'000'000);
}

TEST_CASE("the page of a run tells how it went and what became of the energy") {
  const fixture::Case test = fixture::run();
  const std::string page = report_html(test.scene, test.outcome);
  for (const char* text : {"Stopped at t = 1.95 s", "3 steps halved", "1 step short of convergence", "did not converge",
                           "work done on it", "dissipated", "balance", "Speed of the probes", "Turns of twist",
                           "0.0625 %", "largest strain neglected", "show the end of the run"}) {
    CAPTURE(text);
    CHECK(page.find(text) != std::string::npos);
  }
  CHECK(page.find("Stability") == std::string::npos);
  // shapes of several instants
  CHECK(count(page, "class=\"ghost\"") > 8);
  fixture::Case done = test;
  done.outcome.run->completed = true;
  CHECK(report_html(done.scene, done.outcome).find("Ran to t = 1.95 s") != std::string::npos);
}

TEST_CASE("the page is sound for every kind of scene") {
  check_sound(fixture::run());
  check_sound(fixture::hose());
  check_sound(fixture::harness());
  check_sound(fixture::ring());
  check_sound(fixture::path());
  check_sound(fixture::helix());
  check_sound(fixture::hose(1));
}

TEST_CASE("ten thousand segments in sixty coils stay small and keep their shape") {
  const fixture::Case test = fixture::helix(10'000, 60);
  check_sound(test);
  // at least eight chords a coil, or coils become triangles
  CHECK(io::drawn_nodes(test.outcome.states[0].pose.rods[0], 1500).size() > 480);
}

TEST_CASE("sixty rods, and a thousand") {
  fixture::Case test;
  for (int i = 0; i < 60; ++i) {
    const auto curve = [i](double u) { return Vec3(u, 0.02 * i, -0.2 * u * (1 - u)); };
    fixture::add_rod(test, "wire " + std::to_string(i), fixture::trace(curve, 100, 0.004));
    fixture::add_hold(test, "clip " + std::to_string(i), 0, Vec3(0, i, 1), Vec3::Zero());
  }
  fixture::solved(test);
  check_sound(test);
  CHECK(report_html(test.scene, test.outcome).find("more</text>") != std::string::npos);
  for (int i = 60; i < 1000; ++i)
    fixture::add_rod(test, "wire " + std::to_string(i), test.outcome.states[0].pose.rods[0]);
  check_sound(test);
}

TEST_CASE("a page renders without any finite number, without size, without anything") {
  fixture::Case broken = fixture::hose();
  RodPose& rod = broken.outcome.states[0].pose.rods[0];
  for (size_t i = 0; i < rod.s.size(); ++i) {
    rod.position[i].setConstant(std::nan(""));
    rod.frame[i].coeffs().setConstant(std::nan(""));
    rod.curvature[i].setConstant(INFINITY);
    rod.axial_force[i] = std::nan("");
  }
  broken.outcome.states[0].pose.holds[0].force.setConstant(std::nan(""));
  broken.outcome.states[0].pose.holds[1].position.setConstant(INFINITY);
  broken.outcome.states[0].pose.bodies[0].position.setConstant(std::nan(""));
  broken.outcome.states[0].pose.energy.elastic = std::nan("");
  check_sound(broken);

  fixture::Case point = fixture::ring();
  for (Vec3& p : point.outcome.states[0].pose.rods[0].position) p = Vec3(3, 4, 5);
  check_sound(point);

  check_sound({});
  fixture::Case empty;
  empty.outcome.states.emplace_back();
  empty.outcome.states[0].pose.rods.emplace_back();
  check_sound(empty);
}

TEST_CASE("names cannot break out of the page") {
  fixture::Case test = fixture::hose(5);
  const std::string evil = "<script>alert(1)</script>\"'><b>";
  test.scene.title = test.scene.rods[0].name = test.scene.holds[0].name = evil;
  test.outcome.checks[0].object.name = test.outcome.solve.why = evil;
  test.outcome.events.emplace_back().why = evil;
  const std::string page = report_html(test.scene, test.outcome);
  CHECK(balanced(page));
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(1)") != std::string::npos);
}

TEST_CASE("the verdict says what happened") {
  fixture::Case test = fixture::hose();
  const auto page = [&] { return report_html(test.scene, test.outcome); };
  CHECK(page().find(">Converged<") != std::string::npos);
  CHECK(page().find(">Stable<") != std::string::npos);
  CHECK(page().find(">1 of 2 limits violated<") != std::string::npos);
  test.outcome.checks[0].violated = false;
  CHECK(page().find(">Limits kept<") != std::string::npos);
  test.outcome.checks.clear();
  CHECK(page().find(">No limits set<") != std::string::npos);
  test.outcome.solve.stable = false;
  CHECK(page().find(">UNSTABLE<") != std::string::npos);
  test.outcome.solve.converged = false;
  test.outcome.solve.stable.reset();
  test.outcome.solve.why = "the line search stopped";
  CHECK(page().find(">Did not converge<") != std::string::npos);
  CHECK(page().find("the line search stopped") != std::string::npos);
}

TEST_CASE("numbers read like an engineer's") {
  using namespace io;
  CHECK(digits(0) == "0");
  CHECK(digits(-0.05) == "−0.05");
  CHECK(digits(3.14159) == "3.142");
  CHECK(digits(12000) == "12000");
  CHECK(digits(3.1e-13, 2) == "3.1·10⁻¹³");
  CHECK(digits(999.96) == "1000");
  CHECK(digits(INFINITY) == "∞");
  CHECK(digits(std::nan("")) == "–");
  CHECK(with_unit(0.0312, Quantity::Length) == "31.2 mm");
  CHECK(with_unit(12.5, Quantity::Length) == "12.5 m");
  CHECK(with_unit(0.05, Quantity::Force) == "50 mN");
  CHECK(with_unit(0.0125, Quantity::Moment) == "12.5 mN·m");
  CHECK(with_unit(0, Quantity::Force) == "0 N");
}

TEST_CASE("axes have round ticks that cover the range") {
  using namespace io;
  const Axis axis = linear_axis(0.03, 0.97, 7, true);
  CHECK(axis.low == doctest::Approx(0));
  CHECK(axis.high == doctest::Approx(1));
  CHECK(axis.ticks.size() >= 4);
  CHECK(axis.ticks.size() <= 8);
  CHECK(axis.share(0.5) == doctest::Approx(0.5));
  // a constant still gets an axis
  const Axis flat = linear_axis(5, 5, 7, true);
  CHECK(flat.low < 5);
  CHECK(flat.high > 5);
  const Axis decades = log_axis(0.8, 130);
  CHECK(decades.ticks.front().label == "1");
  CHECK(decades.ticks.back().label == "100");
}

TEST_CASE("thinning a curve keeps its peak") {
  io::Series series{"c", {}, {}};
  for (int i = 0; i < 5000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 3217 ? 100 : std::sin(i * 0.01));
  }
  const io::Series thin = io::decimated(series, 200);
  CHECK(thin.x.size() <= 201);
  CHECK(*std::max_element(thin.y.begin(), thin.y.end()) == 100);
  CHECK(std::is_sorted(thin.x.begin(), thin.x.end()));
}

TEST_CASE("cameras put things where they belong") {
  using namespace io;
  // right-handed parallel views: the front looks along +y
  const Camera front = parallel_camera(Vec3::UnitX(), Vec3::UnitZ(), {Vec3::Zero(), Vec3::Ones()});
  CHECK(front.toward == Vec3(-Vec3::UnitY()));
  CHECK(front.place(Vec3(1, 0, 0)).x() > front.place(Vec3(0, 0, 0)).x());
  CHECK(front.place(Vec3(0, 0, 1)).y() < front.place(Vec3(0, 0, 0)).y());
  CHECK(front.depth(Vec3(0, -1, 0)) > front.depth(Vec3(0, 1, 0)));
  // perspective: near is larger, everything fits
  const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.3, 0.8, -0.4)};
  Camera eye = perspective_camera(points, bounds_of(points), Vec3::UnitZ());
  CHECK(eye.right.cross(eye.up).isApprox(eye.toward, 1e-12));
  CHECK(eye.pixels(eye.target + 0.2 * eye.toward) > eye.pixels(eye.target));
  eye.scale = fitting_scale(eye, points, {400, 300});
  centre_on(eye, points, {10, 20}, {400, 300});
  for (const Vec3& p : points) {
    const Vec2 at = eye.place(p);
    // a millionth of a pixel for round-off
    CHECK(at.x() > 10 - 1e-6);
    CHECK(at.x() < 410 + 1e-6);
    CHECK(at.y() > 20 - 1e-6);
    CHECK(at.y() < 320 + 1e-6);
  }
  // y up: the floor lies in x and z
  const GroundAxes ground = ground_axes(Vec3::UnitY());
  CHECK(std::abs(ground.first.y()) + std::abs(ground.second.y()) < 1e-12);
}

TEST_CASE("a limit far above the curve is named but does not squash it") {
  fixture::Case test = fixture::hose();
  const std::string page = report_html(test.scene, test.outcome);
  CHECK(count(page, "limit 60 is beyond this range") == 1);
  CHECK(count(page, "limit 25<") == 1);
}

}  // namespace
}  // namespace filum::test_report
