// SPDX-License-Identifier: MIT
// The driver's pointer queries. They are looked up through the runtime, so that the library does not link libcuda.
#include <cuda.h>

#include "backend/cuda/errors/check.h"
#include "backend/cuda/memory/device_memory.h"
#include "d2l/error.h"

namespace d2l::backend::cuda {
namespace {

using PointerQuery = CUresult (*)(void*, CUpointer_attribute, CUdeviceptr);

PointerQuery find_pointer_query() {
  constexpr unsigned int version = 11030;  // CUDA 11.3 added the pool to the attributes of pointers
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  D2L_CUDA_CHECK(
      cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &function, version, cudaEnableDefault, &found));
#else
  static_cast<void>(version);
  D2L_CUDA_CHECK(cudaGetDriverEntryPoint("cuPointerGetAttribute", &function, cudaEnableDefault, &found));
#endif
  if (found != cudaDriverEntryPointSuccess || function == nullptr) {
    throw Error("[owner] the NVIDIA driver does not have cuPointerGetAttribute; update the driver");
  }
  return reinterpret_cast<PointerQuery>(function);
}

}  // namespace

cudaMemPool_t pool_of(const void* address, int card) {
  D2L_CUDA_CHECK(cudaSetDevice(card));  // makes a context current, which the driver requires
  static const PointerQuery query = find_pointer_query();
  CUmemoryPool pool = nullptr;
  const CUresult status = query(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, reinterpret_cast<CUdeviceptr>(address));
  return status == CUDA_SUCCESS ? pool : nullptr;
}

std::optional<int> card_of(const void* address) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    forget_last_error();
    return std::nullopt;
  }
  if (attributes.type != cudaMemoryTypeDevice) return std::nullopt;
  return attributes.device;
}

}  // namespace d2l::backend::cuda
