// What undo and redo go back to: the document, the simulated scene and its state, to the last bit.
#pragma once

#include "serve/editor/document.hpp"

#include <filum/run.hpp>

#include <deque>
#include <optional>
#include <string>

namespace filum::serve {

// How the last equilibrium or step went.
struct SolveNews {
  const char* kind = "none";  // settle, step, none
  bool converged = true;
  std::optional<bool> stable;
  std::string why;
  long iterations = 0;
  double residual = 0;
  double ms = 0;  // wall time
};

struct UndoPoint {
  std::string label;  // what was about to be done
  Document document;
  std::optional<Scene> simulated;  // empty: there was nothing to simulate
  SavedState state;
  SolveNews solve;
  bool laid = false;
  bool fresh = true;
};

// Bounded by number and by bytes: the oldest go first.
class UndoStack {
 public:
  // Before something is done. What was undone cannot be redone after that.
  void push(UndoPoint before);
  // What was about to be done last has not been done after all.
  void drop_last() { past_.pop_back(); }
  // The last thing and the one before are one thing.
  void merge();
  // About as many bytes as all of it takes; what points share counts once.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t depth() const { return past_.size(); }
  [[nodiscard]] std::size_t redo_depth() const { return future_.size(); }
  [[nodiscard]] std::string label() const { return past_.empty() ? "" : past_.back().label; }
  [[nodiscard]] std::string redo_label() const { return future_.empty() ? "" : future_.back().label; }

  // Gives the point to go back (or forth) to and keeps the present one for the way back. Nothing: there is none.
  std::optional<UndoPoint> undo(UndoPoint present);
  std::optional<UndoPoint> redo(UndoPoint present);

 private:
  std::optional<UndoPoint> swap(std::deque<UndoPoint>& from, std::deque<UndoPoint>& to, UndoPoint present);
  void trim();

  std::deque<UndoPoint> past_;
  std::deque<UndoPoint> future_;
};

}  // namespace filum::serve
