// The page's types of what scene_json says.
#pragma once

#include <string>

namespace filum::serve {

// web/src/protocol/scene_keys.generated.ts, written by the program describe_scene: a guard for each key of each thing.
std::string scene_types();

}  // namespace filum::serve
