// The list of all validation cases. A new case is a function in its own file, declared and entered here by hand: no
// registration behind the reader's back.
#include "validation/cases.hpp"

namespace filum::validation {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {heavy_cantilever(), heavy_cantilever_skew(), clamp_inside(), space_cantilever(),
                                        tip_load()};
  return all;
}

}  // namespace filum::validation
