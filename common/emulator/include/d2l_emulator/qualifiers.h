// SPDX-License-Identifier: MIT
// CUDA's qualifiers for the host compiler, which files without kernels may use, too. The translator handles __shared__.
#pragma once

// NOLINTBEGIN: the names are CUDA's.
#define D2L_CUDA_ARCH 900  // the translator puts it in the place of __CUDA_ARCH__ in code of the device
#ifdef __CUDA__            // an editor's clangd: see .clangd. It needs the attributes to accept a launch.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((unused))  // attribute shared is refused in what is also a host function
unsigned __cudaPushCallConfiguration(...);
unsigned cudaConfigureCall(...);  // Clang 14 takes this one where it finds no toolkit
#else
#define __global__
#define __device__
#define __host__
#define __constant__
#endif
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
// Empty, because the standard library writes __attribute__((__noinline__)).
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
// In a file of the host it has no meaning; with kernels, the translator replaces it.
#if !defined(__CUDACC__) && !defined(__HIPCC__) && !defined(__shared__)
#define __shared__
#endif
// NOLINTEND
