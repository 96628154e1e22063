// The workbench on the network: the page and its files by HTTP, commands and frames by WebSocket.
//
// Two threads besides the caller's: one for the network, one that owns the simulation (simulation_thread.hpp); a third does what
// takes long without it (exports). They talk by messages alone.
#pragma once

#include <filum/result.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace filum::serve {

class Workbench;

// A file of the page, built into the program.
struct Asset {
  std::string path;  // «/index.html»
  std::string bytes;
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  unsigned short port = 8420;
  bool other_port = true;            // if that one is taken: the next one that is free
  std::vector<std::string> origins;  // pages from elsewhere that may connect
  std::vector<Asset> assets;
};

class Server {
 public:
  // Listens from then on. An error: the address cannot be had.
  static Result<std::unique_ptr<Server>> start(ServerOptions options, std::unique_ptr<Workbench> bench);
  // Says goodbye to the pages and ends.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // With the token.
  [[nodiscard]] std::string address() const;
  // Somebody has told it to stop.
  [[nodiscard]] bool stopping() const;

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace filum::serve
