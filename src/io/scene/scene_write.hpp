// Scenes as fresh YAML text, as the descriptions of their mappings have it.
#pragma once

#include "scene/describe/field.hpp"

#include <filum/scene.hpp>

#include <string>

namespace filum::io {

// How much of a scene is written.
enum class Extent {
  All,
  Binding  // without what may change though a run goes on
};
std::string scene_text(const Scene& scene, Extent extent);

// The value of one key of a thing, which must have it.
std::string value_text(const scene::Field& field, const void* thing);

}  // namespace filum::io
