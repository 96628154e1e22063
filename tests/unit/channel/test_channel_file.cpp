// Channel files: what is read, and what is refused in which words.
#include "io/channel/channel_files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace filum;
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
  for (const char* line :
       {"{line: [[0, 0], [2, 0]]}", "{points: [[0, 0], [1, 0], [1.5, 0.8]]}", "{spline: [[0, 0], [1, 0.2], [2, 0]]}",
        "{arc: [[0, 0], [0.7, 0.3], [1, 1]]}", "{arc: {centre: [0, -1], start: [0, 0], angle: -90 deg}}"})
    CHECK(parse_channel(with("{arc: {centre: [0, 1], start: [0, 0], angle: 90 deg}}", line), "c.yaml").ok());
}

TEST_CASE("a tube file is read") {
  const auto file = parse_channel(
      "tube: {centreline: {line: [[0, 0, 0], [1, 0, 0]]}, radius: 2 cm}\nbeam: {EI: 1}\nload: {force: [-9, 0, 0]}\n",
      "c.yaml");
  REQUIRE(file.ok());
  CHECK(std::get<TubeProblem>(*file).radius == doctest::Approx(0.02));
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
  refused(with("{force: [-500, -500]}", "{push: 0.1, force: [1, 1]}"), "either", 7);
  refused(with("links: 60", "links: 1"), "from 2", 8);
  refused(with("links: 60", "levels: 2001"), "GB", 8);
  refused(with("width: {", "withd: {"), "width", 5);
}
