// One page at the other end of a WebSocket.
//
// Replies and events wait in line, bounded by bytes. Of scene, state, document and frame only the latest waits: a page that reads
// slowly misses some and slows nobody. Commands are taken one after the other and no further ones are read while too
// many of them wait to be answered.
#pragma once

#include "serve/editor/page_frame.hpp"
#include "serve/net/hub.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <deque>

namespace filum::serve {

namespace beast = boost::beast;
namespace http = boost::beast::http;

class PageConnection final : public Page, public std::enable_shared_from_this<PageConnection> {
 public:
  // `name`: what the page calls itself; empty: it keeps nothing.
  PageConnection(Hub& hub, beast::tcp_stream stream, std::string name);
  ~PageConnection() override;
  PageConnection(const PageConnection&) = delete;
  PageConnection& operator=(const PageConnection&) = delete;

  void accept(const http::request<http::string_body>& request);

  void tell_frame(std::shared_ptr<const Frame> frame) override;
  void tell_scene(Message scene) override;
  void tell_state(Message state) override;
  void tell_news(Message message) override;
  void tell_document(std::shared_ptr<const DocumentText> text) override;
  void close() override;

 private:
  static constexpr int kMostUnanswered = 64;

  void welcome(Welcome all);
  void read();
  void take(std::size_t bytes);
  void tell_line(Message message);
  void write();
  Message document_message();
  void end();

  Hub& hub_;
  beast::websocket::stream<beast::tcp_stream, false> socket_;  // without compression, which takes long to compile
  std::string name_;
  int id_ = 0;
  bool entered_ = false;  // the loop knows of it
  bool ready_ = false;    // welcomed: news may be sent
  bool open_ = true;
  beast::flat_buffer incoming_;
  bool reading_ = false;
  int unanswered_ = 0;

  bool writing_ = false;
  std::deque<Message> line_;
  std::size_t line_bytes_ = 0;
  Message scene_;
  Message state_;
  std::shared_ptr<const Frame> frame_;
  std::uint32_t newest_ = 0;  // frame
  FrameMemory memory_;
  std::shared_ptr<const DocumentText> document_;    // to be told
  std::shared_ptr<const Document> known_document_;  // whose text the page has
  Message sending_;
};

}  // namespace filum::serve
