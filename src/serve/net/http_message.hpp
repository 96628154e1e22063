// What is asked and answered by HTTP, as plain values that know no library of the network.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace filum::serve {

enum class HttpStatus : unsigned {
  Ok = 200,
  BadRequest = 400,
  Forbidden = 403,
  NotFound = 404,
  MethodNotAllowed = 405,
  TooLarge = 413,
  InternalError = 500,
  Unavailable = 503
};

struct HttpRequest {
  std::string method;  // «GET»
  std::string target;  // «/api/scene?name=a»
  std::string host;    // this and the next two are headers, empty if they are not there
  std::string origin;
  std::string token;
  std::string body;
};

struct HttpResponse {
  HttpStatus status = HttpStatus::Ok;
  std::string type;  // of the body
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // besides those that every answer has
};

}  // namespace filum::serve
