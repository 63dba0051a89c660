// SPDX-License-Identifier: MIT
// cudaGraphDebugDotPrint: a graph as text for the program dot.
#include <fmt/format.h>

#include <cstdio>

#include "calls/call_site.h"
#include "graphs/graph.h"

namespace d2l::emulator {
namespace {

constexpr const char* type_names[] = {"KERNEL",    "MEMCPY",     "MEMSET",       "HOST",       "GRAPH",
                                      "EMPTY",     "EVENT_WAIT", "EVENT_RECORD", "EXT_SIGNAL", "EXT_WAIT",
                                      "MEM_ALLOC", "MEM_FREE",   "BATCH_MEM_OP", "CONDITIONAL"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string label_of(const Node& node, unsigned flags) {
  const Work& work = *node.work;
  std::string label = fmt::format("{}\\n{}", type_names[work.type], escaped(work.name));
  const bool kernels = (flags & (cudaGraphDebugDotFlagsVerbose | cudaGraphDebugDotFlagsKernelNodeParams)) != 0;
  if (const auto* const kernel = std::get_if<KernelParameters>(&work.parameters); kernel != nullptr && kernels) {
    const dim3& grid = kernel->configuration.grid;
    const dim3& block = kernel->configuration.block;
    label += fmt::format("\\ngrid ({}, {}, {}), block ({}, {}, {}), {} bytes of shared memory", grid.x, grid.y, grid.z,
                         block.x, block.y, block.z, kernel->configuration.shared);
  }
  if ((flags & cudaGraphDebugDotFlagsHandles) != 0) label += fmt::format("\\n{}", fmt::ptr(&node));
  return label;
}

std::string text_of(const Graph& graph, unsigned flags, const std::string& indent) {
  std::string text;
  for (const auto& node : graph.nodes()) {
    text += fmt::format("{}node_{} [label=\"{}\"];\n", indent, node->id, label_of(*node, flags));
    for (const Edge& edge : node->dependencies)
      text += fmt::format("{}node_{} -> node_{};\n", indent, edge.from->id, node->id);
    const auto add = [&](const Graph& inner, std::size_t number) {
      text += fmt::format("{}subgraph cluster_{}_{} {{\n{}{}}}\n", indent, node->id, number,
                          text_of(inner, flags, indent + "  "), indent);
    };
    if (node->child) add(*node->child, 0);
    for (std::size_t i = 0; i < node->bodies.size(); ++i) add(*node->bodies[i], i);
  }
  return text;
}

}  // namespace
}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return graph_call([&] {
    require(path != nullptr);
    const std::string text = "digraph graph_of_cuda {\n" + text_of(graph_of(graph), flags, "  ") + "}\n";
    std::FILE* const file = std::fopen(path, "w");
    require(file != nullptr, cudaErrorOperatingSystem);
    const bool complete = std::fputs(text.c_str(), file) >= 0;
    require((std::fclose(file) == 0) && complete, cudaErrorOperatingSystem);
  });
}
