// A sliding hold that has come to the end of its way, as an event.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/slider_memory.hpp"

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

namespace filum::discrete {

// Of a slider that has stopped: at the start or the end of its rod.
inline Event slider_stop(const ModelData& model, const SliderMemory& state, std::size_t slider) {
  const Hold& hold = model.scene->holds[at(model.sliders[slider].hold)];
  Event event;
  event.kind = EventKind::SliderStopped;
  event.object = {ObjectKind::Hold, hold.name};
  event.rod = hold.rod;
  event.to.kind = state.slide_stop[slider] > 0 ? PlaceKind::End : PlaceKind::Start;
  return event;
}

}  // namespace filum::discrete
