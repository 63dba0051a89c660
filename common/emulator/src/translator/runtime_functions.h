// SPDX-License-Identifier: MIT
// The functions of the runtime that return an error.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace d2l::emulator::translator {

// clang-format off
constexpr std::string_view runtime_functions[] = {
    "cudaChooseDevice", "cudaCtxResetPersistingL2Cache", "cudaDeviceCanAccessPeer", "cudaDeviceDisablePeerAccess",
    "cudaDeviceEnablePeerAccess", "cudaDeviceGetAttribute", "cudaDeviceGetByPCIBusId", "cudaDeviceGetCacheConfig",
    "cudaDeviceGetDefaultMemPool", "cudaDeviceGetLimit", "cudaDeviceGetMemPool", "cudaDeviceGetP2PAttribute",
    "cudaDeviceGetPCIBusId", "cudaDeviceGetSharedMemConfig", "cudaDeviceGetStreamPriorityRange", "cudaDeviceReset",
    "cudaDeviceSetCacheConfig", "cudaDeviceSetLimit", "cudaDeviceSetMemPool", "cudaDeviceSetSharedMemConfig",
    "cudaDeviceSynchronize", "cudaDriverGetVersion", "cudaEventCreate", "cudaEventCreateWithFlags",
    "cudaEventDestroy", "cudaEventElapsedTime", "cudaEventQuery", "cudaEventRecord", "cudaEventRecordWithFlags",
    "cudaEventSynchronize", "cudaFree", "cudaFreeAsync", "cudaFreeHost", "cudaFuncGetAttributes",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig", "cudaGetDevice",
    "cudaGetDeviceCount", "cudaGetDeviceFlags", "cudaGetDeviceProperties", "cudaGetDeviceProperties_v2",
    "cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion", "cudaGetSymbolAddress", "cudaGetSymbolSize",
    "cudaHostAlloc", "cudaHostGetDevicePointer", "cudaHostGetFlags", "cudaHostRegister", "cudaHostUnregister",
    "cudaInitDevice", "cudaLaunchHostFunc", "cudaMalloc", "cudaMalloc3D", "cudaMallocAsync",
    "cudaMallocFromPoolAsync", "cudaMallocHost", "cudaMallocManaged", "cudaMallocPitch", "cudaMemAdvise",
    "cudaMemGetInfo", "cudaMemPoolCreate", "cudaMemPoolDestroy", "cudaMemPoolGetAccess", "cudaMemPoolGetAttribute",
    "cudaMemPoolSetAccess", "cudaMemPoolSetAttribute", "cudaMemPoolTrimTo", "cudaMemPrefetchAsync", "cudaMemcpy",
    "cudaMemcpy2D", "cudaMemcpy2DAsync", "cudaMemcpy3D", "cudaMemcpy3DAsync", "cudaMemcpyAsync",
    "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync", "cudaMemcpyPeer", "cudaMemcpyPeerAsync",
    "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemset", "cudaMemset2D", "cudaMemset2DAsync",
    "cudaMemset3D", "cudaMemset3DAsync", "cudaMemsetAsync", "cudaOccupancyAvailableDynamicSMemPerBlock",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaOccupancyMaxPotentialBlockSize", "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
    "cudaOccupancyMaxPotentialBlockSizeWithFlags", "cudaPointerGetAttributes", "cudaProfilerStart",
    "cudaProfilerStop", "cudaRuntimeGetVersion", "cudaSetDevice", "cudaSetDeviceFlags", "cudaSetValidDevices",
    "cudaStreamAddCallback", "cudaStreamAttachMemAsync", "cudaStreamCopyAttributes", "cudaStreamCreate",
    "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cudaStreamDestroy", "cudaStreamGetAttribute",
    "cudaStreamGetDevice", "cudaStreamGetFlags", "cudaStreamGetId", "cudaStreamGetPriority", "cudaStreamQuery",
    "cudaStreamSetAttribute", "cudaStreamSynchronize", "cudaStreamWaitEvent", "cudaThreadExit",
    "cudaThreadSynchronize"};
// clang-format on

inline bool is_runtime_function(std::string_view name) {
  return std::binary_search(std::begin(runtime_functions), std::end(runtime_functions), name);
}

}  // namespace d2l::emulator::translator
