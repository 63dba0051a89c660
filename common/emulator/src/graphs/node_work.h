// SPDX-License-Identifier: MIT
// The work of nodes, by the parameters that programs give.
#pragma once

#include "graphs/graph.h"

namespace d2l::emulator {

/// `before` is the work whose parameters are set; null for a new node. A kernel stays on its device.
Work work_of(const cudaKernelNodeParams& parameters, const Work* before);
Work work_of(const cudaHostNodeParams& parameters);
/// By the type in `parameters`; of an allocation, it gets the address. Failure for a graph, which is no work.
Work work_of(cudaGraphNodeParams& parameters, const Work* before);
/// Memory that a node allocates: `parameters` get its address.
Work work_of(cudaMemAllocNodeParams& parameters);
/// A node that frees the memory at an address; Failure if it is not that of a graph, or is freed by this graph already.
Work work_of_free(const void* memory, const Graph& graph);

/// The parameters of a node; Failure if it is of another type.
template <class T>
const T& parameters_of(const Work& work, cudaGraphNodeType type) {
  require(work.type == type && std::holds_alternative<T>(work.parameters));
  return std::get<T>(work.parameters);
}

/// The node for a graph within a graph.
std::shared_ptr<const Work> work_of_child();
/// Changes the work of a node, or, with `exec`, of its copy there. Failure if its type would change.
void set_work(cudaGraphExec_t exec, Node& node, Work work);
/// What such a call changes.
const Work& work_to_set(cudaGraphExec_t exec, const Node& node);

}  // namespace d2l::emulator
