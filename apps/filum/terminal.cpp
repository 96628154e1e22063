#include "terminal.hpp"

#include "exit_code.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace filum::app {
namespace {

// All of `text` to a descriptor; the error number, or 0.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

constexpr const char* kBold = "\033[1m";
constexpr const char* kGood = "\033[32m";
constexpr const char* kBad = "\033[1;31m";
constexpr const char* kPlain = "\033[0m";

bool is_coloured() {
  static const bool coloured = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return coloured;
}

std::string marked(const char* mark, const std::string& text) {
  return is_coloured() ? mark + shown(text) + kPlain : shown(text);
}

// The length of the mark that the text begins with, 0: none of ours.
std::size_t mark_length(std::string_view text) {
  for (const std::string_view mark : {kBold, kGood, kBad, kPlain})
    if (is_coloured() && text.starts_with(mark)) return mark.size();
  return 0;
}

}  // namespace

int emit(std::string_view text, int code) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return code;
  return fail(std::string("cannot write to standard output: ") + std::strerror(error));
}

int fail(const std::string& message) {
  // if stderr fails too there is nobody left to tell
  (void)write_all(STDERR_FILENO, "filum: " + shown(message) + "\n");
  return kBadInput;
}

int fail(const Error& error) {
  return fail(error.text());
}

void warn(const std::string& message) {
  (void)write_all(STDERR_FILENO, "filum: warning: " + shown(message) + "\n");
}

std::string shown(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t length = mark_length(text.substr(i)); length > 0) {
      out += text.substr(i, length);
      i += length;
      continue;
    }
    // C0 and DEL are one byte, C1 is two in UTF-8: C2 80 … C2 9F
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool wide = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (byte < 0x20 || byte == 0x7F || wide)
      out += fmt::format("\\x{:02x}", wide ? next : byte);
    else
      out += text[i];
    i += wide ? 2 : 1;
  }
  return out;
}

std::string bold(const std::string& text) {
  return marked(kBold, text);
}

std::string good(const std::string& text) {
  return marked(kGood, text);
}

std::string bad(const std::string& text) {
  return marked(kBad, text);
}

}  // namespace filum::app
