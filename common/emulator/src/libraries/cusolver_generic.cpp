// SPDX-License-Identifier: MIT
// cuSOLVER's functions with sizes of 64 bits: those of float and double, after a look at the types.
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

#include "libraries/cusolver_work.h"

using namespace d2l::emulator;
using namespace d2l::emulator::solver;

struct cusolverDnParams {
  cusolverAlgMode_t algorithm = CUSOLVER_ALG_0;
};

namespace {

/// Calls function(T{}) if all types are the same one that is supported, and all sizes fit into LAPACK's 32 bits.
template <class Function>
cusolverStatus_t with_types(cusolverDnHandle_t handle, const cusolverDnParams* parameters,
                            std::initializer_list<cudaDataType> types, std::initializer_list<std::int64_t> sizes,
                            const Function& function) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  const auto fits = [](std::int64_t value) { return std::in_range<int>(value); };
  if (parameters == nullptr || !std::ranges::all_of(sizes, fits)) return CUSOLVER_STATUS_INVALID_VALUE;
  const cudaDataType type = *types.begin();
  if (!std::ranges::all_of(types, [&](cudaDataType one) { return one == type; })) return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (type == CUDA_R_32F) return function(float{});
  if (type == CUDA_R_64F) return function(double{});
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
int narrow(std::int64_t value) { return static_cast<int>(value); }

template <class T>
cusolverStatus_t tell_bytes(cusolverDnHandle_t handle, bool is_valid, std::int64_t m, std::int64_t n,
                            std::size_t* device_bytes, std::size_t* host_bytes) {
  int elements = 0;
  const auto status = tell_work_size(handle, is_valid && device_bytes != nullptr && host_bytes != nullptr, narrow(m),
                                     narrow(n), &elements);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  *device_bytes = size(elements) * sizeof(T);
  *host_bytes = 0;
  return status;
}
/// The elements of a work area.
template <class T>
int elements_in(std::size_t bytes) {
  return std::in_range<int>(bytes / sizeof(T)) ? static_cast<int>(bytes / sizeof(T)) : -1;
}

}  // namespace

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* parameters) {
  if (parameters == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *parameters = std::make_unique<cusolverDnParams>().release();
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters) {
  const std::unique_ptr<cusolverDnParams> owner(parameters);
  return owner ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t parameters, cusolverDnFunction_t /*function*/,
                                         cusolverAlgMode_t algorithm) {
  if (parameters == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  parameters->algorithm = algorithm;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType type, const void* /*a*/,
                                             int64_t lda, cudaDataType compute, size_t* device_bytes,
                                             size_t* host_bytes) {
  return with_types(handle, parameters, {type, compute}, {n, lda}, [&](auto zero) {
    return tell_bytes<decltype(zero)>(handle, valid(uplo) && lda >= n, n, n, device_bytes, host_bytes);
  });
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType type, void* a, int64_t lda, cudaDataType compute,
                                  void* device_work, size_t device_bytes, void* /*host_work*/, size_t /*host_bytes*/,
                                  int* info) {
  const ApiCall call(__builtin_return_address(0));
  return with_types(handle, parameters, {type, compute}, {n, lda}, [&](auto zero) {
    using T = decltype(zero);
    return potrf(handle, uplo, narrow(n), static_cast<T*>(a), narrow(lda), static_cast<T*>(device_work),
                 elements_in<T>(device_bytes), info);
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType type, const void* a, int64_t lda,
                                  cudaDataType b_type, void* b, int64_t ldb, int* info) {
  const ApiCall call(__builtin_return_address(0));
  return with_types(handle, parameters, {type, b_type}, {n, nrhs, lda, ldb}, [&](auto zero) {
    using T = decltype(zero);
    return potrs(handle, uplo, narrow(n), narrow(nrhs), static_cast<const T*>(a), narrow(lda), static_cast<T*>(b),
                 narrow(ldb), info);
  });
}
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m,
                                             int64_t n, cudaDataType type, const void* /*a*/, int64_t lda,
                                             cudaDataType compute, size_t* device_bytes, size_t* host_bytes) {
  return with_types(handle, parameters, {type, compute}, {m, n, lda}, [&](auto zero) {
    return tell_bytes<decltype(zero)>(handle, lda >= m, m, n, device_bytes, host_bytes);
  });
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, int64_t* pivots, cudaDataType compute,
                                  void* device_work, size_t /*device_bytes*/, void* /*host_work*/,
                                  size_t /*host_bytes*/, int* info) {
  const ApiCall call(__builtin_return_address(0));
  return with_types(handle, parameters, {type, compute}, {m, n, lda}, [&](auto zero) {
    using T = decltype(zero);
    return getrf(handle, narrow(m), narrow(n), static_cast<T*>(a), narrow(lda), static_cast<T*>(device_work), pivots,
                 info);
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType type, const void* a, int64_t lda,
                                  const int64_t* pivots, cudaDataType b_type, void* b, int64_t ldb, int* info) {
  const ApiCall call(__builtin_return_address(0));
  return with_types(handle, parameters, {type, b_type}, {n, nrhs, lda, ldb}, [&](auto zero) {
    using T = decltype(zero);
    return getrs(handle, trans, narrow(n), narrow(nrhs), static_cast<const T*>(a), narrow(lda), pivots,
                 static_cast<T*>(b), narrow(ldb), info);
  });
}
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m,
                                             int64_t n, cudaDataType type, const void* /*a*/, int64_t lda,
                                             cudaDataType tau_type, const void* /*tau*/, cudaDataType compute,
                                             size_t* device_bytes, size_t* host_bytes) {
  return with_types(handle, parameters, {type, tau_type, compute}, {m, n, lda}, [&](auto zero) {
    return tell_bytes<decltype(zero)>(handle, lda >= m, m, n, device_bytes, host_bytes);
  });
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType tau_type, void* tau,
                                  cudaDataType compute, void* device_work, size_t device_bytes, void* /*host_work*/,
                                  size_t /*host_bytes*/, int* info) {
  const ApiCall call(__builtin_return_address(0));
  return with_types(handle, parameters, {type, tau_type, compute}, {m, n, lda}, [&](auto zero) {
    using T = decltype(zero);
    return geqrf(handle, narrow(m), narrow(n), static_cast<T*>(a), narrow(lda), static_cast<T*>(tau),
                 static_cast<T*>(device_work), elements_in<T>(device_bytes), info);
  });
}
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             cusolverEigMode_t /*mode*/, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType type, const void* /*a*/, int64_t lda, cudaDataType w_type,
                                             const void* /*w*/, cudaDataType compute, size_t* device_bytes,
                                             size_t* host_bytes) {
  return with_types(handle, parameters, {type, w_type, compute}, {n, lda}, [&](auto zero) {
    return tell_bytes<decltype(zero)>(handle, valid(uplo) && lda >= n, n, n, device_bytes, host_bytes);
  });
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cusolverEigMode_t mode,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType w_type, void* w, cudaDataType compute, void* device_work,
                                  size_t device_bytes, void* /*host_work*/, size_t /*host_bytes*/, int* info) {
  const ApiCall call(__builtin_return_address(0));
  return with_types(handle, parameters, {type, w_type, compute}, {n, lda}, [&](auto zero) {
    using T = decltype(zero);
    return syevd(handle, mode, uplo, narrow(n), static_cast<T*>(a), narrow(lda), static_cast<T*>(w),
                 static_cast<T*>(device_work), elements_in<T>(device_bytes), info);
  });
}
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             signed char /*jobu*/, signed char /*jobvt*/, int64_t m, int64_t n,
                                             cudaDataType type, const void* /*a*/, int64_t lda, cudaDataType s_type,
                                             const void* /*s*/, cudaDataType u_type, const void* /*u*/, int64_t ldu,
                                             cudaDataType vt_type, const void* /*vt*/, int64_t ldvt,
                                             cudaDataType compute, size_t* device_bytes, size_t* host_bytes) {
  return with_types(handle, parameters, {type, s_type, u_type, vt_type, compute}, {m, n, lda, ldu, ldvt},
                    [&](auto zero) {
                      return tell_bytes<decltype(zero)>(handle, m >= n && lda >= m, m, n, device_bytes, host_bytes);
                    });
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t parameters, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType s_type, void* s, cudaDataType u_type, void* u, int64_t ldu,
                                  cudaDataType vt_type, void* vt, int64_t ldvt, cudaDataType compute, void* device_work,
                                  size_t device_bytes, void* /*host_work*/, size_t /*host_bytes*/, int* info) {
  const ApiCall call(__builtin_return_address(0));
  return with_types(handle, parameters, {type, s_type, u_type, vt_type, compute}, {m, n, lda, ldu, ldvt},
                    [&](auto zero) {
                      using T = decltype(zero);
                      return gesvd(handle, jobu, jobvt, narrow(m), narrow(n), static_cast<T*>(a), narrow(lda),
                                   static_cast<T*>(s), static_cast<T*>(u), narrow(ldu), static_cast<T*>(vt),
                                   narrow(ldvt), static_cast<T*>(device_work), elements_in<T>(device_bytes), info);
                    });
}
