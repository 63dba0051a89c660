// SPDX-License-Identifier: MIT
// How the library tells the open ledgers, and asks the thread's guard.
#pragma once

#include <atomic>
#include <memory>

#include "backend/backend.h"
#include "d2l/transfers.h"

namespace d2l::detail {

/// How many ledgers are open; 0 is the common case, and costs one relaxed load.
inline std::atomic<int> open_ledgers{0};
inline bool ledger_is_open() noexcept { return open_ledgers.load(std::memory_order_relaxed) != 0; }

/// Adds an entry to every open ledger, filling in thread and time; returns the span that the backend is to fill; null
/// when no ledger is open.
std::shared_ptr<backend::Span> record(const LedgerEntry& entry);

/// A host thread waiting for a device, or for an event in its queue, as a synchronisation of every open ledger; lasts
/// as long as the scope.
class HostWait {
 public:
  HostWait(const char* operation, Device device, std::uint64_t event = 0);
  ~HostWait();
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;

 private:
  std::shared_ptr<backend::Span> span_;
};

/// Applies the thread's TransferGuard to an implicit copy that is about to be made; TransferError when it is refused.
void check_implicit_copy(const char* operation, Device from, Device to, std::int64_t bytes);

}  // namespace d2l::detail
