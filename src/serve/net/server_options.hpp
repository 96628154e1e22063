// Where the workbench listens, and the page that it shows.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace filum::serve {

// A file of the page, built into the program.
struct Asset {
  std::string path;  // «/index.html»
  std::string bytes;
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  unsigned short port = 8420;
  bool other_port = true;            // if that one is taken: the next one that is free
  std::vector<std::string> names;    // by which other machines call this one
  std::vector<std::string> origins;  // pages from elsewhere that may connect
  std::vector<Asset> assets;
  std::string notice;                   // licences of what the program contains
  std::filesystem::path journal;        // folder for unsaved work; empty: it is not kept
  std::chrono::seconds time_limit{60};  // of one command
};

}  // namespace filum::serve
