// The skin of a rod for mesh formats: a tube of its real section, pipes with their bore. A massless rope is drawn like a
// rod without an outline.
#pragma once

#include "geometry/tube_mesh.hpp"

#include <filum/pose.hpp>
#include <filum/result_file.hpp>

namespace filum::io {

// The sections of a rod of a pose, one for each of its points. How wide they are stands in its outline; whether they have
// corners or a bore is told by the result's scene, as far as that is known. A rod without an outline gets a thousandth
// of its length as radius, so that there is something to see.
std::vector<geometry::TubeSection> sections_along(const StoredResult& result, size_t index, const RodPose& rod);

// Which piece of a rod each of its points belongs to: where it has parted two stand at the same arc length.
std::vector<int> pieces_along(const RodPose& rod);

// `scalar` of the mesh is the size of the curvature, 1/m. Stations that are not finite are left out.
geometry::TriangleMesh rod_skin(const StoredResult& result, size_t index, const RodPose& rod);

// A rope as a rod along its path: unbent, under the largest tension of its parts, with frames that turn no more than
// the path does.
RodPose rope_as_rod(const RopePose& rope);

// The rods of a pose, and behind them its ropes.
std::vector<RodPose> rods_and_ropes(const Pose& pose);

}  // namespace filum::io
