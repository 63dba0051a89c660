// SPDX-License-Identifier: MIT
// In place of HIP's header: the runtime and the language of kernels, HIP's names for those of CUDA.
#pragma once

#include "cuda_runtime.h"
#include "hip/hip_runtime_api.h"
#ifndef D2L_HOST_FILE  // a .cpp file for the host's compiler
#include "d2l_emulator/hip/functions.h"
#include "d2l_emulator/hip/warp.h"
#endif
