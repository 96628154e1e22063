// Pictures of a scene in its last state: one in perspective, three along the axes; earlier states of a path faded.
#pragma once

#include "report/svg/scene_view.hpp"

#include <array>
#include <string>

namespace filum::io {

SceneView scene_view(const Scene& scene, const Outcome& outcome, const ResultNames& names);

std::string perspective_svg(const SceneView& view);

// Front (x–z), side (y–z), top (x–y), all to one scale.
std::array<std::string, 3> parallel_svgs(const SceneView& view);

// The picture's key in words.
std::string picture_key(const SceneView& view);

}  // namespace filum::io
