// SPDX-License-Identifier: MIT
// The driver's functions for memory.
#pragma once

#include <cstddef>

#include "d2l_emulator/driver/types.h"

// NOLINTBEGIN: the names are CUDA's.
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer);
/// The allocation that contains an address; CUDA_ERROR_NOT_FOUND if none does. Either result may be null.
CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr pointer);
/// `count` elements of 2 and of 4 bytes; the address is a multiple of that.
CUresult cuMemsetD16Async(CUdeviceptr memory, unsigned short value, std::size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned value, std::size_t count, CUstream stream);
CUresult cuMemsetD16(CUdeviceptr memory, unsigned short value, std::size_t count);
CUresult cuMemsetD32(CUdeviceptr memory, unsigned value, std::size_t count);

namespace d2l::emulator {
inline void* address_of(CUdeviceptr memory) { return reinterpret_cast<void*>(memory); }
}  // namespace d2l::emulator

inline CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) { return CUresult(cudaMemGetInfo(free, total)); }
inline CUresult cuMemAlloc(CUdeviceptr* memory, std::size_t bytes) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;  // where cudaMalloc gives a null pointer
  return CUresult(cudaMalloc(reinterpret_cast<void**>(memory), bytes));
}
inline CUresult cuMemAllocPitch(CUdeviceptr* memory, std::size_t* pitch, std::size_t width, std::size_t height,
                                unsigned /*element_bytes*/) {
  return CUresult(cudaMallocPitch(reinterpret_cast<void**>(memory), pitch, width, height));
}
inline CUresult cuMemAllocManaged(CUdeviceptr* memory, std::size_t bytes, unsigned flags) {
  return CUresult(cudaMallocManaged(reinterpret_cast<void**>(memory), bytes, flags));
}
inline CUresult cuMemAllocAsync(CUdeviceptr* memory, std::size_t bytes, CUstream stream) {
  return CUresult(cudaMallocAsync(reinterpret_cast<void**>(memory), bytes, stream));
}
inline CUresult cuMemFree(CUdeviceptr memory) { return CUresult(cudaFree(d2l::emulator::address_of(memory))); }
inline CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  return CUresult(cudaFreeAsync(d2l::emulator::address_of(memory), stream));
}
inline CUresult cuMemAllocHost(void** memory, std::size_t bytes) { return CUresult(cudaMallocHost(memory, bytes)); }
inline CUresult cuMemHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  return CUresult(cudaHostAlloc(memory, bytes, flags));
}
inline CUresult cuMemFreeHost(void* memory) { return CUresult(cudaFreeHost(memory)); }
inline CUresult cuMemHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  return CUresult(cudaHostRegister(memory, bytes, flags));
}
inline CUresult cuMemHostUnregister(void* memory) { return CUresult(cudaHostUnregister(memory)); }
inline CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* memory, unsigned flags) {
  return CUresult(cudaHostGetDevicePointer(reinterpret_cast<void**>(device), memory, flags));
}

#define D2L_COPY(name, to_type, from_type, to, from, kind)                                                    \
  inline CUresult name(to_type to_memory, from_type from_memory, std::size_t bytes) {                         \
    return CUresult(cudaMemcpy(to(to_memory), from(from_memory), bytes, kind));                               \
  }                                                                                                           \
  inline CUresult name##Async(to_type to_memory, from_type from_memory, std::size_t bytes, CUstream stream) { \
    return CUresult(cudaMemcpyAsync(to(to_memory), from(from_memory), bytes, kind, stream));                  \
  }
D2L_COPY(cuMemcpy, CUdeviceptr, CUdeviceptr, d2l::emulator::address_of, d2l::emulator::address_of, cudaMemcpyDefault)
D2L_COPY(cuMemcpyHtoD, CUdeviceptr, const void*, d2l::emulator::address_of, , cudaMemcpyHostToDevice)
D2L_COPY(cuMemcpyDtoH, void*, CUdeviceptr, , d2l::emulator::address_of, cudaMemcpyDeviceToHost)
D2L_COPY(cuMemcpyDtoD, CUdeviceptr, CUdeviceptr, d2l::emulator::address_of, d2l::emulator::address_of,
         cudaMemcpyDeviceToDevice)
#undef D2L_COPY

inline CUresult cuMemsetD8(CUdeviceptr memory, unsigned char value, std::size_t count) {
  return CUresult(cudaMemset(d2l::emulator::address_of(memory), value, count));
}
inline CUresult cuMemsetD8Async(CUdeviceptr memory, unsigned char value, std::size_t count, CUstream stream) {
  return CUresult(cudaMemsetAsync(d2l::emulator::address_of(memory), value, count, stream));
}
// NOLINTEND
