#include "serve/net/server.hpp"

#include "serve/commands/workbench.hpp"
#include "serve/net/http_connection.hpp"
#include "serve/net/hub.hpp"
#include "serve/net/journal_writer.hpp"
#include "serve/net/kept_token.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <thread>
#include <utility>

namespace filum::serve {

struct Server::Parts {
  std::optional<KeptToken> token;
  std::optional<JournalWriter> journal;
  std::unique_ptr<Hub> hub;
  std::optional<Tcp::acceptor> acceptor;
  std::optional<net::steady_timer> clock;
  std::thread thread;

  void accept_next();
  void tick();
};

namespace {

constexpr int kOtherPorts = 20;
constexpr std::chrono::milliseconds kFarewell(300);
constexpr std::chrono::milliseconds kTick(100);

Error address_error(const std::string& where, const std::string& why) {
  return {ErrorCode::File, "cannot listen on " + where + ": " + why, {}, 0, 0};
}

// Opens the port, or one of the next if it is taken.
Result<Tcp::acceptor> listen(net::io_context& context, const ServerOptions& options) {
  NetError code;
  const net::ip::address address =
      net::ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, code);
  if (code) return address_error(options.host, "expected an address such as 127.0.0.1");
  for (int k = 0;; ++k) {
    const auto port = static_cast<unsigned short>(options.port == 0 ? 0 : options.port + k);
    const Tcp::endpoint endpoint(address, port);
    Tcp::acceptor acceptor(context);
    acceptor.open(endpoint.protocol(), code);
    if (!code) acceptor.set_option(net::socket_base::reuse_address(true), code);
    if (!code) acceptor.bind(endpoint, code);
    if (!code) acceptor.listen(net::socket_base::max_listen_connections, code);
    if (!code) return acceptor;
    const bool taken = code == net::error::address_in_use;
    if (!taken || !options.other_port || k >= kOtherPorts || options.port + k >= 65535)
      return address_error(options.host + ":" + std::to_string(port), code.message());
  }
}

// What breaks in one connection ends that one.
void serve_until_stopped(net::io_context& context) {
  while (!context.stopped()) try {
      context.run();
    } catch (const std::exception&) {
      continue;
    }
}

}  // namespace

void Server::Parts::accept_next() {
  acceptor->async_accept([this](NetError code, Tcp::socket socket) {
    if (code == net::error::operation_aborted) return;
    if (!code) receive(*hub, std::move(socket));
    // out of descriptors, say: not at once again
    if (!code) return accept_next();
    auto timer = std::make_shared<net::steady_timer>(hub->context, std::chrono::milliseconds(100));
    timer->async_wait([this, timer](NetError stopped) {
      if (!stopped) accept_next();
    });
  });
}

// Tells pages what they wait for, again and again.
void Server::Parts::tick() {
  clock->expires_after(kTick);
  clock->async_wait([this](NetError stopped) {
    if (stopped) return;
    hub->loop->tell_if_busy();
    tick();
  });
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, std::unique_ptr<Workbench> bench) {
  // the port first: the access must know it
  auto hub = std::make_unique<Hub>(std::move(options));
  Result<Tcp::acceptor> acceptor = listen(hub->context, hub->options);
  if (!acceptor) return acceptor.error();
  NetError ignored;
  const unsigned short port = acceptor->local_endpoint(ignored).port();
  auto parts = std::make_unique<Parts>();
  parts->token.emplace(hub->options.journal, hub->options.host, port);
  hub->let_in(parts->token->take(), port);

  Hub* shared = hub.get();
  if (!hub->options.journal.empty())
    parts->journal.emplace(hub->options.journal, [shared](const std::string& trouble) {
      shared->loop->post([trouble](Workbench& own) { own.editor().note(Level::Warning, trouble); });
    });
  Audience audience{[shared](std::shared_ptr<const Frame> frame) { shared->tell_frame(std::move(frame)); },
                    [shared](Message scene) { shared->tell_scene(std::move(scene)); },
                    [shared](Message state) { shared->tell_state(std::move(state)); },
                    [shared](Message news) { shared->tell_news(std::move(news)); },
                    [shared, journal = &parts->journal](DocumentNews document) {
                      if (*journal) (*journal)->note(document.document, document.meshes);
                      shared->tell_document(std::move(document));
                    }};
  hub->loop.emplace(std::move(bench), std::move(audience), hub->options.time_limit);
  parts->hub = std::move(hub);
  parts->acceptor.emplace(std::move(*acceptor));
  parts->accept_next();
  parts->hub->loop->start();
  parts->clock.emplace(parts->hub->context);
  parts->tick();
  parts->thread = std::thread([&context = parts->hub->context] { serve_until_stopped(context); });
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::~Server() {
  Hub& hub = *parts_->hub;
  hub.loop->quit();
  parts_->token->forget();
  // what is unsaved is safe before anything else
  if (parts_->journal) hub.loop->stopping() ? parts_->journal->discard() : parts_->journal->finish();
  // no more guests, and a word to those who are here; what does not end by itself soon is ended
  net::post(hub.context, [this, &hub] {
    NetError ignored;
    parts_->acceptor->close(ignored);
    parts_->clock->cancel();
    std::vector<std::shared_ptr<Page>> all;
    for (const auto& [id, page] : hub.pages) all.push_back(page);
    for (const auto& page : all) page->close();
    auto timer = std::make_shared<net::steady_timer>(hub.context, kFarewell);
    timer->async_wait([timer, &hub](NetError) { hub.context.stop(); });
  });
  parts_->thread.join();
  hub.loop.reset();
  hub.workers.join();
}

std::vector<std::string> Server::addresses() const {
  const Hub& hub = *parts_->hub;
  NetError ignored;
  const std::string port = std::to_string(parts_->acceptor->local_endpoint(ignored).port());
  const bool everywhere = hub.options.host == "0.0.0.0" || hub.options.host == "::";
  std::vector<std::string> hosts = {everywhere ? "127.0.0.1" : hub.options.host};
  hosts.insert(hosts.end(), hub.options.names.begin(), hub.options.names.end());
  for (std::string& host : hosts) {
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    host = "http://" + host + ":" + port + "/?token=" + hub.access->token();
  }
  return hosts;
}

bool Server::stopping() const {
  return parts_->hub->loop->stopping();
}

}  // namespace filum::serve
