// A harness as a scene: rods, bundles, junctions and holds, as YAML whose assumptions are marked.
#pragma once

#include "exchange/harness/centre_line.hpp"
#include "exchange/harness/harness.hpp"

#include <filum/scene.hpp>

#include <map>
#include <string>
#include <vector>

namespace filum::exchange {

// How a clip holds the bundle.
enum class FixingKind {
  Clamp,  // position and direction
  Pin,    // position
  Guide,  // the bundle slides through
  Free    // not at all
};

struct ImportOptions {
  CurveReading reading = CurveReading::ByFile;
  bool rest_as_shaped = false;                // else straight, as made on a board
  std::map<std::string, FixingKind> fixings;  // by the file's own word for the type; else by words in it
};

// A table of fixing types: a line each, «type = clamp», pin, guide or free; # begins a comment.
Result<std::map<std::string, FixingKind>> parse_fixing_kinds(std::string_view text, const std::string& file);

struct Import {
  Scene scene;
  std::string text;                // of the scene, with `# assumed` where the file did not say
  std::vector<std::string> notes;  // contradictions, and how they were decided
};
// `title` is the scene's.
Import import_harness(const Harness& harness, const ImportOptions& options, const std::string& title);

}  // namespace filum::exchange
