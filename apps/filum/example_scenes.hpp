// The scenes of the scenes/ folder with their pictures, built into the program so that an installed one needs no source
// tree. The .cpp is made at build time by embed_scenes.cmake.
#pragma once

#include <string>
#include <vector>

namespace filum::app {

struct ExampleScene {
  std::string name;     // the file's name without .yaml
  std::string text;     // the file, byte by byte
  std::string picture;  // SVG, or empty
};

// Sorted by name.
const std::vector<ExampleScene>& example_scenes();

}  // namespace filum::app
