// SPDX-License-Identifier: MIT
// Work: the items in the queue of a virtual GPU.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/host_memory.h"
#include "backend/virtual_gpu/delays.h"

namespace d2l::backend {

class WorkQueue;

struct LaunchWork {
  NamedKernel kernel;
  KernelArguments arguments;
};

/// The launches of a graph.
class VirtualGraph : public Graph {
 public:
  explicit VirtualGraph(std::vector<GraphLaunch> launches) : launches_(std::move(launches)) {}
  [[nodiscard]] const std::vector<GraphLaunch>& launches() const noexcept { return launches_; }

 private:
  std::vector<GraphLaunch> launches_;
};

struct GraphWork {
  std::shared_ptr<const VirtualGraph> graph;
  std::vector<std::shared_ptr<Span>> spans;
};

/// The contents of pageable host memory at the time when a copy from it was issued, in memory of the caching allocator,
/// because the first touch of fresh memory is slow.
class StagingBuffer {
 public:
  StagingBuffer() = default;
  /// Copies `bytes` bytes from `source`; OutOfMemoryError if there is not enough host memory.
  StagingBuffer(const void* source, std::size_t bytes) : memory_(host_memory::allocate(bytes), Release{bytes}) {
    pending_.fetch_add(bytes);
    std::memcpy(memory_.get(), source, bytes);
  }

  [[nodiscard]] const void* data() const noexcept { return memory_.get(); }
  /// The bytes of all buffers in the process.
  [[nodiscard]] static std::size_t pending_bytes() noexcept { return pending_.load(); }

 private:
  struct Release {
    std::size_t bytes;
    void operator()(void* memory) const noexcept {
      host_memory::release(memory, bytes);
      pending_.fetch_sub(bytes);
    }
  };
  static inline std::atomic<std::size_t> pending_{0};
  std::unique_ptr<void, Release> memory_;
};

/// The owner of an address in a copy: the number of a device, or this value for the host.
constexpr int host_side = -1;

struct CopyWork {
  void* destination;
  const void* source;
  std::size_t bytes;
  int destination_side;
  int source_side;
  StagingBuffer staging;  ///< the contents of a pageable source when the copy was issued; else empty
};

/// Fills memory that is allocated for the first time with a pattern, so that it does not look like zeros.
struct FreshMemoryWork {
  void* address;
  std::size_t bytes;
};

/// Waits until another queue has finished its first `sequence` items of work.
struct WaitWork {
  std::shared_ptr<WorkQueue> queue;
  std::uint64_t sequence;
};

struct FaultWork {
  std::string what;
};

/// Calls a function on the queue's thread; it gets no other arguments than what it captured.
struct CallWork {
  std::function<void()> call;
};

struct Work {
  using What = std::variant<FaultWork, WaitWork, FreshMemoryWork, CopyWork, LaunchWork, GraphWork, CallWork>;
  What what;
  std::shared_ptr<Span> span;
  std::optional<Delay> delay;
};

}  // namespace d2l::backend
