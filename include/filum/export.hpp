// Results in the formats of other programs.
#pragma once

#include <filum/result_file.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum {

// «csv», «vtk»; «obj», «stl», «gltf», the skins; «step», «vdafs», «dxf», the centre lines; «bends», these as straight
// pieces and arcs; «animation» (glTF) and «usd», the motion: files written into (or named by) `target`; returns their paths. Of a run csv, vtk, animation and usd have
// all recorded frames, the others the last state. `tolerance`: how far step, vdafs (default 0.01 mm) and bends (default
// 1 mm) may be from the rods, m.
Result<std::vector<std::string>> export_result(const StoredResult& result, std::string_view format,
                                               const std::string& target, std::optional<double> tolerance = {});

}  // namespace filum
