#include "serve/undo.hpp"

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

std::size_t Moment::bytes() const {
  return sizeof(Moment) + state.values.size() * sizeof(double) + bytes_of(document.scene()) +
         (simulated ? bytes_of(*simulated) : 0);
}

void UndoStack::push(Moment before) {
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
  for (const Moment& moment : past_) bytes += moment.bytes();
  while (past_.size() > kMostMoments || (bytes > kMostBytes && past_.size() > 1)) {
    bytes -= past_.front().bytes();
    past_.pop_front();
  }
}

std::optional<Moment> UndoStack::swap(std::deque<Moment>& from, std::deque<Moment>& to, Moment present) {
  if (from.empty()) return std::nullopt;
  Moment moment = std::move(from.back());
  from.pop_back();
  // the way back undoes the same thing
  present.label = moment.label;
  to.push_back(std::move(present));
  return moment;
}

std::optional<Moment> UndoStack::undo(Moment present) {
  return swap(past_, future_, std::move(present));
}

std::optional<Moment> UndoStack::redo(Moment present) {
  return swap(future_, past_, std::move(present));
}

}  // namespace filum::serve
