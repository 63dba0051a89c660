// SPDX-License-Identifier: MIT
// What a Tensor handle points to: a strided view of a storage.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// A short list of sizes or strides, held in place.
struct Dimensions {
  std::array<std::int64_t, max_dimensions> values{};
  int count = 0;

  [[nodiscard]] IntArrayRef ref() const { return {values.data(), static_cast<std::size_t>(count)}; }
  [[nodiscard]] std::int64_t operator[](int i) const { return values[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::int64_t& operator[](int i) { return values[static_cast<std::size_t>(i)]; }
};

/// Bytes of one element; elementSize, for the hot paths.
constexpr std::int64_t bytes_each(ScalarType type) noexcept {
  constexpr std::array<std::int64_t, scalar_type_count> sizes{1, 1, 4, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

/// A block of memory of one device; gives it back when the last tensor of it is gone.
class Storage {
 public:
  Storage(Device device, std::size_t bytes, bool pinned);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  /// The same memory under another device's name; see testing::relabel.
  Storage(std::shared_ptr<Storage> memory, Device label);

  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool pinned() const noexcept { return pinned_; }
  /// How often the memory was written in place.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_.load(std::memory_order_relaxed); }
  void count_write() noexcept { version_.fetch_add(1, std::memory_order_relaxed); }
  /// The name of the recorded operation that wrote the memory last; null when none did.
  [[nodiscard]] const char* recorded_writer() const noexcept { return writer_.load(std::memory_order_relaxed); }
  void note_recorded_writer(const char* name) noexcept { writer_.store(name, std::memory_order_relaxed); }

  /// What a copy under way does with this host memory.
  enum class Use : std::int8_t { read, write };
  /// A copy in the queue of `device` uses this host memory until `mark`.
  void set_pending(Device device, std::shared_ptr<backend::Mark> mark, Use use);
  /// The host waits for all copies under way, so that it may write; a synchronisation for each.
  void wait_until_ready() {
    if (has_pending_.load(std::memory_order_acquire)) finish_pending(Use::read);
  }
  /// The host waits for the copies under way that write, so that it may read; a synchronisation for each.
  void wait_until_readable() {
    if (has_pending_.load(std::memory_order_acquire)) finish_pending(Use::write);
  }
  /// Lets the queue of `device` wait for the copies of other devices that a copy of the given use must not meet.
  void order_after_pending(Device device, Use use);

 private:
  struct Pending {
    Device device;
    std::shared_ptr<backend::Mark> mark;
    Use use;
  };
  void finish_pending(Use least);

  Device device_;
  bool pinned_ = false;
  std::atomic<bool> has_pending_{false};
  std::atomic<std::uint32_t> version_{0};
  std::atomic<const char*> writer_{nullptr};
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::mutex pending_mutex_;
  std::vector<Pending> pending_;
  std::shared_ptr<Storage> memory_;
};

struct RecordedOperation;

/// What a tensor is to a module.
enum class ParameterState : std::int8_t {
  none,
  parameter,
  uninitialized,  ///< has a device and a dtype, but no shape yet; only a layer may give it one
};

/// Elements of a storage, and how they are arranged.
struct StridedView {
  std::shared_ptr<Storage> storage;
  Dimensions sizes;
  Dimensions strides;  // in elements
  std::int64_t offset = 0;
  std::int64_t numel = 0;
  ScalarType dtype = kFloat;
  bool contiguous = true;
  bool behind_autograd = false;  ///< data(), or a view of it: what is written through it is not counted

  [[nodiscard]] Device device() const noexcept { return storage->device(); }
  [[nodiscard]] void* data() const noexcept { return static_cast<char*>(storage->data()) + offset * bytes_each(dtype); }
};

struct TensorImpl : StridedView {
  /// A leaf that gradients are wanted for, or what a recorded operation made.
  bool requires_grad = false;
  ParameterState parameter = ParameterState::none;
  std::uint32_t seen_version = 0;  ///< of a view with a base: the storage's version that grad_fn belongs to
  std::shared_ptr<RecordedOperation> grad_fn;
  Tensor grad;
  std::shared_ptr<TensorImpl> base;  ///< what this is a view of, where gradients must find it; never itself a view

  TensorImpl() = default;
  /// The same elements without history.
  explicit TensorImpl(const StridedView& view) : StridedView(view) {}
  ~TensorImpl();
  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;
};

}  // namespace d2l::detail
