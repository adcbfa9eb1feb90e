#include "apps/cli/interrupt.h"

#include <csignal>

namespace espalier::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void onSignal(int) { interrupted = 1; }

}  // namespace

void catchInterrupts() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool wasInterrupted() { return interrupted != 0; }

}  // namespace espalier::cli
