// SPDX-License-Identifier: MIT
// Graphs whose nodes are in order, and that are in order with other work: the twins of the faulty ones, and others.
#include "graphs.cuh"

PROGRAM(graph_branches_write, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  fill_half<<<1, n / 2, 0, a>>>(x, 0);
  fill_half<<<1, n / 2, 0, b>>>(x, 1);
  order(b, a);
  increment<<<4, 256, 0, a>>>(x);
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, a);
  cudaGraphExec_t exec = end(a);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  REQUIRE(h[0] == 1 && h[n - 1] == 2);
}
PROGRAM(graph_branch_reads_before_written, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  copy<<<4, 256, 0, b>>>(x, y);
  order(b, a);
  cudaGraphExec_t exec = end(a);
  cudaGraphLaunch(exec, b);
  cudaStreamSynchronize(b);
}
PROGRAM(graph_nodes_with_edge, "") {
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
  cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, h, x, bytes, cudaMemcpyDeviceToHost);
  cudaGraphExec_t exec = instantiated(graph);
  cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  REQUIRE(h[7] == 0);
  cudaGraphExecDestroy(exec);
}
PROGRAM(graph_and_kernel_of_another_stream, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaGraphExec_t exec = end(a);
  cudaGraphLaunch(exec, a);
  order(a, b);
  copy<<<4, 256, 0, b>>>(x, y);
  order(b, a);
  cudaGraphLaunch(exec, a);
  cudaDeviceSynchronize();
}
PROGRAM(one_graph_in_two_streams, "") {  // it runs once at a time
  int *x = device_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  increment<<<4, 256, 0, a>>>(x);
  cudaGraphExec_t exec = end(a);
  for (int i = 0; i < 4; ++i) cudaGraphLaunch(exec, i % 2 == 0 ? a : b);
  cudaDeviceSynchronize();
}
PROGRAM(graph_in_the_default_stream, "") {
  int *x = device_memory(), h[n];
  cudaStream_t a = stream(cudaStreamDefault);
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 3);
  cudaGraphExec_t exec = end(a);
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaGraphLaunch(exec, nullptr);
  increment<<<4, 256, 0, a>>>(x);
  cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost);
  REQUIRE(h[5] == 4);
}
PROGRAM(host_reads_after_the_graph, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 3);
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, a);
  cudaGraphExec_t exec = end(a);
  for (int i = 0; i < 3; ++i) {
    cudaGraphLaunch(exec, a);
    cudaEventSynchronize(recorded(a));
    REQUIRE(h[3] == 3);
    h[3] = 0;
  }
  cudaGraphExecDestroy(exec);
}
PROGRAM(graph_memory_is_used_again, "") {
  int *y = device_memory(), *x = nullptr;
  cudaStream_t a = stream();
  begin(a);
  cudaMallocAsync(&x, bytes, a);
  fill<<<4, 256, 0, a>>>(x, 1);
  copy<<<4, 256, 0, a>>>(x, y);
  cudaFreeAsync(x, a);
  cudaGraphExec_t exec = end(a);
  for (int i = 0; i < 4; ++i) cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  cudaGraphExecDestroy(exec);
}
PROGRAM(graph_memory_freed_by_the_stream, "") {
  int *x = nullptr, *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  begin(a);
  cudaMallocAsync(&x, bytes, a);
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaGraphExec_t exec = end(a);
  for (int i = 0; i < 2; ++i) {
    cudaGraphLaunch(exec, a);
    order(a, b);
    cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, b);
    cudaFreeAsync(x, b);
    order(b, a);
  }
  cudaDeviceSynchronize();
  REQUIRE(h[2] == 1);
}
PROGRAM(host_functions_in_graphs, "") {
  int *x = device_memory(), *h = pinned_memory();
  static int sum;
  static int *values;
  values = h;
  cudaStream_t a = stream();
  begin(a);
  fill<<<4, 256, 0, a>>>(x, 3);
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, a);
  cudaLaunchHostFunc(
      a, [](void *) { sum += values[0]; }, nullptr);
  cudaGraphExec_t exec = end(a);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  REQUIRE(sum == 9);
}
PROGRAM(captured_again_and_updated, "") {
  int *x = device_memory();
  cudaStream_t a = stream();
  cudaGraphExec_t exec = nullptr;
  for (int i = 0; i < 4; ++i) {
    begin(a);
    fill<<<4, 256, 0, a>>>(x, i);
    increment<<<4, 256, 0, a>>>(x);
    cudaGraph_t graph;
    cudaStreamEndCapture(a, &graph);
    cudaGraphExecUpdateResultInfo info;
    if (exec == nullptr) {
      cudaGraphInstantiate(&exec, graph, 0);
    } else {
      REQUIRE(cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess);
    }
    cudaGraphDestroy(graph);
    cudaGraphLaunch(exec, a);
  }
  cudaStreamSynchronize(a);
}
PROGRAM(loop_and_kernel_of_another_stream, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  const cudaGraphExec_t exec = loop([&](cudaStream_t s) { increment<<<4, 256, 0, s>>>(x); });
  increment<<<4, 256, 0, a>>>(x);
  cudaGraphLaunch(exec, a);
  increment<<<4, 256, 0, a>>>(x);
  order(a, b);
  copy<<<4, 256, 0, b>>>(x, y);
  int host[n];
  cudaMemcpyAsync(host, y, bytes, cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  for (const int value : host) REQUIRE(value == 5);
}
PROGRAM(host_reads_what_a_loop_copies, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  const cudaGraphExec_t exec = loop([&](cudaStream_t s) {
    increment<<<4, 256, 0, s>>>(x);
    cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, s);
  });
  cudaGraphLaunch(exec, a);
  cudaStreamSynchronize(a);
  REQUIRE(h[3] == 3);
}
