// SPDX-License-Identifier: MIT
// RecordedWait: a wait of the host in the ledger, if the runtime records its work.
#pragma once

#include <optional>

#include "ledger/ledger.h"
#include "runtime/machine.h"

namespace d2l::emulator {

class RecordedWait {
 public:
  RecordedWait(const char* call, d2l::Device device) {
    if (!serves_library()) wait_.emplace(call, device);
  }

 private:
  std::optional<d2l::detail::HostWait> wait_;
};

}  // namespace d2l::emulator
