// SPDX-License-Identifier: MIT
#include "graphs/node_work.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <unordered_map>

#include "calls/call_site.h"
#include "calls/unread_errors.h"
#include "d2l_emulator/graphs/api.h"
#include "graphs/exec.h"
#include "graphs/graph_memory.h"
#include "runtime/device.h"

namespace d2l::emulator {
namespace {

std::unordered_map<const void*, Binder>& binders() {
  static auto* const made = new std::unordered_map<const void*, Binder>;
  return *made;
}

/// Where the program calls: kernels of nodes count as launched there.
Place place_of_call() {
  const CallSite site = current_call();
  if (site.place.file != nullptr) return site.place;
  static std::set<std::string> files;  // kernels refer to them
  const std::string at = site.where();
  const std::size_t colon = at.rfind(':');
  if (colon == std::string::npos) return {"a node of a graph", 0};
  return {files.insert(at.substr(0, colon)).first->c_str(), std::atoi(at.c_str() + colon + 1)};
}

BoundKernel bound(const cudaKernelNodeParams& parameters, const Work* before) {
  if (parameters.extra != nullptr) {
    explain_failure("The arguments of a kernel in `extra` are not supported by the emulator: use kernelParams");
    throw Failure{cudaErrorNotSupported};
  }
  void* none = nullptr;
  void** const arguments = parameters.kernelParams == nullptr ? &none : parameters.kernelParams;
  const auto* const known = before == nullptr ? nullptr : std::get_if<KernelParameters>(&before->parameters);
  if (known != nullptr && known->kernel.function == parameters.func && known->kernel.rebind != nullptr) {
    return known->kernel.rebind(known->kernel, arguments);
  }
  const auto binder = binders().find(parameters.func);
  if (binder == binders().end()) {
    std::fputs(
        "the parameters of the kernel of a node are not known to the emulator: write its address as "
        "parameters.func = (void*)kernel\n",
        stderr);
    throw Failure{cudaErrorInvalidDeviceFunction};
  }
  return binder->second(parameters.func, place_of_call(), arguments);
}

}  // namespace

void register_kernel(const void* kernel, Binder binder) {
  const std::lock_guard lock(graph_mutex());
  binders()[kernel] = binder;
}

Work work_of(const cudaKernelNodeParams& parameters, const Work* before) {
  require(parameters.func != nullptr, cudaErrorInvalidDeviceFunction);
  const auto* const known = before == nullptr ? nullptr : std::get_if<KernelParameters>(&before->parameters);
  const int device = known == nullptr ? current_device().number() : known->device;
  BoundKernel kernel = bound(parameters, before);
  if (known != nullptr) kernel.cooperative = known->kernel.cooperative;
  return kernel_work({parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes}, std::move(kernel), device);
}

Work work_of(const cudaHostNodeParams& parameters) {
  require(parameters.fn != nullptr);
  return host_work([=] { parameters.fn(parameters.userData); }, parameters);
}

Work work_of(cudaMemAllocNodeParams& parameters) {
  require(parameters.bytesize > 0 && parameters.poolProps.allocType == cudaMemAllocationTypePinned);
  require(parameters.poolProps.location.type == cudaMemLocationTypeDevice);
  const int device = device_at(parameters.poolProps.location.id).number();
  const auto memory = std::make_shared<GraphMemory>(device, parameters.bytesize);
  parameters.dptr = memory->address();
  return allocation_work(memory);
}

Work work_of_free(const void* memory, const Graph& graph) {
  const auto known = graph_memory_at(memory);
  require(known != nullptr);
  require_not_freed_in(graph, *known);
  return release_work(known);
}

Work work_of(cudaGraphNodeParams& parameters, const Work* before) {
  switch (parameters.type) {
    case cudaGraphNodeTypeKernel:
      return work_of(parameters.kernel, before);
    case cudaGraphNodeTypeMemcpy:
      return copy_work(parameters.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return fill_work(parameters.memset);
    case cudaGraphNodeTypeHost:
      return work_of(parameters.host);
    case cudaGraphNodeTypeEmpty:
      return {};
    case cudaGraphNodeTypeWaitEvent:
      return event_wait_work(parameters.eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return event_record_work(parameters.eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return work_of(parameters.alloc);
    default:
      break;
  }
  if (parameters.type == cudaGraphNodeTypeExtSemaphoreSignal || parameters.type == cudaGraphNodeTypeExtSemaphoreWait) {
    std::fputs("semaphores in graphs are not supported by the emulator\n", stderr);
    throw Failure{cudaErrorNotSupported};
  }
  throw Failure{cudaErrorInvalidValue};
}

std::shared_ptr<const Work> work_of_child() {
  static const auto work = std::make_shared<const Work>(Work{cudaGraphNodeTypeGraph, "graph", nullptr, {}});
  return work;
}

const Work& work_to_set(cudaGraphExec_t exec, const Node& node) {
  return exec == nullptr ? *node.work : *exec_of(exec).copy_of(node).work;
}

void set_work(cudaGraphExec_t exec, Node& node, Work work) {
  require(work.type == node.work->type);
  auto made = std::make_shared<const Work>(std::move(work));
  if (exec == nullptr) {
    node.work = std::move(made);
  } else {
    exec_of(exec).copy_of(node).work = std::move(made);
  }
}

}  // namespace d2l::emulator
