// Natural frequencies for validation cases: of one scene, and as rows for a mesh and for the limit of ever finer ones.
#pragma once

#include "validation/scenes.hpp"

#include <filum/modes.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filum::validation {

// ω in rad/s by rising order, unstable and free motions left out; a pair of equal ones counts once.
std::vector<double> frequencies(const Scene& scene, int count);

// Two rows for each mode: at N = 50 within 0.4 %, and extrapolated from N = 50 and 100 at second order within 0.02 %.
void add_frequency_rows(Sheet& sheet, const std::string& name, const std::vector<double>& reference,
                        const std::function<Scene(int)>& scene);

}  // namespace filum::validation
