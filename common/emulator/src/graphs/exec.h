// SPDX-License-Identifier: MIT
// Exec: a graph that can be launched. Graphs in it are taken apart, so it is one list of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "graphs/graph.h"
#include "runtime/device.h"

namespace d2l::emulator {

struct ExecNode {
  std::uint64_t id = 0;  ///< of the node that it was made from
  std::shared_ptr<const Work> work;
  std::vector<std::size_t> dependencies;  ///< indices
  bool enabled = true;
  std::vector<std::vector<ExecNode>> bodies;  ///< of a conditional node
  std::size_t chain = 0;  ///< nodes of a chain follow one another: they are one agent for the order of operations
};

class Exec {
 public:
  /// Failure if the nodes wait for each other in a circle.
  Exec(Graph& graph, unsigned long long flags);
  ~Exec();
  Exec(const Exec&) = delete;
  Exec& operator=(const Exec&) = delete;

  /// Adds all nodes to a stream, as one.
  void launch(Stream& stream);
  /// The copy of a node; Failure if there is none.
  ExecNode& copy_of(const Node& node);
  [[nodiscard]] const std::vector<ExecNode>& nodes() const noexcept { return nodes_; }
  /// The nodes do from now on what those of another graph do, which are the same in number and order.
  void update(const Graph& graph, const std::vector<ExecNode>& nodes);
  [[nodiscard]] unsigned long long flags() const noexcept { return flags_; }
  /// A graph of the same nodes, for a capture.
  [[nodiscard]] std::unique_ptr<Graph> graph() const;

 private:
  void build_chains();
  void free_memory(Stream& stream);
  void enqueue(Stream& stream, const VectorClock& before);

  unsigned long long flags_;
  std::vector<ExecNode> nodes_;
  std::vector<StreamRole> chains_;
  UserReferences objects_;
  std::vector<std::shared_ptr<Condition>> conditions_;
  std::shared_ptr<const void> only_;  ///< of a graph with conditional nodes
  bool uses_memory_ = false;
  // Of the last launch.
  std::shared_ptr<backend::WorkQueue> queue_;
  std::uint64_t sequence_ = 0;
  VectorClock done_;
};

/// The nodes of a graph, and of the graphs in it, each after those that it waits for; Failure if there is a circle.
std::vector<ExecNode> nodes_in_order(const Graph& graph);

/// Indices of the nodes in an order that their dependencies allow, by the seed of the next launch.
std::vector<std::size_t> order_of_launch(const std::vector<ExecNode>& nodes);

/// Failure with cudaErrorInvalidValue if there is none.
Exec& exec_of(cudaGraphExec_t handle);

/// The number of a stream, or of a chain of nodes, for the order of operations.
std::uint64_t next_stream_id();

}  // namespace d2l::emulator
