// The list of all validation cases. A new case is a function in its own file, declared and entered here by hand: no
// registration behind the reader's back.
#include "validation/case.hpp"

namespace filum::validation {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {};
  return all;
}

}  // namespace filum::validation
