// The files of the workbench's page, which lie beside the program: ../share/filum/page, built there or installed there.
#pragma once

#include "serve/net/server.hpp"

#include <filum/result.hpp>

#include <vector>

namespace filum::app {

// An error says how to build the page if it is not there.
Result<std::vector<serve::Asset>> page_files();

}  // namespace filum::app
