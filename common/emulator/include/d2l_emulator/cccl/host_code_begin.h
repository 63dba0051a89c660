// SPDX-License-Identifier: MIT
// Included, with host_code_end.h, around the headers with which Thrust and libcu++ find out what compiles them. Without
// nvcc's macros both are plain C++ of the host, which they support; programs of the emulator have these macros.
#pragma push_macro("__CUDACC__")
#pragma push_macro("__NVCC__")
#undef __CUDACC__
#undef __NVCC__
#pragma push_macro("__HIPCC__")
#pragma push_macro("__HIP__")
#undef __HIPCC__
#undef __HIP__
// These need more of the toolkit than the emulator has.
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVTX
