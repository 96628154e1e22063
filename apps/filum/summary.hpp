// The short table that `filum solve` and `filum run` print, and the lines about limits that it shares with `filum
// check`.
#pragma once

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <string>
#include <vector>

namespace filum::app {

// `folder`: where the result went; empty: nowhere.
std::string summary(const Scene& scene, const Outcome& outcome, const std::string& folder);

// One line per limit: value, limit, where, verdict.
std::string limits_table(const std::vector<Check>& checks, const std::string& indent);

}  // namespace filum::app
