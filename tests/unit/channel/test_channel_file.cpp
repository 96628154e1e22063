// Channel files: what is read, and what is refused in which words.
#include "io/channel/channel_files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace filum::test_channel_file {

using io::parse_channel;

namespace {

const std::string kGood = R"(
title: Quarter circle
channel:
  centreline: {arc: {centre: [0, 1], start: [0, 0], angle: 90 deg}}
  width: {left: [[0, 5 cm], [1.5, 8 cm]], right: 0.05}
beam: {EI: 2.4674, rest_curvature: 0.1}
load: {force: [-500, -500]}
search: {links: 60, k: 4}
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void refused(const std::string& text, const std::string& word, int line) {
  const auto result = parse_channel(text, "c.yaml");
  REQUIRE_FALSE(result.ok());
  INFO(result.error().text());
  CHECK(result.error().message.find(word) != std::string::npos);
  CHECK(result.error().line == line);
  CHECK(result.error().file == "c.yaml");
}

}  // namespace

TEST_CASE("a channel file is read with units and defaults") {
  const auto file = parse_channel(kGood, "c.yaml");
  REQUIRE(file.ok());
  const auto& problem = std::get<ChannelProblem>(*file);
  CHECK(problem.title == "Quarter circle");
  CHECK(problem.beam.length == doctest::Approx(1.5707963));
  CHECK(problem.channel.left[1][1] == doctest::Approx(0.08));
  CHECK(problem.search.k == 4);
  CHECK(problem.loads.size() == 1);
}

TEST_CASE("load paths and the other centrelines") {
  const auto ramp = parse_channel(with("{force: [-500, -500]}", "{push: {from: 0, to: 10 cm, steps: 5}}"), "c.yaml");
  REQUIRE(ramp.ok());
  CHECK(std::get<ChannelProblem>(*ramp).loads.size() == 6);
  CHECK(*std::get<ChannelProblem>(*ramp).loads.back().push == doctest::Approx(0.1));
  const auto list = parse_channel(with("{force: [-500, -500]}", "{force: [[-1, 0], [-2, 0]]}"), "c.yaml");
  REQUIRE(list.ok());
  CHECK(std::get<ChannelProblem>(*list).loads[1].force[0] == -2);
  struct Line {
    const char* text;
    double length;  // 0: not known
    Vec3 end;
    Vec3 tangent;  // at the start; nil: not known
  };
  const double right_angle = 0.5 * std::numbers::pi;
  for (const Line& line :
       {Line{"{line: [[0, 0], [2, 0]]}", 2, {2, 0, 0}, {1, 0, 0}},
        Line{"{points: [[0, 0], [1, 0], [1.5, 0.8]]}", 1 + std::hypot(0.5, 0.8), {1.5, 0.8, 0}, {1, 0, 0}},
        Line{"{spline: [[0, 0], [1, 0.2], [2, 0]]}", 0, {2, 0, 0}, Vec3::Zero()},
        Line{"{arc: [[0, 0], [0.7071067811865475, 0.2928932188134525], [1, 1]]}", right_angle, {1, 1, 0}, {1, 0, 0}},
        Line{"{arc: {centre: [0, -1], start: [0, 0], angle: -90 deg}}", right_angle, {1, -1, 0}, {1, 0, 0}}}) {
    CAPTURE(line.text);
    const auto file = parse_channel(with("{arc: {centre: [0, 1], start: [0, 0], angle: 90 deg}}", line.text), "c.yaml");
    REQUIRE(file.ok());
    const auto& problem = std::get<ChannelProblem>(*file);
    const CurvePath path(problem.channel.centreline);
    CHECK((path.at(0).position - Vec3::Zero()).norm() < 1e-12);
    CHECK((path.at(path.length()).position - line.end).norm() < 1e-9);
    if (line.length > 0) CHECK(path.length() == doctest::Approx(line.length).epsilon(1e-9));
    if (!line.tangent.isZero(0)) CHECK((path.at(0).tangent - line.tangent).norm() < 1e-9);
    // a beam without a length is as long as its channel
    CHECK(problem.beam.length == doctest::Approx(path.length()).epsilon(1e-9));
  }
  // through its middle point, not along the chords
  const auto spline = parse_channel(
      with("{arc: {centre: [0, 1], start: [0, 0], angle: 90 deg}}", "{spline: [[0, 0], [1, 0.2], [2, 0]]}"), "c.yaml");
  const CurvePath path(std::get<ChannelProblem>(*spline).channel.centreline);
  CHECK((path.at(0.5 * path.length()).position - Vec3(1, 0.2, 0)).norm() < 1e-9);
  CHECK(path.length() > 2 * std::hypot(1, 0.2));
}

TEST_CASE("a tube file is read") {
  const auto file = parse_channel(
      "tube: {centreline: {line: [[0, 0, 0], [1, 0, 0]]}, radius: 2 cm}\nbeam: {EI: 1}\nload: {force: [-9, 0, 0]}\n",
      "c.yaml");
  REQUIRE(file.ok());
  CHECK(std::get<TubeProblem>(*file).radius.at(0)[1] == doctest::Approx(0.02));
}

TEST_CASE("what is wrong is told with its line") {
  refused("", "empty", 1);
  refused(with("EI: 2.4674", "EI: .nan"), "", 6);
  refused(with("EI: 2.4674", "EI: -1"), "above zero", 6);
  refused(with("EI: 2.4674, ", "EI: 2.4674, length: 2, "), "longer than the channel", 6);
  refused(with("right: 0.05", "right: -0.05"), "negative", 5);
  refused(with("{left: [[0, 5 cm], [1.5, 8 cm]], right: 0.05}", "0"), "no width", 5);
  refused(with("[[0, 5 cm], [1.5, 8 cm]]", "[[1, 5 cm], [0, 8 cm]]"), "must rise", 5);
  refused(with("[[0, 5 cm], [1.5, 8 cm]]", "1.2"), "beyond the centre", 5);
  refused(with("force: [-500, -500]", "forces: [-500, -500]"), "force", 7);
  refused(with("{force: [-500, -500]}", "{push: 2}"), "leaves nothing", 7);
  refused(with("{force: [-500, -500]}", "{push: 0.1, force: [1, 1]}"), "one of", 7);
  refused(with("links: 60", "links: 1"), "from 2", 8);
  refused(with("links: 60", "levels: 2001"), "GB", 8);
  refused(with("width: {", "withd: {"), "width", 5);
}

}  // namespace filum::test_channel_file
