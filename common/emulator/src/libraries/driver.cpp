// SPDX-License-Identifier: MIT
// The functions of the driver that are not inline in cuda.h, and how programs ask the runtime for them.
#include <cstring>

#include "cuda.h"
#include "runtime/errors.h"
#include "runtime/memory.h"

using namespace d2l::emulator;

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  const auto found = live_allocation(reinterpret_cast<const void*>(pointer));
  if (data == nullptr || !found) return CUDA_ERROR_INVALID_VALUE;
  if (attribute != CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) return CUDA_ERROR_NOT_SUPPORTED;
  auto* const pool = pool_of(*found);
  if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *static_cast<CUmemoryPool*>(data) = pool;
  return CUDA_SUCCESS;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned /*version*/,
                                             unsigned long long /*flags*/, cudaDriverEntryPointQueryResult* result) {
  return plain_call([&] {
    require(symbol != nullptr && function != nullptr);
    const bool known = std::strcmp(symbol, "cuPointerGetAttribute") == 0;
    *function = known ? reinterpret_cast<void*>(&cuPointerGetAttribute) : nullptr;
    if (result != nullptr) *result = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  });
}
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDA_VERSION, flags, result);
}
