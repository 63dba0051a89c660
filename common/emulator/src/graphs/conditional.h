// SPDX-License-Identifier: MIT
// Conditional nodes: a variable that kernels set, and the graphs that run by its value.
#pragma once

#include <memory>

#include "graphs/exec.h"

namespace d2l::emulator {

class GraphMemory;

/// The variable of conditional nodes, in memory of the device, so that accesses by kernels are checked.
class Condition {
 public:
  /// With `assigned`, each launch of the graph begins with this value, else with one that is not known.
  Condition(unsigned value, bool assigned);

  [[nodiscard]] cudaGraphConditionalHandle handle() const noexcept { return handle_; }
  void begin_launch() const;
  // Called by the thread of a queue, and by a thread of a kernel.
  [[nodiscard]] unsigned value() const;
  void set(unsigned value, const void* caller) const;

 private:
  unsigned value_;
  bool assigned_;
  std::shared_ptr<GraphMemory> memory_;
  cudaGraphConditionalHandle handle_;
};

/// Adds a node to `graph`; `parameters` get its bodies. Failure if the handle is of another graph.
Node& add_conditional(Graph& graph, std::vector<Edge> dependencies, cudaConditionalNodeParams& parameters);
/// The variables of a graph and of the bodies in it.
std::vector<std::shared_ptr<Condition>> conditions_of(const Graph& graph);
/// Whether a graph with conditional nodes can be instantiated; what it says is explained.
cudaGraphInstantiateResult check_conditional_nodes(const Graph& graph);
/// Adds the node to a stream: the bodies run when its turn comes.
std::shared_ptr<Operation> enqueue_conditional(const ExecNode& node, Stream& stream, const StreamRole& role);

}  // namespace d2l::emulator
