// SPDX-License-Identifier: MIT
// Work: what a stream runs once, or, as a node of a graph, each time that the graph is launched.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "calls/call_site.h"
#include "d2l_emulator/graphs/types.h"
#include "d2l_emulator/launch.h"
#include "order/operation.h"
#include "order/stream_role.h"

namespace d2l::emulator {

class Condition;
class GraphMemory;
class Stream;

/// What the program can ask for again, and change.
struct KernelParameters {
  BoundKernel kernel;
  Configuration configuration;
  int device;
};
struct EventParameter {
  cudaEvent_t event;
};
struct ConditionalParameters {
  std::shared_ptr<Condition> condition;
  cudaGraphConditionalNodeType type;
  CallSite site;  ///< of the call that added the node
};
using WorkParameters =
    std::variant<std::monostate, KernelParameters, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams,
                 EventParameter, std::shared_ptr<GraphMemory>, ConditionalParameters>;

struct Work {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::string name;  ///< in pictures of graphs
  /// Adds it to the end of a stream's queue. `role` is its place in the order of operations. Returns its operation,
  /// null if no timeline is kept.
  std::function<std::shared_ptr<Operation>(Stream& stream, const StreamRole& role)> enqueue;
  WorkParameters parameters;
};

/// The work of a launch; Failure if the configuration is not possible on the device.
Work kernel_work(const Configuration& configuration, BoundKernel kernel, int device);
/// Copies and fills; Failure if the addresses or the direction are wrong.
Work copy_work(const cudaMemcpy3DParms& parameters);
Work fill_work(const cudaMemsetParams& parameters);
/// A function of the host.
Work host_work(std::function<void()> function, const cudaHostNodeParams& parameters);
/// Of an event that the program has; Failure if it has not.
Work event_record_work(cudaEvent_t event);
Work event_wait_work(cudaEvent_t event);
/// Memory of a graph is allocated, or freed.
Work allocation_work(const std::shared_ptr<GraphMemory>& memory);
Work release_work(const std::shared_ptr<GraphMemory>& memory);
/// Other work, such as that of a library; what it returns are accesses that it found while it ran.
Work plain_work(std::function<void()> function, Operation operation);
Work plain_work(std::function<std::vector<MemoryAccesses>(const std::shared_ptr<Operation>&)> function,
                Operation operation);

/// The parameters of a plain copy of bytes.
cudaMemcpy3DParms copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// The address within a variable of the device; Failure if it has not so many bytes.
void* part_of_symbol(const void* symbol, std::size_t bytes, std::size_t offset);
/// Those of a copy to or from such a variable.
cudaMemcpy3DParms copy_of_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset,
                                 bool to_symbol, cudaMemcpyKind kind);

}  // namespace d2l::emulator
