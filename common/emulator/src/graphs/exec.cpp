// SPDX-License-Identifier: MIT
#include "graphs/exec.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <unordered_map>
#include <utility>

#include "calls/unread_errors.h"
#include "graphs/conditional.h"
#include "graphs/graph_memory.h"
#include "order/timeline.h"
#include "runtime/kernel_launch.h"

namespace d2l::emulator {
namespace {

/// The nodes, each after those that it waits for, else in the order in which they were added.
std::vector<const Node*> sorted(const Graph& graph) {
  std::unordered_map<const Node*, std::size_t> missing;
  std::unordered_map<const Node*, std::vector<const Node*>> dependents;
  std::vector<const Node*> order;
  for (const auto& node : graph.nodes()) {
    missing[node.get()] = node->dependencies.size();
    for (const Edge& edge : node->dependencies) dependents[edge.from].push_back(node.get());
    if (node->dependencies.empty()) order.push_back(node.get());
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Node* const next : dependents[order[i]]) {
      if (--missing[next] == 0) order.push_back(next);
    }
  }
  if (order.size() < graph.nodes().size()) {
    explain_failure("The nodes of the graph wait for each other in a circle");
    throw Failure{cudaErrorInvalidValue};
  }
  return order;
}

/// Appends the nodes; those without dependencies wait for `before`. Returns those that no other one waits for.
std::vector<std::size_t> flatten(const Graph& graph, const std::vector<std::size_t>& before,
                                 std::vector<ExecNode>& nodes) {
  std::unordered_map<const Node*, std::size_t> index;
  std::vector<std::size_t> last;
  for (const Node* const node : sorted(graph)) {
    std::vector<std::size_t> dependencies;
    for (const Edge& edge : node->dependencies) dependencies.push_back(index.at(edge.from));
    for (const std::size_t one : dependencies) std::erase(last, one);
    if (dependencies.empty()) dependencies = before;
    if (node->child) {
      const auto ends = flatten(*node->child, dependencies, nodes);
      if (!ends.empty()) dependencies = ends;
    }
    index[node] = nodes.size();
    last.push_back(nodes.size());
    nodes.push_back({node->id, node->work, std::move(dependencies), true, {}, 0});
    for (const auto& body : node->bodies) nodes.back().bodies.push_back(nodes_in_order(*body));
  }
  return last;
}

}  // namespace

std::vector<ExecNode> nodes_in_order(const Graph& graph) {
  std::vector<ExecNode> nodes;
  flatten(graph, {}, nodes);
  return nodes;
}

Exec::Exec(Graph& graph, unsigned long long flags) : flags_(flags), nodes_(nodes_in_order(graph)) {
  uses_memory_ = graph.uses_memory();
  objects_.retain_all(graph.objects());
  conditions_ = conditions_of(graph);
  if (graph.has_conditional_nodes()) graph.instance = only_ = std::make_shared<int>();
  build_chains();
}

Exec::~Exec() {
  for (const StreamRole& chain : chains_) timeline().retire(chain);
}

void Exec::build_chains() {
  std::vector<std::size_t> ends;  // the last node of each chain
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    ExecNode& node = nodes_[i];
    const auto found = std::ranges::find_if(
        ends, [&](std::size_t end) { return std::ranges::find(node.dependencies, end) != node.dependencies.end(); });
    node.chain = static_cast<std::size_t>(found - ends.begin());
    if (found == ends.end()) {
      ends.push_back(i);
    } else {
      *found = i;
    }
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    StreamRole role;
    role.id = next_stream_id();
    role.blocking = false;
    role.of_graph = true;
    chains_.push_back(std::move(role));
  }
}

namespace {

/// Null if it is not there.
ExecNode* find(std::vector<ExecNode>& nodes, std::uint64_t id) {
  for (ExecNode& node : nodes) {
    if (node.id == id) return &node;
    for (auto& body : node.bodies) {
      if (ExecNode* const found = find(body, id)) return found;
    }
  }
  return nullptr;
}

void take_work(std::vector<ExecNode>& nodes, const std::vector<ExecNode>& from) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].work = from[i].work;
    for (std::size_t body = 0; body < nodes[i].bodies.size(); ++body) {
      take_work(nodes[i].bodies[body], from[i].bodies[body]);
    }
  }
}

}  // namespace

ExecNode& Exec::copy_of(const Node& node) {
  ExecNode* const found = find(nodes_, node.id);
  require(found != nullptr);
  return *found;
}

