// Scenes at rest that nobody tuned for, each by its kind and a seed.
#pragma once

#include <filum/scene.hpp>

#include <array>
#include <cstdint>

namespace filum::validation {

enum class RestingKind { Span, Tree, Ring, Body, Slider, Follower, Strip, Curl, Twisted };

struct RestingKindName {
  RestingKind kind;
  const char* name;  // of several
};
inline constexpr std::array<RestingKindName, 9> kRestingKinds{{{RestingKind::Span, "spans"},
                                                               {RestingKind::Tree, "trees"},
                                                               {RestingKind::Ring, "rings"},
                                                               {RestingKind::Body, "rods with bodies"},
                                                               {RestingKind::Slider, "rods in sliding holds"},
                                                               {RestingKind::Follower, "rods under following forces"},
                                                               {RestingKind::Strip, "strips"},
                                                               {RestingKind::Curl, "heavy curls"},
                                                               {RestingKind::Twisted, "long twisted rods"}}};

// The same scene on every machine.
Scene resting_scene(RestingKind kind, std::uint64_t seed);

}  // namespace filum::validation
