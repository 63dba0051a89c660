// SPDX-License-Identifier: MIT
// Capture: what a thread captures of the work of one GPU, and the memory of a graph.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "base/non_copyable.h"
#include "core/tensor_impl.h"
#include "d2l/transfers.h"

namespace d2l::detail {

/// The memory of the tensors that are made during a capture. It stays until the graph and all of these tensors are
/// gone, because each replay uses it. A block that is given back serves later tensors of the same capture.
class GraphMemory : NonCopyable {
 public:
  explicit GraphMemory(Device device) : device_(device) {}
  /// OutOfMemoryError.
  [[nodiscard]] void* take(std::size_t bytes);
  void give_back(void* block, std::size_t bytes) noexcept;

 private:
  Device device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Storage>> blocks_;
  std::unordered_map<std::size_t, std::vector<void*>> idle_;  // by size
};

/// A storage that the graph uses.
struct UsedStorage {
  std::weak_ptr<Storage> storage;
  std::string tensor;       ///< for messages
  bool of_capture = false;  ///< its memory belongs to the graph
  bool written = false;
};

/// The launches of a capture, with their entries for the ledgers.
class Capture : NonCopyable {
 public:
  explicit Capture(Device device) : device_(device), memory_(std::make_shared<GraphMemory>(device)) {}

  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] const std::shared_ptr<GraphMemory>& memory() const noexcept { return memory_; }
  /// Notes that the work that comes next uses a tensor.
  void use(const TensorImpl& tensor, bool written);
  void add(const backend::GraphLaunch& launch, LedgerEntry entry);
  [[nodiscard]] const std::vector<LedgerEntry>& entries() const noexcept { return entries_; }
  [[nodiscard]] const std::vector<UsedStorage>& used() const noexcept { return used_; }
  /// The launches; afterwards there are none.
  [[nodiscard]] std::vector<backend::GraphLaunch> take_launches() noexcept { return std::move(launches_); }

 private:
  Device device_;
  std::shared_ptr<GraphMemory> memory_;
  std::vector<backend::GraphLaunch> launches_;
  std::vector<LedgerEntry> entries_;
  std::vector<UsedStorage> used_;
  std::unordered_map<const Storage*, std::size_t> places_;  // in used_
};

/// What this thread captures of the work of `device`; null if nothing.
[[nodiscard]] Capture* capture_of(Device device) noexcept;
/// From now on this thread captures the work of the device of `capture`, or if it is null runs all work.
void set_capture(Capture* capture) noexcept;

}  // namespace d2l::detail
