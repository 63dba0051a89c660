// SPDX-License-Identifier: MIT
// Where what the library issues reaches the open ledgers.
#include "ledger/ledger.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "ledger/ledger_book.h"
#include "runtime/runtime.h"

namespace d2l::detail {
namespace {

struct OpenBooks {
  std::mutex mutex;
  std::vector<std::shared_ptr<LedgerBook>> books;
  std::vector<Watcher> watchers;
};

// Never destroyed: a tensor with static lifetime may be released after any destructor here would have run.
OpenBooks& open_books() {
  static auto* const books = new OpenBooks;
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

std::int64_t steady_nanoseconds() {
  using std::chrono::nanoseconds;
  return std::chrono::duration_cast<nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void open_book(const std::shared_ptr<LedgerBook>& book) {
  auto& open = open_books();
  const std::lock_guard lock(open.mutex);
  open.books.push_back(book);
  open_ledgers.fetch_add(1, std::memory_order_relaxed);
}

void close_book(const std::shared_ptr<LedgerBook>& book) noexcept {
  auto& open = open_books();
  const std::lock_guard lock(open.mutex);
  open.books.erase(std::find(open.books.begin(), open.books.end(), book));
  open_ledgers.fetch_sub(1, std::memory_order_relaxed);
}

void add_watcher(const Watcher& watcher) {
  auto& open = open_books();
  const std::lock_guard lock(open.mutex);
  open.watchers.push_back(watcher);
  open_ledgers.fetch_add(1, std::memory_order_relaxed);
}

void remove_watcher(const Watcher& watcher) noexcept {
  auto& open = open_books();
  const std::lock_guard lock(open.mutex);
  open.watchers.erase(std::find(open.watchers.begin(), open.watchers.end(), watcher));
  open_ledgers.fetch_sub(1, std::memory_order_relaxed);
}

std::shared_ptr<backend::Span> book(const LedgerEntry& entry) {
  auto& open = open_books();
  std::shared_ptr<backend::Span> span;
  std::vector<Watcher> watchers;
  {
    const std::lock_guard lock(open.mutex);
    if (!open.books.empty()) span = std::make_shared<backend::Span>();
    const auto now = steady_nanoseconds();
    for (const auto& book : open.books) book->add(entry, span, now, thread_number());
    watchers = open.watchers;
  }
  for (const auto& watcher : watchers) (*watcher)(entry);
  return span;
}

std::shared_ptr<backend::Span> record(const LedgerEntry& entry) { return ledger_is_open() ? book(entry) : nullptr; }

void LedgerBook::add(LedgerEntry entry, const std::shared_ptr<backend::Span>& span, std::int64_t now,
                     std::uint64_t thread) {
  entry.thread = threads_.try_emplace(thread, threads_.size()).first->second;
  entry.issued = since(start_, now);
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
    entry.began = since(start_, span->began.load());
    entry.ended = since(start_, span->ended.load());
    entries.push_back(std::move(entry));
  }
  return entries;
}

void LedgerBook::wait_for_devices() const {
  std::vector<Device> devices;
  {
    const std::lock_guard lock(open_books().mutex);
    for (const auto& [entry, span] : booked_) {
      if (entry.queue.is_cuda() && std::find(devices.begin(), devices.end(), entry.queue) == devices.end()) {
        devices.push_back(entry.queue);
      }
    }
  }
  for (const auto device : devices) {
    try {
      backend_of(device).synchronize(number_of(device));
    } catch (const std::exception&) {  // Its entries stay without times.
    }
  }
}

void LedgerBook::clear() {
  const std::lock_guard lock(open_books().mutex);
  booked_.clear();
}

HostWait::HostWait(const char* operation, Device device, std::uint64_t event) {
  if (!ledger_is_open()) return;
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::synchronisation;
  entry.name = operation;
  entry.queue = device;
  entry.event = event;
  span_ = book(entry);
  if (span_) span_->began = steady_nanoseconds();
}

HostWait::~HostWait() {
  if (span_) span_->ended = steady_nanoseconds();
}

}  // namespace d2l::detail
