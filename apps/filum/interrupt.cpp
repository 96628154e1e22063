#include "interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace filum::app {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void note(int signal) {
  g_interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  g_interrupted = 0;
  // a shell that runs us in the background ignores interrupts for us: that stays
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, note) == SIG_IGN) std::signal(signal, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

bool InterruptGuard::interrupted() {
  return g_interrupted != 0;
}

}  // namespace filum::app
