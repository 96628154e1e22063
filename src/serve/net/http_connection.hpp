// One HTTP connection: requests one after the other, until one asks to become a WebSocket.
#pragma once

#include "serve/net/hub.hpp"

namespace filum::serve {

// A connection from its first byte on; becomes a page if it asks for that.
void receive(Hub& hub, Tcp::socket socket);

}  // namespace filum::serve
