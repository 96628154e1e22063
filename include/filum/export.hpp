// Results in the formats of other programs.
#pragma once

#include <filum/result_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum {

// «csv», «vtk», «obj», «gltf»: files written into (or named by) `target`; returns their paths. Of a run csv and vtk
// have all recorded frames, obj and gltf the last state.
Result<std::vector<std::string>> export_result(const StoredResult& result, std::string_view format,
                                               const std::string& target);

}  // namespace filum
