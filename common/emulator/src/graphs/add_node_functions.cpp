// SPDX-License-Identifier: MIT
// The functions of CUDA for nodes: they are added.
#include "calls/call_site.h"
#include "d2l_emulator/graphs/api.h"
#include "graphs/conditional.h"
#include "graphs/graph_memory.h"
#include "graphs/node_work.h"

namespace d2l::emulator {
namespace {

/// Adds a node with the work that `make(graph)` returns. It is made after all other arguments are known to be right.
template <class Make>
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                     const cudaGraphEdgeData* edges, std::size_t count, const Make& make) {
  return graph_call([&] {
    require(node != nullptr);
    Graph& graph = graph_of(handle);
    auto before = edges_from(graph, dependencies, edges, count);
    *node = handle_of(graph.add(std::make_shared<const Work>(make(graph)), std::move(before)));
  });
}

/// A node that is a graph.
cudaError_t add_child(cudaGraphNode_t* node, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                      const cudaGraphEdgeData* edges, std::size_t count, const cudaChildGraphNodeParams& what) {
  return graph_call([&] {
    require(node != nullptr);
    Graph& graph = graph_of(handle);
    Graph& child = graph_of(what.graph);
    require(&child != &graph);
    const bool moved = what.ownership == cudaGraphChildGraphOwnershipMove;
    require(moved || !child.uses_memory(), cudaErrorNotSupported);
    require(!child.has_conditional_nodes(), cudaErrorNotSupported);
    auto before = edges_from(graph, dependencies, edges, count);
    auto own = moved ? take_from_program(what.graph) : child.clone();
    Node& made = graph.add(work_of_child(), std::move(before));
    made.child = std::move(own);
    *node = handle_of(made);
  });
}

cudaError_t add_conditional_node(cudaGraphNode_t* node, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                                 const cudaGraphEdgeData* edges, std::size_t count, cudaConditionalNodeParams& what) {
  return graph_call([&] {
    require(node != nullptr);
    Graph& graph = graph_of(handle);
    *node = handle_of(add_conditional(graph, edges_from(graph, dependencies, edges, count), what));
  });
}

}  // namespace
}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  if (parameters != nullptr && parameters->type == cudaGraphNodeTypeGraph) {
    return add_child(node, graph, dependencies, edges, count, parameters->graph);
  }
  if (parameters != nullptr && parameters->type == cudaGraphNodeTypeConditional) {
    return add_conditional_node(node, graph, dependencies, edges, count, parameters->conditional);
  }
  return add_node(node, graph, dependencies, edges, count, [&](const Graph& to) {
    require(parameters != nullptr);
    if (parameters->type == cudaGraphNodeTypeMemFree) return work_of_free(parameters->free.dptr, to);
    return work_of(*parameters, nullptr);
  });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaKernelNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& /*to*/) {
    require(parameters != nullptr);
    return work_of(*parameters, nullptr);
  });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemcpy3DParms* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& /*to*/) {
    require(parameters != nullptr);
    return copy_work(*parameters);
  });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count,
                  [&](const Graph& /*to*/) { return copy_work(copy_of_bytes(to, from, bytes, kind)); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemsetParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& /*to*/) {
    require(parameters != nullptr);
    return fill_work(*parameters);
  });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t count, const cudaHostNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& /*to*/) {
    require(parameters != nullptr);
    return work_of(*parameters);
  });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, cudaGraph_t child) {
  const ApiCall call(__builtin_return_address(0));
  return add_child(node, graph, dependencies, nullptr, count, {child, cudaGraphChildGraphOwnershipClone});
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t count) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& /*to*/) { return Work(); });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        size_t count, cudaEvent_t event) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count,
                  [&](const Graph& /*to*/) { return event_record_work(event); });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      size_t count, cudaEvent_t event) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count,
                  [&](const Graph& /*to*/) { return event_wait_work(event); });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, cudaMemAllocNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& /*to*/) {
    require(parameters != nullptr);
    return work_of(*parameters);
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    size_t count, void* memory) {
  const ApiCall call(__builtin_return_address(0));
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& to) { return work_of_free(memory, to); });
}

cudaError_t d2l::emulator::add_symbol_node(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count, const void* symbol,
                                           const void* other, std::size_t bytes, std::size_t offset, bool to_symbol,
                                           cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0),
                     to_symbol ? "cudaGraphAddMemcpyNodeToSymbol" : "cudaGraphAddMemcpyNodeFromSymbol");
  return add_node(node, graph, dependencies, nullptr, count, [&](const Graph& /*to*/) {
    return copy_work(copy_of_symbol(symbol, other, bytes, offset, to_symbol, kind));
  });
}
