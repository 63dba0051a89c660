// SPDX-License-Identifier: MIT
// Passes a signal on to the previously installed handler.
#pragma once

#include <signal.h>

namespace d2l::detail {

/// Calls the handler in `previous`; safe in a signal handler. The default action is restored instead, and ends the
/// process when the instruction runs again.
inline void chain_signal(int signal, siginfo_t* information, void* context, const struct sigaction& previous) {
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, information, context);
    return;
  }
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
    return;
  }
  struct sigaction fallback = {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal, &fallback, nullptr);
  if (information->si_code <= 0) raise(signal);  // sent by kill(): no faulting instruction will run again
}

}  // namespace d2l::detail
