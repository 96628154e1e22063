#include "serve/net/page_connection.hpp"

#include "io/json_text.hpp"
#include "serve/commands/reading.hpp"

#include <boost/asio/post.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <utility>

namespace filum::serve {

namespace websocket = beast::websocket;

PageConnection::PageConnection(Hub& hub, beast::tcp_stream stream, std::string name)
    : hub_(hub), socket_(std::move(stream)), name_(std::move(name)), id_(++hub.page_counter) {}

PageConnection::~PageConnection() {
  --hub_.connections;
}

void PageConnection::accept(const http::request<http::string_body>& request) {
  beast::get_lowest_layer(socket_).expires_never();
  websocket::stream_base::timeout timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
  timeout.keep_alive_pings = true;
  socket_.set_option(timeout);
  socket_.read_message_max(kMostMessageBytes);
  socket_.auto_fragment(false);
  hub_.pages[id_] = shared_from_this();
  socket_.async_accept(request, [self = shared_from_this()](beast::error_code code) {
    if (code) return self->end();
    self->entered_ = true;
    self->welcome(self->hub_.loop->enter(self->id_));
    self->read();
  });
}

void PageConnection::welcome(Welcome all) {
  if (!open_) return;
  ready_ = true;
  tell_line(std::move(all.hello));
  tell_line(std::move(all.scene));
  tell_line(std::move(all.state));
  if (all.events) tell_line(std::move(all.events));
  tell_frame(std::move(all.frame));
}

void PageConnection::read() {
  if (!open_ || reading_ || unanswered_ >= kMostUnanswered) return;
  reading_ = true;
  socket_.async_read(incoming_, [self = shared_from_this()](beast::error_code code, std::size_t bytes) {
    self->reading_ = false;
    if (code) return self->end();
    self->take(bytes);
    self->read();
  });
}

void PageConnection::take(std::size_t bytes) {
  const std::string message = socket_.got_text() ? beast::buffers_to_string(incoming_.data()) : std::string();
  incoming_.consume(bytes);
  Request request = Request::read(message, id_, name_);
  // who cancels must not wait for what is cancelled
  if (request.command() == "cancel") {
    const bool cancelled = hub_.loop->cancel();
    return tell_line(std::make_shared<const std::string>(io::json_text(
        {{"type", "reply"}, {"id", request.id()}, {"cmd", "cancel"}, {"ok", true}, {"cancelled", cancelled}})));
  }
  ++unanswered_;
  auto answer = [page = weak_from_this(), &hub = hub_](Message reply) {
    net::post(hub.context, [page, reply = std::move(reply)]() mutable {
      const auto here = page.lock();
      if (!here) return;
      --here->unanswered_;
      here->tell_line(std::move(reply));
      here->read();
    });
  };
  if (!is_reading(request)) return hub_.loop->command(std::move(request), std::move(answer));
  // who reads does not wait for who computes
  net::post(hub_.workers, [request = std::move(request), present = hub_.loop->published().present, answer] {
    answer(std::make_shared<const std::string>(io::json_text(answer_reading(request, *present))));
  });
}

void PageConnection::tell_line(Message message) {
  if (!open_) return;
  line_bytes_ += message->size();
  line_.push_back(std::move(message));
  // somebody who asks much and reads nothing
  if (line_bytes_ > kMostWaitingBytes && line_.size() > 8) {
    beast::get_lowest_layer(socket_).close();
    return end();
  }
  write();
}

void PageConnection::tell_news(Message message) {
  if (ready_) tell_line(std::move(message));
}

void PageConnection::tell_scene(Message scene) {
  if (!ready_) return;
  scene_ = std::move(scene);
  write();
}

void PageConnection::tell_state(Message state) {
  if (!ready_) return;
  state_ = std::move(state);
  write();
}

void PageConnection::tell_frame(std::shared_ptr<const Frame> frame) {
  // one that was under way when the page was welcomed is not told twice
  if (!ready_ || !frame || frame->number <= newest_) return;
  newest_ = frame->number;
  frame_ = std::move(frame);
  write();
}

void PageConnection::tell_document(std::shared_ptr<const DocumentText> text) {
  if (!ready_ || name_.empty()) return;
  document_ = std::move(text);
  write();
}

// The text only if the page does not have it yet.
Message PageConnection::document_message() {
  const std::shared_ptr<const DocumentText> text = std::exchange(document_, nullptr);
  const auto done = text->done.find(name_);
  std::string message = R"({"type":"document","done":)";
  message += io::json_text(done == text->done.end() ? 0.0 : done->second);
  if (known_document_ != text->document) message += "," + text->fields;
  known_document_ = text->document;
  return std::make_shared<const std::string>(message + "}");
}

// What waits longest matters: lines, then the scene before the frames that belong to it.
void PageConnection::write() {
  if (writing_ || !open_) return;
  bool text = true;
  if (!line_.empty()) {
    sending_ = std::move(line_.front());
    line_.pop_front();
    line_bytes_ -= sending_->size();
  } else if (scene_) {
    sending_ = std::exchange(scene_, nullptr);
  } else if (document_) {
    sending_ = document_message();
  } else if (frame_) {
    text = false;
    sending_ = std::make_shared<const std::string>(assemble(*frame_, memory_));
    frame_.reset();
  } else if (state_) {
    sending_ = std::exchange(state_, nullptr);
  } else {
    return;
  }
  writing_ = true;
  socket_.text(text);
  socket_.async_write(net::buffer(*sending_), [self = shared_from_this()](beast::error_code code, std::size_t) {
    self->writing_ = false;
    self->sending_.reset();
    if (code) return self->end();
    self->write();
  });
}

void PageConnection::close() {
  if (!open_) return;
  open_ = false;
  hub_.pages.erase(id_);
  // `bye`, then the closing handshake, if nothing is under way
  if (writing_) return beast::get_lowest_layer(socket_).close();
  sending_ = std::make_shared<const std::string>(R"({"type":"bye"})");
  socket_.text(true);
  socket_.async_write(net::buffer(*sending_), [self = shared_from_this()](beast::error_code code, std::size_t) {
    if (code) return;
    self->socket_.async_close(websocket::close_code::going_away, [self](beast::error_code) {});
  });
}

void PageConnection::end() {
  if (std::exchange(entered_, false)) hub_.loop->leave(id_);
  open_ = false;
  hub_.pages.erase(id_);
}

}  // namespace filum::serve
