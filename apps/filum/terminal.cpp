#include "terminal.hpp"

#include "exit_code.hpp"

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

std::string marked(const char* code, const std::string& text) {
  static const bool coloured = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return coloured ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

}  // namespace

int emit(std::string_view text, int code) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return code;
  return fail(std::string("cannot write to standard output: ") + std::strerror(error));
}

int fail(const std::string& message) {
  // if stderr fails too there is nobody left to tell
  (void)write_all(STDERR_FILENO, "filum: " + message + "\n");
  return kBadInput;
}

int fail(const Error& error) {
  return fail(error.text());
}

void warn(const std::string& message) {
  (void)write_all(STDERR_FILENO, "filum: warning: " + message + "\n");
}

std::string bold(const std::string& text) {
  return marked("1", text);
}

std::string good(const std::string& text) {
  return marked("32", text);
}

std::string bad(const std::string& text) {
  return marked("1;31", text);
}

}  // namespace filum::app
