// SPDX-License-Identifier: MIT
// The open ledgers and watchers of the process.
#include "ledger/ledger.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <utility>

#include "backend/cpu/host_memory.h"
#include "ledger/memory_counts.h"
#include "ledger/ranges.h"
#include "runtime/capturing.h"
#include "runtime/runtime.h"

namespace d2l::detail {
namespace {

thread_local bool unrecorded = false;

struct OpenBooks {
  std::mutex mutex;
  std::vector<std::shared_ptr<LedgerBook>> books;
  std::vector<Watcher> watchers;

  template <class T>
  void add(std::vector<T>& list, const T& item) {
    const std::lock_guard lock(mutex);
    list.push_back(item);
    open_ledgers.fetch_add(1, std::memory_order_relaxed);
  }
  template <class T>
  void remove(std::vector<T>& list, const T& item) {
    const std::lock_guard lock(mutex);
    list.erase(std::find(list.begin(), list.end(), item));
    open_ledgers.fetch_sub(1, std::memory_order_relaxed);
  }
};

// Never destroyed, because tensors with static lifetime may be released after any destructor here.
OpenBooks& open_books() {
  static auto* const books = [] {
    constexpr auto unlock = [] { open_books().mutex.unlock(); };
    pthread_atfork([] { open_books().mutex.lock(); }, unlock, unlock);
    return new OpenBooks;
  }();
  return *books;
}

std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> next{0};
  static thread_local const std::uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

std::int64_t since(std::int64_t start, std::int64_t time) {
  return time < 0 ? -1 : std::max<std::int64_t>(time - start, 0);
}

}  // namespace

void open_book(const std::shared_ptr<LedgerBook>& book) { open_books().add(open_books().books, book); }
void close_book(const std::shared_ptr<LedgerBook>& book) noexcept { open_books().remove(open_books().books, book); }
void add_watcher(const Watcher& watcher) { open_books().add(open_books().watchers, watcher); }
void remove_watcher(const Watcher& watcher) noexcept { open_books().remove(open_books().watchers, watcher); }

Unrecorded::Unrecorded() { unrecorded = true; }
Unrecorded::~Unrecorded() { unrecorded = false; }

std::shared_ptr<backend::Span> record(const LedgerEntry& entry) {
  if (!ledger_is_open() || unrecorded) return nullptr;
  auto& open = open_books();
  std::shared_ptr<backend::Span> span;
  std::vector<Watcher> watchers;
  {
    const std::lock_guard lock(open.mutex);
    if (!open.books.empty()) span = std::make_shared<backend::Span>();
    const auto now = backend::steady_nanoseconds();
    for (const auto& book : open.books) book->add(entry, span, now, thread_number());
    watchers = open.watchers;
  }
  for (const auto& watcher : watchers) (*watcher)(entry);
  return span;
}

void LedgerBook::add(LedgerEntry entry, const std::shared_ptr<backend::Span>& span, std::int64_t now,
                     std::uint64_t thread) {
  if (booked_.size() >= max_entries) {
    if (dropped_++ > 0) return;
    std::fputs("d2l: a TransferLedger is full and does not count further work; call clear() from time to time\n",
               stderr);
    return;
  }
  entry.thread = threads_.try_emplace(thread, threads_.size()).first->second;
  entry.issued = since(start_, now);
  if (entry.range.empty()) entry.range = range_of_thread();
  booked_.push_back({std::move(entry), span});
}

std::int64_t LedgerBook::total(const std::function<bool(const LedgerEntry&)>& counts,
                               std::int64_t (*amount)(const LedgerEntry&)) const {
  const std::lock_guard lock(open_books().mutex);
  std::int64_t sum = 0;
  for (const auto& booked : booked_) {
    if (counts(booked.entry)) sum += amount(booked.entry);
  }
  return sum;
}

std::vector<LedgerEntry> LedgerBook::entries() const {
  std::vector<BookedEntry> booked;
  {
    const std::lock_guard lock(open_books().mutex);
    booked = booked_;
  }
  std::vector<LedgerEntry> entries;
  entries.reserve(booked.size());
  for (auto& [entry, span] : booked) {
    span->resolve();
    entry.waited = entry.waited || span->waited.load();
    entry.began = since(start_, span->began.load());
    entry.ended = since(start_, span->ended.load());
    if (auto run = span->kernel()) entry.kernel = std::move(run);
    entries.push_back(std::move(entry));
  }
  return entries;
}

void LedgerBook::wait_for_devices() const {
  std::vector<Device> devices;
  {
    const std::lock_guard lock(open_books().mutex);
    for (const auto& [entry, span] : booked_) {
      if (!entry.queue.is_cpu() && std::find(devices.begin(), devices.end(), entry.queue) == devices.end()) {
        devices.push_back(entry.queue);
      }
    }
  }
  for (const auto device : devices) {
    try {
      backend_of(device).synchronize(number_of(device));
    } catch (const std::exception&) {  // its entries keep unknown times
    }
  }
}

std::vector<std::int64_t> LedgerBook::memory_now() {
  std::vector<std::int64_t> bytes;
  for (int gpu = 0; gpu < 128; ++gpu) bytes.push_back(memory_counts(gpu).allocated.current());
  bytes.push_back(backend::host_memory::usage().requested);
  return bytes;
}

std::int64_t LedgerBook::memory_before(Device device) const {
  const std::lock_guard lock(open_books().mutex);
  return device.is_cpu() ? memory_before_.back() : memory_before_[static_cast<std::size_t>(device.index())];
}

void LedgerBook::clear() {
  auto now = memory_now();
  const std::lock_guard lock(open_books().mutex);
  memory_before_.swap(now);
  std::vector<BookedEntry>().swap(booked_);
  dropped_ = 0;
}

std::int64_t LedgerBook::dropped() const {
  const std::lock_guard lock(open_books().mutex);
  return dropped_;
}

HostWait::HostWait(const char* operation, Device device, std::uint64_t event) {
  refuse_in_capture(device, operation, "the host waits for the device");
  if (!ledger_is_open()) return;
  span_ = record({.kind = LedgerEntry::Kind::synchronisation, .name = operation, .queue = device, .event = event});
  if (span_) span_->began = backend::steady_nanoseconds();
}

HostWait::~HostWait() {
  if (span_) span_->ended = backend::steady_nanoseconds();
}

}  // namespace d2l::detail
