// SPDX-License-Identifier: MIT
// Graph and Node: work and what each piece of it waits for. Functions of CUDA find them by their handles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "graphs/user_objects.h"
#include "graphs/work.h"
#include "runtime/errors.h"

namespace d2l::emulator {

class Condition;
class Graph;
struct Node;

/// A node waits for another one.
struct Edge {
  Node* from = nullptr;
  cudaGraphEdgeData data{};
};

struct Node {
  Graph* graph = nullptr;
  std::uint64_t id = 0;        ///< unique in the process
  std::uint64_t original = 0;  ///< of the node that it is a copy of
  std::shared_ptr<const Work> work;
  std::vector<Edge> dependencies;
  std::unique_ptr<Graph> child;  ///< of a node that is a graph
  // Of a conditional node:
  std::vector<std::unique_ptr<Graph>> bodies;
  std::vector<cudaGraph_t> body_handles;
};

class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Node& add(std::shared_ptr<const Work> work, std::vector<Edge> dependencies);
  void remove(Node& node);
  /// In the order in which they were added.
  [[nodiscard]] const std::vector<std::unique_ptr<Node>>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::unique_ptr<Graph> clone() const;
  /// True if it, or a graph in it, allocates or frees memory.
  [[nodiscard]] bool uses_memory() const;
  [[nodiscard]] bool has_conditional_nodes() const;
  /// The variables whose handles were made for this graph.
  std::vector<std::shared_ptr<Condition>> conditions;
  /// Of a body of a conditional node: the graph of that node; else null.
  const Graph* around = nullptr;
  /// Held by the instance of a graph with conditional nodes, of which there may be one.
  std::weak_ptr<const void> instance;
  UserReferences& objects() noexcept { return objects_; }
  [[nodiscard]] const UserReferences& objects() const noexcept { return objects_; }

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
  UserReferences objects_;
};

/// All functions of graphs and captures hold it.
std::recursive_mutex& graph_mutex();

/// Failure with cudaErrorInvalidValue if there is no such graph or node.
Graph& graph_of(cudaGraph_t handle);
Node& node_of(cudaGraphNode_t handle);
cudaGraph_t handle_of(const Graph& graph);
cudaGraphNode_t handle_of(const Node& node);
/// The edges from nodes of this graph; Failure if one is of another graph, or there twice.
std::vector<Edge> edges_from(const Graph& graph, const cudaGraphNode_t* nodes, const cudaGraphEdgeData* data,
                             std::size_t count);
/// The program owns the graph until cudaGraphDestroy.
cudaGraph_t give_to_program(std::unique_ptr<Graph> graph);
/// Failure if the program does not own it.
std::unique_ptr<Graph> take_from_program(cudaGraph_t handle);

/// The body of a function of graphs.
template <class Body>
cudaError_t graph_call(const Body& body) noexcept {
  return plain_call([&] {
    const std::lock_guard lock(graph_mutex());
    body();
  });
}

}  // namespace d2l::emulator
