#include "serve/editor/undo.hpp"

#include "geometry/mesh_surface.hpp"
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

// Calls visit(surface) for every mesh that it keeps in memory.
template <class Visit>
void each_surface(const UndoPoint& point, Visit&& visit) {
  const auto of_list = [&](const auto& things) {
    for (const auto& thing : things)
      if (thing.surface) visit(*thing.surface);
  };
  const auto of_scene = [&](const Scene& scene) {
    of_list(scene.obstacles);
    of_list(scene.bodies);
    of_list(scene.scenery);
  };
  of_scene(point.document.scene());
  if (point.simulated) of_scene(*point.simulated);
}

}  // namespace

std::size_t UndoStack::bytes() const {
  std::size_t bytes = 0;
  std::set<const void*> counted;
  // the meshes of the newest point are the present's too, which keeps them anyway
  if (!past_.empty()) each_surface(past_.back(), [&](const geometry::MeshSurface& mesh) { counted.insert(&mesh); });
  for (const auto* points : {&past_, &future_})
    for (const UndoPoint& point : *points) {
      bytes += own_bytes(point);
      for (const Document::Shared& part : point.document.shared())
        if (counted.insert(part.what).second) bytes += part.bytes;
      each_surface(point, [&](const geometry::MeshSurface& mesh) {
        if (counted.insert(&mesh).second) bytes += mesh.bytes();
      });
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
