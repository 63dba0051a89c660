// SPDX-License-Identifier: MIT
// Work: what can stand in the queue of a virtual GPU.
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

/// Whose memory an address of a copy is said to be: a device's number, or the host's.
constexpr int host_side = -1;

struct CopyWork {
  void* destination;
  const void* source;
  std::size_t bytes;
  int destination_side;
  int source_side;
  StagingBuffer staging;  ///< what the source was when the copy was issued; empty unless it was pageable memory
};

/// Memory that is handed out for the first time gets a pattern, for it must not look like zeros.
struct FreshMemoryWork {
  void* address;
  std::size_t bytes;
};

/// The queue waits until another has finished its first `sequence` pieces of work.
struct WaitWork {
  std::shared_ptr<WorkQueue> queue;
  std::uint64_t sequence;
};

struct FaultWork {
  std::string what;
};

struct Work {
  std::variant<FaultWork, WaitWork, FreshMemoryWork, CopyWork, LaunchWork> what;
  std::shared_ptr<Span> span;
  std::optional<Delay> delay;
};

}  // namespace d2l::backend
