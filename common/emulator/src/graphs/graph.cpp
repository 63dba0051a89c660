// SPDX-License-Identifier: MIT
#include "graphs/graph.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace d2l::emulator {
namespace {

/// What exists, and the graphs that the program has to destroy.
struct Known {
  std::unordered_set<const void*> graphs;
  std::unordered_set<const void*> nodes;
  std::unordered_map<cudaGraph_t, std::unique_ptr<Graph>> owned;
};
Known& known() {
  static auto* const made = new Known;
  return *made;
}

std::uint64_t next_id() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace

std::recursive_mutex& graph_mutex() {
  static auto* const made = new std::recursive_mutex;
  return *made;
}

Graph::Graph() { known().graphs.insert(this); }
Graph::~Graph() {
  for (const auto& node : nodes_) known().nodes.erase(node.get());
  known().graphs.erase(this);
}

Node& Graph::add(std::shared_ptr<const Work> work, std::vector<Edge> dependencies) {
  auto node = std::make_unique<Node>();
  node->graph = this;
  node->id = next_id();
  node->work = std::move(work);
  node->dependencies = std::move(dependencies);
  known().nodes.insert(node.get());
  nodes_.push_back(std::move(node));
  return *nodes_.back();
}

void Graph::remove(Node& node) {
  for (const auto& other : nodes_) {
    std::erase_if(other->dependencies, [&](const Edge& edge) { return edge.from == &node; });
  }
  known().nodes.erase(&node);
  std::erase_if(nodes_, [&](const auto& one) { return one.get() == &node; });
}

std::unique_ptr<Graph> Graph::clone() const {
  auto copy = std::make_unique<Graph>();
  std::unordered_map<const Node*, Node*> copies;
  for (const auto& node : nodes_) {
    Node& made = copy->add(node->work, node->dependencies);
    made.original = node->id;
    if (node->child) made.child = node->child->clone();
    copies[node.get()] = &made;
  }
  for (const auto& node : copy->nodes_) {
    for (Edge& edge : node->dependencies) edge.from = copies.at(edge.from);
  }
  copy->objects_.retain_all(objects_);
  return copy;
}

bool Graph::has_conditional_nodes() const {
  return std::ranges::any_of(nodes_, [](const auto& node) {
    return !node->bodies.empty() || (node->child && node->child->has_conditional_nodes());
  });
}

bool Graph::uses_memory() const {
  return std::ranges::any_of(nodes_, [](const auto& node) {
    const cudaGraphNodeType type = node->work->type;
    return type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree ||
           (node->child && node->child->uses_memory());
  });
}

Graph& graph_of(cudaGraph_t handle) {
  require(known().graphs.contains(handle));
  return *reinterpret_cast<Graph*>(handle);
}
Node& node_of(cudaGraphNode_t handle) {
  require(known().nodes.contains(handle));
  return *reinterpret_cast<Node*>(handle);
}
cudaGraph_t handle_of(const Graph& graph) { return reinterpret_cast<cudaGraph_t>(const_cast<Graph*>(&graph)); }
cudaGraphNode_t handle_of(const Node& node) { return reinterpret_cast<cudaGraphNode_t>(const_cast<Node*>(&node)); }

std::vector<Edge> edges_from(const Graph& graph, const cudaGraphNode_t* nodes, const cudaGraphEdgeData* data,
                             std::size_t count) {
  require(nodes != nullptr || count == 0);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    Node& node = node_of(nodes[i]);
    const bool twice = std::ranges::any_of(edges, [&](const Edge& one) { return one.from == &node; });
    require(node.graph == &graph && !twice);
    edges.push_back({&node, data == nullptr ? cudaGraphEdgeData{} : data[i]});
  }
  return edges;
}

cudaGraph_t give_to_program(std::unique_ptr<Graph> graph) {
  const cudaGraph_t handle = handle_of(*graph);
  known().owned[handle] = std::move(graph);
  return handle;
}

std::unique_ptr<Graph> take_from_program(cudaGraph_t handle) {
  auto found = known().owned.extract(handle);
  require(!found.empty());
  return std::move(found.mapped());
}

}  // namespace d2l::emulator
