// SPDX-License-Identifier: MIT
// LedgerBook: the entries of one open ledger, and the list of the books that are open.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "backend/backend.h"
#include "d2l/transfers.h"

namespace d2l::detail {

/// std::chrono::steady_clock now, the clock of backend::Span.
std::int64_t steady_nanoseconds();

/// An entry, and where its device notes when it ran.
struct BookedEntry {
  LedgerEntry entry;
  std::shared_ptr<backend::Span> span;
};

/// What one ledger has counted. One lock of the process guards all books, so that they agree on the order of issue.
class LedgerBook {
 public:
  LedgerBook() : start_(steady_nanoseconds()) {}

  /// The sum of `amount` over the entries for which `counts` holds.
  [[nodiscard]] std::int64_t total(const std::function<bool(const LedgerEntry&)>& counts,
                                   std::int64_t (*amount)(const LedgerEntry&)) const;
  /// All entries, with the times that are known now.
  [[nodiscard]] std::vector<LedgerEntry> entries() const;
  /// Waits for every GPU that an entry names, without an entry in any ledger; a lost device, or one that cannot be
  /// waited for now, is passed over.
  void wait_for_devices() const;
  void clear();

 private:
  friend std::shared_ptr<backend::Span> book(const LedgerEntry& entry);

  void add(LedgerEntry entry, const std::shared_ptr<backend::Span>& span, std::int64_t now, std::uint64_t thread);

  std::int64_t start_;
  std::vector<BookedEntry> booked_;
  std::unordered_map<std::uint64_t, std::uint64_t> threads_;  // number in the process, number in this book
};

void open_book(const std::shared_ptr<LedgerBook>& book);
void close_book(const std::shared_ptr<LedgerBook>& book) noexcept;

/// Who is told of each entry once it is booked, without the lock.
using Watcher = std::shared_ptr<const std::function<void(const LedgerEntry&)>>;
void add_watcher(const Watcher& watcher);
void remove_watcher(const Watcher& watcher) noexcept;

}  // namespace d2l::detail
