// SPDX-License-Identifier: MIT
// The functions of graphs in the forms of CUDA 11 and 12, those with symbols, and the addresses of kernels.
#pragma once

#include <type_traits>

#include "d2l_emulator/graphs/api.h"
#include "d2l_emulator/launch.h"
#include "d2l_emulator/runtime_api.h"

namespace d2l::emulator {

/// Binds copies of the arguments, to which `arguments` point, to the kernel at this address.
using Binder = BoundKernel (*)(const void* kernel, Place place, void** arguments);
void register_kernel(const void* kernel, Binder binder);

template <bool loops, class... P, std::size_t... index>
BoundKernel bind_from_array(void (*kernel)(P...), Place place, void** arguments, std::index_sequence<index...>) {
  return bind_kernel<loops>(kernel_name(reinterpret_cast<const void*>(kernel), "kernel"), place.file, place.line, false,
                            by_address(kernel), Slot<P>(*static_cast<Slot<P>*>(arguments[index]))...);
}

/// The translator writes `kernel_address->*kernel` in place of `(void*)kernel`, so that nodes of graphs find the types
/// of the kernel's parameters by its address.
struct KernelAddress {};
inline constexpr KernelAddress kernel_address{};
template <bool loops = kernels_are_loops, class... P>
void* operator->*(KernelAddress, void (*kernel)(P...)) {
  register_kernel(reinterpret_cast<const void*>(kernel), [](const void* address, Place place, void** arguments) {
    return bind_from_array<loops>(reinterpret_cast<void (*)(P...)>(const_cast<void*>(address)), place, arguments,
                                  std::index_sequence_for<P...>());
  });
  return reinterpret_cast<void*>(kernel);
}
template <class T>
requires(!std::is_function_v<std::remove_pointer_t<std::decay_t<T>>>) void* operator->*(KernelAddress, T&& other) {
  return (void*)other;  // NOLINT: as the program's cast
}

/// std::runtime_error if the stream captures: a library runs its work on the host, at once.
void refuse_capture(cudaStream_t stream);

cudaError_t add_symbol_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                            std::size_t count, const void* symbol, const void* other, std::size_t bytes,
                            std::size_t offset, bool to_symbol, cudaMemcpyKind kind);
/// Of a node, or, with `exec`, of its copy there.
cudaError_t set_symbol_node(cudaGraphExec_t exec, cudaGraphNode_t node, const void* symbol, const void* other,
                            std::size_t bytes, std::size_t offset, bool to_symbol, cudaMemcpyKind kind);
}  // namespace d2l::emulator

// copies to and from variables
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count, const T& symbol,
                                           const void* from, std::size_t bytes, std::size_t offset,
                                           cudaMemcpyKind kind) {
  return d2l::emulator::add_symbol_node(node, graph, dependencies, count, &symbol, from, bytes, offset, true, kind);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                             const T& symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
  return d2l::emulator::add_symbol_node(node, graph, dependencies, count, &symbol, to, bytes, offset, false, kind);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* from,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return d2l::emulator::set_symbol_node(nullptr, node, &symbol, from, bytes, offset, true, kind);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const T& symbol, std::size_t bytes,
                                                   std::size_t offset, cudaMemcpyKind kind) {
  return d2l::emulator::set_symbol_node(nullptr, node, &symbol, to, bytes, offset, false, kind);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const T& symbol,
                                                     const void* from, std::size_t bytes, std::size_t offset,
                                                     cudaMemcpyKind kind) {
  return d2l::emulator::set_symbol_node(exec, node, &symbol, from, bytes, offset, true, kind);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const T& symbol, std::size_t bytes, std::size_t offset,
                                                       cudaMemcpyKind kind) {
  return d2l::emulator::set_symbol_node(exec, node, &symbol, to, bytes, offset, false, kind);
}

// the forms of CUDA 11 and 12
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                        char* log, std::size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = '\0';
  return cudaGraphInstantiate(exec, graph, 0ULL);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    std::size_t count, cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                            const cudaGraphNode_t** dependencies = nullptr,
                                            const cudaGraphEdgeData** edges = nullptr, std::size_t* count = nullptr) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies, std::size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                               const cudaGraphNode_t** dependencies = nullptr,
                                               std::size_t* count = nullptr) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                       const cudaGraphEdgeData* edges, std::size_t count,
                                                       unsigned flags = 0) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                       std::size_t count, unsigned flags = 0) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}
