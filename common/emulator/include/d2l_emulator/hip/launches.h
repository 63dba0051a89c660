// SPDX-License-Identifier: MIT
// HIP's forms of a launch, and what it calls indices and dynamic shared memory.
#pragma once

#include "d2l_emulator/hip/errors.h"
#include "d2l_emulator/hip/runtime_names.h"
#include "d2l_emulator/launch.h"

// NOLINTBEGIN: the names are HIP's.
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define D2L_HIP_BARE(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, ...) D2L_HIP_LAUNCH((kernel), __VA_ARGS__)
#define D2L_HIP_LAUNCH(kernel, grid, block, shared, stream, ...)               \
  ::d2l::emulator::launch_of_kernel(                                           \
      D2L_EMULATOR_TEXT(D2L_HIP_BARE kernel), __FILE__, __LINE__,              \
      [=](auto&&... d2l_arguments) { D2L_HIP_BARE kernel(d2l_arguments...); }, \
      D2L_EMULATOR_KERNEL(D2L_HIP_BARE kernel),                                \
      ::d2l::emulator::Configuration(grid, block, shared, stream))(__VA_ARGS__)

/// The launch between two events, of which each may be null.
#define hipExtLaunchKernelGGL(kernel, ...) D2L_HIP_LAUNCH_WITH_EVENTS((kernel), __VA_ARGS__)
#define D2L_HIP_LAUNCH_WITH_EVENTS(kernel, grid, block, shared, stream, start, stop, flags, ...) \
  do {                                                                                           \
    if (const hipEvent_t d2l_start = start; d2l_start != nullptr) {                              \
      static_cast<void>(cudaEventRecord(d2l_start, stream));                                     \
    }                                                                                            \
    D2L_HIP_LAUNCH(kernel, grid, block, shared, stream, __VA_ARGS__);                            \
    if (const hipEvent_t d2l_stop = stop; d2l_stop != nullptr) {                                 \
      static_cast<void>(cudaEventRecord(d2l_stop, stream));                                      \
    }                                                                                            \
  } while (false)

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

// The translator replaces it, except in a macro of the program.
#define HIP_DYNAMIC_SHARED(type, variable) auto& variable = ::d2l::emulator::dynamic_shared_array<type>(#variable);
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
// NOLINTEND