void Exec::update(const Graph& graph, const std::vector<ExecNode>& nodes) {
  take_work(nodes_, nodes);
  conditions_ = conditions_of(graph);
}

std::unique_ptr<Graph> Exec::graph() const {
  auto made = std::make_unique<Graph>();
  std::vector<Node*> all;
  static const auto nothing = std::make_shared<const Work>();
  if (only_ != nullptr) {
    explain_failure("A graph with conditional nodes cannot be a node of another graph");
    throw Failure{cudaErrorNotSupported};
  }
  for (const ExecNode& node : nodes_) {
    std::vector<Edge> edges;
    for (const std::size_t one : node.dependencies) edges.push_back({all[one], {}});
    all.push_back(&made->add(node.enabled ? node.work : nothing, std::move(edges)));
  }
  return made;
}

std::vector<std::size_t> order_of_launch(const std::vector<ExecNode>& nodes) {
  std::vector<std::size_t> missing(nodes.size());
  std::vector<std::vector<std::size_t>> dependents(nodes.size());
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    missing[i] = nodes[i].dependencies.size();
    for (const std::size_t one : nodes[i].dependencies) dependents[one].push_back(i);
    if (missing[i] == 0) ready.push_back(i);
  }
  const std::uint64_t seed = seed_of_launch();
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t at = seed == 0 ? 0 : static_cast<std::size_t>(random() % ready.size());
    const std::size_t next = ready[at];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(at));
    order.push_back(next);
    for (const std::size_t one : dependents[next]) {
      if (--missing[one] == 0) ready.push_back(one);
    }
  }
  return order;
}

/// Frees what the last launch has allocated, if the program wants that.
void Exec::free_memory(Stream& stream) {
  for (const ExecNode& node : nodes_) {
    if (node.work->type != cudaGraphNodeTypeMemAlloc) continue;
    const auto& memory = std::get<std::shared_ptr<GraphMemory>>(node.work->parameters);
    if (!memory->allocated()) continue;
    if ((flags_ & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) {
      explain_failure(
          "Memory that an earlier launch has allocated is not freed: free it, or instantiate the graph with "
          "cudaGraphInstantiateFlagAutoFreeOnLaunch");
      throw Failure{cudaErrorInvalidValue};
    }
    release_work(memory).enqueue(stream, stream.role());
  }
}

void Exec::launch(Stream& stream) {
  const std::lock_guard lock(stream.additions());
  const bool ordered = timeline().active();
  if (queue_) stream.wait_for(queue_, sequence_);  // a graph runs once at a time
  if (queue_ && ordered) timeline().stream_knows(stream.role(), done_);
  if (uses_memory_) free_memory(stream);
  const auto begin = stream.enqueue(stream.role(),
                                    [conditions = conditions_] {
                                      for (const auto& condition : conditions) condition->begin_launch();
                                    },
                                    nullptr, {});
  enqueue(stream, begin ? begin->clock : VectorClock());
  const auto end = stream.enqueue(stream.role(), [] {}, nullptr, {});
  queue_ = stream.shared_queue();
  sequence_ = stream.queue().issued();
  done_ = end ? end->clock : VectorClock();
}

void Exec::enqueue(Stream& stream, const VectorClock& before) {
  const bool ordered = timeline().active();
  std::vector<VectorClock> done(ordered ? nodes_.size() : 0);
  VectorClock all = before;
  for (StreamRole& chain : chains_) {
    chain.device = stream.role().device;
    chain.compared = stream.role().compared;
    chain.text = fmt::format("a graph in {}", stream.role().text);
  }
  for (const std::size_t i : order_of_launch(nodes_)) {
    const ExecNode& node = nodes_[i];
    const StreamRole& chain = chains_[node.chain];
    if (ordered) {
      done[i] = before;
      for (const std::size_t one : node.dependencies) done[i].join(done[one]);
      timeline().stream_knows(chain, done[i]);
    }
    const bool conditional = !node.bodies.empty();
    if (!conditional && (!node.enabled || !node.work->enqueue)) continue;
    const auto operation = conditional ? enqueue_conditional(node, stream, chain) : node.work->enqueue(stream, chain);
    if (!operation) continue;
    done[i] = operation->clock;
    all.join(done[i]);
  }
  if (ordered) timeline().stream_knows(stream.role(), all);
}

}  // namespace d2l::emulator
