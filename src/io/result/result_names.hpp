// The names under which the parts of a pose are written: those of the scene, or «rod 3» where the scene has none.
#pragma once

#include <filum/outcome.hpp>
#include <filum/result_file.hpp>

#include <string>
#include <vector>

namespace filum::io {

// One name for everything that any state or history row of the outcome has.
ResultNames names_of(const Scene& scene, const Outcome& outcome);

// The name at `index`, or «<kind> <index + 1>».
std::string name_or(const std::vector<std::string>& names, size_t index, const char* kind);

}  // namespace filum::io
