// The skin of a rod for mesh formats: a tube of its real section.
#pragma once

#include "geometry/tube_mesh.hpp"

#include <filum/pose.hpp>

namespace filum::io {

// `scalar` of the mesh is the size of the curvature, 1/m. Stations that are not finite are left out; a rod without an
// outline gets a thousandth of its length as radius, so that there is something to see.
geometry::TriangleMesh rod_skin(const RodPose& rod);

}  // namespace filum::io
