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
    "cudaDeviceGetCacheConfig", "cudaDeviceGetDefaultMemPool", "cudaDeviceGetGraphMemAttribute", "cudaDeviceGetLimit",
    "cudaDeviceGetMemPool", "cudaDeviceGetP2PAttribute", "cudaDeviceGetPCIBusId", "cudaDeviceGetSharedMemConfig",
    "cudaDeviceGetStreamPriorityRange", "cudaDeviceGetTexture1DLinearMaxWidth", "cudaDeviceGraphMemTrim",
    "cudaDeviceReset", "cudaDeviceSetCacheConfig", "cudaDeviceSetGraphMemAttribute", "cudaDeviceSetLimit",
    "cudaDeviceSetMemPool", "cudaDeviceSetSharedMemConfig", "cudaDeviceSynchronize", "cudaDriverGetVersion",
    "cudaEventCreate", "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventElapsedTime", "cudaEventQuery",
    "cudaEventRecord", "cudaEventRecordWithFlags", "cudaEventSynchronize", "cudaFree", "cudaFreeArray", "cudaFreeAsync",
    "cudaFreeHost", "cudaFreeMipmappedArray", "cudaFuncGetAttributes", "cudaFuncSetAttribute", "cudaFuncSetCacheConfig",
    "cudaFuncSetSharedMemConfig", "cudaGetChannelDesc", "cudaGetDevice", "cudaGetDeviceCount", "cudaGetDeviceFlags",
    "cudaGetDeviceProperties", "cudaGetDeviceProperties_v2", "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPointByVersion", "cudaGetMipmappedArrayLevel", "cudaGetSurfaceObjectResourceDesc",
    "cudaGetSymbolAddress", "cudaGetSymbolSize", "cudaGetTextureAlignmentOffset", "cudaGetTextureObjectResourceDesc",
    "cudaGetTextureObjectResourceViewDesc", "cudaGetTextureObjectTextureDesc", "cudaGetTextureReference",
    "cudaGraphAddChildGraphNode", "cudaGraphAddDependencies", "cudaGraphAddEmptyNode", "cudaGraphAddEventRecordNode",
    "cudaGraphAddEventWaitNode", "cudaGraphAddHostNode", "cudaGraphAddKernelNode", "cudaGraphAddMemAllocNode",
    "cudaGraphAddMemFreeNode", "cudaGraphAddMemcpyNode", "cudaGraphAddMemcpyNode1D", "cudaGraphAddMemcpyNodeFromSymbol",
    "cudaGraphAddMemcpyNodeToSymbol", "cudaGraphAddMemsetNode", "cudaGraphAddNode", "cudaGraphChildGraphNodeGetGraph",
    "cudaGraphClone", "cudaGraphConditionalHandleCreate", "cudaGraphCreate", "cudaGraphDebugDotPrint",
    "cudaGraphDestroy", "cudaGraphDestroyNode",
    "cudaGraphEventRecordNodeGetEvent", "cudaGraphEventRecordNodeSetEvent", "cudaGraphEventWaitNodeGetEvent",
    "cudaGraphEventWaitNodeSetEvent", "cudaGraphExecChildGraphNodeSetParams", "cudaGraphExecDestroy",
    "cudaGraphExecEventRecordNodeSetEvent", "cudaGraphExecEventWaitNodeSetEvent", "cudaGraphExecGetFlags",
    "cudaGraphExecHostNodeSetParams", "cudaGraphExecKernelNodeSetParams", "cudaGraphExecMemcpyNodeSetParams",
    "cudaGraphExecMemcpyNodeSetParams1D", "cudaGraphExecMemcpyNodeSetParamsFromSymbol",
    "cudaGraphExecMemcpyNodeSetParamsToSymbol", "cudaGraphExecMemsetNodeSetParams", "cudaGraphExecNodeSetParams",
    "cudaGraphExecUpdate", "cudaGraphGetEdges", "cudaGraphGetNodes", "cudaGraphGetRootNodes",
    "cudaGraphHostNodeGetParams", "cudaGraphHostNodeSetParams", "cudaGraphInstantiate", "cudaGraphInstantiateWithFlags",
    "cudaGraphInstantiateWithParams", "cudaGraphKernelNodeCopyAttributes", "cudaGraphKernelNodeGetAttribute",
    "cudaGraphKernelNodeGetParams", "cudaGraphKernelNodeSetAttribute", "cudaGraphKernelNodeSetParams",
    "cudaGraphLaunch", "cudaGraphMemAllocNodeGetParams", "cudaGraphMemFreeNodeGetParams",
    "cudaGraphMemcpyNodeGetParams", "cudaGraphMemcpyNodeSetParams", "cudaGraphMemcpyNodeSetParams1D",
    "cudaGraphMemcpyNodeSetParamsFromSymbol", "cudaGraphMemcpyNodeSetParamsToSymbol", "cudaGraphMemsetNodeGetParams",
    "cudaGraphMemsetNodeSetParams", "cudaGraphNodeFindInClone", "cudaGraphNodeGetDependencies",
    "cudaGraphNodeGetDependentNodes", "cudaGraphNodeGetEnabled", "cudaGraphNodeGetType", "cudaGraphNodeSetEnabled",
    "cudaGraphNodeSetParams", "cudaGraphReleaseUserObject", "cudaGraphRemoveDependencies", "cudaGraphRetainUserObject",
    "cudaGraphUpload", "cudaHostAlloc", "cudaHostGetDevicePointer", "cudaHostGetFlags", "cudaHostRegister",
    "cudaHostUnregister", "cudaInitDevice", "cudaLaunchHostFunc", "cudaMalloc", "cudaMalloc3D", "cudaMalloc3DArray",
    "cudaMallocArray", "cudaMallocAsync", "cudaMallocFromPoolAsync", "cudaMallocHost", "cudaMallocManaged",
    "cudaMallocMipmappedArray", "cudaMallocPitch", "cudaMemAdvise", "cudaMemGetInfo", "cudaMemPoolCreate",
    "cudaMemPoolDestroy", "cudaMemPoolGetAccess", "cudaMemPoolGetAttribute", "cudaMemPoolSetAccess",
    "cudaMemPoolSetAttribute", "cudaMemPoolTrimTo", "cudaMemPrefetchAsync", "cudaMemcpy", "cudaMemcpy2D",
    "cudaMemcpy2DArrayToArray", "cudaMemcpy2DAsync", "cudaMemcpy2DFromArray", "cudaMemcpy2DFromArrayAsync",
    "cudaMemcpy2DToArray", "cudaMemcpy2DToArrayAsync", "cudaMemcpy3D", "cudaMemcpy3DAsync", "cudaMemcpyArrayToArray",
    "cudaMemcpyAsync", "cudaMemcpyFromArray", "cudaMemcpyFromArrayAsync", "cudaMemcpyFromSymbol",
    "cudaMemcpyFromSymbolAsync", "cudaMemcpyPeer", "cudaMemcpyPeerAsync", "cudaMemcpyToArray", "cudaMemcpyToArrayAsync",
    "cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync", "cudaMemset", "cudaMemset2D", "cudaMemset2DAsync", "cudaMemset3D",
    "cudaMemset3DAsync", "cudaMemsetAsync", "cudaOccupancyAvailableDynamicSMemPerBlock",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaOccupancyMaxPotentialBlockSize", "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
    "cudaOccupancyMaxPotentialBlockSizeWithFlags", "cudaPointerGetAttributes", "cudaProfilerStart", "cudaProfilerStop",
    "cudaRuntimeGetVersion", "cudaSetDevice", "cudaSetDeviceFlags", "cudaSetValidDevices", "cudaStreamAddCallback",
    "cudaStreamAttachMemAsync", "cudaStreamBeginCapture", "cudaStreamBeginCaptureToGraph", "cudaStreamCopyAttributes",
    "cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cudaStreamDestroy",
    "cudaStreamEndCapture", "cudaStreamGetAttribute", "cudaStreamGetCaptureInfo", "cudaStreamGetCaptureInfo_v2",
    "cudaStreamGetCaptureInfo_v3", "cudaStreamGetDevice", "cudaStreamGetFlags", "cudaStreamGetId",
    "cudaStreamGetPriority", "cudaStreamIsCapturing", "cudaStreamQuery", "cudaStreamSetAttribute",
    "cudaStreamSynchronize", "cudaStreamUpdateCaptureDependencies", "cudaStreamUpdateCaptureDependencies_v2",
    "cudaStreamWaitEvent", "cudaThreadExchangeStreamCaptureMode", "cudaThreadExit", "cudaThreadSynchronize",
    "cudaUnbindTexture", "cudaUserObjectCreate", "cudaUserObjectRelease", "cudaUserObjectRetain"};
