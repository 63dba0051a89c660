// SPDX-License-Identifier: MIT
// The functions of CUDA for nodes: their parameters.
#include "calls/call_site.h"
#include "d2l_emulator/graphs/api.h"
#include "graphs/exec.h"
#include "graphs/graph_memory.h"
#include "graphs/node_work.h"

namespace d2l::emulator {
namespace {

/// Sets the work of a node, or of its copy in `exec`, to what `make(before)` returns.
template <class Make>
cudaError_t set_node(cudaGraphExec_t exec, cudaGraphNode_t handle, const Make& make) {
  return graph_call([&] {
    Node& node = node_of(handle);
    set_work(exec, node, make(work_to_set(exec, node)));
  });
}
/// The same of a copy in a graph that can be launched.
template <class Make>
cudaError_t set_copy(cudaGraphExec_t exec, cudaGraphNode_t node, const Make& make) {
  return graph_call([&] {
    exec_of(exec);
    const cudaError_t error = set_node(exec, node, make);
    require(error == cudaSuccess, error);
  });
}
template <class T>
cudaError_t get_parameters(cudaGraphNode_t node, cudaGraphNodeType type, T* to) {
  return graph_call([&] {
    require(to != nullptr);
    *to = parameters_of<T>(*node_of(node).work, type);
  });
}
cudaError_t get_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* event) {
  return graph_call([&] {
    require(event != nullptr);
    *event = parameters_of<EventParameter>(*node_of(node).work, type).event;
  });
}
const std::shared_ptr<GraphMemory>& memory_of(cudaGraphNode_t node, cudaGraphNodeType type) {
  return parameters_of<std::shared_ptr<GraphMemory>>(*node_of(node).work, type);
}

}  // namespace
}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(parameters != nullptr);
    const auto& known = parameters_of<KernelParameters>(*node_of(node).work, cudaGraphNodeTypeKernel);
    parameters->func = const_cast<void*>(known.kernel.function);
    parameters->gridDim = known.configuration.grid;
    parameters->blockDim = known.configuration.block;
    parameters->sharedMemBytes = static_cast<unsigned>(known.configuration.shared);
    parameters->kernelParams = const_cast<void**>(known.kernel.arguments.data());
    parameters->extra = nullptr;
  });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& before) {
    require(parameters != nullptr);
    require(before.type == cudaGraphNodeTypeKernel);
    return work_of(*parameters, &before);
  });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& before) {
    require(parameters != nullptr);
    require(before.type == cudaGraphNodeTypeKernel);
    return work_of(*parameters, &before);
  });
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(value != nullptr);
    const auto& known = parameters_of<KernelParameters>(*node_of(node).work, cudaGraphNodeTypeKernel);
    *value = {};
    if (attribute == cudaLaunchAttributeCooperative) value->cooperative = known.kernel.cooperative ? 1 : 0;
  });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& before) {
    require(value != nullptr);
    KernelParameters known = parameters_of<KernelParameters>(before, cudaGraphNodeTypeKernel);
    if (attribute == cudaLaunchAttributeCooperative) known.kernel.cooperative = value->cooperative != 0;
    return kernel_work(known.configuration, std::move(known.kernel), known.device);
  });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    const auto& source = parameters_of<KernelParameters>(*node_of(from).work, cudaGraphNodeTypeKernel);
    KernelParameters known = parameters_of<KernelParameters>(*node_of(to).work, cudaGraphNodeTypeKernel);
    known.kernel.cooperative = source.kernel.cooperative;
    set_work(nullptr, node_of(to), kernel_work(known.configuration, std::move(known.kernel), known.device));
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return get_parameters(node, cudaGraphNodeTypeMemcpy, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& /*before*/) {
    require(parameters != nullptr);
    return copy_work(*parameters);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& /*before*/) {
    require(parameters != nullptr);
    return copy_work(*parameters);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node,
                  [&](const Work& /*before*/) { return copy_work(copy_of_bytes(to, from, bytes, kind)); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& /*before*/) { return copy_work(copy_of_bytes(to, from, bytes, kind)); });
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return get_parameters(node, cudaGraphNodeTypeMemset, parameters);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& /*before*/) {
    require(parameters != nullptr);
    return fill_work(*parameters);
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& /*before*/) {
    require(parameters != nullptr);
    return fill_work(*parameters);
  });
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return get_parameters(node, cudaGraphNodeTypeHost, parameters);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& /*before*/) {
    require(parameters != nullptr);
    return work_of(*parameters);
  });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& /*before*/) {
    require(parameters != nullptr);
    return work_of(*parameters);
  });
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  const ApiCall call(__builtin_return_address(0));
  return get_event(node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& /*before*/) { return event_record_work(event); });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& /*before*/) { return event_record_work(event); });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  const ApiCall call(__builtin_return_address(0));
  return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& /*before*/) { return event_wait_work(event); });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& /*before*/) { return event_wait_work(event); });
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_node(nullptr, node, [&](const Work& before) {
    require(parameters != nullptr);
    require(parameters->type == before.type && before.type != cudaGraphNodeTypeMemAlloc, cudaErrorInvalidValue);
    return work_of(*parameters, &before);
  });
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return set_copy(exec, node, [&](const Work& before) {
    require(parameters != nullptr);
    require(parameters->type == before.type && before.type != cudaGraphNodeTypeMemAlloc, cudaErrorInvalidValue);
    return work_of(*parameters, &before);
  });
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(graph != nullptr && node_of(node).child != nullptr);
    *graph = handle_of(*node_of(node).child);
  });
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(parameters != nullptr);
    const auto& memory = memory_of(node, cudaGraphNodeTypeMemAlloc);
    *parameters = {};
    parameters->poolProps.allocType = cudaMemAllocationTypePinned;
    parameters->poolProps.location = {cudaMemLocationTypeDevice, memory->device()};
    parameters->bytesize = memory->bytes();
    parameters->dptr = memory->address();
  });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* memory) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(memory != nullptr);
    *static_cast<void**>(memory) = memory_of(node, cudaGraphNodeTypeMemFree)->address();
  });
}

cudaError_t d2l::emulator::set_symbol_node(cudaGraphExec_t exec, cudaGraphNode_t node, const void* symbol,
                                           const void* other, std::size_t bytes, std::size_t offset, bool to_symbol,
                                           cudaMemcpyKind kind) {
  const ApiCall call(__builtin_return_address(0),
                     to_symbol ? "cudaGraphMemcpyNodeSetParamsToSymbol" : "cudaGraphMemcpyNodeSetParamsFromSymbol");
  return set_node(exec, node, [&](const Work& /*before*/) {
    return copy_work(copy_of_symbol(symbol, other, bytes, offset, to_symbol, kind));
  });
}
