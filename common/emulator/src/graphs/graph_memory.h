// SPDX-License-Identifier: MIT
// GraphMemory: device memory that nodes of graphs allocate and free. Its address is the same in each launch.
#pragma once

#include <cstddef>
#include <memory>

#include "d2l_emulator/graphs/types.h"
#include "execution/allocation_table.h"
#include "runtime/device.h"

namespace d2l::emulator {

class Graph;

class GraphMemory {
 public:
  GraphMemory(int device, std::size_t bytes);
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  [[nodiscard]] void* address() const noexcept { return address_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] int device() const noexcept { return device_; }
  [[nodiscard]] const std::shared_ptr<Allocation>& allocation() const noexcept { return allocation_; }
  /// True between its allocation and its free, in the order in which the host submits them.
  [[nodiscard]] bool allocated() const noexcept { return allocated_; }
  void set_allocated(bool allocated);
  /// True if memory of the machine stands behind it.
  bool reserved = false;

 private:
  int device_;
  std::size_t bytes_;
  void* address_;
  std::shared_ptr<Allocation> allocation_;
  bool allocated_ = false;
};

/// Memory of a graph that begins at an address; null if there is none.
std::shared_ptr<GraphMemory> graph_memory_at(const void* begin);
/// Failure if a node of the graph frees the memory.
void require_not_freed_in(const Graph& graph, const GraphMemory& memory);
/// Its allocation, which contains an address, allocated at this moment or not; null if there is none.
std::shared_ptr<Allocation> allocation_of_graph(const void* address);

/// cudaMallocAsync in a stream: true if that captures, and there is a node now.
bool capture_allocation(Stream& stream, int device, std::size_t bytes, void** memory);
/// cudaFreeAsync and cudaFree: true if the memory is that of a graph. Failure if it is free.
bool free_graph_memory(const void* memory, Stream& stream);
bool free_graph_memory(const void* memory);

}  // namespace d2l::emulator
