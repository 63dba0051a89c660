// SPDX-License-Identifier: MIT
// In place of the toolkit's header: of the driver's functions, queries of devices and pointers, memory, modules that
// are compiled at run time, and contexts, of which each device has one.
#pragma once

#include "cuda_runtime.h"

// NOLINTBEGIN: the names are CUDA's.
enum CUresult {
#define D2L_ERROR(NAME, NUMBER, TEXT) d2l_driver_##NAME = NUMBER,
#include "d2l_emulator/errors.def"
#undef D2L_ERROR
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_FILE_NOT_FOUND = 301,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
};
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUstream = cudaStream_t;
using CUevent = cudaEvent_t;
using CUmemoryPool = cudaMemPool_t;
using CUdevice_attribute = cudaDeviceAttr;
enum CUpointer_attribute {
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17
};
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = cudaDevAttrMaxThreadsPerBlock;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_WARP_SIZE = cudaDevAttrWarpSize;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_CLOCK_RATE = cudaDevAttrClockRate;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = cudaDevAttrMemoryClockRate;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = cudaDevAttrMultiProcessorCount;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = cudaDevAttrGlobalMemoryBusWidth;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = cudaDevAttrL2CacheSize;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR =
    cudaDevAttrMaxThreadsPerMultiProcessor;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK =
    cudaDevAttrMaxSharedMemoryPerBlock;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = cudaDevAttrComputeCapabilityMajor;
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = cudaDevAttrComputeCapabilityMinor;

#include "d2l_emulator/driver/modules.h"

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer);

inline CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int* version) { return CUresult(cudaDriverGetVersion(version)); }
inline CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = cudaGetErrorName(cudaError_t(error));
  return CUDA_SUCCESS;
}
inline CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = cudaGetErrorString(cudaError_t(error));
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetCount(int* count) { return CUresult(cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return CUresult(cudaDeviceGetAttribute(value, attribute, device));
}
inline CUresult cuDeviceGet(CUdevice* device, int number) {
  int count = 0;
  cudaGetDeviceCount(&count);
  if (number < 0 || number >= count) return CUDA_ERROR_INVALID_DEVICE;
  *device = number;
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
  return CUresult(error);
}
inline CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *bytes = properties.totalGlobalMem;
  return CUresult(error);
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  cuDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
  return cuDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device);
}

inline CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  *context = nullptr;
  return CUresult(cudaSetDevice(device));
}
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxGetDevice(CUdevice* device) { return CUresult(cudaGetDevice(device)); }
inline CUresult cuCtxSynchronize() { return CUresult(cudaDeviceSynchronize()); }

inline CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) { return CUresult(cudaMemGetInfo(free, total)); }
inline CUresult cuMemAlloc(CUdeviceptr* memory, std::size_t bytes) {
  return CUresult(cudaMalloc(reinterpret_cast<void**>(memory), bytes));
}
inline CUresult cuMemFree(CUdeviceptr memory) { return CUresult(cudaFree(reinterpret_cast<void*>(memory))); }
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return CUresult(cudaMemcpy(reinterpret_cast<void*>(to), from, bytes, cudaMemcpyHostToDevice));
}
inline CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return CUresult(cudaMemcpy(to, reinterpret_cast<const void*>(from), bytes, cudaMemcpyDeviceToHost));
}
inline CUresult cuMemsetD8(CUdeviceptr memory, unsigned char value, std::size_t count) {
  return CUresult(cudaMemset(reinterpret_cast<void*>(memory), value, count));
}
// NOLINTEND
