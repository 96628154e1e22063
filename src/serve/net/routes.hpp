// What is answered by HTTP: the page's files, the scene up and down, examples, exports, meshes.
#pragma once

#include "serve/net/access.hpp"
#include "serve/net/http_message.hpp"

#include <functional>
#include <optional>
#include <string>

namespace filum::serve {

struct Hub;

// Answers one request, now or later. `respond` must be called on the network thread.
using Respond = std::function<void(HttpResponse)>;
void handle_request(Hub& hub, HttpRequest request, Respond respond);

// Why a request may not come in, or nothing.
std::optional<HttpResponse> turned_away(const Hub& hub, const HttpRequest& request, const Target& target);
HttpResponse json_error(HttpStatus status, const std::string& why);

}  // namespace filum::serve
