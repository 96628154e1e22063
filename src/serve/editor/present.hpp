// What the workbench shows at one instant, as values that nobody changes any more: for threads that read while the
// simulation goes on.
#pragma once

#include "serve/editor/document.hpp"
#include "serve/editor/history_buffer.hpp"
#include "serve/editor/undo.hpp"

#include <filum/outcome.hpp>
#include <filum/pose.hpp>

#include <memory>

namespace filum::serve {

struct Present {
  std::shared_ptr<const Document> document;
  std::shared_ptr<const Pose> pose;
  bool simulated = false;  // otherwise there is no cable yet
  double time = 0;
  SolveNews solve;
  HistoryBuffer history;
  std::uint32_t frame = 0;  // that shows it
};

// As `solve` and `run` leave it, for files.
Outcome outcome_of(const Present& present);

}  // namespace filum::serve
