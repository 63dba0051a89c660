// SPDX-License-Identifier: MIT
// The functions of CUDA for graphs that can be launched.
#include <algorithm>
#include <unordered_map>

#include "calls/call_site.h"
#include "graphs/capture.h"
#include "graphs/conditional.h"
#include "graphs/exec.h"
#include "graphs/node_work.h"

namespace d2l::emulator {
namespace {

std::unordered_map<cudaGraphExec_t, std::unique_ptr<Exec>>& all_execs() {
  static auto* const made = new std::unordered_map<cudaGraphExec_t, std::unique_ptr<Exec>>;
  return *made;
}

constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;

void instantiate(cudaGraphExec_t* handle, cudaGraph_t graph, unsigned long long flags) {
  require(handle != nullptr);
  *handle = nullptr;
  require((flags & cudaGraphInstantiateFlagDeviceLaunch) == 0, cudaErrorNotSupported);
  require((flags & ~known_flags) == 0);
  require(check_conditional_nodes(graph_of(graph)) == cudaGraphInstantiateSuccess);
  auto made = std::make_unique<Exec>(graph_of(graph), flags);
  *handle = reinterpret_cast<cudaGraphExec_t>(made.get());
  all_execs()[*handle] = std::move(made);
}

bool same_memory(const Work& a, const Work& b) {
  using Memory = std::shared_ptr<GraphMemory>;
  return std::get<Memory>(a.parameters) == std::get<Memory>(b.parameters);
}

/// What prevents that the nodes of a graph take the place of those of an exec; success if nothing does.
cudaGraphExecUpdateResultInfo compare(const std::vector<ExecNode>& old, const std::vector<ExecNode>& now,
                                      const Graph& graph) {
  cudaGraphExecUpdateResultInfo info{cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  if (old.size() != now.size()) return info;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const auto node = std::ranges::find_if(graph.nodes(), [&](const auto& one) { return one->id == now[i].id; });
    info.errorNode = node == graph.nodes().end() ? nullptr : handle_of(**node);
    auto before = old[i].dependencies;
    auto after = now[i].dependencies;
    std::ranges::sort(before);
    std::ranges::sort(after);
    if (before != after) return info;
    const Work& from = *old[i].work;
    const Work& to = *now[i].work;
    if (from.type != to.type) {
      info.result = cudaGraphExecUpdateErrorNodeTypeChanged;
      return info;
    }
    if (from.type == cudaGraphNodeTypeMemAlloc && !same_memory(from, to)) {
      info.result = cudaGraphExecUpdateErrorNotSupported;
      return info;
    }
    if (from.type != cudaGraphNodeTypeConditional) continue;
    const auto kind = [](const Work& work) { return std::get<ConditionalParameters>(work.parameters).type; };
    if (kind(from) != kind(to) || old[i].bodies.size() != now[i].bodies.size()) {
      info.result = cudaGraphExecUpdateErrorParametersChanged;
      return info;
    }
    for (std::size_t body = 0; body < now[i].bodies.size(); ++body) {
      const auto inner = compare(old[i].bodies[body], now[i].bodies[body], *node_of(info.errorNode).bodies[body]);
      if (inner.result != cudaGraphExecUpdateSuccess) return inner;
    }
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

/// A node that can be switched off.
ExecNode& switchable(cudaGraphExec_t exec, cudaGraphNode_t handle) {
  ExecNode& node = exec_of(exec).copy_of(node_of(handle));
  const cudaGraphNodeType type = node.work->type;
  require(type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset);
  return node;
}

/// The nodes of a graph within a graph get new work.
void replace_child(Exec& exec, const Graph& old, const Graph& now) {
  require(old.nodes().size() == now.nodes().size());
  for (std::size_t i = 0; i < old.nodes().size(); ++i) {
    const Node& from = *old.nodes()[i];
    const Node& to = *now.nodes()[i];
    require(from.work->type == to.work->type && from.dependencies.size() == to.dependencies.size());
    if (from.child) replace_child(exec, *from.child, *to.child);
    exec.copy_of(from).work = to.work;
  }
}

}  // namespace

Exec& exec_of(cudaGraphExec_t handle) {
  const auto found = all_execs().find(handle);
  require(found != all_execs().end());
  return *found->second;
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { instantiate(exec, graph, flags); });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  const ApiCall call(__builtin_return_address(0));
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(parameters != nullptr);
    parameters->errNode_out = nullptr;
    parameters->result_out = cudaGraphInstantiateError;
    graph_of(graph);
    parameters->result_out = cudaGraphInstantiateInvalidStructure;
    nodes_in_order(graph_of(graph));
    parameters->result_out = check_conditional_nodes(graph_of(graph));
    require(parameters->result_out == cudaGraphInstantiateSuccess);
    parameters->result_out = cudaGraphInstantiateError;
    instantiate(exec, graph, parameters->flags);
    parameters->result_out = cudaGraphInstantiateSuccess;
  });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { require(flags != nullptr), *flags = exec_of(exec).flags(); });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    exec_of(exec);
    stream_of(stream)->push([] {});
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  const ApiCall call(__builtin_return_address(0));
  const cudaError_t fatal = fatal_error_here();
  if (fatal != cudaSuccess) return note(fatal);
  return graph_call([&] {
    Exec& exec = exec_of(handle);
    const auto stream = stream_of(stream_handle);
    if (CapturingStream* const state = valid_capture(*stream)) {
      add_captured(*state, work_of_child()).child = exec.graph();
      return;
    }
    if (stream->is_default()) forbid_wait(*stream);
    exec.launch(*stream);
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { require(all_execs().erase(exec) == 1); });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* result) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(result != nullptr);
    *result = {cudaGraphExecUpdateError, nullptr, nullptr};
    Exec& exec = exec_of(handle);
    const Graph& graph = graph_of(graph_handle);
    const auto now = nodes_in_order(graph);
    *result = compare(exec.nodes(), now, graph);
    require(result->result == cudaGraphExecUpdateSuccess, cudaErrorGraphExecUpdateFailure);
    exec.update(graph, now);
  });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(node_of(node).child != nullptr);
    replace_child(exec_of(exec), *node_of(node).child, graph_of(child));
  });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { switchable(exec, node).enabled = enabled != 0; });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { require(enabled != nullptr), *enabled = switchable(exec, node).enabled ? 1 : 0; });
}
