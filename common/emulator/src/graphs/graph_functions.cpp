// SPDX-License-Identifier: MIT
// The functions of CUDA for graphs, their nodes and edges.
#include <algorithm>

#include "calls/call_site.h"
#include "graphs/capture_state.h"
#include "graphs/graph.h"

namespace d2l::emulator {
namespace {

/// Writes up to *count handles, and nulls after them; without `to`, only *count is set.
template <class Handle>
void give(const std::vector<Handle>& all, Handle* to, std::size_t* count) {
  require(count != nullptr);
  for (std::size_t i = 0; to != nullptr && i < *count; ++i) to[i] = i < all.size() ? all[i] : Handle{};
  *count = to == nullptr ? all.size() : std::min(*count, all.size());
}

void give_edges(const std::vector<std::pair<const Node*, Edge>>& all, bool with_from, cudaGraphNode_t* from,
                cudaGraphNode_t* to, cudaGraphEdgeData* data, std::size_t* count) {
  require(count != nullptr);
  std::vector<cudaGraphNode_t> begins;
  std::vector<cudaGraphNode_t> ends;
  std::vector<cudaGraphEdgeData> edges;
  for (const auto& [node, edge] : all) {
    begins.push_back(handle_of(*edge.from));
    ends.push_back(handle_of(*node));
    edges.push_back(edge.data);
  }
  const std::size_t room = *count;
  for (std::size_t i = 0; data != nullptr && i < std::min(room, edges.size()); ++i) data[i] = edges[i];
  std::size_t room_from = room;
  if (with_from) give(begins, from, &room_from);
  *count = room;
  give(ends, to, count);
}

std::vector<std::pair<const Node*, Edge>> edges_of(const Graph& graph) {
  std::vector<std::pair<const Node*, Edge>> all;
  for (const auto& node : graph.nodes()) {
    for (const Edge& edge : node->dependencies) all.emplace_back(node.get(), edge);
  }
  return all;
}

/// The edge from one node to another; Failure if they are not nodes of the graph.
std::vector<Edge>::iterator find_edge(const Graph& graph, Node& from, Node& to) {
  require(from.graph == &graph && to.graph == &graph && &from != &to);
  return std::ranges::find_if(to.dependencies, [&](const Edge& edge) { return edge.from == &from; });
}

bool is_captured_to(const Graph& graph) {
  return std::ranges::any_of(capturing_streams(),
                             [&](const auto& entry) { return entry.second.capture->graph == &graph; });
}

}  // namespace
}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(graph != nullptr && flags == 0);
    *graph = give_to_program(std::make_unique<Graph>());
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(!is_captured_to(graph_of(handle)), cudaErrorIllegalState);
    take_from_program(handle);
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(clone != nullptr);
    const Graph& graph = graph_of(original);
    require(!graph.uses_memory() && !graph.has_conditional_nodes(), cudaErrorNotSupported);
    *clone = give_to_program(graph.clone());
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(node != nullptr);
    const std::uint64_t id = node_of(original).id;
    const auto& nodes = graph_of(clone).nodes();
    const auto found = std::ranges::find_if(nodes, [&](const auto& one) { return one->original == id; });
    require(found != nodes.end());
    *node = handle_of(**found);
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    Node& node = node_of(handle);
    require(!node.graph->uses_memory(), cudaErrorNotSupported);
    require(!is_captured_to(*node.graph), cudaErrorIllegalState);
    node.graph->remove(node);
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph_of(graph).nodes()) all.push_back(handle_of(*node));
    give(all, nodes, count);
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph_of(graph).nodes()) {
      if (node->dependencies.empty()) all.push_back(handle_of(*node));
    }
    give(all, nodes, count);
  });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                              size_t* count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require((from == nullptr) == (to == nullptr));
    give_edges(edges_of(graph_of(graph)), true, from, to, edges, count);
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] { require(type != nullptr), *type = node_of(node).work->type; });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* edges, size_t* count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    std::vector<std::pair<const Node*, Edge>> all;
    for (const Edge& edge : node_of(handle).dependencies) all.emplace_back(edge.from, edge);
    give_edges(all, false, nullptr, dependencies, edges, count);
  });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* edges, size_t* count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    const Node& node = node_of(handle);
    auto all = edges_of(*node.graph);
    std::erase_if(all, [&](const auto& one) { return one.second.from != &node; });
    give_edges(all, false, nullptr, dependents, edges, count);
  });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* edges, size_t count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    const Graph& graph = graph_of(handle);
    require(count == 0 || (from != nullptr && to != nullptr));
    for (size_t i = 0; i < count; ++i) {
      Node& end = node_of(to[i]);
      Node& begin = node_of(from[i]);
      require(find_edge(graph, begin, end) == end.dependencies.end());
      end.dependencies.push_back({&begin, edges == nullptr ? cudaGraphEdgeData{} : edges[i]});
    }
  });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* /*edges*/, size_t count) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    const Graph& graph = graph_of(handle);
    require(count == 0 || (from != nullptr && to != nullptr));
    require(count == 0 || !graph.uses_memory(), cudaErrorNotSupported);
    for (size_t i = 0; i < count; ++i) {
      Node& end = node_of(to[i]);
      const auto edge = find_edge(graph, node_of(from[i]), end);
      require(edge != end.dependencies.end());
      end.dependencies.erase(edge);
    }
  });
}
