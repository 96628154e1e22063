#include "serve/net/access.hpp"

#include <algorithm>
#include <cctype>
#include <random>
#include <utility>

namespace filum::serve {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(16 * high + low);
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// Looks at every character, equal or not.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned>(a[i] ^ (b.empty() ? '\0' : b[i % b.size()]));
  return difference == 0;
}

}  // namespace

std::string Target::value(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::string() : found->second;
}

Target parse_target(std::string_view target) {
  Target out;
  const std::size_t mark = std::min(target.find('?'), target.size());
  out.path = decoded(target.substr(0, mark), false);
  std::string_view rest = target.substr(std::min(mark + 1, target.size()));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    out.query.emplace(decoded(pair.substr(0, equals), true),
                      decoded(pair.substr(std::min(equals + 1, pair.size())), true));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string new_token() {
  std::random_device random;
  std::string token;
  for (int k = 0; k < 32; ++k) token += "0123456789abcdef"[random() % 16];
  return token;
}

AccessRule::AccessRule(std::string token, const std::string& host, unsigned short port,
                       const std::vector<std::string>& names, std::vector<std::string> origins)
    : token_(std::move(token)), origins_(std::move(origins)) {
  std::vector<std::string> all = {"127.0.0.1", "localhost", "::1", host};
  all.insert(all.end(), names.begin(), names.end());
  for (const std::string& name : all)
    hosts_.push_back(lower(name.find(':') == std::string::npos ? name : "[" + name + "]") + ":" + std::to_string(port));
}

bool AccessRule::knows(const Target& target, std::string_view header) const {
  return same_secret(target.value("token"), token_) || same_secret(header, token_);
}

bool AccessRule::host_allowed(std::string_view host) const {
  return std::find(hosts_.begin(), hosts_.end(), lower(host)) != hosts_.end();
}

bool AccessRule::origin_allowed(std::string_view origin) const {
  if (origin.empty()) return true;
  if (std::find(origins_.begin(), origins_.end(), origin) != origins_.end()) return true;
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && host_allowed(origin.substr(kScheme.size()));
}

}  // namespace filum::serve
