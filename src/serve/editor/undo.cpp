#include "serve/editor/undo.hpp"

#include <utility>

namespace filum::serve {

namespace {

constexpr std::size_t kMostMoments = 200;
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

// What of a scene may be large: drawn points and lists.
std::size_t bytes_of(const Scene& scene) {
  std::size_t bytes = sizeof(Scene);
  for (const Rod& rod : scene.rods)
    bytes += sizeof(Rod) + (rod.shape.points.size() + rod.rest.curve.points.size()) * sizeof(Vec3);
  for (const Driver& driver : scene.drivers) bytes += driver.path.size() * sizeof(Keyframe);
  return bytes + scene.holds.size() * sizeof(Hold) + scene.bodies.size() * sizeof(Body);
}

}  // namespace

std::size_t UndoPoint::bytes() const {
  return sizeof(UndoPoint) + state.values.size() * sizeof(double) + bytes_of(document.scene()) +
         (simulated ? bytes_of(*simulated) : 0);
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

void UndoStack::trim() {
  std::size_t bytes = 0;
  for (const UndoPoint& point : past_) bytes += point.bytes();
  while (past_.size() > kMostMoments || (bytes > kMostBytes && past_.size() > 1)) {
    bytes -= past_.front().bytes();
    past_.pop_front();
  }
}

std::optional<UndoPoint> UndoStack::swap(std::deque<UndoPoint>& from, std::deque<UndoPoint>& to, UndoPoint present) {
  if (from.empty()) return std::nullopt;
  UndoPoint point = std::move(from.back());
  from.pop_back();
  // the way back undoes the same thing
  present.label = point.label;
  to.push_back(std::move(present));
  return point;
}

std::optional<UndoPoint> UndoStack::undo(UndoPoint present) {
  return swap(past_, future_, std::move(present));
}

std::optional<UndoPoint> UndoStack::redo(UndoPoint present) {
  return swap(future_, past_, std::move(present));
}

}  // namespace filum::serve
