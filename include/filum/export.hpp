// Results in the formats of other programs.
#pragma once

#include <filum/result_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum {

// «csv», «vtk»; «obj», «stl», «gltf», the skins; «step», «vdafs», «dxf», the centre lines; «animation» (glTF) and «usd»,
// the motion: files written into (or named by) `target`; returns their paths. Of a run csv, vtk, animation and usd have
// all recorded frames, the others the last state.
Result<std::vector<std::string>> export_result(const StoredResult& result, std::string_view format,
                                               const std::string& target);

}  // namespace filum
