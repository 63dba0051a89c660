// SPDX-License-Identifier: MIT
// Work: the items in the queue of a virtual GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "backend/backend.h"
#include "backend/virtual_gpu/delays.h"
#include "backend/virtual_gpu/staging.h"

namespace d2l::backend {

class WorkQueue;

struct LaunchWork {
  Operation operation;
  Kernel kernel;
  KernelArguments arguments;
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

struct Work {
  using What = std::variant<FaultWork, WaitWork, FreshMemoryWork, CopyWork, LaunchWork>;
  What what;
  std::shared_ptr<Span> span;
  std::optional<Delay> delay;
};

}  // namespace d2l::backend
