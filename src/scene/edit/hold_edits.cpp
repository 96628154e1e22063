// Holds: added, removed, spread along a rod.
#include <filum/edit.hpp>

#include "scene/edit/edit_kit.hpp"

#include <string>
#include <utility>

namespace filum::edit {

Status add_hold(Scene& scene, Hold hold) {
  Draft draft(scene);
  if (!find_rod(draft.now, hold.rod)) return no_such("rod", hold.rod);
  if (hold.name.empty()) hold.name = free_name(scene.holds, "hold");
  draft.now.holds.push_back(std::move(hold));
  return draft.finish();
}

Status remove_hold(Scene& scene, std::string_view hold) {
  const int index = index_of(scene.holds, hold);
  if (index < 0) return no_such("hold", hold);
  Draft draft(scene);
  remove_driver(draft.now, DriverKind::Hold, scene.holds[at(index)].name);
  draft.now.holds.erase(draft.now.holds.begin() + index);
  return draft.finish();
}

Status spread_holds(Scene& scene, std::string_view rod, int count, Grip grip, std::string_view name) {
  constexpr int kMostHolds = 10'000;
  Draft draft(scene);
  const Rod* held = find_rod(draft.now, rod);
  if (!held) return no_such("rod", rod);
  if (count < 1 || count > kMostHolds)
    return bad_input("holds to spread must be 1 to " + std::to_string(kMostHolds) + ", found " + std::to_string(count));
  // a ring has no end, one hold alone is in the middle
  const int gaps = held->closed ? count : count - 1;
  for (int i = 0; i < count; ++i) {
    Hold hold;
    hold.name = std::string(name) + ' ' + std::to_string(i + 1);
    hold.rod = held->name;
    hold.at.fraction = gaps == 0 ? 0.5 : static_cast<double>(i) / gaps;
    hold.fix.position = kAllAxes;
    if (grip == Grip::PositionAndOrientation) hold.fix.orientation = kAllAxes;
    draft.now.holds.push_back(std::move(hold));
  }
  return draft.finish();
}

}  // namespace filum::edit
