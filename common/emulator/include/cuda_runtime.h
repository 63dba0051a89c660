// SPDX-License-Identifier: MIT
// In place of the toolkit's header: the CUDA runtime and the language of kernels. As with nvcc, programs find the C
// library's common headers included.
#pragma once

// For clangd, which reads .cu files in Clang's CUDA mode (cmake/D2LCudaPrograms.cmake writes its commands): all
// functions of the emulator and of math.h are functions of the device, too. Clang's own <new> must see __device__
// without __host__.
// clang-format off
#ifdef __CUDA__
#include "d2l_emulator/language.h"
#include <new>
#include <algorithm>
#undef __device__
#define __device__ __attribute__((device)) __attribute__((host))
#pragma clang force_cuda_host_device begin
#include <math.h>
#pragma clang force_cuda_host_device end
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>
#pragma clang force_cuda_host_device begin
#endif
// clang-format on

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "d2l_emulator/graphs/api.h"
#include "d2l_emulator/runtime_api.h"
#include "d2l_emulator/unsupported.h"
#include "d2l_emulator/vector_types.h"
#include "library_types.h"
#ifndef D2L_HOST_FILE  // a .cpp file, which may have functions of its own with these names
#include "d2l_emulator/atomics.h"
#include "d2l_emulator/barriers.h"
#include "d2l_emulator/c_library.h"
#include "d2l_emulator/device_math.h"
#include "d2l_emulator/indices.h"
#include "d2l_emulator/matrices/ptx.h"
#include "d2l_emulator/packed_integers.h"
#include "d2l_emulator/ptx.h"
#include "d2l_emulator/rounding.h"
#include "d2l_emulator/special_functions.h"
#include "d2l_emulator/textures/fetches.h"
#include "d2l_emulator/textures/references.h"
#include "d2l_emulator/textures/surfaces.h"
#include "d2l_emulator/warp.h"
#endif

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
