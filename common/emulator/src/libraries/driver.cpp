// SPDX-License-Identifier: MIT
// The functions of the driver that are not inline in cuda.h, and how programs ask the runtime for them.
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "calls/call_site.h"
#include "cuda.h"
#include "libraries/library_work.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/memory.h"

using namespace d2l::emulator;

struct CUctx_st {
  int device;
};

namespace {

struct DriverError {
  CUresult error;
  const char* name;
};
constexpr DriverError driver_errors[] = {
#define D2L_DRIVER_ERROR(NAME, NUMBER) {NAME, #NAME},
#include "d2l_emulator/driver/errors.def"
#undef D2L_DRIVER_ERROR
};

/// The context of a device, which exists always: handles must not change.
CUcontext context_of(int device) {
  static auto* const all = new std::vector<std::unique_ptr<CUctx_st>>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  while (all->size() <= static_cast<std::size_t>(device)) {
    all->push_back(std::make_unique<CUctx_st>(CUctx_st{static_cast<int>(all->size())}));
  }
  return (*all)[static_cast<std::size_t>(device)].get();
}
thread_local std::vector<int> devices_below;  // of contexts that are pushed

std::shared_ptr<Allocation> allocation_at(CUdeviceptr pointer) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  return live_allocation(reinterpret_cast<const void*>(pointer));
}

template <class T>
CUresult tell(void* to, T value) {
  std::memcpy(to, &value, sizeof(T));  // NOLINT(bugprone-sizeof-expression): of the pointer, if it is one
  return CUDA_SUCCESS;
}

template <class T>
CUresult fill(CUdeviceptr memory, T value, std::size_t count, CUstream stream) {
  if (memory % sizeof(T) != 0) return CUDA_ERROR_INVALID_VALUE;
  auto* const begin = reinterpret_cast<T*>(memory);  // NOLINT(performance-no-int-to-ptr): an address
  return CUresult(push_library_work(stream, {elements_of(begin, count, LibraryUse::write)},
                                    [=] { std::fill_n(at(begin), count, value); }));
}

}  // namespace

CUresult cuGetErrorName(CUresult error, const char** text) {
  const auto* const found = std::ranges::find(driver_errors, error, &DriverError::error);
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = found == std::end(driver_errors) ? nullptr : found->name;
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  const CUresult known = cuGetErrorName(error, text);
  if (known == CUDA_SUCCESS) *text = error_text(cudaError_t(error));
  return known;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device < 0 || device >= device_count()) return CUDA_ERROR_INVALID_DEVICE;
  *context = context_of(device);
  return CUresult(plain_call([&] { device_at(device).require_context(); }));
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device < 0 || device >= device_count()) return CUDA_ERROR_INVALID_DEVICE;
  *flags = device_at(device).schedule_flags;
  *active = device_at(device).has_context() ? 1 : 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return context == nullptr ? CUDA_SUCCESS : CUresult(cudaSetDevice(context->device));
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return CUresult(plain_call([&] {
    const Device& device = current_device();
    *context = device.has_context() ? context_of(device.number()) : nullptr;
  }));
}
CUresult cuCtxPushCurrent(CUcontext context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  int before = 0;
  cudaGetDevice(&before);
  devices_below.push_back(before);
  return cuCtxSetCurrent(context);
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  int device = 0;
  cudaGetDevice(&device);
  if (context != nullptr) *context = context_of(device);
  if (devices_below.empty()) return CUDA_SUCCESS;  // the context of the device itself
  const int below = devices_below.back();
  devices_below.pop_back();
  return CUresult(cudaSetDevice(below));
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  const auto found = allocation_at(pointer);
  if (data == nullptr || !found) return CUDA_ERROR_INVALID_VALUE;
  const bool managed = found->kind == MemoryKind::managed;
  const bool device = managed || found->kind == MemoryKind::device || found->kind == MemoryKind::symbol;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return tell(data, context_of(found->device));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return tell(data, device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return tell(data, pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return device && !managed ? CUDA_ERROR_INVALID_VALUE : tell(data, pointer);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return tell(data, managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return tell(data, found->device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return tell(data, found->begin);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return tell(data, found->bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return tell(data, true);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      break;
  }
  if (attribute != CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) return CUDA_ERROR_NOT_SUPPORTED;
  auto* const pool = pool_of(*found);
  return pool == nullptr ? CUDA_ERROR_INVALID_VALUE : tell(data, pool);
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr pointer) {
  const auto found = allocation_at(pointer);
  if (!found) return CUDA_ERROR_NOT_FOUND;
  if (base != nullptr) *base = reinterpret_cast<CUdeviceptr>(found->begin);
  if (bytes != nullptr) *bytes = found->bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemsetD16Async(CUdeviceptr memory, unsigned short value, std::size_t count, CUstream stream) {
  const ApiCall call(__builtin_return_address(0));
  return fill(memory, value, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned value, std::size_t count, CUstream stream) {
  const ApiCall call(__builtin_return_address(0));
  return fill(memory, value, count, stream);
}
CUresult cuMemsetD16(CUdeviceptr memory, unsigned short value, std::size_t count) {
  const ApiCall call(__builtin_return_address(0));
  return fill(memory, value, count, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr memory, unsigned value, std::size_t count) {
  const ApiCall call(__builtin_return_address(0));
  return fill(memory, value, count, nullptr);
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
