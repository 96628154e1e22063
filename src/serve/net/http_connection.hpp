// One HTTP connection: requests one after the other, until one asks to become a WebSocket.
//
// It is a stranger's until a request has shown the token. Strangers are few, get little time and make room for those
// who come after them, so that they lock nobody out; nothing of what they send is kept beyond the header.
#pragma once

#include "serve/net/hub.hpp"

namespace filum::serve {

// A connection from its first byte on; becomes a page if it asks for that.
void receive(Hub& hub, Tcp::socket socket);

}  // namespace filum::serve
