// A scene as JSON: all that a tree and an inspector show (docs/workbench-protocol.md, «scene»).
#pragma once

#include "serve/commands/json.hpp"

#include <filum/scene.hpp>

namespace filum::serve {

// Everything of the message but type, revision and hands.
Json scene_json(const Scene& scene);

}  // namespace filum::serve
