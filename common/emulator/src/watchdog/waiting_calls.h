// SPDX-License-Identifier: MIT
// WaitingCall: a thread that waits for another rank, and whether any thread of the process can still bring it.
#pragma once

#include <functional>
#include <list>
#include <string>

namespace d2l::emulator::watchdog {

/// While it is in scope, this thread waits. After D2L_WATCHDOG_SECONDS, the watchdog looks: if all threads of the
/// process wait for each other, it calls give_up() with why this never ends. Else it says once what text() waits for,
/// and looks again. Neither function may block for long.
class WaitingCall {
 public:
  WaitingCall(std::function<std::string()> text, std::function<void(const std::string&)> give_up);
  ~WaitingCall();
  WaitingCall(const WaitingCall&) = delete;
  WaitingCall& operator=(const WaitingCall&) = delete;

  struct Entry;

 private:
  std::list<Entry>::iterator place_;
};

}  // namespace d2l::emulator::watchdog
