// The workbench on the network: the page and its files by HTTP, commands and frames by WebSocket.
//
// Two threads besides the caller's: one for the network, one that owns the simulation (simulation_thread.hpp); a third does what
// takes long without it (exports). They talk by messages alone.
#pragma once

#include "serve/net/server_options.hpp"

#include <filum/result.hpp>

#include <memory>
#include <string>

namespace filum::serve {

class Workbench;

class Server {
 public:
  // Listens from then on. An error: the address cannot be had.
  static Result<std::unique_ptr<Server>> start(ServerOptions options, std::unique_ptr<Workbench> bench);
  // Says goodbye to the pages and ends. Unsaved work stays in the journal, unless a page has told it to stop.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // With the token: for this machine, then one for each name.
  [[nodiscard]] std::vector<std::string> addresses() const;
  // Somebody has told it to stop.
  [[nodiscard]] bool stopping() const;

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace filum::serve
