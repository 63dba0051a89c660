// SPDX-License-Identifier: MIT
// How the library reports its work to the open ledgers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "backend/backend.h"
#include "base/non_copyable.h"
#include "d2l/transfers.h"

namespace d2l::detail {

/// The number of open ledgers and watchers. It is usually 0, and reading it costs one relaxed load.
inline std::atomic<int> open_ledgers{0};
inline bool ledger_is_open() noexcept { return open_ledgers.load(std::memory_order_relaxed) != 0; }

/// Adds an entry, with its thread and time, to every open ledger. Returns the span that the backend must fill in; null
/// if no ledger is open.
std::shared_ptr<backend::Span> record(const LedgerEntry& entry);

/// In its scope, this thread records nothing: messages with which ranks agree on what they do are no part of it.
class Unrecorded : NonCopyable {
 public:
  Unrecorded();
  ~Unrecorded();
};

/// Applies the TransferGuard of this thread to an implicit copy before the copy is made; TransferError if it refuses
/// the copy.
void check_implicit_copy(const char* operation, Device from, Device to, std::int64_t bytes);

/// A scope in which the host waits for a device, or for an event in its queue. Every open ledger counts it as a
/// synchronisation.
class HostWait : NonCopyable {
 public:
  HostWait(const char* operation, Device device, std::uint64_t event = 0);
  ~HostWait();

 private:
  std::shared_ptr<backend::Span> span_;
};

/// The book of a ledger: its entries. One lock guards all books, so all list their entries in the same order.
class LedgerBook {
 public:
  /// The sum of `amount` over the entries for which `counts` is true.
  [[nodiscard]] std::int64_t total(const std::function<bool(const LedgerEntry&)>& counts,
                                   std::int64_t (*amount)(const LedgerEntry&)) const;
  /// All entries, with the times that are known now.
  [[nodiscard]] std::vector<LedgerEntry> entries() const;
  /// Waits for every GPU that an entry names, without adding an entry to any ledger. It skips devices that are lost or
  /// held.
  void wait_for_devices() const;
  void clear();
  /// The bytes of a device's live tensors when the first entry could be added, as cuda::memory_allocated() counts.
  [[nodiscard]] std::int64_t memory_before(Device device) const;
  /// The number of entries that were not kept, because the book was full.
  [[nodiscard]] std::int64_t dropped() const;
  /// About 256 MiB.
  static constexpr std::size_t max_entries = std::size_t{1} << 20;

 private:
  struct BookedEntry {
    LedgerEntry entry;
    std::shared_ptr<backend::Span> span;
  };

  friend std::shared_ptr<backend::Span> record(const LedgerEntry& entry);
  static std::vector<std::int64_t> memory_now();
  void add(LedgerEntry entry, const std::shared_ptr<backend::Span>& span, std::int64_t now, std::uint64_t thread);

  std::int64_t start_ = backend::steady_nanoseconds();
  std::vector<BookedEntry> booked_;
  std::int64_t dropped_ = 0;
  std::vector<std::int64_t> memory_before_ = memory_now();  // of the GPUs, then of the CPU
  // From a thread's number in the process to its number in this book.
  std::unordered_map<std::uint64_t, std::uint64_t> threads_;
};

void open_book(const std::shared_ptr<LedgerBook>& book);
void close_book(const std::shared_ptr<LedgerBook>& book) noexcept;

/// Called with each entry after it is added to the ledgers, when the lock of the books is no longer held.
using Watcher = std::shared_ptr<const std::function<void(const LedgerEntry&)>>;
void add_watcher(const Watcher& watcher);
void remove_watcher(const Watcher& watcher) noexcept;

}  // namespace d2l::detail
