// Several files in one: a ZIP archive, stored without compression.
#pragma once

#include <string>
#include <vector>

namespace filum::serve {

struct ZipEntry {
  std::string name;
  std::string bytes;
};

std::string zip(const std::vector<ZipEntry>& entries);

}  // namespace filum::serve
