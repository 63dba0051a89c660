// SPDX-License-Identifier: MIT
// What goes through a device's queue: kernels and copies.
#include <fmt/format.h>

#include <vector>

#include "backend/cuda/cuda_backend.h"
#include "d2l/error.h"

namespace d2l::backend::cuda {
namespace {

/// Up to this many bytes of pageable memory are read by the driver before it returns.
constexpr std::size_t read_at_once = std::size_t{64} << 10;

/// Puts a copy from pageable memory in the stream, and waits where the driver may not have read it yet.
void copy_pageable(CudaDevice& gpu, void* destination, const void* host, std::size_t bytes) {
  D2L_CUDA_CHECK(cudaMemcpyAsync(destination, host, bytes, cudaMemcpyHostToDevice, gpu.stream()));
  if (bytes > read_at_once || gpu.card().reads_pageable_memory) D2L_CUDA_CHECK(cudaStreamSynchronize(gpu.stream()));
}

}  // namespace

void CudaBackend::launch(int device, Operation operation, const KernelArguments& arguments,
                         std::shared_ptr<Span> span) {
  CudaDevice& gpu = *at(device);
  const char* name = info(operation).name;
  const CudaDevice::Use use(gpu, name);
  const Kernel kernel = cuda_kernels().find(operation, arguments);
  if (kernel == nullptr) throw TypeError(fmt::format("[{}] CUDA has no kernel for this dtype", name));
  for (int i = 0; i < arguments.operand_count; ++i) {
    const Operand& operand = arguments.operands[static_cast<std::size_t>(i)];
    examine(gpu, gpu, operand.data, operand.extent, name);
  }
  const auto run = [&gpu, operation, kernel, arguments] { gpu.run(operation, kernel, arguments); };
  gpu.queue().issue(gpu.timed(std::move(span), run));
}

void CudaBackend::copy_to_device(int device, void* destination, const void* host, std::size_t bytes, HostMemory kind,
                                 std::shared_ptr<Span> span) {
  if (bytes == 0) return;
  CudaDevice& gpu = *at(device);
  const CudaDevice::Use use(gpu, "copy");
  examine(gpu, gpu, destination, static_cast<std::int64_t>(bytes), "copy");
  if (kind == HostMemory::pinned) {
    const auto copy = [&gpu, destination, host, bytes] {
      D2L_CUDA_CHECK(cudaMemcpyAsync(destination, host, bytes, cudaMemcpyHostToDevice, gpu.stream()));
    };
    gpu.queue().issue(gpu.timed(std::move(span), copy));
    return;
  }
  const auto copy_now = [&gpu, destination, host, bytes] { copy_pageable(gpu, destination, host, bytes); };
  gpu.queue().issue_either(gpu.timed(span, copy_now), [&] {
    // Held back: the host memory is read now, for later.
    const auto* first = static_cast<const std::byte*>(host);
    std::vector<std::byte> staged(first, first + bytes);
    return IssueQueue::Work(gpu.timed(span, [&gpu, destination, staged = std::move(staged)] {
      copy_pageable(gpu, destination, staged.data(), staged.size());
    }));
  });
}

void CudaBackend::copy_to_host(int device, void* host, const void* source, std::size_t bytes, HostMemory,
                               std::shared_ptr<Span> span) {
  if (bytes == 0) return;
  CudaDevice& gpu = *at(device);
  const CudaDevice::Use use(gpu, "copy");
  examine(gpu, gpu, source, static_cast<std::int64_t>(bytes), "copy");
  const auto copy = [&gpu, host, source, bytes] {
    D2L_CUDA_CHECK(cudaMemcpyAsync(host, source, bytes, cudaMemcpyDeviceToHost, gpu.stream()));
  };
  gpu.queue().issue(gpu.timed(std::move(span), copy));
}

void CudaBackend::copy_to_peer(int device, int peer, void* destination, const void* source, std::size_t bytes,
                               std::shared_ptr<Span> span) {
  if (bytes == 0) return;
  CudaDevice& gpu = *at(device);
  CudaDevice& other = *at(peer);
  { const CudaDevice::Use both_are_well(other, "copy"); }
  const CudaDevice::Use use(gpu, "copy");
  examine(gpu, gpu, source, static_cast<std::int64_t>(bytes), "copy");
  examine(gpu, other, destination, static_cast<std::int64_t>(bytes), "copy");
  const int from = gpu.card().ordinal;
  const int to = other.card().ordinal;
  const auto copy = [&gpu, destination, source, bytes, from, to] {
    if (from == to) {
      D2L_CUDA_CHECK(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, gpu.stream()));
    } else {
      D2L_CUDA_CHECK(cudaMemcpyPeerAsync(destination, to, source, from, bytes, gpu.stream()));
    }
  };
  gpu.queue().issue(gpu.timed(std::move(span), copy));
}

bool CudaBackend::can_access_peer(int device, int peer) {
  CudaDevice& from = *at(device);
  CudaDevice& to = *at(peer);
  if (from.card().ordinal == to.card().ordinal) return true;
  const std::lock_guard lock(peers_mutex_);
  const auto [found, is_new] = peers_.try_emplace({device, peer}, false);
  if (is_new) found->second = connect(from, to);
  return found->second;
}

bool CudaBackend::connect(CudaDevice& from, CudaDevice& to) {
  // Opening a pool and enabling access both need the other card to be in use.
  { const CudaDevice::Use opened(to, "copy"); }
  const CudaDevice::Use use(from, "copy");
  int possible = 0;
  D2L_CUDA_CHECK(cudaDeviceCanAccessPeer(&possible, from.card().ordinal, to.card().ordinal));
  if (possible == 0) return false;
  const cudaError_t status = cudaDeviceEnablePeerAccess(to.card().ordinal, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) {
    forget_last_error();
  } else {
    check(status, "cudaDeviceEnablePeerAccess");
  }
  to.memory().open_to(from.card().ordinal);  // memory of pools has access rights of its own
  return true;
}

}  // namespace d2l::backend::cuda
