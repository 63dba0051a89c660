// SPDX-License-Identifier: MIT
// HIP's functions of modules: programs that are compiled at run time.
#pragma once

#include <cstddef>

#include "cuda.h"
#include "d2l_emulator/hip/errors.h"
#include "d2l_emulator/hip/memory.h"

// NOLINTBEGIN: the names are HIP's.
using hipModule_t = CUmodule;
using hipFunction_t = CUfunction;
using hipJitOption = CUjit_option;
using hipFunction_attribute = CUfunction_attribute;
#define hipJitOptionMaxRegisters CU_JIT_MAX_REGISTERS
#define hipJitOptionThreadsPerBlock CU_JIT_THREADS_PER_BLOCK
#define hipJitOptionWallTime CU_JIT_WALL_TIME
#define hipJitOptionInfoLogBuffer CU_JIT_INFO_LOG_BUFFER
#define hipJitOptionInfoLogBufferSizeBytes CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES
#define hipJitOptionErrorLogBuffer CU_JIT_ERROR_LOG_BUFFER
#define hipJitOptionErrorLogBufferSizeBytes CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
#define hipJitOptionOptimizationLevel CU_JIT_OPTIMIZATION_LEVEL
#define hipJitOptionTargetFromContext CU_JIT_TARGET_FROM_CUCONTEXT
#define hipJitOptionTarget CU_JIT_TARGET
#define hipJitOptionFallbackStrategy CU_JIT_FALLBACK_STRATEGY
#define hipJitOptionGenerateDebugInfo CU_JIT_GENERATE_DEBUG_INFO
#define hipJitOptionLogVerbose CU_JIT_LOG_VERBOSE
#define hipJitOptionGenerateLineInfo CU_JIT_GENERATE_LINE_INFO
#define hipJitOptionCacheMode CU_JIT_CACHE_MODE
#define HIP_LAUNCH_PARAM_END CU_LAUNCH_PARAM_END
#define HIP_LAUNCH_PARAM_BUFFER_POINTER CU_LAUNCH_PARAM_BUFFER_POINTER
#define HIP_LAUNCH_PARAM_BUFFER_SIZE CU_LAUNCH_PARAM_BUFFER_SIZE
#define HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
#define HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
#define HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES
#define HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
#define HIP_FUNC_ATTRIBUTE_NUM_REGS CU_FUNC_ATTRIBUTE_NUM_REGS
#define HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

inline hipError_t hipModuleLoad(hipModule_t* module, const char* file) {
  return hipError_t(cuModuleLoad(module, file));
}
inline hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return hipError_t(cuModuleLoadData(module, image));
}
inline hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned count, hipJitOption* options,
                                      void** values) {
  return hipError_t(cuModuleLoadDataEx(module, image, count, options, values));
}
inline hipError_t hipModuleUnload(hipModule_t module) { return hipError_t(cuModuleUnload(module)); }
inline hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  return hipError_t(cuModuleGetFunction(function, module, name));
}
inline hipError_t hipModuleGetGlobal(hipDeviceptr_t* memory, std::size_t* bytes, hipModule_t module, const char* name) {
  CUdeviceptr address = 0;
  const auto error = cuModuleGetGlobal(&address, bytes, module, name);
  if (memory != nullptr) *memory = d2l::emulator::address_of(address);
  return hipError_t(error);
}
inline hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function) {
  return hipError_t(cuFuncGetAttribute(value, attribute, function));
}
inline hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                        hipStream_t stream, void** parameters, void** extra,
                                        d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return hipError_t(cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                                   parameters, extra, place));
}
inline hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function,
                                                                     int block_size, std::size_t dynamic_shared) {
  return hipError_t(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, dynamic_shared));
}
inline hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t function,
                                                          std::size_t dynamic_shared, int limit) {
  return hipError_t(cuOccupancyMaxPotentialBlockSize(grid, block, function, nullptr, dynamic_shared, limit));
}
// NOLINTEND
