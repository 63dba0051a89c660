// SPDX-License-Identifier: MIT
// HIP's functions of memory that CUDA does not have, or has with other types.
#pragma once

#include <cstddef>

#include "cuda.h"
#include "d2l_emulator/hip/errors.h"
#include "d2l_emulator/hip/memory_names.h"
#include "d2l_emulator/hip/runtime_names.h"
#include "d2l_emulator/hip/textures.h"

// NOLINTBEGIN: the names are HIP's.
using hipDeviceptr_t = void*;

#define make_hipExtent make_cudaExtent
#define make_hipPos make_cudaPos
#define make_hipPitchedPtr make_cudaPitchedPtr
#define HIP_SYMBOL(X) X

#define hipHostMallocNumaUser 0x20000000U
#define hipHostMallocCoherent 0x40000000U
#define hipHostMallocNonCoherent 0x80000000U
#define hipHostMallocUncached 0x10000000U
#define hipHostAllocDefault 0x00U
#define hipHostAllocPortable 0x01U
#define hipHostAllocMapped 0x02U
#define hipHostAllocWriteCombined 0x04U
#define hipDeviceMallocDefault 0x0U
#define hipDeviceMallocFinegrained 0x1U
#define hipMallocSignalMemory 0x2U
#define hipDeviceMallocUncached 0x3U
#define hipDeviceMallocContiguous 0x4U
#define hipMemAdviseSetCoarseGrain static_cast<cudaMemoryAdvise>(100)
#define hipMemAdviseUnsetCoarseGrain static_cast<cudaMemoryAdvise>(101)
#define hipMemoryTypeUnified static_cast<cudaMemoryType>(11)
#define hipMemoryTypeArray static_cast<cudaMemoryType>(10)
#define hipHostRegisterCoherent 0x08U
#define hipMemcpyDeviceToDeviceNoCU static_cast<cudaMemcpyKind>(1024)

/// CUDA's fields and HIP's own.
struct hipPointerAttribute_t : cudaPointerAttributes {
  int isManaged;
  unsigned allocationFlags;
};

inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer,
                                          d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  if (attributes == nullptr) return cudaPointerGetAttributes(nullptr, pointer);
  const hipError_t error = cudaPointerGetAttributes(attributes, pointer);
  attributes->isManaged = error == hipSuccess && attributes->type == hipMemoryTypeManaged ? 1 : 0;
  attributes->allocationFlags = 0;
  return error;
}

// Whether the caches of a card and the host agree has no meaning here.
template <class T>
hipError_t hipHostMalloc(T** memory, std::size_t bytes, unsigned flags = 0,
                         d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaHostAlloc(d2l::emulator::pointer_to_set(memory), bytes, flags & 0x0FFFFFFFU);
}
template <class T>
hipError_t hipHostAlloc(T** memory, std::size_t bytes, unsigned flags,
                        d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return hipHostMalloc(memory, bytes, flags, place);
}
template <class T>
hipError_t hipExtMallocWithFlags(T** memory, std::size_t bytes, unsigned,
                                 d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaMalloc(d2l::emulator::pointer_to_set(memory), bytes);
}

template <class... Where>
hipError_t hipMemAdvise(const void* memory, std::size_t bytes, hipMemoryAdvise advice, Where... where) {
  if (static_cast<int>(advice) >= 100) return hipSuccess;  // memory that caches keep coherent
  return cudaMemAdvise(memory, bytes, advice, where...);
}
inline hipError_t hipMemAllocPitch(hipDeviceptr_t* memory, std::size_t* pitch, std::size_t width, std::size_t height,
                                   unsigned) {
  return cudaMallocPitch(memory, pitch, width, height);
}
inline hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, std::size_t* bytes, hipDeviceptr_t pointer) {
  CUdeviceptr begin = 0;
  const auto error = cuMemGetAddressRange(&begin, bytes, reinterpret_cast<CUdeviceptr>(pointer));
  if (base != nullptr) *base = d2l::emulator::address_of(begin);
  return hipError_t(error);
}
inline hipError_t hipMemPtrGetInfo(void* pointer, std::size_t* bytes) {
  return hipMemGetAddressRange(nullptr, bytes, pointer);
}
inline hipError_t hipMemcpyWithStream(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                                      hipStream_t stream, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  const hipError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);
  return error != hipSuccess ? error : cudaStreamSynchronize(stream);
}

#define D2L_HIP_COPY(NAME, TO, FROM, KIND)                                                   \
  inline hipError_t NAME(TO to, FROM from, std::size_t bytes,                                \
                         d2l::emulator::Place place = d2l::emulator::Place::here()) {        \
    const d2l::emulator::CalledFrom from_place(place);                                       \
    return cudaMemcpy(to, from, bytes, KIND);                                                \
  }                                                                                          \
  inline hipError_t NAME##Async(TO to, FROM from, std::size_t bytes, hipStream_t stream,     \
                                d2l::emulator::Place place = d2l::emulator::Place::here()) { \
    const d2l::emulator::CalledFrom from_place(place);                                       \
    return cudaMemcpyAsync(to, from, bytes, KIND, stream);                                   \
  }
D2L_HIP_COPY(hipMemcpyHtoD, hipDeviceptr_t, const void*, cudaMemcpyHostToDevice)
D2L_HIP_COPY(hipMemcpyDtoH, void*, hipDeviceptr_t, cudaMemcpyDeviceToHost)
D2L_HIP_COPY(hipMemcpyDtoD, hipDeviceptr_t, hipDeviceptr_t, cudaMemcpyDeviceToDevice)
#undef D2L_HIP_COPY

#define D2L_HIP_FILL(BITS, T)                                                                                        \
  inline hipError_t hipMemsetD##BITS(hipDeviceptr_t memory, T value, std::size_t count,                              \
                                     d2l::emulator::Place place = d2l::emulator::Place::here()) {                    \
    const d2l::emulator::CalledFrom from(place);                                                                     \
    return hipError_t(                                                                                               \
        cuMemsetD##BITS(reinterpret_cast<CUdeviceptr>(memory), static_cast<std::make_unsigned_t<T>>(value), count)); \
  }                                                                                                                  \
  inline hipError_t hipMemsetD##BITS##Async(hipDeviceptr_t memory, T value, std::size_t count,                       \
                                            hipStream_t stream = nullptr,                                            \
                                            d2l::emulator::Place place = d2l::emulator::Place::here()) {             \
    const d2l::emulator::CalledFrom from(place);                                                                     \
    return hipError_t(cuMemsetD##BITS##Async(reinterpret_cast<CUdeviceptr>(memory),                                  \
                                             static_cast<std::make_unsigned_t<T>>(value), count, stream));           \
  }
D2L_HIP_FILL(8, unsigned char)
D2L_HIP_FILL(16, unsigned short)
D2L_HIP_FILL(32, int)
#undef D2L_HIP_FILL
// NOLINTEND
