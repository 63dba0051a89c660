// SPDX-License-Identifier: MIT
#include "runtime/machine.h"

#include "execution/host_crash.h"
#include "ledger/ledger.h"

namespace d2l::emulator {

Machine& machine() {
  static Machine* const made = [] {
    report_host_crashes();
    return make_machine().release();  // never destroyed: queues use it until the process has ended
  }();
  return *made;
}

bool ledger_is_open() { return !serves_library() && detail::ledger_is_open(); }

}  // namespace d2l::emulator
