// SPDX-License-Identifier: MIT
// The driver's functions for errors, devices and contexts. A device has one context, the primary one.
#pragma once

#include <cstdio>

#include "d2l_emulator/driver/types.h"

// NOLINTBEGIN: the names are CUDA's.
CUresult cuGetErrorName(CUresult error, const char** text);
CUresult cuGetErrorString(CUresult error, const char** text);
/// A context of a device: that of all calls.
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active);
CUresult cuCtxSetCurrent(CUcontext context);
/// Null before the device of this thread is used.
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext* context);

inline CUresult cuInit(unsigned flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
inline CUresult cuDriverGetVersion(int* version) { return CUresult(cudaDriverGetVersion(version)); }
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
  if (error == cudaSuccess) std::snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
  return CUresult(error);
}
inline CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *uuid = properties.uuid;
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
inline CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return CUresult(cudaDeviceGetPCIBusId(id, length, device));
}
inline CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return CUresult(cudaDeviceCanAccessPeer(can, device, peer));
}

inline CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
inline CUresult cuDevicePrimaryCtxSetFlags(CUdevice, unsigned) { return CUDA_SUCCESS; }
inline CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  const CUresult error = cuDevicePrimaryCtxRetain(context, device);
  return error == CUDA_SUCCESS ? cuCtxSetCurrent(*context) : error;
}
/// As CUDA 13 declares it. The parameters have no effect.
inline CUresult cuCtxCreate(CUcontext* context, struct CUctxCreateParams*, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
inline CUresult cuCtxDestroy(CUcontext context) {
  return context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUresult(cudaDeviceSynchronize());
}
inline CUresult cuCtxGetDevice(CUdevice* device) { return CUresult(cudaGetDevice(device)); }
inline CUresult cuCtxSynchronize() { return CUresult(cudaDeviceSynchronize()); }
inline CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) { return CUresult(cudaDeviceGetLimit(value, limit)); }
inline CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) { return CUresult(cudaDeviceSetLimit(limit, value)); }
inline CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return CUresult(cudaDeviceGetStreamPriorityRange(least, greatest));
}
// NOLINTEND
