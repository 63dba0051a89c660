// SPDX-License-Identifier: MIT
#include "graphs/conditional.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "calls/unread_errors.h"
#include "d2l_emulator/device_math.h"
#include "d2l_emulator/graphs/api.h"
#include "graphs/graph_memory.h"
#include "hip/program.h"
#include "nested/in_kernel.h"
#include "report/report.h"
#include "runtime/kernel_launch.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

/// By handle. Kernels look there, while a thread of the host may hold graph_mutex() and wait.
struct KnownConditions {
  std::mutex mutex;
  cudaGraphConditionalHandle last = 0;
  std::unordered_map<cudaGraphConditionalHandle, std::weak_ptr<const Condition>> conditions;
};
KnownConditions& known_conditions() {
  static auto* const made = new KnownConditions;
  return *made;
}

std::shared_ptr<const Condition> condition_of(cudaGraphConditionalHandle handle) {
  const std::lock_guard lock(known_conditions().mutex);
  const auto found = known_conditions().conditions.find(handle);
  return found == known_conditions().conditions.end() ? nullptr : found->second.lock();
}

const ConditionalParameters& conditional(const Work& work) { return std::get<ConditionalParameters>(work.parameters); }

bool is_allowed_in_body(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset ||
         type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeGraph || type == cudaGraphNodeTypeConditional;
}

bool has_other_nodes(const Graph& body) {
  return std::ranges::any_of(body.nodes(), [](const auto& node) {
    return !is_allowed_in_body(node->work->type) || (node->child && has_other_nodes(*node->child)) ||
           std::ranges::any_of(node->bodies, [](const auto& inner) { return has_other_nodes(*inner); });
  });
}

/// True if a conditional node of the graph, or of a body in it, has this variable.
bool uses(const Graph& graph, const Condition& condition) {
  return std::ranges::any_of(graph.nodes(), [&](const auto& node) {
    if (node->bodies.empty()) return false;
    return conditional(*node->work).condition.get() == &condition ||
           std::ranges::any_of(node->bodies, [&](const auto& body) { return uses(*body, condition); });
  });
}

bool is_allowed_size(cudaGraphConditionalNodeType type, unsigned size) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return size == 1 || size == 2;
    case cudaGraphCondTypeWhile:
      return size == 1;
    case cudaGraphCondTypeSwitch:
      return size > 0;
  }
  return false;
}

void run_conditional(const ExecNode& node, Stream& stream, const StreamRole& role);

void run_body(const std::vector<ExecNode>& nodes, Stream& stream, const StreamRole& role) {
  for (const std::size_t i : order_of_launch(nodes)) {
    const ExecNode& node = nodes[i];
    if (!node.bodies.empty()) {
      run_conditional(node, stream, role);
    } else if (node.enabled && node.work->enqueue) {
      node.work->enqueue(stream, role);
    }
  }
}

void run_conditional(const ExecNode& node, Stream& stream, const StreamRole& role) {
  const ConditionalParameters& what = conditional(*node.work);
  const auto run = [&](std::size_t body) { run_body(node.bodies[body], stream, role); };
  const unsigned value = what.condition->value();
  switch (what.type) {
    case cudaGraphCondTypeIf:
      if (value != 0) {
        run(0);
      } else if (node.bodies.size() == 2) {
        run(1);
      }
      break;
    case cudaGraphCondTypeWhile:
      while (what.condition->value() != 0) run(0);
      break;
    case cudaGraphCondTypeSwitch:
      if (value < node.bodies.size()) run(value);
      break;
  }
}

}  // namespace

Condition::Condition(unsigned value, bool assigned)
    : value_(value),
      assigned_(assigned),
      memory_(std::make_shared<GraphMemory>(current_device().number(), sizeof(unsigned))),
      handle_(0) {
  allocations().set_live(memory_->allocation(), true);
  const std::lock_guard lock(known_conditions().mutex);
  handle_ = ++known_conditions().last;
}

void Condition::begin_launch() const {
  const OpenMemory open(memory_->device());
  const unsigned unknown = static_cast<unsigned>(seed_of_launch() >> 32U);
  *static_cast<unsigned*>(memory_->address()) = assigned_ ? value_ : unknown;
}

unsigned Condition::value() const {
  const OpenMemory open(memory_->device());
  return *static_cast<const unsigned*>(memory_->address());
}

void Condition::set(unsigned value, const void* caller) const {
  access_by_function(memory_->address(), sizeof value, true, caller);
  *static_cast<unsigned*>(memory_->address()) = value;
}

