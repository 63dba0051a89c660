// SPDX-License-Identifier: MIT
// TransferGuard: the level of this thread.
#include "ledger/transfer_guard.h"

#include <fmt/format.h>

#include <cstdio>

#include "d2l/error.h"

namespace d2l {
namespace {

thread_local TransferGuard::Level level_of_thread = TransferGuard::allow;

std::string describe(Device from, Device to, std::int64_t bytes) {
  return fmt::format("an implicit copy of {} byte{} from {} to {}", bytes, bytes == 1 ? "" : "s", from.str(), to.str());
}

}  // namespace

TransferGuard::TransferGuard(Level level) : previous_(level_of_thread) { level_of_thread = level; }
TransferGuard::~TransferGuard() { level_of_thread = previous_; }

void detail::check_implicit_copy(const char* operation, Device from, Device to, std::int64_t bytes) {
  if (level_of_thread == TransferGuard::allow || from == to) return;
  if (level_of_thread == TransferGuard::log) {
    const auto line = fmt::format("[{}] made {}\n", operation, describe(from, to, bytes));
    std::fputs(line.c_str(), stderr);
    return;
  }
  throw TransferError(fmt::format(
      "[{}] refused: {}, and a TransferGuard disallows implicit copies here. Copy on purpose with .cpu() or "
      ".to_vector(), or read the value outside the guard's scope.",
      operation, describe(from, to, bytes)));
}

}  // namespace d2l
