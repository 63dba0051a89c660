// SPDX-License-Identifier: MIT
// HIP's functions of devices that CUDA does not have, or has with other types: the properties, handles of devices.
#pragma once

#include <cstdio>
#include <cstring>

#include "cuda.h"
#include "d2l_emulator/hip/attributes.h"
#include "d2l_emulator/hip/errors.h"
#include "d2l_emulator/hip/runtime_names.h"
#include "d2l_emulator/hip/version.h"
#include "d2l_emulator/launches/warp_size.h"

// NOLINTBEGIN: the names are HIP's.
using hipDevice_t = int;
using hipCtx_t = CUcontext;

// Attributes that CUDA does not have are numbered from here on.
#define D2L_HIP_FIRST_OWN_ATTRIBUTE 10001
#define hipDeviceAttributePhysicalMultiProcessorCount static_cast<cudaDeviceAttr>(10001)
#define hipDeviceAttributeWallClockRate static_cast<cudaDeviceAttr>(10002)
#define hipDeviceAttributeClockInstructionRate static_cast<cudaDeviceAttr>(10003)
#define hipDeviceAttributeIsLargeBar static_cast<cudaDeviceAttr>(10004)
#define hipDeviceAttributeAsicRevision static_cast<cudaDeviceAttr>(10005)
#define hipDeviceAttributeFineGrainSupport static_cast<cudaDeviceAttr>(10006)
#define hipDeviceAttributeVirtualMemoryManagementSupported static_cast<cudaDeviceAttr>(10007)
#define hipDeviceAttributeImageSupport static_cast<cudaDeviceAttr>(10008)
#define hipDeviceAttributeMaxThreadsDim hipDeviceAttributeMaxBlockDimX
#define hipDeviceAttributeMaxAvailableVgprsPerThread static_cast<cudaDeviceAttr>(10009)

struct hipDeviceArch_t {
  unsigned hasGlobalInt32Atomics : 1;
  unsigned hasGlobalFloatAtomicExch : 1;
  unsigned hasSharedInt32Atomics : 1;
  unsigned hasSharedFloatAtomicExch : 1;
  unsigned hasFloatAtomicAdd : 1;
  unsigned hasGlobalInt64Atomics : 1;
  unsigned hasSharedInt64Atomics : 1;
  unsigned hasDoubles : 1;
  unsigned hasWarpVote : 1;
  unsigned hasWarpBallot : 1;
  unsigned hasWarpShuffle : 1;
  unsigned hasFunnelShift : 1;
  unsigned hasThreadFenceSystem : 1;
  unsigned hasSyncThreadsExt : 1;
  unsigned hasSurfaceFuncs : 1;
  unsigned has3dGrid : 1;
  unsigned hasDynamicParallelism : 1;
};

/// CUDA's fields and HIP's own.
struct hipDeviceProp_t : cudaDeviceProp {
  hipDeviceArch_t arch;
  char gcnArchName[256];
  int gcnArch;
  std::size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  int isLargeBar;
  int asicRevision;
  unsigned* hdpMemFlushCntl;
  unsigned* hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatchedFunc;
  int cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim;
  int cooperativeMultiDeviceUnmatchedSharedMem;
};
#define hipDeviceProp_tR0600 hipDeviceProp_t
#define hipGetDevicePropertiesR0600 hipGetDeviceProperties

namespace d2l::emulator::hip {
/// An RDNA 3 card has warps of 32 lanes, and a CDNA 2 card of 64.
struct Architecture {
  const char* name;
  int number;
  int major;
  int minor;
};
inline constexpr Architecture architecture =
    D2L_WARP_SIZE == 64 ? Architecture{"gfx90a", 910, 9, 0} : Architecture{"gfx1100", 1100, 11, 0};
inline constexpr int wall_clock_khz = 100000;
}  // namespace d2l::emulator::hip

inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device,
                                         d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  if (properties == nullptr) return cudaGetDeviceProperties(nullptr, device);
  const hipError_t error = cudaGetDeviceProperties(properties, device);
  if (error != hipSuccess) return error;
  hipDeviceProp_t made = {};
  static_cast<cudaDeviceProp&>(made) = *properties;
  made.arch = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0};
  std::snprintf(made.gcnArchName, sizeof made.gcnArchName, "%s", d2l::emulator::hip::architecture.name);
  made.gcnArch = d2l::emulator::hip::architecture.number;
  made.major = d2l::emulator::hip::architecture.major;
  made.minor = d2l::emulator::hip::architecture.minor;
  made.maxSharedMemoryPerMultiProcessor = properties->sharedMemPerMultiprocessor;
  made.clockInstructionRate = d2l::emulator::hip::wall_clock_khz;
  *properties = made;
  return error;
}

