// What the network's parts share: the access, the loop, the page's files, and who is connected.
//
// All of it but the loop belongs to the network thread. The loop's news come through mailboxes that hold the latest
// alone, so that a busy network never makes the loop wait and never piles up frames.
#pragma once

#include "serve/net/access.hpp"
#include "serve/net/server_options.hpp"
#include "serve/net/simulation_thread.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace filum::serve {

namespace net = boost::asio;
using Tcp = boost::asio::ip::tcp;
using NetError = boost::system::error_code;

inline constexpr std::size_t kMostMessageBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMostUploadBytes = std::size_t{64} << 20U;
inline constexpr std::size_t kMostWaitingBytes = std::size_t{4} << 20U;
inline constexpr std::size_t kMostPages = 32;
inline constexpr std::size_t kMostConnections = 128;  // that have shown the token
inline constexpr std::size_t kMostStrangers = 64;     // that have not: the oldest goes when another comes

// The document for pages to keep.
struct DocumentText {
  std::shared_ptr<const Document> document;
  std::map<std::string, double> done;  // by page
  std::string fields;                  // «"name": …, "text": …», of the message
};

// A page that is connected, as the hub tells it things.
class Page {
 public:
  virtual ~Page() = default;
  virtual void tell_frame(std::shared_ptr<const Frame> frame) = 0;
  virtual void tell_scene(Message scene) = 0;
  virtual void tell_state(Message state) = 0;
  virtual void tell_news(Message message) = 0;
  virtual void tell_document(std::shared_ptr<const DocumentText> text) = 0;
  // With `bye`.
  virtual void close() = 0;
};

struct Hub {
  explicit Hub(ServerOptions settings) : options(std::move(settings)) {}
  // Once the port is known.
  void let_in(const std::string& token, unsigned short port) {
    access.emplace(token, options.host, port, options.names, options.origins);
  }

  // ends from the last to the first: nothing outlives what it uses
  ServerOptions options;
  std::optional<AccessRule> access;
  std::size_t connections = 0;                 // that have shown the token
  std::list<std::function<void()>> strangers;  // how to end those that have not, the oldest first
  int page_counter = 0;
  net::io_context context{1};
  std::map<int, std::shared_ptr<Page>> pages;
  net::thread_pool workers{1};
  std::optional<SimulationThread> loop;

  // The latest of each, from the loop's thread to the pages.
  void tell_frame(std::shared_ptr<const Frame> frame);
  void tell_scene(Message scene);
  void tell_state(Message state);
  void tell_news(Message news);
  // Its text takes a while to write: that is done aside, of the latest.
  void tell_document(DocumentNews news);

 private:
  void write_document();
  void deliver_soon();
  void deliver();

  std::mutex mutex_;
  bool due_ = false;
  std::shared_ptr<const Frame> frame_;
  Message scene_;
  Message state_;
  std::vector<Message> news_;
  std::optional<DocumentNews> document_;         // to be written
  bool writing_ = false;                         // somebody is about to
  std::shared_ptr<const DocumentText> written_;  // last; the worker's own
};

}  // namespace filum::serve
