// The files of the workbench's page, built into the program. The .cpp is made at build time by embed_page.cmake.
#pragma once

#include "serve/server.hpp"

#include <vector>

namespace filum::app {

std::vector<serve::Asset> page_files();

}  // namespace filum::app
