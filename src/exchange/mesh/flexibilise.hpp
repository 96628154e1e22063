// From a mesh to a scene: tubes found, its unit settled, what cannot be made flexible said.
#pragma once

#include "exchange/mesh/tube_scene.hpp"

#include <filum/result.hpp>

#include <optional>
#include <string>
#include <utility>

namespace filum::exchange {

struct FlexibiliseRequest {
  std::optional<double> unit;  // metres of one unit of the mesh; none: as the file says, else guessed and told
  bool rest_as_shaped = true;  // else straight
  std::string material = "pvc";
  std::optional<std::pair<Vec3, Vec3>> between;  // only from here to there, in the mesh's own coordinates
  bool partial = false;                          // go on without what cannot be made flexible
  bool every_piece = false;                      // a body for each piece that is no tube, however many
};

// A mesh and the tubes in it.
struct MeshTubes {
  io::MeshFile mesh;
  flexible::TubeTree tree;
  std::size_t doubled = 0;  // triangles that stood in the mesh twice: each is there once now
};
MeshTubes tubes_in(io::MeshFile mesh);
// The same scaled, then turned and moved: in metres of the world.
MeshTubes placed(MeshTubes found, double scale, const Quat& orientation, const Vec3& position);

// Refused: a mesh without a tube; tubes closed in themselves, unless a part is enough; picked points beside any tube, or
// not connected; tubes of a thickness that no unit explains.
Result<FlexibleScene> flexibilise(const MeshTubes& found, const FlexibiliseRequest& request, const std::string& stem);

// Of a file that does not say its unit, by how thick its tubes are: cables are not as thick as an arm, nor as thin as the
// thinnest wires. Returns 1 (metres), 0.001 (millimetres), or 0.0254 (inches), which fit where neither of these does.
double guessed_unit(const flexible::TubeTree& tree);

}  // namespace filum::exchange
