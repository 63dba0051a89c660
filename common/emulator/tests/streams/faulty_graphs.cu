// SPDX-License-Identifier: MIT
// Nodes of graphs without an order, and graphs that are not in order with other work.
#include "graphs.cuh"

PROGRAM(graph_branches_write, "^missing order .* in a graph in stream 1 .* writes element 0.* in a graph in stream 1") {
  int *x = device_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  order(a, b);
  fill<<<4, 256, 0, a>>>(x, 1);
  fill<<<4, 256, 0, b>>>(x, 2);
  order(b, a);
  cudaGraphLaunch(end(a), a);
  cudaStreamSynchronize(a);
}
PROGRAM(graph_branch_reads_before_written, "^missing order .*Let one node of the graph wait for the other") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  order(a, b);
  fill<<<4, 256, 0, a>>>(x, 1);
  copy<<<4, 256, 0, b>>>(x, y);
  order(b, a);
  cudaGraphExec_t exec = end(a);
  cudaGraphLaunch(exec, b);
  cudaStreamSynchronize(b);
}
PROGRAM(graph_nodes_without_edge, "^missing order .*cudaGraphAddMem(set|cpy)Node.* in a graph in stream 1") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams what{};
  what.dst = x;
  what.elementSize = 4;
  what.width = n;
  what.height = 1;
  cudaGraphNode_t filled, copied;
  cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &what);
  cudaGraphAddMemcpyNode1D(&copied, graph, nullptr, 0, h, x, bytes, cudaMemcpyDeviceToHost);
  cudaGraphLaunch(instantiated(graph), a);
  cudaStreamSynchronize(a);
}
PROGRAM(kernel_nodes_without_edge,
        "^missing order .*kernel increment in a graph in stream 1 .*kernel increment in a graph") {
  int *x = device_memory();
  cudaStream_t a = stream();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void *arguments[] = {&x};
  cudaKernelNodeParams what{};
  what.func = reinterpret_cast<void *>(increment);
  what.gridDim = dim3(4);
  what.blockDim = dim3(256);
  what.kernelParams = arguments;
  cudaGraphNode_t first, second;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &what);
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &what);
  cudaGraphLaunch(instantiated(graph), a);
  cudaStreamSynchronize(a);
}
PROGRAM(graph_and_kernel_of_another_stream,
        "^missing order .*kernel copy in stream 2 .*kernel fill in a graph in stream 1") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaGraphLaunch(end(a), a);
  LATER;
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(two_graphs_in_two_streams, "^missing order .*kernel fill in a graph in stream [12] .* writes") {
  int *x = device_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaGraphExec_t first = end(a);
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 2);
  cudaGraphExec_t second = end(a);
  cudaGraphLaunch(first, a);
  cudaGraphLaunch(second, b);
  cudaDeviceSynchronize();
}
PROGRAM(host_reads_before_the_graph_is_done,
        "^missing wait .*the host reads .*cudaMemcpyAsync in a graph in stream 1") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  begin(a);
  EARLIER;
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, a);
  cudaGraphLaunch(end(a), a);
  LATER;
  volatile int value = h[3];
  static_cast<void>(value);
  cudaStreamSynchronize(a);
}
PROGRAM(graph_memory_freed_in_another_stream,
        "^freed in use .*cudaFreeAsync in stream 2 .*kernel fill in a graph in stream 1") {
  cudaStream_t a = stream(), b = stream();
  int *x = nullptr;
  begin(a);
  cudaMallocAsync(&x, bytes, a);
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaGraphExec_t exec = end(a);
  cudaGraphLaunch(exec, a);
  cudaFreeAsync(x, b);
  cudaDeviceSynchronize();
}
PROGRAM(loop_and_kernel_of_another_stream,
        "^missing order .*kernel copy in stream [0-9]+ .*reads .*a conditional node in a graph in stream [0-9]+ ") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  const cudaGraphExec_t exec = loop([&](cudaStream_t s) { increment<<<4, 256, 0, s>>>(x); });
  cudaGraphLaunch(exec, a);
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(host_reads_what_a_loop_copies,
        "^missing wait .*the host reads .*a conditional node in a graph in stream [0-9]+") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  const cudaGraphExec_t exec = loop([&](cudaStream_t s) {
    increment<<<4, 256, 0, s>>>(x);
    cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, s);
  });
  cudaGraphLaunch(exec, a);
  volatile int value = h[3];
  static_cast<void>(value);
  cudaDeviceSynchronize();
}
static __global__ void all_decide(cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, threadIdx.x == 0 ? 1 : 0);
}
PROGRAM(all_threads_set_a_condition, "^race at .*kernel all_decide.*write after write") {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  void *arguments[] = {&handle};
  cudaGraphNodeParams deciding = {cudaGraphNodeTypeKernel}, what = {cudaGraphNodeTypeConditional};
  deciding.kernel.func = reinterpret_cast<void *>(all_decide);
  deciding.kernel.gridDim = dim3(1);
  deciding.kernel.blockDim = dim3(32);
  deciding.kernel.kernelParams = arguments;
  what.conditional.handle = handle;
  what.conditional.type = cudaGraphCondTypeIf;
  what.conditional.size = 1;
  cudaGraphNode_t decided, node;
  REQUIRE(cudaGraphAddNode(&decided, graph, nullptr, nullptr, 0, &deciding) == cudaSuccess);
  REQUIRE(cudaGraphAddNode(&node, graph, &decided, nullptr, 1, &what) == cudaSuccess);
  cudaGraphLaunch(instantiated(graph), nullptr);
  cudaDeviceSynchronize();
}
