// What the rods and ropes of a result are called, in files and as files.
#pragma once

#include <filum/result_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// Of the rods of a result and, behind them, its ropes.
std::string line_name(const StoredResult& result, size_t rods, size_t index);

// A name that is safe as a file name everywhere and unlike the ones in `taken`, to which it is added.
std::string file_stem(std::string_view name, std::vector<std::string>& taken);

}  // namespace filum::io
