// SPDX-License-Identifier: MIT
// The functions of the runtime that return an error.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace d2l::emulator::translator {

// clang-format off
constexpr std::string_view runtime_functions[] = {
    "cudaArrayGetInfo", "cudaBindSurfaceToArray", "cudaBindTexture", "cudaBindTexture2D", "cudaBindTextureToArray",
    "cudaBindTextureToMipmappedArray", "cudaChooseDevice", "cudaCreateSurfaceObject", "cudaCreateTextureObject",
    "cudaCtxResetPersistingL2Cache", "cudaDestroySurfaceObject", "cudaDestroyTextureObject", "cudaDeviceCanAccessPeer",
    "cudaDeviceDisablePeerAccess", "cudaDeviceEnablePeerAccess", "cudaDeviceGetAttribute", "cudaDeviceGetByPCIBusId",
    "cudaDeviceGetCacheConfig", "cudaDeviceGetDefaultMemPool", "cudaDeviceGetLimit", "cudaDeviceGetMemPool",
    "cudaDeviceGetP2PAttribute", "cudaDeviceGetPCIBusId", "cudaDeviceGetSharedMemConfig",
    "cudaDeviceGetStreamPriorityRange", "cudaDeviceGetTexture1DLinearMaxWidth", "cudaDeviceReset",
    "cudaDeviceSetCacheConfig", "cudaDeviceSetLimit", "cudaDeviceSetMemPool", "cudaDeviceSetSharedMemConfig",
    "cudaDeviceSynchronize", "cudaDriverGetVersion", "cudaEventCreate", "cudaEventCreateWithFlags", "cudaEventDestroy",
    "cudaEventElapsedTime", "cudaEventQuery", "cudaEventRecord", "cudaEventRecordWithFlags", "cudaEventSynchronize",
    "cudaFree", "cudaFreeArray", "cudaFreeAsync", "cudaFreeHost", "cudaFreeMipmappedArray", "cudaFuncGetAttributes",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig", "cudaGetChannelDesc",
    "cudaGetDevice", "cudaGetDeviceCount", "cudaGetDeviceFlags", "cudaGetDeviceProperties",
    "cudaGetDeviceProperties_v2", "cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion",
    "cudaGetMipmappedArrayLevel", "cudaGetSurfaceObjectResourceDesc", "cudaGetSymbolAddress", "cudaGetSymbolSize",
    "cudaGetTextureAlignmentOffset", "cudaGetTextureObjectResourceDesc", "cudaGetTextureObjectResourceViewDesc",
    "cudaGetTextureObjectTextureDesc", "cudaGetTextureReference", "cudaHostAlloc", "cudaHostGetDevicePointer",
    "cudaHostGetFlags", "cudaHostRegister", "cudaHostUnregister", "cudaInitDevice", "cudaLaunchHostFunc", "cudaMalloc",
    "cudaMalloc3D", "cudaMalloc3DArray", "cudaMallocArray", "cudaMallocAsync", "cudaMallocFromPoolAsync",
    "cudaMallocHost", "cudaMallocManaged", "cudaMallocMipmappedArray", "cudaMallocPitch", "cudaMemAdvise",
    "cudaMemGetInfo", "cudaMemPoolCreate", "cudaMemPoolDestroy", "cudaMemPoolGetAccess", "cudaMemPoolGetAttribute",
    "cudaMemPoolSetAccess", "cudaMemPoolSetAttribute", "cudaMemPoolTrimTo", "cudaMemPrefetchAsync", "cudaMemcpy",
    "cudaMemcpy2D", "cudaMemcpy2DArrayToArray", "cudaMemcpy2DAsync", "cudaMemcpy2DFromArray",
    "cudaMemcpy2DFromArrayAsync", "cudaMemcpy2DToArray", "cudaMemcpy2DToArrayAsync", "cudaMemcpy3D",
    "cudaMemcpy3DAsync", "cudaMemcpyArrayToArray", "cudaMemcpyAsync", "cudaMemcpyFromArray", "cudaMemcpyFromArrayAsync",
    "cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync", "cudaMemcpyPeer", "cudaMemcpyPeerAsync", "cudaMemcpyToArray",
    "cudaMemcpyToArrayAsync", "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemset", "cudaMemset2D",
    "cudaMemset2DAsync", "cudaMemset3D", "cudaMemset3DAsync", "cudaMemsetAsync",
    "cudaOccupancyAvailableDynamicSMemPerBlock", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cudaOccupancyMaxPotentialBlockSize",
    "cudaOccupancyMaxPotentialBlockSizeVariableSMem", "cudaOccupancyMaxPotentialBlockSizeWithFlags",
    "cudaPointerGetAttributes", "cudaProfilerStart", "cudaProfilerStop", "cudaRuntimeGetVersion", "cudaSetDevice",
    "cudaSetDeviceFlags", "cudaSetValidDevices", "cudaStreamAddCallback", "cudaStreamAttachMemAsync",
    "cudaStreamCopyAttributes", "cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
    "cudaStreamDestroy", "cudaStreamGetAttribute", "cudaStreamGetDevice", "cudaStreamGetFlags", "cudaStreamGetId",
    "cudaStreamGetPriority", "cudaStreamQuery", "cudaStreamSetAttribute", "cudaStreamSynchronize",
    "cudaStreamWaitEvent", "cudaThreadExit", "cudaThreadSynchronize", "cudaUnbindTexture"};
// clang-format on

inline bool is_runtime_function(std::string_view name) {
  return std::binary_search(std::begin(runtime_functions), std::end(runtime_functions), name);
}

}  // namespace d2l::emulator::translator
