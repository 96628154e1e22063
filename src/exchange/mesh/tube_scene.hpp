// A tree of tubes as a scene: rods, junctions, holds, and the rest of the mesh as bodies with their scenery.
#pragma once

#include "flexible/tube_path.hpp"
#include "flexible/tube_tree.hpp"
#include "io/mesh/mesh_read.hpp"

#include <filum/scene.hpp>

#include <string>
#include <vector>

namespace filum::exchange {

struct FlexibleOptions {
  double unit = 1;             // metres of one unit of the mesh
  bool rest_as_shaped = true;  // else straight
  std::string material = "pvc";
  bool every_piece = false;  // a body of its own for each, however many
};

struct PieceFile {
  std::string name;  // beside the scene
  std::string text;  // OBJ, in metres
};

struct FlexibleScene {
  Scene scene;
  std::string text;  // with `# assumed` where the mesh does not say
  std::vector<PieceFile> pieces;
  std::size_t others = 0;  // pieces of the mesh that are no tubes; of many that hold nothing there is one file
  std::vector<std::string> notes;
};

// `stem` names the scene and begins the names of the pieces' files; `cut`: what stays a mesh, as scenery.
FlexibleScene tube_scene(const io::MeshFile& mesh, const flexible::TubeTree& tree, const FlexibleOptions& options,
                         const std::string& stem, const flexible::CutMesh* cut = nullptr);

}  // namespace filum::exchange