Node& add_conditional(Graph& graph, std::vector<Edge> dependencies, cudaConditionalNodeParams& parameters) {
  require(is_allowed_size(parameters.type, parameters.size));
  std::shared_ptr<Condition> condition;
  for (const Graph* around = &graph; around != nullptr && condition == nullptr; around = around->around) {
    for (const auto& one : around->conditions) {
      if (one->handle() == parameters.handle) condition = one;
    }
  }
  if (condition == nullptr) {
    explain_failure(
        "The handle is not one of this graph: make it with cudaGraphConditionalHandleCreate(&handle, graph)");
    throw Failure{cudaErrorInvalidValue};
  }
  CallSite site = current_call();
  site.name = "a conditional node";
  static constexpr const char* names[] = {"if", "while", "switch"};
  Node& made =
      graph.add(std::make_shared<const Work>(Work{cudaGraphNodeTypeConditional, names[parameters.type], nullptr,
                                                  ConditionalParameters{condition, parameters.type, site}}),
                std::move(dependencies));
  for (unsigned i = 0; i < parameters.size; ++i) {
    made.bodies.push_back(std::make_unique<Graph>());
    made.bodies.back()->around = &graph;
    made.body_handles.push_back(handle_of(*made.bodies.back()));
  }
  parameters.phGraph_out = made.body_handles.data();
  return made;
}

std::vector<std::shared_ptr<Condition>> conditions_of(const Graph& graph) {
  std::vector<std::shared_ptr<Condition>> all = graph.conditions;
  for (const auto& node : graph.nodes()) {
    for (const auto& body : node->bodies) {
      const auto inner = conditions_of(*body);
      all.insert(all.end(), inner.begin(), inner.end());
    }
  }
  return all;
}

cudaGraphInstantiateResult check_conditional_nodes(const Graph& graph) {
  for (const auto& node : graph.nodes()) {
    if (std::ranges::any_of(node->bodies, [](const auto& body) { return has_other_nodes(*body); })) {
      explain_failure(
          "A body of a conditional node has a node of another type than kernels, copies, fills, graphs and conditional "
          "nodes: add that to the graph around it");
      return cudaGraphInstantiateNodeOperationNotSupported;
    }
  }
  const auto all = conditions_of(graph);
  if (!std::ranges::all_of(all, [&](const auto& one) { return uses(graph, *one); })) {
    explain_failure("No conditional node uses a handle that was made for the graph: add a node with it");
    return cudaGraphInstantiateConditionalHandleUnused;
  }
  if (graph.around != nullptr || !graph.instance.expired()) {
    explain_failure(graph.around != nullptr
                        ? "The graph is the body of a conditional node: instantiate the graph around it"
                        : "A graph with conditional nodes can have one instance: destroy the other one before");
    return cudaGraphInstantiateError;
  }
  return cudaGraphInstantiateSuccess;
}

std::shared_ptr<Operation> enqueue_conditional(const ExecNode& node, Stream& stream, const StreamRole& role) {
  Operation operation;
  operation.site = conditional(*node.work).site;
  operation.reports = reports_of_this_thread();
  // The instance may change before the node has its turn: it keeps a copy.
  auto work = [node, &stream, role, reports = operation.reports](const std::shared_ptr<Operation>& of) {
    const ReportTo report_to(reports);
    JointOperation joint{of, {}};
    StreamRole part = role;
    part.joint = &joint;
    run_conditional(node, stream, part);
    return std::move(joint.accesses);
  };
  return stream.enqueue(role, Stream::OrderedWork(std::move(work)), nullptr, std::move(operation));
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph_handle,
                                             unsigned default_value, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(handle != nullptr && (flags & ~static_cast<unsigned>(cudaGraphCondAssignDefault)) == 0);
    Graph& graph = graph_of(graph_handle);
    const auto made = std::make_shared<Condition>(default_value, flags == cudaGraphCondAssignDefault);
    graph.conditions.push_back(made);
    const std::lock_guard lock(known_conditions().mutex);
    std::erase_if(known_conditions().conditions, [](const auto& entry) { return entry.second.expired(); });
    known_conditions().conditions[made->handle()] = made;
    *handle = made->handle();
  });
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  if (!in_kernel()) {
    std::fputs(
        in_names_of_program("cudaGraphSetConditional was called by the host: only kernels can call it\n").c_str(),
        stderr);
    std::abort();
  }
  if (const auto condition = condition_of(handle)) return condition->set(value, __builtin_return_address(0));
  in_kernel_calls::fail("cudaGraphSetConditional", "no graph that exists has the handle");
}
