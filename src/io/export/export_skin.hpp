// The skin of a rod for mesh formats: a tube of its real section. A massless rope is drawn like a rod without an
// outline.
#pragma once

#include "geometry/tube_mesh.hpp"

#include <filum/pose.hpp>

namespace filum::io {

// `scalar` of the mesh is the size of the curvature, 1/m. Stations that are not finite are left out; a rod without an
// outline gets a thousandth of its length as radius, so that there is something to see.
geometry::TriangleMesh rod_skin(const RodPose& rod);

// A rope as a rod along its path: unbent, under the largest tension of its parts, with frames that turn no more than
// the path does.
RodPose rope_as_rod(const RopePose& rope);

// The rods of a pose, and behind them its ropes.
std::vector<RodPose> rods_and_ropes(const Pose& pose);

}  // namespace filum::io