inline hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device,
                                        d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  const bool major = attribute == hipDeviceAttributeComputeCapabilityMajor;
  const bool minor = attribute == hipDeviceAttributeComputeCapabilityMinor;
  const bool of_cuda = static_cast<int>(attribute) < D2L_HIP_FIRST_OWN_ATTRIBUTE;
  if (of_cuda && !major && !minor) return cudaDeviceGetAttribute(value, attribute, device);
  const hipError_t error = cudaDeviceGetAttribute(value, hipDeviceAttributeMultiprocessorCount, device);
  if (error != hipSuccess || attribute == hipDeviceAttributePhysicalMultiProcessorCount) return error;
  if (major || minor) {
    *value = major ? d2l::emulator::hip::architecture.major : d2l::emulator::hip::architecture.minor;
  } else if (attribute == hipDeviceAttributeWallClockRate || attribute == hipDeviceAttributeClockInstructionRate) {
    *value = d2l::emulator::hip::wall_clock_khz;
  } else {
    const bool yes = attribute == hipDeviceAttributeFineGrainSupport || attribute == hipDeviceAttributeImageSupport;
    *value = yes ? 1 : 0;
  }
  return error;
}

inline hipError_t hipDriverGetVersion(int* version) {
  if (version == nullptr) return hipErrorInvalidValue;
  *version = HIP_VERSION;
  return hipSuccess;
}
inline hipError_t hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }
inline hipError_t hipInit(unsigned flags) { return hipError_t(cuInit(flags)); }
inline hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* properties) {
  return cudaChooseDevice(device, properties);
}
inline hipError_t hipDeviceGet(hipDevice_t* device, int number) { return hipError_t(cuDeviceGet(device, number)); }
inline hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  return hipError_t(cuDeviceGetName(name, length, device));
}
inline hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return hipError_t(cuDeviceGetUuid(uuid, device));
}
inline hipError_t hipDeviceTotalMem(std::size_t* bytes, hipDevice_t device) {
  return hipError_t(cuDeviceTotalMem(bytes, device));
}
inline hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  const hipError_t error = hipDeviceGetAttribute(major, hipDeviceAttributeComputeCapabilityMajor, device);
  return error != hipSuccess ? error : hipDeviceGetAttribute(minor, hipDeviceAttributeComputeCapabilityMinor, device);
}
inline int hipGetStreamDeviceId(hipStream_t stream) {
  int device = -1;
  return cudaStreamGetDevice(stream, &device) == hipSuccess ? device : -1;
}

// contexts
inline hipError_t hipCtxCreate(hipCtx_t* context, unsigned flags, hipDevice_t device) {
  return hipError_t(cuCtxCreate(context, flags, device));
}
inline hipError_t hipCtxDestroy(hipCtx_t context) { return hipError_t(cuCtxDestroy(context)); }
inline hipError_t hipCtxSetCurrent(hipCtx_t context) { return hipError_t(cuCtxSetCurrent(context)); }
inline hipError_t hipCtxGetCurrent(hipCtx_t* context) { return hipError_t(cuCtxGetCurrent(context)); }
inline hipError_t hipCtxPushCurrent(hipCtx_t context) { return hipError_t(cuCtxPushCurrent(context)); }
inline hipError_t hipCtxPopCurrent(hipCtx_t* context) { return hipError_t(cuCtxPopCurrent(context)); }
inline hipError_t hipCtxGetDevice(hipDevice_t* device) { return hipError_t(cuCtxGetDevice(device)); }
inline hipError_t hipCtxSynchronize() { return hipError_t(cuCtxSynchronize()); }
inline hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device) {
  return hipError_t(cuDevicePrimaryCtxRetain(context, device));
}
inline hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return hipError_t(cuDevicePrimaryCtxRelease(device));
}
inline hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  return hipError_t(cuDevicePrimaryCtxGetState(device, flags, active));
}
inline hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned flags) {
  return hipError_t(cuDevicePrimaryCtxSetFlags(device, flags));
}
inline hipError_t hipDrvGetErrorName(hipError_t error, const char** text) {
  *text = cudaGetErrorName(error);
  return hipSuccess;
}
inline hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  *text = cudaGetErrorString(error);
  return hipSuccess;
}

// events: the flags for caches of a card have no meaning here
#define hipEventDisableSystemFence 0x20000000U
#define hipEventReleaseToDevice 0x40000000U
#define hipEventReleaseToSystem 0x80000000U
inline hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags,
                                          d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaEventCreateWithFlags(event, flags & 0x1FFFFFFFU);
}
inline hipError_t hipExtGetLastError() { return cudaGetLastError(); }
// NOLINTEND