// clang-format on

/// Those that only HIP has; the others of HIP have CUDA's names with hip.
constexpr std::string_view hip_functions[] = {
    "hipCtxCreate",       "hipCtxDestroy",     "hipCtxSetCurrent",     "hipCtxSynchronize",
    "hipDeviceGet",       "hipDeviceGetName",  "hipDeviceTotalMem",    "hipExtMallocWithFlags",
    "hipFreeHost",        "hipHostFree",       "hipHostMalloc",        "hipInit",
    "hipMemAllocHost",    "hipMemcpyDtoD",     "hipMemcpyDtoDAsync",   "hipMemcpyDtoH",
    "hipMemcpyDtoHAsync", "hipMemcpyHtoD",     "hipMemcpyHtoDAsync",   "hipMemcpyWithStream",
    "hipMemsetD16",       "hipMemsetD16Async", "hipMemsetD32",         "hipMemsetD32Async",
    "hipMemsetD8",        "hipMemsetD8Async",  "hipModuleGetFunction", "hipModuleLaunchKernel",
    "hipModuleLoad",      "hipModuleLoadData", "hipModuleUnload"};

inline bool is_runtime_function(std::string_view name) {
  if (name.starts_with("hip")) {
    const auto has_rest = [rest = name.substr(3)](std::string_view of_cuda) { return of_cuda.substr(4) == rest; };
    return std::ranges::find(hip_functions, name) != std::end(hip_functions) ||
           std::ranges::any_of(runtime_functions, has_rest);
  }
  return std::binary_search(std::begin(runtime_functions), std::end(runtime_functions), name);
}

}  // namespace d2l::emulator::translator
