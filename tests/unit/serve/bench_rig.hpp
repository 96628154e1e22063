// A workbench to talk to: commands in, replies out, frames taken apart.
#pragma once

#include "io/json_text.hpp"
#include "serve/commands/workbench.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace filum::test {

using serve::Json;

inline const char* const kHose = R"(# a hose between two fittings
filum: 1
title: Hose
sections: {hose: {shape: tube, outer_radius: 5 mm, inner_radius: 2 mm}}
materials: {epdm: {young: 7 MPa, poisson: 0.49, density: 1150}}
rods:
  hose:
    material: epdm
    section: hose
    length: 0.42 # cut
    segments: 16
    shape: {line: [[0, 0, 0], [0.4, 0, 0]]}
    limits: {min_bend_radius: 25 mm, max_tension: 60 N}
holds:
  - {name: near, rod: hose, at: start, fix: [position, orientation]}
  - {name: far, rod: hose, at: end, fix: [position, orientation]} # the wheel
simulation: {formulation: kirchhoff, mode: statics}
)";

class Bench {
 public:
  Bench() : bench({{"hose", kHose, ""}}, "0") {}

  Json say(Json command, int client = 1) { return bench.answer(serve::Request::read(io::json_text(command), client)); }
  // It must be done.
  Json must(const Json& command, int client = 1) {
    const Json reply = say(command, client);
    CAPTURE(io::json_text(command));
    REQUIRE_MESSAGE(reply["ok"] == true, io::json_text(reply));
    return reply;
  }
  // It must be refused; why.
  std::string refused(const Json& command, int client = 1) {
    const Json reply = say(command, client);
    CAPTURE(io::json_text(command));
    REQUIRE_MESSAGE(reply["ok"] == false, io::json_text(reply));
    return reply["error"].get<std::string>();
  }
  void open() { must({{"cmd", "open"}, {"example", "hose"}}); }

  serve::Editor& editor() { return bench.editor(); }
  std::uint64_t hash() { return serve::state_hash(editor().time(), editor().pose()); }
  Vec3 end() { return editor().pose().rods[0].position.back(); }
  Json scene() { return Json::parse(bench.scene_message()); }
  Json state() { return Json::parse(bench.state_message({})); }

  serve::Workbench bench;
};

template <class T>
T at_byte(const std::string& message, std::size_t at) {
  T value{};
  REQUIRE(at + sizeof value <= message.size());
  std::memcpy(&value, message.data() + at, sizeof value);
  return value;
}

}  // namespace filum::test
