#include "serve/net/kept_token.hpp"

#include "serve/net/access.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <system_error>

namespace filum::serve {

namespace {

constexpr std::size_t kDigits = 32;

// What is there and nobody else could have put there or read.
std::string read_own(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return {};
  struct stat facts {};
  std::array<char, kDigits + 1> bytes{};
  const bool own = fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
                   (facts.st_mode & 077U) == 0;
  const ssize_t count = own ? read(descriptor, bytes.data(), bytes.size()) : 0;
  close(descriptor);
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (count != kDigits || !std::all_of(bytes.begin(), bytes.begin() + kDigits, is_digit)) return {};
  return {bytes.data(), kDigits};
}

}  // namespace

KeptToken::KeptToken(const std::filesystem::path& folder, const std::string& host, unsigned short port) {
  // a host is an address: its characters but colons are those of file names
  std::string name = "token." + host + "." + std::to_string(port);
  std::replace(name.begin(), name.end(), ':', '_');
  if (!folder.empty()) file_ = folder / name;
}

std::string KeptToken::take() const {
  if (file_.empty()) return new_token();
  if (std::string token = read_own(file_); !token.empty()) return token;
  std::string token = new_token();
  std::error_code code;
  std::filesystem::create_directories(file_.parent_path(), code);
  std::filesystem::permissions(file_.parent_path(), std::filesystem::perms::owner_all, code);
  std::filesystem::remove(file_, code);
  // what cannot be kept is not: then pages must be opened anew
  const int descriptor = open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return token;
  const bool whole = write(descriptor, token.data(), token.size()) == static_cast<ssize_t>(token.size());
  close(descriptor);
  if (!whole) forget();
  return token;
}

void KeptToken::forget() const {
  std::error_code code;
  if (!file_.empty()) std::filesystem::remove(file_, code);
}

}  // namespace filum::serve
