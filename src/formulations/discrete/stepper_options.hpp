// The options of steppers in time that the formulations of discrete rods share: `integrator` and its spectral radius.
#pragma once

#include "scene/problem.hpp"

#include <vector>

namespace filum {
struct Simulation;
}

namespace filum::discrete {

// What makes no sense of them.
std::vector<scene::Problem> stepper_option_refusals(const Simulation& simulation);

}  // namespace filum::discrete
