// What editors and readers are told of the scene file, made from the descriptions of its mappings. The files that hold it
// are written by the program describe_scene, and a test compares them.
#pragma once

#include "scene/describe/field.hpp"

#include <string>
#include <string_view>

namespace filum::io {

// docs/scene.schema.json
std::string scene_schema();

// docs/scene-format.md with its tables of keys made anew: those between «<!-- keys: rod -->» and «<!-- end -->».
std::string with_key_tables(std::string_view markdown);

// The default of a key in words, as the tables have it.
std::string default_text(const scene::Table& table, const scene::Field& field);

}  // namespace filum::io
