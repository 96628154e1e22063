#include "serve/net/http_connection.hpp"

#include "serve/net/page_connection.hpp"
#include "serve/net/routes.hpp"

#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <chrono>
#include <optional>
#include <utility>

namespace filum::serve {

namespace {

constexpr std::chrono::seconds kPatience(30);
constexpr std::chrono::seconds kStrangerPatience(5);
constexpr std::uint32_t kMostHeaderBytes = 16 << 10;
constexpr int kSendBufferBytes = 128 << 10;

using BeastRequest = http::request<http::string_body>;
using BeastResponse = http::response<http::string_body>;

HttpRequest plain(BeastRequest request) {
  const auto text = [](beast::string_view view) { return std::string(view.data(), view.size()); };
  return {text(request.method_string()),      text(request.target()),         text(request[http::field::host]),
          text(request[http::field::origin]), text(request["X-Filum-Token"]), std::move(request.body())};
}

// With the headers that every answer has.
BeastResponse as_sent(HttpResponse response, unsigned version) {
  BeastResponse sent(static_cast<http::status>(response.status), version);
  sent.set(http::field::server, "filum");
  sent.set(http::field::content_type, response.type);
  sent.set(http::field::cache_control, "no-store");
  sent.set("X-Content-Type-Options", "nosniff");
  sent.set("Referrer-Policy", "no-referrer");
  for (const auto& [name, value] : response.headers) sent.set(name, value);
  sent.body() = std::move(response.body);
  return sent;
}

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(Hub& hub, Tcp::socket socket) : hub_(hub), stream_(std::move(socket)) {}
  ~HttpConnection() {
    if (known_) --hub_.connections;
    forget_stranger();
  }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void begin() {
    if (hub_.strangers.size() >= kMostStrangers) {
      // ends the oldest, which takes itself off the list
      const std::function<void()> end = hub_.strangers.front();
      end();
    }
    hub_.strangers.push_back([weak = weak_from_this()] {
      if (const auto self = weak.lock()) {
        self->forget_stranger();
        self->stream_.close();
      }
    });
    stranger_ = std::prev(hub_.strangers.end());
    read();
  }

 private:
  void forget_stranger() {
    if (stranger_) hub_.strangers.erase(*stranger_);
    stranger_.reset();
  }

  void read() {
    parser_.emplace();
    parser_->body_limit(kMostUploadBytes);
    parser_->header_limit(kMostHeaderBytes);
    stream_.expires_after(known_ ? kPatience : kStrangerPatience);
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code code, std::size_t) { self->take_head(code); });
  }

  // Who is turned away is so before the rest of the request is read.
  void take_head(beast::error_code code) {
    if (code) return take(code);
    const HttpRequest asked = plain(http::request<http::string_body>(parser_->get().base()));
    const Target target = parse_target(asked.target);
    version_ = parser_->get().version();
    if (auto response = turned_away(hub_, asked, target)) {
      close_after_ = overfull_ = true;
      return respond(std::move(*response));
    }
    if (!known_ && hub_.access->knows(target, asked.token)) {
      if (hub_.connections >= kMostConnections) {
        close_after_ = overfull_ = true;
        return respond(json_error(HttpStatus::Unavailable, "there are too many connections already"));
      }
      ++hub_.connections;
      known_ = true;
      forget_stranger();
    }
    stream_.expires_after(known_ ? kPatience : kStrangerPatience);
    // what needs no token has no body worth waiting for
    if (!known_) parser_->body_limit(kMostHeaderBytes);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code read, std::size_t) { self->take(read); });
  }

  void take(beast::error_code code) {
    if (code == http::error::body_limit) {
      close_after_ = overfull_ = true;
      return respond(json_error(HttpStatus::TooLarge, "this is too large: at most 64 MiB"));
    }
    if (code) {
      // what is not HTTP gets a word if it can still be said
      const bool spoken = code != http::error::end_of_stream && code.category() == http::make_error_code({}).category();
      close_after_ = true;
      if (spoken) return respond(json_error(HttpStatus::BadRequest, "this is not HTTP"));
      return;
    }
    if (beast::websocket::is_upgrade(parser_->get())) return upgrade();
    BeastRequest request = parser_->release();
    close_after_ = !request.keep_alive();
    version_ = request.version();
    handle_request(hub_, plain(std::move(request)),
                   [self = shared_from_this()](HttpResponse response) { self->respond(std::move(response)); });
  }

  void upgrade() {
    const BeastRequest request = parser_->release();
    const HttpRequest asked = plain(request);
    const Target target = parse_target(asked.target);
    close_after_ = true;
    version_ = request.version();
    if (target.path != "/ws") return respond(json_error(HttpStatus::NotFound, "there is no such socket"));
    if (hub_.pages.size() >= kMostPages)
      return respond(json_error(HttpStatus::Unavailable, "there are too many pages already"));
    ++hub_.connections;  // the page's own; ours ends with us
    std::make_shared<PageConnection>(hub_, std::move(stream_), target.value("page"))->accept(request);
  }

  void respond(HttpResponse response) {
    auto kept = std::make_shared<BeastResponse>(as_sent(std::move(response), version_));
    kept->keep_alive(!close_after_);
    kept->prepare_payload();
    stream_.expires_after(kPatience);
    http::async_write(stream_, *kept, [self = shared_from_this(), kept](beast::error_code code, std::size_t) {
      if (code) return;
      if (!self->close_after_) return self->read();
      beast::error_code ignored;
      self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
      if (self->overfull_) self->drain();
    });
  }

  // Who is still sending hears the answer only after that: what comes is thrown away, for a while.
  void drain() {
    buffer_.consume(buffer_.size());
    stream_.async_read_some(buffer_.prepare(std::size_t{1} << 16U),
                            [self = shared_from_this()](beast::error_code code, std::size_t bytes) {
                              self->drained_ += bytes;
                              if (!code && self->drained_ < 4 * kMostUploadBytes) self->drain();
                            });
  }

  Hub& hub_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  bool known_ = false;  // has shown the token
  std::optional<std::list<std::function<void()>>::iterator> stranger_;
  unsigned version_ = 11;  // of the last request, or HTTP/1.1
  bool close_after_ = false;
  bool overfull_ = false;  // more was sent than is taken
  std::size_t drained_ = 0;
};

}  // namespace

void receive(Hub& hub, Tcp::socket socket) {
  beast::error_code ignored;
  socket.set_option(Tcp::no_delay(true), ignored);
  // what waits in the system's own buffers is old by the time a slow page reads it
  socket.set_option(net::socket_base::send_buffer_size(kSendBufferBytes), ignored);
  std::make_shared<HttpConnection>(hub, std::move(socket))->begin();
}

}  // namespace filum::serve
