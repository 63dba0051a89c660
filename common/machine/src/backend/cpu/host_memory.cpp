// SPDX-License-Identifier: MIT
// The caching allocator: each thread caches small blocks; a shared pool of limited size caches all others.
#include "backend/cpu/host_memory.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <limits>
#include <list>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "backend/cpu/size_classes.h"
#include "base/non_copyable.h"
#include "d2l/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define D2L_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define D2L_ADDRESS_SANITIZER 1
#endif
#endif

namespace d2l::backend::host_memory {
namespace {

// With the address sanitizer no block is cached, so that it detects a use after release.
#ifdef D2L_ADDRESS_SANITIZER
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Requests of at least this size are compared with the available memory, because the system overcommits.
constexpr std::size_t worth_a_check = std::size_t{256} << 20;
/// Maximum bytes of one class that a thread caches.
constexpr std::size_t thread_cache_bytes = std::size_t{256} << 10;

void* from_system(std::size_t bytes) {
  if (bytes < 2 * huge_page) return std::aligned_alloc(alignment, bytes);
  void* memory = std::aligned_alloc(huge_page, (bytes + huge_page - 1) / huge_page * huge_page);
  if (memory != nullptr) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

[[noreturn]] void throw_out_of_memory(std::size_t bytes) {
  const auto memory = system_memory();
  throw OutOfMemoryError(
      fmt::format("[allocate] DefaultCPUAllocator: can't allocate memory: you tried to allocate {} bytes on cpu, which "
                  "has {} bytes, {} of them free. Make the tensor smaller, or release tensors that are not needed.",
                  bytes, memory.total, memory.available));
}

/// Cached blocks that belong to no thread; never destroyed, because tensors may outlive every static object.
class Pool {
 public:
  /// A cached block of the class, or null.
  void* take(std::size_t size_class) noexcept {
    const std::lock_guard lock(mutex_);
    auto& blocks = by_class_[size_class];
    if (blocks.empty()) return nullptr;
    const auto newest = blocks.back();
    void* memory = newest->memory;
    blocks.pop_back();
    by_age_.erase(newest);
    kept_bytes_ -= class_bytes(size_class);
    return memory;
  }
  /// Caches a block; above the limit, the oldest blocks return to the system.
  void give(void* memory, std::size_t size_class) noexcept {
    const std::lock_guard lock(mutex_);
    kept_bytes_ += class_bytes(size_class);
    try {
      by_age_.push_back({memory, size_class});
      by_class_[size_class].push_back(std::prev(by_age_.end()));
    } catch (...) {
      if (!by_age_.empty() && by_age_.back().memory == memory) by_age_.pop_back();
      kept_bytes_ -= class_bytes(size_class);
      to_system(memory, size_class);
    }
    shrink(limit_);
  }
  /// A block from the system, or null.
  void* fresh(std::size_t size_class) noexcept {
    void* memory = from_system(class_bytes(size_class));
    if (memory != nullptr) reserved_.fetch_add(static_cast<std::int64_t>(class_bytes(size_class)));
    return memory;
  }
  void to_system(void* memory, std::size_t size_class) noexcept {
    std::free(memory);
    reserved_.fetch_sub(static_cast<std::int64_t>(class_bytes(size_class)));
  }
  void trim() noexcept {
    const std::lock_guard lock(mutex_);
    shrink(0);
  }
  [[nodiscard]] std::int64_t reserved() const { return reserved_.load(); }
  [[nodiscard]] std::mutex& mutex() noexcept { return mutex_; }

 private:
  struct Block {
    void* memory;
    std::size_t size_class;
  };
  void shrink(std::size_t limit) noexcept {
    while (kept_bytes_ > limit) {
      const Block oldest = by_age_.front();
      by_class_[oldest.size_class].pop_front();
      by_age_.pop_front();
      kept_bytes_ -= class_bytes(oldest.size_class);
      to_system(oldest.memory, oldest.size_class);
    }
  }

  std::mutex mutex_;
  std::list<Block> by_age_;
  std::array<std::deque<std::list<Block>::iterator>, all_classes> by_class_;
  std::size_t kept_bytes_ = 0;
  std::size_t limit_ = static_cast<std::size_t>(system_memory().total) / 8;
  std::atomic<std::int64_t> reserved_{0};
};

class ThreadCache;

/// A list that a cache can join without an allocation.
struct CacheLink {
  CacheLink* before = this;
  CacheLink* after = this;
};

/// The state that all threads share: the pool, and the bytes that the tensors of each thread requested.
struct Shared {
  Pool pool;
  std::mutex mutex;
  CacheLink caches;
  std::int64_t requested_by_ended_threads = 0;
};
/// Leaves the cache of this thread alone in the list; for a child of fork().
void forget_caches_of_others();

Shared& shared() {
  static auto* const made = [] {
    // A child of fork() gets both free, and what they guard whole.
    constexpr auto unlock = [] {
      shared().pool.mutex().unlock();
      shared().mutex.unlock();
    };
    pthread_atfork([] { std::lock(shared().mutex, shared().pool.mutex()); }, unlock,
                   [] {
                     forget_caches_of_others();
                     shared().pool.mutex().unlock();
                     shared().mutex.unlock();
                   });
    return new Shared;
  }();
  return *made;
}

/// Made while there is memory for it.
const auto& no_memory = *new OutOfMemoryError(
    "[allocate] DefaultCPUAllocator: can't allocate memory: the system has no main memory left for this program. Make "
    "the tensors smaller, or release those that are not needed.");

/// Lets operator new throw OutOfMemoryError too, unless the program has a handler of its own.
[[maybe_unused]] const bool handler_is_set = [] {
  if (std::get_new_handler() == nullptr) std::set_new_handler([] { throw no_memory; });
  return true;
}();

// Tensors with static lifetime are released after the thread's cache is destroyed, and bypass it.
thread_local bool cache_is_gone = false;
thread_local ThreadCache* cache_of_thread = nullptr;

/// The small blocks that a thread has released and may request again.
class ThreadCache : public CacheLink, detail::NonCopyable {
 public:
  ThreadCache() {
    const std::lock_guard lock(shared().mutex);
    after = std::exchange(shared().caches.after, this);
    before = std::exchange(after->before, this);
    cache_of_thread = this;
  }
  ~ThreadCache() {
    cache_of_thread = nullptr;
    cache_is_gone = true;
    flush();
    const std::lock_guard lock(shared().mutex);
    before->after = after;
    after->before = before;
    shared().requested_by_ended_threads += requested();
  }

  void* take(std::size_t size_class) noexcept {
    FreeBlock*& first = free_[size_class].first;
    if (first == nullptr) return nullptr;
    FreeBlock* block = first;
    first = block->next;
    free_[size_class].bytes -= class_bytes(size_class);
    return block;
  }
  /// Caches a block; false if the cache of its class is full.
  bool give(void* memory, std::size_t size_class) noexcept {
    FreeList& list = free_[size_class];
    if (list.bytes >= thread_cache_bytes) return false;
    list.first = new (memory) FreeBlock{list.first};
    list.bytes += class_bytes(size_class);
    return true;
  }
  void flush() noexcept {
    for (std::size_t size_class = 0; size_class < small_classes; ++size_class) {
      while (void* memory = take(size_class)) shared().pool.give(memory, size_class);
    }
  }
  // Only this thread writes the number, so an atomic addition is not needed.
  void count(std::int64_t bytes) noexcept { requested_.store(requested() + bytes, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  struct FreeList {
    FreeBlock* first = nullptr;
    std::size_t bytes = 0;
  };
  std::array<FreeList, small_classes> free_{};
  std::atomic<std::int64_t> requested_{0};
};

// The child has none of the other threads, and gives their stacks, on which their caches are, to new threads.
void forget_caches_of_others() {
  CacheLink& caches = shared().caches;
  for (CacheLink* link = caches.after; link != &caches; link = link->after) {
    const auto* const cache = static_cast<const ThreadCache*>(link);
    if (cache != cache_of_thread) shared().requested_by_ended_threads += cache->requested();
  }
  caches.before = caches.after = &caches;
  if (cache_of_thread == nullptr) return;
  cache_of_thread->before = cache_of_thread->after = &caches;
  caches.before = caches.after = cache_of_thread;
}

ThreadCache* make_thread_cache() {
  if (cache_is_gone) return nullptr;
  static thread_local ThreadCache cache;
  return &cache;
}

ThreadCache* thread_cache() { return cache_of_thread != nullptr ? cache_of_thread : make_thread_cache(); }

void count_requested(ThreadCache* cache, std::int64_t bytes) noexcept {
  if (cache != nullptr) {
    cache->count(bytes);
    return;
  }
  const std::lock_guard lock(shared().mutex);
  shared().requested_by_ended_threads += bytes;
}

/// A block from the system; all caches are trimmed before the request fails.
void* fresh_block(std::size_t size_class, std::size_t asked) {
  const auto bytes = static_cast<std::int64_t>(class_bytes(size_class));
  if (class_bytes(size_class) >= worth_a_check && bytes > system_memory().available) {
    trim();
    if (static_cast<std::int64_t>(asked) > system_memory().available) throw_out_of_memory(asked);
  }
  void* memory = shared().pool.fresh(size_class);
  if (memory != nullptr) return memory;
  trim();
  memory = shared().pool.fresh(size_class);
  if (memory == nullptr) throw_out_of_memory(asked);
  return memory;
}

}  // namespace

void* allocate(std::size_t bytes) {
  if (bytes > largest_request) throw_out_of_memory(bytes);
  const std::size_t size_class = class_of(bytes);
  ThreadCache* cache = thread_cache();
  void* memory = nullptr;
  if constexpr (keeps_blocks) {
    if (cache != nullptr && size_class < small_classes) memory = cache->take(size_class);
    if (memory == nullptr) memory = shared().pool.take(size_class);
  }
  if (memory == nullptr) memory = fresh_block(size_class, bytes);
  count_requested(cache, static_cast<std::int64_t>(bytes));
  return memory;
}

void release(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  const std::size_t size_class = class_of(bytes);
  ThreadCache* cache = thread_cache();
  count_requested(cache, -static_cast<std::int64_t>(bytes));
  if constexpr (!keeps_blocks) {
    shared().pool.to_system(memory, size_class);
    return;
  }
  if (cache != nullptr && size_class < small_classes && cache->give(memory, size_class)) return;
  shared().pool.give(memory, size_class);
}

void trim() noexcept {
  if (ThreadCache* cache = thread_cache()) cache->flush();
  shared().pool.trim();
}

SystemMemory system_memory() {
  SystemMemory memory;
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemTotal:") memory.total = kibibytes * 1024;
    if (name == "MemAvailable:") {
      memory.available = kibibytes * 1024;
      break;
    }
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  if (memory.total == 0) {
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    memory.total = sysconf(_SC_PHYS_PAGES) * page;
    memory.available = sysconf(_SC_AVPHYS_PAGES) * page;
  }
  return memory;
}

Usage usage() {
  const std::lock_guard lock(shared().mutex);
  Usage result{shared().pool.reserved(), shared().requested_by_ended_threads};
  for (const auto* link = shared().caches.after; link != &shared().caches; link = link->after) {
    result.requested += static_cast<const ThreadCache*>(link)->requested();
  }
  return result;
}

}  // namespace d2l::backend::host_memory
