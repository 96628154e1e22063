#include "serve/editor/undo.hpp"

#include "serve/editor/scene_bytes.hpp"

#include <set>
#include <utility>

namespace filum::serve {

namespace {

constexpr std::size_t kMostMoments = 200;
constexpr std::size_t kMostUndoBytes = std::size_t{256} << 20U;

// What it has for itself.
std::size_t own_bytes(const UndoPoint& point) {
  return sizeof(UndoPoint) + point.state.values.capacity() * sizeof(double) + bytes_of(point.document.scene()) +
         (point.simulated ? bytes_of(*point.simulated) : 0);
}

}  // namespace

std::size_t UndoStack::bytes() const {
  std::size_t bytes = 0;
  std::set<const void*> counted;
  for (const auto* points : {&past_, &future_})
    for (const UndoPoint& point : *points) {
      bytes += own_bytes(point);
      for (const Document::Shared& part : point.document.shared())
        if (counted.insert(part.what).second) bytes += part.bytes;
    }
  return bytes;
}

void UndoStack::push(UndoPoint before) {
  past_.push_back(std::move(before));
  future_.clear();
  trim();
}

void UndoStack::merge() {
  if (past_.size() < 2) return;
  past_.pop_back();
}

// The oldest first, then what is farthest ahead.
void UndoStack::trim() {
  while (past_.size() > kMostMoments) past_.pop_front();
  while (past_.size() + future_.size() > 1 && bytes() > kMostUndoBytes)
    past_.size() > 1 ? past_.pop_front() : future_.empty() ? past_.pop_front() : future_.pop_front();
}

std::optional<UndoPoint> UndoStack::swap(std::deque<UndoPoint>& from, std::deque<UndoPoint>& to, UndoPoint present) {
  if (from.empty()) return std::nullopt;
  UndoPoint point = std::move(from.back());
  from.pop_back();
  // the way back undoes the same thing
  present.label = point.label;
  to.push_back(std::move(present));
  trim();
  return point;
}

std::optional<UndoPoint> UndoStack::undo(UndoPoint present) {
  return swap(past_, future_, std::move(present));
}

std::optional<UndoPoint> UndoStack::redo(UndoPoint present) {
  return swap(future_, past_, std::move(present));
}

}  // namespace filum::serve
