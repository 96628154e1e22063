// Who may come in: the token, the Host and Origin of a request, and its address taken apart.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace filum::serve {

// An address as a browser sends it: «/api/scene?name=a%20b».
struct Target {
  std::string path;                          // decoded
  std::map<std::string, std::string> query;  // decoded; the first of each name counts
  [[nodiscard]] std::string value(const std::string& name) const;
};
Target parse_target(std::string_view target);

// Reached by this machine alone.
bool is_loopback(const std::string& host);

// 32 hexadecimal digits that nobody guesses.
std::string new_token();

class AccessRule {
 public:
  // `host`: what the server listens on. `names`: what else it is called. `origins`: pages from elsewhere that may come
  // in too.
  AccessRule(std::string token, const std::string& host, unsigned short port, const std::vector<std::string>& names,
             std::vector<std::string> origins);

  [[nodiscard]] const std::string& token() const { return token_; }
  // In the query or in the header X-Filum-Token. Takes as long whatever is wrong.
  [[nodiscard]] bool knows(const Target& target, std::string_view header) const;
  [[nodiscard]] bool host_allowed(std::string_view host) const;
  // An empty one is none: not a browser's page.
  [[nodiscard]] bool origin_allowed(std::string_view origin) const;

 private:
  std::string token_;
  std::vector<std::string> hosts_;
  std::vector<std::string> origins_;
};

}  // namespace filum::serve
