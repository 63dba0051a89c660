// SPDX-License-Identifier: MIT
// What programs with CUB use on the host: an allocator, and macros that show errors.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "../cuda_runtime.h"

// NOLINTBEGIN: the names are CUB's.
#define CUB_VERSION 200000
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_NS_QUALIFIER ::cub
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_CPP_DIALECT 2017

namespace cub {

/// Shows an error if the program defines CUB_STDERR.
inline cudaError_t Debug([[maybe_unused]] cudaError_t error, [[maybe_unused]] const char* file,
                         [[maybe_unused]] int line) {
#ifdef CUB_STDERR
  if (error != cudaSuccess) {
    std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", static_cast<int>(error), file, line,
                 cudaGetErrorString(error));
  }
#endif
  return error;
}
#define CubDebug(e) ::cub::Debug(static_cast<cudaError_t>(e), __FILE__, __LINE__)
#define CubDebugExit(e) \
  if (::cub::Debug(static_cast<cudaError_t>(e), __FILE__, __LINE__)) std::exit(1)

/// Frees at once what CUB would keep for the next allocation, so that the checks see each use of freed memory.
struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool /*skip_cleanup*/ = false, bool /*debug*/ = false) {}
  CachingDeviceAllocator(unsigned /*bin_growth*/, unsigned /*min_bin*/, unsigned = 0, std::size_t = 0,
                         bool /*skip_cleanup*/ = false, bool /*debug*/ = false) {}

  cudaError_t DeviceAllocate(int device, void** memory, std::size_t bytes, cudaStream_t = nullptr) {
    return on_device(device, [&] { return cudaMalloc(memory, bytes); });
  }
  cudaError_t DeviceAllocate(void** memory, std::size_t bytes, cudaStream_t = nullptr) {
    return cudaMalloc(memory, bytes);
  }
  cudaError_t DeviceFree(int device, void* memory) {
    return on_device(device, [&] { return cudaFree(memory); });
  }
  cudaError_t DeviceFree(void* memory) { return cudaFree(memory); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
  cudaError_t SetMaxCachedBytes(std::size_t) { return cudaSuccess; }

 private:
  template <class Work>
  static cudaError_t on_device(int device, Work work) {
    int before = 0;
    cudaError_t error = cudaGetDevice(&before);
    if (error == cudaSuccess && device >= 0) error = cudaSetDevice(device);
    if (error == cudaSuccess) error = work();
    cudaSetDevice(before);
    return error;
  }
};

inline cudaError_t PtxVersion(int& version) {
  version = D2L_CUDA_ARCH;
  return cudaSuccess;
}
inline cudaError_t SyncStream(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
template <class Kernel>
cudaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int threads, int dynamic_shared = 0) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                       static_cast<std::size_t>(dynamic_shared));
}
template <class A, class B>
constexpr A DivideAndRoundUp(A dividend, B divisor) {
  return static_cast<A>(dividend / divisor + (dividend % divisor != 0 ? 1 : 0));
}

}  // namespace cub
// NOLINTEND
