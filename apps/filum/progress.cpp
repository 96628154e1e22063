#include "progress.hpp"

#include "terminal.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace filum::app {
namespace {

constexpr std::chrono::milliseconds kPatience{1000};  // what ends before needs no bar
constexpr std::chrono::milliseconds kRedraw{100};
constexpr int kBarWidth = 24;

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Cut to so many characters, never inside a UTF-8 sequence.
std::string cut(const std::string& text, int width) {
  int seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (starts && seen++ == width) return text.substr(0, i);
  }
  return text;
}

}  // namespace

Progress::Progress(std::string label)
    : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

bool Progress::wants() const {
  if (!terminal_) return false;
  const auto now = Clock::now();
  return now - start_ >= kPatience && (!drawn_ || now - last_ >= kRedraw);
}

void Progress::update(double share, const std::string& word) {
  if (!wants()) return;
  last_ = Clock::now();
  draw(std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0, word);
}

void Progress::draw(double share, const std::string& word) {
  // the bar
  const int full = static_cast<int>(share * kBarWidth);
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < full ? "█" : "░";

  // what remains, once enough is done to tell
  const double elapsed = std::chrono::duration<double>(last_ - start_).count();
  const std::string rest = share > 0.02 ? fmt::format("{:.0f} s left", elapsed * (1 - share) / share) : "";

  const std::string line = fmt::format("{} {} {:3.0f} %  {}  {}", label_, bar, 100 * share, rest, word);
  std::fputs(("\r\033[K" + cut(shown(line), terminal_width() - 1)).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace filum::app
