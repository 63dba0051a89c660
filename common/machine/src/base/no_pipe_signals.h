// SPDX-License-Identifier: MIT
// NoPipeSignals: a write to a connection that the other side has closed is an error, and ends the process no more.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <ctime>

namespace d2l::detail {

/// Blocks SIGPIPE in this thread, and in those that it starts, until the scope ends.
class NoPipeSignals {
 public:
  NoPipeSignals() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignals() {
    const timespec now{0, 0};
    while (sigtimedwait(&pipe_, nullptr, &now) > 0) continue;  // it would be delivered now
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignals(const NoPipeSignals&) = delete;
  NoPipeSignals& operator=(const NoPipeSignals&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace d2l::detail
